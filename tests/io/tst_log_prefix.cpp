// SPDX-License-Identifier: MIT
#include "core/io/log_prefix.h"

#include "tests/support/test_data.h"

using namespace reinspect;

class tst_LogPrefix : public QObject
{
    Q_OBJECT

private slots:
    void aPrefixOfEveryAgeIsTakenOff_data();
    void aPrefixOfEveryAgeIsTakenOff();
    void otherLinesHaveNone_data();
    void otherLinesHaveNone();
};

void tst_LogPrefix::aPrefixOfEveryAgeIsTakenOff_data()
{
    QTest::addColumn<std::string>("line");
    QTest::addColumn<std::string>("rank");
    QTest::addColumn<std::string>("compileId");
    QTest::addColumn<std::string>("artifact");
    QTest::addColumn<std::string>("rest");

    const auto row = [](const char* name, const char* line, const char* rank, const char* id,
                        const char* artifact, const char* rest) {
        QTest::newRow(name) << std::string(line) << std::string(rank) << std::string(id)
                            << std::string(artifact) << std::string(rest);
    };
    row("2.3 and later", "V0211 09:14:55.402000 7731 torch/a.py:133] [0/0] [__aot_graphs]  x", "",
        "0/0", "aot_graphs", " x");
    row("with a rank", "[rank1]:V0211 09:14:55.402000 7731 torch/a.py:133] [0/0] [__aot_graphs] x",
        "rank1", "0/0", "aot_graphs", "x");
    row("with a rank and a blank",
        "[rank1]: I0211 09:14:55.402000 7731 torch/a.py:133] [0/0] [__aot_graphs] x", "rank1",
        "0/0", "aot_graphs", "x");
    row("thread id of 15 digits",
        "V0703 09:14:55.402000 139936321234567 torch/a.py:133] [3/1] [__aot_graphs] x", "", "3/1",
        "aot_graphs", "x");
    row("outside of a compilation", "I0211 09:14:55.402000 7731 torch/a.py:133] [__a] x", "", "",
        "a", "x");
    row("an attempt", "I0211 09:14:55.402000 7731 torch/a.py:133] [3/1_2] [__a] x", "", "3/1_2",
        "a", "x");
    row("compiled autograd", "I0211 09:14:55.402000 7731 torch/a.py:133] [!0/3/0_1] [__a] x", "",
        "!0/3/0_1", "a", "x");
    row("compiled autograd alone", "I0211 09:14:55.402000 7731 torch/a.py:133] [!0] [__a] x", "",
        "!0", "a", "x");
    row("an ordinary logger", "I0211 09:14:55.402000 7731 torch/a.py:592] [0/0] For node x", "",
        "0/0", "", "For node x");
    row("an absolute path with blanks",
        "I0211 09:14:55.402000 7731 /my dir/a.py:592] [0/0] [__a] x", "", "0/0", "a", "x");
    row("trailing blanks stripped", "V0211 09:14:55.402000 7731 torch/a.py:133] [0/0] [__a]", "",
        "0/0", "a", "");
    row("a list is no tag", "V0211 09:14:55.402000 7731 torch/a.py:133] [0, 1] x", "", "", "",
        "[0, 1] x");
    row("a launcher in front",
        "(Worker_TP0 pid=101) V0211 09:14:55.402000 7731 torch/a.py:133] [0/0] [__a] x",
        "(Worker_TP0 pid=101)", "0/0", "a", "x");
    row("a launcher and a rank",
        "web-1  | [rank0]:V0211 09:14:55.402000 7731 torch/a.py:133] [0/0] [__a] x", "rank0", "0/0",
        "a", "x");
    row("2.0", "[2023-04-10 12:28:11,630] torch.x.aot_autograd.__aot_graphs: [INFO] TRACED GRAPH",
        "", "", "aot_graphs", "TRACED GRAPH");
    row("2.1", "[2023-11-08 09:22:26,204] [0/0] torch.x.__aot_graphs: [DEBUG]  x", "", "0/0",
        "aot_graphs", " x");
    row("2.2 with a rank",
        "[rank0]:[2024-01-08 09:22:26,204] [0/0] torch.x.__aot_graphs: [DEBUG]  x", "rank0", "0/0",
        "aot_graphs", " x");
    row("short", "INFO: TRACED GRAPH", "", "", "", "TRACED GRAPH");
    row("basicConfig", "DEBUG:torch.x.__aot_graphs:TRACED GRAPH", "", "", "aot_graphs",
        "TRACED GRAPH");
    row("trimmed by hand", "[0/0] [__aot_graphs]  x", "", "0/0", "aot_graphs", " x");
    row("trimmed to the tag", "[__aot_graphs]     def f", "", "", "aot_graphs", "    def f");
}

void tst_LogPrefix::aPrefixOfEveryAgeIsTakenOff()
{
    QFETCH(const std::string, line);
    QFETCH(const std::string, rank);
    QFETCH(const std::string, compileId);
    QFETCH(const std::string, artifact);
    QFETCH(const std::string, rest);

    const std::optional<LogPrefix> prefix = logPrefixOf(line);

    QVERIFY(prefix.has_value());
    COMPARE_TEXT(prefix->rank, rank);
    COMPARE_TEXT(prefix->compileId, compileId);
    COMPARE_TEXT(prefix->artifact, artifact);
    COMPARE_TEXT(line.substr(prefix->length), rest);
}

void tst_LogPrefix::otherLinesHaveNone_data()
{
    QTest::addColumn<std::string>("line");
    for (const char* line :
         {"", "    def forward(self):", "[0, 1]", "class <lambda>(torch.nn.Module):", "V0211",
          "%a : [num_users=1] = placeholder[target=a]", "INFORM: x", "[__] x", "a.b = c[0]"})
        QTest::newRow(line) << std::string(line);
}

void tst_LogPrefix::otherLinesHaveNone()
{
    QFETCH(const std::string, line);

    QVERIFY(!logPrefixOf(line));
}

QTEST_APPLESS_MAIN(tst_LogPrefix)
#include "tst_log_prefix.moc"
