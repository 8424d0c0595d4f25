// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "views/models/linked_text.h"
#include "views/models/tensor_words.h"

using namespace reinspect;

class tst_LinkedText : public QObject
{
    Q_OBJECT

private slots:
    void quotedNamesBecomeLinks_data();
    void quotedNamesBecomeLinks();
    void aLinkLeadsBackToItsNode();
    void bytesAreReadable_data();
    void bytesAreReadable();
};

void tst_LinkedText::quotedNamesBecomeLinks_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("html");
    const auto row = [](const char* name, const char* text, const char* html) {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(html);
    };
    row("name", R"("add" reads it.)", R"(<a href="node:3">add</a> reads it.)");
    row("word that is a name too", R"(to add "add")", R"(to add <a href="node:3">add</a>)");
    row("unknown name", R"("mul" < 2)", R"(&quot;mul&quot; &lt; 2)");
    row("longer name", R"("add_1")", R"(&quot;add_1&quot;)");
    row("open quote", R"(5" wide)", R"(5&quot; wide)");
    row("nothing", "", "");
}

void tst_LinkedText::quotedNamesBecomeLinks()
{
    QFETCH(const QString, text);
    QFETCH(const QString, html);
    QCOMPARE(linkedHtml(text, {{QStringLiteral("add"), NodeId(3)}}), html);
}

void tst_LinkedText::aLinkLeadsBackToItsNode()
{
    QCOMPARE(nodeOfLink(QStringLiteral("node:17")), NodeId(17));
    QVERIFY(!nodeOfLink(QStringLiteral("node:")));
    QVERIFY(!nodeOfLink(QStringLiteral("https://example.org/17")));
}

void tst_LinkedText::bytesAreReadable_data()
{
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<QString>("text");
    QTest::newRow("few") << qint64{512} << QStringLiteral("512 B");
    QTest::newRow("exact below 10 KiB") << qint64{8192} << QStringLiteral("8,192 B");
    QTest::newRow("KiB") << qint64{65'536} << QStringLiteral("64.0 KiB");
    QTest::newRow("MiB") << qint64{150} * 1024 * 1024 << QStringLiteral("150 MiB");
    QTest::newRow("GiB") << qint64{20} * 1024 * 1024 * 1024 << QStringLiteral("20.0 GiB");
}

void tst_LinkedText::bytesAreReadable()
{
    QFETCH(const qint64, bytes);
    QFETCH(const QString, text);
    QCOMPARE(bytesText(bytes), text);
}

QTEST_GUILESS_MAIN(tst_LinkedText)
#include "tst_linked_text.moc"
