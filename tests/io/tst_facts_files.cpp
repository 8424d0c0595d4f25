// SPDX-License-Identifier: MIT
// Facts of scripts and drawings that other tests have no row for; all rows are listed in format_facts.md.
#include "tests/support/graph_facts.h"
#include "tests/support/test_data.h"

using namespace reinspect;

class tst_FactsFiles : public QObject
{
    Q_OBJECT

private slots:
    void scriptsGiveAttributes_data();
    void scriptsGiveAttributes();
    void drawingsAreRead_data();
    void drawingsAreRead();
};

void tst_FactsFiles::scriptsGiveAttributes_data()
{
    QTest::addColumn<std::string>("line");
    QTest::addColumn<std::string>("meta");
    const auto row = [](const char* name, const char* line, const char* meta) {
        QTest::newRow(name) << std::string(line) << std::string(meta);
    };
    row("3 a small buffer", "self.register_buffer('w', tensor([1, 0]))", "i64[2][1]cpu");
    row("3 a buffer of zeros and ones", "self.register_buffer('w', tensor([True, False]))",
        "b8[2][1]cpu");
    row("3 a random buffer", "self.register_buffer('w', torch.randn([8, 4], dtype=torch.float16))",
        "f16[8, 4][4, 1]cpu");
    row("3 a random buffer of integers",
        "self.register_buffer('w', torch.randint(1, size=[8], dtype=torch.int64).cuda())",
        "i64[8][1]cuda:0");
    row("3 a parameter", "self.w = torch.nn.Parameter(torch.randn(3, dtype=torch.float32))",
        "f32[3][1]cpu");
    row("3 a parameter with its sizes in a list",
        "self.w = torch.nn.Parameter(torch.randn([3], dtype=torch.float32).cuda())",
        "f32[3][1]cuda:0");
    row("3 a module", "self.w = Linear(in_features=2, out_features=3, bias=True)", "");
}

void tst_FactsFiles::scriptsGiveAttributes()
{
    QFETCH(const std::string, line);
    QFETCH(const std::string, meta);

    const auto document =
        documentFrom("from torch.nn import *\nclass Repro(torch.nn.Module):\n    "
                     "def __init__(self) -> None:\n        super().__init__()\n  "
                     "      "
                     + line
                     + "\n\n    \n    def forward(self, x):\n        w = self.w\n "
                       "       return (w, x)\n        \n    \n"
                       "def load_args(reader):\n    buf0 = reader.storage(None, "
                       "4)\n    reader.tensor(buf0, (1,))  # x\n");

    const Graph& graph = *document->graphs.front().graph;
    COMPARE_TEXT(toText(graph[graph.find("w")].meta.value), meta);
    COMPARE_TEXT(problemsOf(*document), "");
}

void tst_FactsFiles::drawingsAreRead_data()
{
    QTest::addColumn<std::string>("label");
    QTest::addColumn<std::string>("read");
    const auto row = [](const char* name, const char* label, const char* read) {
        QTest::newRow(name) << std::string(label) << std::string(read);
    };
    const char* const plain = "x = placeholder|y = aten.f.default(x)";
    row("6 lists cut behind eight",
        "{name=%y|op_code=call_function\n|target=torch.ops.aten.f.default\\n|args=(%x, [1, 2, "
        "3, 4, 5, 6, 7, 8, ...[total_len=40]\\n|num_users=0\\n}",
        plain);
    row("6 names kept among the arguments",
        "{name=%y|op_code=call_function\n|target=torch.ops.aten.f.default\\n|args=(%x,)|kwargs=\\{"
        "'k': 1\\}|num_users=0\\n}",
        plain);
    row("6 buffers",
        "{name=%y|op_code=call_function\n|target=torch.ops.aten.f.default\\n|buf=buf0\\n|"
        "n_origin=6\\n|num_users=0\\n}",
        plain);
    row("6 left-justified breaks",
        "{name=%y|op_code=call_function\n|target=torch.ops.aten.f.default\\l|num_users=0\\l}",
        plain);
    row("6 a module instead of a target",
        "{name=%y|op_code=call_module\n|Linear\\n|num_users=0\\n}",
        "x = placeholder|y = self.y(x)");
}

void tst_FactsFiles::drawingsAreRead()
{
    QFETCH(const std::string, label);
    QFETCH(const std::string, read);

    const auto document = documentFrom(
        "digraph \"g\" {\nrankdir=TB;\nsubgraph cluster_buf0 {\nlabel=\"buf0\";\n\"y\" [label=\""
        + label
        + "\", fillcolor=red, shape=record, style=\"filled,rounded\"];\n}\nx "
          "[label=\"{name=%x|op_code=placeholder\n|target=x\\n|num_users=1\\n}\"];\nx -> y;\n}\n");

    COMPARE_TEXT(factsOf(*document), read);
}

QTEST_APPLESS_MAIN(tst_FactsFiles)
#include "tst_facts_files.moc"
