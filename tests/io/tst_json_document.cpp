// SPDX-License-Identifier: MIT
#include "core/io/json_document.h"

#include "tests/support/graph_text.h"
#include "tests/support/test_data.h"

#include <cmath>

using namespace reinspect;

class tst_JsonDocument : public QObject
{
    Q_OBJECT

private slots:
    void aCaptureKeepsWhatItKnows();
    void hintsOfSymbolsAreRemembered();
    void keywordArgumentsKeepTheirOrder();
    void everyKindOfArgumentIsRead_data();
    void everyKindOfArgumentIsRead();
    void everyKindOfMetadataIsReadAndWritten();
    void attributesAndSubgraphsAreKept();
    void customOperatorsAndTheirBodiesAreRead();
    void aViewOfAGeneralizedScatterIsRead();
    void aNodeKnowsItsPlace();
    void unknownKeysAreIgnored();
    void writingAndReadingAgainIsEqual_data();
    void writingAndReadingAgainIsEqual();
};

static std::shared_ptr<const Document> loadedData(const std::string& name)
{
    const auto document = loadDocument(testDataPath(name));
    if (!document)
        qFatal("%s", toText(document.error()).c_str());
    return *document;
}

// A capture with a placeholder x, a call of `f` with one argument, and the output.
static std::string captureWith(const std::string& argument)
{
    return R"({"format": "reinspect-graph", "version": 1, "graph": {"name": "g", "nodes": [
        {"name": "x", "op": "placeholder", "target": "x", "args": []},
        {"name": "y", "op": "call_function", "target": "f", "args": [)"
        + argument + R"(]},
        {"name": "output", "op": "output", "target": "output", "args": [{"$node": "y"}]}]}})";
}

void tst_JsonDocument::aCaptureKeepsWhatItKnows()
{
    const auto document = loadedData("triton_dynamic.json");

    QCOMPARE(document->format, DocumentFormat::Capture);
    QCOMPARE(document->caseName, std::string("triton_dynamic"));
    QCOMPARE(document->producer, std::string("torch 2.11.0+cu130"));
    QCOMPARE(document->graphs.size(), std::size_t{1});
    QCOMPARE(document->graphs.front().stage, Stage::BeforePass);
    const Graph& graph = *document->graphs.front().graph;
    QCOMPARE(graph.size(), std::size_t{14});
    QCOMPARE(graph[graph.find("mul")].meta.source.str().substr(0, 13),
             std::string("n = x.numel()"));
    const TritonKernel* kernel = document->facts.kernel(0);
    QVERIFY(kernel);
    QCOMPARE(kernel->name, std::string("add_kernel"));
    QCOMPARE(kernel->parameters.size(), std::size_t{5});
    QVERIFY(kernel->parameters.back().isConstexpr);
    QVERIFY(document->problems.empty());
}

void tst_JsonDocument::hintsOfSymbolsAreRemembered()
{
    const auto document = loadedData("triton_dynamic.json");

    QCOMPARE(document->shapes.facts("s77").hint, std::optional<std::int64_t>(24));
    QCOMPARE(document->shapes.facts("s27").hint, std::optional<std::int64_t>(10));
}

void tst_JsonDocument::keywordArgumentsKeepTheirOrder()
{
    const auto document = loadedData("triton_dynamic.json");

    const Graph& graph = *document->graphs.front().graph;
    const Node& wrapper = graph[graph.find("triton_kernel_wrapper_functional_proxy")];
    QCOMPARE(wrapper.kwargs.front().name, std::string("kernel_idx"));
    QCOMPARE(wrapper.kwargs.back().name, std::string("tensors_to_clone"));
    QVERIFY(findKey(*wrapper.kwarg("kwargs"), "in1")->node() == graph.find("arg3_1"));
}

