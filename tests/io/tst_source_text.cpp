// SPDX-License-Identifier: MIT
#include "core/io/source_text.h"

#include <QTest>

using namespace reinspect;

class tst_SourceText : public QObject
{
    Q_OBJECT

private slots:
    void linesCountFromOne();
    void aLastLineNeedsNoBreak();
    void lineBreaksOfWindowsAreLeftOut();
    void anOffsetHasALineAndAColumn();
    void anErrorShowsTheLine();
    void anErrorBehindTheEndPointsThere();
    void filesThatCannotBeReadSayWhy_data();
    void filesThatCannotBeReadSayWhy();
};

void tst_SourceText::linesCountFromOne()
{
    const SourceText text("t", "one\ntwo\n");

    QCOMPARE(text.lineCount(), std::size_t{2});
    QCOMPARE(text.line(1), std::string_view("one"));
    QCOMPARE(text.line(2), std::string_view("two"));
    QCOMPARE(text.line(0), std::string_view());
    QCOMPARE(text.line(3), std::string_view());
}

void tst_SourceText::aLastLineNeedsNoBreak()
{
    const SourceText text("t", "one\ntwo");

    QCOMPARE(text.lineCount(), std::size_t{2});
    QCOMPARE(text.line(2), std::string_view("two"));
}

void tst_SourceText::lineBreaksOfWindowsAreLeftOut()
{
    QCOMPARE(SourceText("t", "one\r\ntwo\r\n").line(1), std::string_view("one"));
}

void tst_SourceText::anOffsetHasALineAndAColumn()
{
    const SourceText text("t", "one\ntwo\n");

    QCOMPARE(text.spanAt(0), (TextSpan{1, 1, 1}));
    QCOMPARE(text.spanAt(5, 2), (TextSpan{2, 2, 2}));
    // The break itself belongs to the line that it ends.
    QCOMPARE(text.spanAt(3), (TextSpan{1, 4, 1}));
}

void tst_SourceText::anErrorShowsTheLine()
{
    const Error error =
        SourceText("a.txt", "one\ntwo\n").errorAt(std::size_t{4}, "wrong", "Right it.");

    QCOMPARE(toText(error), std::string("a.txt:2:1: wrong\n    two\n    ^\nRight it.\n"));
}

void tst_SourceText::anErrorBehindTheEndPointsThere()
{
    const Error error = SourceText("a.txt", "one").errorAt(std::size_t{99}, "too short");

    QCOMPARE(error.span.line, 1u);
    QCOMPARE(error.span.column, 4u);
}

void tst_SourceText::filesThatCannotBeReadSayWhy_data()
{
    QTest::addColumn<std::string>("path");
    QTest::addColumn<std::string>("message");

    QTest::newRow("missing") << std::string("no/such/file.json") << std::string("no such file");
    QTest::newRow("folder") << std::string(REINSPECT_SOURCE_DIR)
                            << std::string("is a folder, not a file");
    QTest::newRow("empty") << std::string("/dev/null") << std::string("is empty");
}

void tst_SourceText::filesThatCannotBeReadSayWhy()
{
    QFETCH(const std::string, path);
    QFETCH(const std::string, message);

    const Result<SourceText> text = readSourceText(path);

    QVERIFY(!text.ok());
    QCOMPARE(text.error().message, message);
    QCOMPARE(text.error().file, path);
    QVERIFY(!text.error().hint.empty());
    QCOMPARE(text.error().kind, ErrorKind::BadInput);
}

QTEST_APPLESS_MAIN(tst_SourceText)
#include "tst_source_text.moc"
