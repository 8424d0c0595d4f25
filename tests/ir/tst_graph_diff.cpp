// SPDX-License-Identifier: MIT
#include "core/ir/graph_diff.h"
#include "tests/support/graph_text.h"

#include <QTest>

using namespace reinspect;

class tst_GraphDiff : public QObject
{
    Q_OBJECT

private slots:
    void differences_data();
    void differences();
};

constexpr const char* kCode = R"(
    def forward(self, x: "f32[4]"):
        a: "f32[4]" = torch.ops.aten.cos.default(x)
        b: "f32[4]" = torch.ops.aten.sin.default(a)
        c: "f32[4]" = torch.ops.aten.add.Tensor(b, a)
        return (c,)
)";

static QString textOf(const std::vector<NodeChange>& changes)
{
    QStringList texts;
    for (const NodeChange& change : changes)
        texts.append(
            QString::fromLatin1("%1%2").arg(QLatin1String(changeKindMark(change.kind).data(), 1),
                                            QString::fromStdString(change.name)));
    return texts.join(QLatin1Char(' '));
}

void tst_GraphDiff::differences_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* from, const char* to, const char* expected) {
        QTest::newRow(name) << QString::fromLatin1(from) << QString::fromLatin1(to)
                            << QString::fromLatin1(expected);
    };
    row("identical", "", "", "");
    row("another operator", "aten.sin.default", "aten.tan.default", "!b");
    row("other arguments", "Tensor(b, a)", "Tensor(b, b)", "~c");
    row("a node less", "c: \"f32[4]\" = torch.ops.aten.add.Tensor(b, a)\n        return (c,)",
        "return (b,)", "-c ~output");
    row("a node more", "        return (c,)",
        "        d: \"f32[4]\" = torch.ops.aten.tan.default(c)\n        return (c,)", "+d");
    row("another shape only", "b: \"f32[4]\"", "b: \"f32[8]\"", "mb");
}

void tst_GraphDiff::differences()
{
    QFETCH(const QString, from);
    QFETCH(const QString, to);
    QFETCH(const QString, expected);
    QString changed = QString::fromLatin1(kCode);
    if (!from.isEmpty())
    {
        QVERIFY(changed.contains(from));
        changed.replace(from, to);
    }
    const Graph before = graphFrom(kCode);
    const Graph after = graphFrom(changed.toStdString());
    QCOMPARE(textOf(diffGraphs(before, after)), expected);
    // The other way round, what was added is gone.
    QString reversed = expected;
    reversed.replace(QLatin1Char('-'), QLatin1Char('*'));
    reversed.replace(QLatin1Char('+'), QLatin1Char('-'))
        .replace(QLatin1Char('*'), QLatin1Char('+'));
    QCOMPARE(textOf(diffGraphs(after, before)), reversed);
}

QTEST_APPLESS_MAIN(tst_GraphDiff)
#include "tst_graph_diff.moc"