void tst_JsonDocument::everyKindOfArgumentIsRead_data()
{
    QTest::addColumn<std::string>("json");
    QTest::addColumn<std::string>("python");

    const auto row = [](const char* json, const char* python) {
        QTest::newRow(json) << std::string(json) << std::string(python);
    };
    row("null", "None");
    row("true", "True");
    row("-3", "-3");
    row("1.0", "1.0");
    row("\"sum\"", "'sum'");
    row(R"([1, {"$node": "x"}])", "[1, x]");
    row(R"({"$tuple": [1]})", "(1,)");
    row(R"({"$dict": [["out", {"$node": "x"}]]})", "{'out': x}");
    row(R"({"$slice": [null, 4, null]})", "slice(None, 4, None)");
    row(R"({"$sym": "2*s0", "hint": 8})", "2*s0");
    row(R"({"$float": "-inf"})", "-inf");
    row(R"({"$complex": [1.0, -2.0]})", "(1.0-2.0j)");
    row(R"({"$dtype": "float32"})", "torch.float32");
    row(R"({"$device": "cuda:0"})", "device(type='cuda', index=0)");
    row(R"({"$layout": "strided"})", "torch.strided");
    row(R"({"$memory_format": "channels_last"})", "torch.channels_last");
    row(R"({"$op": "aten.sin.default"})", "torch.ops.aten.sin.default");
    row(R"({"$opaque": "Reduction.SUM", "type": "Reduction"})", "Reduction.SUM");
    row("99999999999999999999", "99999999999999999999");
}

void tst_JsonDocument::everyKindOfArgumentIsRead()
{
    QFETCH(const std::string, json);
    QFETCH(const std::string, python);

    const auto document = documentFrom(captureWith(json));

    const Graph& graph = *document->graphs.front().graph;
    QCOMPARE(toText(graph, graph[graph.find("y")].args.front()), python);
}

void tst_JsonDocument::everyKindOfMetadataIsReadAndWritten()
{
    const auto document =
        documentFrom(R"({"format": "reinspect-graph", "version": 1, "graph": {"nodes": [
        {"name": "a", "op": "placeholder", "target": "a", "args": [], "meta": {"val": {"kind": "symint", "expr": "s0", "hint": 5}}},
        {"name": "b", "op": "placeholder", "target": "b", "args": [], "meta": {"val": {"kind": "symbool", "expr": "s0 > 2", "hint": true}}},
        {"name": "c", "op": "placeholder", "target": "c", "args": [], "meta": {"val": {"kind": "scalar", "value": null}}},
        {"name": "d", "op": "placeholder", "target": "d", "args": [], "meta": {"val": {"kind": "list", "items": [
            {"kind": "tensor", "dtype": "int64", "shape": [{"$sym": "s0", "hint": 5}], "stride": [1], "offset": 2, "device": "cpu",
             "storage": 7, "storage_bytes": {"$sym": "8*s0", "hint": 40}}, null]}}},
        {"name": "e", "op": "placeholder", "target": "e", "args": [],
         "meta": {"val": {"kind": "opaque", "repr": "{}"}, "modules": [["l.0", "Linear"]], "original_aten": "aten.t.default",
                  "partitioner_tag": "is_forward", "only_clone_these_tensors": [0]}},
        {"name": "output", "op": "output", "target": "output", "args": [null]}]}})");
    const Graph& graph = *document->graphs.front().graph;

    const std::string again = writeJsonDocument(*document, graph, Stage::BeforePass);

    const auto reread = documentFrom(again);
    QVERIFY(sameGraph(graph, *reread->graphs.front().graph));
    const SequenceMeta* items = graph[graph.find("d")].meta.value.sequence();
    QVERIFY(items && !items->isTuple);
    QCOMPARE(items->items.front().tensor()->storage, StorageId(7));
    QCOMPARE(graph[graph.find("e")].meta.modules->front().type, std::string("Linear"));
    // A size's hint is written from what the document knows of its symbols.
    QVERIFY(again.find(R"({"$sym":"8*s0","hint":40})") != std::string::npos);
}

