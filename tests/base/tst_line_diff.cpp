// SPDX-License-Identifier: MIT
#include "core/base/line_diff.h"

#include <QTest>

using namespace reinspect;

class tst_LineDiff : public QObject
{
    Q_OBJECT

private slots:
    void differences_data();
    void differences();
    void textsWithNothingInCommonAreReplaced();
};

static QString signs(const std::vector<DiffLine>& lines)
{
    QString text;
    for (const DiffLine& line : lines)
        text += QLatin1Char(line.side == LineSide::Both         ? ' '
                                : line.side == LineSide::Before ? '-'
                                                                : '+')
            + QString::fromStdString(line.text);
    return text;
}

void tst_LineDiff::differences_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* before, const char* after,
                        const char* expected) {
        QTest::newRow(name) << QString::fromLatin1(before) << QString::fromLatin1(after)
                            << QString::fromLatin1(expected);
    };
    row("equal", "a\nb\n", "a\nb\n", " a b");
    row("both empty", "", "", "");
    row("from nothing", "", "a\nb", "+a+b");
    row("to nothing", "a\nb", "", "-a-b");
    row("a line more", "a\nc", "a\nb\nc", " a+b c");
    row("a line less", "a\nb\nc", "a\nc", " a-b c");
    row("a line changed", "a\nb\nc", "a\nx\nc", " a-b+x c");
    row("a line moved", "a\nb\nc\nd", "b\nc\nd\na", "-a b c d+a");
    row("the last line has no end", "a\nb", "a\nb\n", " a b");
}

void tst_LineDiff::differences()
{
    QFETCH(const QString, before);
    QFETCH(const QString, after);
    QFETCH(const QString, expected);
    QCOMPARE(signs(diffLines(before.toStdString(), after.toStdString())), expected);
}

void tst_LineDiff::textsWithNothingInCommonAreReplaced()
{
    std::string before;
    std::string after;
    for (int i = 0; i < 6000; ++i)
    {
        before += "b" + std::to_string(i) + '\n';
        after += "a" + std::to_string(i) + '\n';
    }
    const std::vector<DiffLine> lines = diffLines(before, after);
    QCOMPARE(lines.size(), std::size_t(12000));
    QCOMPARE(lines.front().side, LineSide::Before);
    QCOMPARE(lines.back().side, LineSide::After);
}

QTEST_APPLESS_MAIN(tst_LineDiff)
#include "tst_line_diff.moc"
