// SPDX-License-Identifier: MIT
#include "core/io/runnable_script.h"

#include "core/alias/storage_map.h"
#include "tests/support/graph_text.h"
#include "tests/support/test_data.h"

using namespace reinspect;

class tst_RunnableScript : public QObject
{
    Q_OBJECT

private slots:
    void inputsHaveTheirLayoutAndShareBuffers();
    void constantsAndParametersAreRead();
    void kernelsAreNamedWithTheirConstants();
    void symbolsHaveTheirSizes();
    void bodiesOfSubgraphsAreFound();
    void whatTheScriptLacksIsSaid();
    void olderScriptsGiveTheirInputs_data();
    void olderScriptsGiveTheirInputs();
};

static const char* const kScript = R"(s77 = 24
import torch
from torch import tensor, device
# torch version: 2.11.0
torch._higher_order_ops.triton_kernel_wrap.kernel_side_table.reset_table()

@triton.autotune(
    configs=[],
)
@triton.jit
def gain_kernel_0(x, out, n, BLOCK: tl.constexpr):
    o = tl.program_id(0)

    tl.store(out + o, x)

torch._higher_order_ops.triton_kernel_wrap.kernel_side_table.add_kernel(gain_kernel_0)
torch._higher_order_ops.triton_kernel_wrap.kernel_side_table.constant_args={0: {'n': 128, 'BLOCK': 64}}

from torch.nn import *
class true_graph_0(torch.nn.Module):
    def forward(self, x):
        return (x,)

class Repro(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.true_graph_0 = true_graph_0()
        self.register_buffer('_tensor_constant0', tensor([[1, 0], [2, 3]]))
        self.register_buffer('big', torch.randn([8, 4], dtype=torch.float16).cuda())
        self.p = torch.nn.Parameter(torch.randn([3], dtype=torch.float32))

    
    
    def forward(self, arg0_1, arg1_1, arg2_1, arg3_1):
        _tensor_constant0 = self._tensor_constant0
        big = self.big
        true_graph_0 = self.true_graph_0
        triton_kernel_wrapper_functional_proxy = torch.ops.higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, constant_args_idx = 0, grid = [(2, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'x': arg0_1, 'out': arg1_1}, tensors_to_clone = ['out']);  arg0_1 = None
        getitem = triton_kernel_wrapper_functional_proxy['out'];  triton_kernel_wrapper_functional_proxy = None
        return (getitem, true_graph_0)
        
def load_args(reader):
    buf0 = reader.storage(None, 512, device=device(type='cuda', index=0), dtype_hint=torch.int64)
    reader.tensor(buf0, (6, 4), (1, 6), dtype=torch.int64, storage_offset=8, requires_grad=True, is_leaf=True)  # arg0_1
    reader.tensor(buf0, (2, 3), dtype=torch.int64, is_leaf=True)  # arg1_1
    buf1 = reader.storage('abc', 4*s77)
    reader.tensor(buf1, (s77,))  # arg2_1
    reader.symint(24)  # arg3_1
load_args._version = 0
mod = Repro()
if __name__ == '__main__':
    run_repro(mod, load_args)
)";

static std::string metaOf(const Graph& graph, std::string_view name)
{
    return toText(graph[graph.find(name)].meta.value);
}

void tst_RunnableScript::inputsHaveTheirLayoutAndShareBuffers()
{
    const auto document = loadDocument(SourceText("fx_graph_runnable.py", kScript));

    QVERIFY2(document.ok(), document.ok() ? "" : toText(document.error()).c_str());
    QVERIFY((*document)->format == DocumentFormat::Runnable);
    QVERIFY((*document)->problems.empty());
    const Graph& graph = *(*document)->graphs.front().graph;
    QCOMPARE(graph.size(), std::size_t{10});
    COMPARE_TEXT(metaOf(graph, "arg0_1"), "i64[6, 4][1, 6]cuda:0");
    COMPARE_TEXT(metaOf(graph, "arg1_1"), "i64[2, 3][3, 1]cuda:0");
    COMPARE_TEXT(metaOf(graph, "arg2_1"), "f32[s77][1]cpu");
    const TensorMeta& first = *graph[graph.find("arg0_1")].meta.value.tensor();
    QVERIFY(first.offset == SymExpr(8));
    QVERIFY(first.storageBytes == SymExpr(512));
    QCOMPARE(graph[graph.find("getitem")].meta.span.line, 39u);

    const StorageMap storages = buildStorageMap(graph);
    QVERIFY(storages.storageOf(graph.find("arg0_1")) == storages.storageOf(graph.find("arg1_1")));
    QVERIFY(
        !(storages.storageOf(graph.find("arg0_1")) == storages.storageOf(graph.find("arg2_1"))));
}