void tst_JsonDocument::attributesAndSubgraphsAreKept()
{
    const auto document =
        documentFrom(R"({"format": "reinspect-graph", "version": 1, "graph": {"name": "g",
        "attributes": {"_tensor_constant0": {"kind": "tensor", "dtype": "int32", "shape": [], "stride": []}},
        "subgraphs": {"true_graph_0": {"name": "true_graph_0", "nodes": [
            {"name": "output", "op": "output", "target": "output", "args": [null]}]}},
        "nodes": [{"name": "output", "op": "output", "target": "output", "args": [null]}]}})");
    const Graph& graph = *document->graphs.front().graph;

    QCOMPARE(graph.attributes.at("_tensor_constant0").tensor()->dtype, DType::Int32);
    QCOMPARE(graph.subgraphs.at("true_graph_0")->size(), std::size_t{1});
    const auto again = documentFrom(writeJsonDocument(*document, graph, Stage::Unknown));
    QVERIFY(sameGraph(graph, *again->graphs.front().graph));
    QCOMPARE(again->graphs.front().graph->subgraphs.size(), std::size_t{1});
}

void tst_JsonDocument::customOperatorsAndTheirBodiesAreRead()
{
    const auto document = loadedData("custom_clone_kept_v1.json");

    const CustomOperator* custom = document->facts.customOperator("demo.scale_.default");
    QVERIFY(custom);
    QVERIFY(custom->schema.starts_with("demo::scale_("));
    QVERIFY(custom->body && custom->body->output());
}

void tst_JsonDocument::aViewOfAGeneralizedScatterIsRead()
{
    const auto document = loadedData("diagonal_fill_input.canonical.json");

    const Graph& graph = *document->graphs.front().graph;
    QCOMPARE(document->graphs.front().stage, Stage::Canonical);
    const Node& scatter = graph[graph.find("_generalized_scatter")];
    const auto* view = scatter.args.at(2).sequence()->front().as<ViewArgument>();
    QVERIFY(view);
    QCOMPARE(view->target, std::string("aten.as_strided.default"));
    QCOMPARE(view->args.size(), std::size_t{3});
}

void tst_JsonDocument::aNodeKnowsItsPlace()
{
    const auto document = documentFrom(captureWith("1"));

    const Graph& graph = *document->graphs.front().graph;
    QCOMPARE(graph[graph.find("y")].meta.span.line, 3u);
}

void tst_JsonDocument::unknownKeysAreIgnored()
{
    const auto document =
        documentFrom(R"({"future": {"a": [1]}, "format": "reinspect-graph", "version": 1, "graph": {
        "later": 1, "nodes": [{"name": "output", "op": "output", "target": "output", "args": [null], "colour": "red",
                               "meta": {"mood": "fine"}}]}})");

    QVERIFY(document->problems.empty());
    QCOMPARE(document->graphs.front().graph->size(), std::size_t{1});
}

void tst_JsonDocument::writingAndReadingAgainIsEqual_data()
{
    QTest::addColumn<std::string>("name");
    for (const char* name :
         {"triton_dynamic.json", "custom_two_outs_v2.json", "custom_clone_kept_v1.json",
          "foreach_adam.json", "complex_and_bool.json", "diagonal_fill_input.canonical.json"})
        QTest::newRow(name) << std::string(name);
}

void tst_JsonDocument::writingAndReadingAgainIsEqual()
{
    QFETCH(const std::string, name);
    const auto document = loadedData(name);
    const DocumentGraph& entry = document->graphs.front();

    const std::string written = writeJsonDocument(*document, *entry.graph, entry.stage);

    const auto again = documentFrom(written);
    QVERIFY(sameGraph(*entry.graph, *again->graphs.front().graph));
    QCOMPARE(again->graphs.front().stage, entry.stage);
    QCOMPARE(again->facts.tritonJson, document->facts.tritonJson);
    COMPARE_TEXT(writeJsonDocument(*again, *again->graphs.front().graph, entry.stage), written);
}

QTEST_APPLESS_MAIN(tst_JsonDocument)
#include "tst_json_document.moc"