void tst_RunnableScript::constantsAndParametersAreRead()
{
    const auto document = documentFrom(kScript);

    const Graph& graph = *document->graphs.front().graph;
    COMPARE_TEXT(toText(graph.attributes.at("_tensor_constant0")), "i64[2, 2][2, 1]cpu");
    COMPARE_TEXT(toText(graph.attributes.at("big")), "f16[8, 4][4, 1]cuda:0");
    COMPARE_TEXT(toText(graph.attributes.at("p")), "f32[3][1]cpu");
    COMPARE_TEXT(metaOf(graph, "big"), "f16[8, 4][4, 1]cuda:0");
}

void tst_RunnableScript::kernelsAreNamedWithTheirConstants()
{
    const auto document = documentFrom(kScript);

    const TritonKernel* kernel = document->facts.kernel(0);
    QVERIFY(kernel);
    QCOMPARE(kernel->name, std::string("gain_kernel"));
    QCOMPARE(kernel->parameters.size(), std::size_t{4});
    QVERIFY(!kernel->parameters[2].isConstexpr);
    QVERIFY(kernel->parameters[3].isConstexpr);
    QVERIFY(kernel->source.starts_with("@triton.autotune("));
    QVERIFY(kernel->source.ends_with("tl.store(out + o, x)"));
    QVERIFY(document->facts.tritonJson.find(R"("constant_args":{"0":{"n":128,"BLOCK":64}})")
            != std::string::npos);
}

void tst_RunnableScript::symbolsHaveTheirSizes()
{
    const auto document = documentFrom(kScript);

    QCOMPARE(document->shapes.facts("s77").hint, std::optional<std::int64_t>(24));
}

void tst_RunnableScript::bodiesOfSubgraphsAreFound()
{
    const auto document = documentFrom(kScript);

    QCOMPARE(document->graphs.size(), std::size_t{1});
    QCOMPARE(document->graphs.front().graph->subgraphs.at("true_graph_0")->size(), std::size_t{2});
}

void tst_RunnableScript::whatTheScriptLacksIsSaid()
{
    const auto document = documentFrom(
        "class Repro(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n      "
        "  "
        "self.true_graph_0 = <lambda>()\n    def forward(self, x, y):\n        return (x,)\n"
        "ERROR: Repro will not work as intended, no kernel\n"
        "def load_args(reader):\n    reader.unsupported(3)  # x\n");

    std::string problems;
    for (const Problem& problem : document->problems)
        problems += std::to_string(problem.span.line) + " " + problem.text + "\n";
    COMPARE_TEXT(problems,
                 "4 the body of this subgraph is not in the script\n"
                 "7 PyTorch could not write all of this script\n"
                 "9 the script gives 1 inputs, and its graph takes 2\n");
    const auto none = loadDocument(SourceText(
        "t", "Repro is not generated due to existence of BackwardState in graph input\n"));
    QVERIFY(!none.ok());
    QVERIFY(none.error().message.find("wrote no graph") != std::string::npos);
}

void tst_RunnableScript::olderScriptsGiveTheirInputs_data()
{
    QTest::addColumn<std::string>("inputs");
    QTest::newRow("a list") << std::string(
        "args = [((8,), (1,), torch.float32, 'cpu'), ((4, 2), (2, 1), torch.int64, 'cuda')]\n"
        "args = [rand_strided(sh, st, dt, dev) for (sh, st, dt, dev) in args]\n");
    QTest::newRow("append") << std::string(
        "args = []\nargs.append(rand_strided((8,), (1,), torch.float32, 'cpu'))\n"
        "args.append(rand_strided((4, 2), (2, 1), torch.int64, 'cuda'))\n");
}

void tst_RunnableScript::olderScriptsGiveTheirInputs()
{
    QFETCH(const std::string, inputs);

    const auto document = documentFrom(
        "class Repro(torch.nn.Module):\n    def forward(self, x, y):\n        return (x, y)\n\n"
        + inputs + "mod = make_fx(Repro(), tracing_mode='real')(*args)\n");

    const Graph& graph = *document->graphs.front().graph;
    COMPARE_TEXT(metaOf(graph, "x"), "f32[8][1]cpu");
    COMPARE_TEXT(metaOf(graph, "y"), "i64[4, 2][2, 1]cuda");
    QVERIFY(document->problems.empty());
}

QTEST_APPLESS_MAIN(tst_RunnableScript)
#include "tst_runnable_script.moc"
