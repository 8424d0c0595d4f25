// SPDX-License-Identifier: MIT
// TORCH_TRACE files, and folders of dumps.
#include "core/io/folder_document.h"

#include "core/io/unwrap_trace.h"
#include "tests/support/graph_text.h"
#include "tests/support/test_data.h"

#include <QTemporaryDir>

using namespace reinspect;

class tst_UnwrapTrace : public QObject
{
    Q_OBJECT

private slots:
    void aTraceListsItsGraphs();
    void graphsAreToldWhileTheTraceIsRead();
    void readingATraceStopsWhenAsked();
    void nodesPointToThePayload();
    void aFolderIsOneDocument();
    void placesOfFilesSayWhatTheyAre_data();
    void placesOfFilesSayWhatTheyAre();
    void aFolderWithoutGraphsSaysSo();
};

static std::string record(const std::string& json)
{
    return "V0620 14:02:11.093412 5121 torch/a.py:190] " + json + "\n";
}

static std::string trace()
{
    const std::string graph =
        "\tclass <lambda>(torch.nn.Module):\n\t    def forward(self, x: \"f32[4]\"):\n"
        "\t        y: \"f32[4]\" = torch.ops.aten.sin.default(x);  x = None\n"
        "\t        return (y,)\n\t\n";
    return record(R"({"str": ["/a/b.py", 3]})")
        + record(R"({"chromium_event": {}, "frame_id": 0, "has_payload": "a"})") + "\t{\"a\": 1}\n"
        + record(
               R"({"dynamo_output_graph": {"sizes": {"x": [4]}}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0, "has_payload": "b"})")
        + graph
        + record(
               R"({"aot_forward_graph": {}, "rank": 1, "frame_id": 2, "frame_compile_id": 1, "attempt": 3, "has_payload": "c"})")
        + graph
        + record(
               R"({"artifact": {"name": "aot_forward_graph_fw_metadata", "encoding": "string"}, "frame_id": 0, "has_payload": "d"})")
        + "\tViewAndMutationMeta()\n"
        + record(
               R"({"inductor_post_grad_graph": {}, "compiled_autograd_id": 0, "frame_id": 3, "frame_compile_id": 0, "attempt": 0, "has_payload": "e"})")
        + graph
        + record(
               R"({"artifact": {"name": "before_post_grad_graph", "encoding": "string"}, "stack": [], "has_payload": "f"})")
        + graph + record(R"({"graph_dump": {"name": "mine"}, "has_payload": "g"})") + graph;
}

static std::string listed(const Document& document)
{
    std::string text;
    for (const DocumentGraph& graph : document.graphs)
        text += graph.origin.title + "|" + std::string(stageName(graph.stage)) + "|"
            + graph.origin.compileId + "|" + graph.origin.rank + "|"
            + std::to_string(graph.graph->size()) + "\n";
    return text;
}

void tst_UnwrapTrace::aTraceListsItsGraphs()
{
    const auto document = loadDocument(SourceText("t.log", trace()));

    QVERIFY2(document.ok(), document.ok() ? "" : document.error().message.c_str());
    COMPARE_TEXT(listed(**document),
                 "dynamo_output_graph|dynamo|0/0||3\n"
                 "aot_forward_graph|before|2/1_3|rank1|3\n"
                 "inductor_post_grad_graph|final|!0/3/0||3\n"
                 "before_post_grad_graph|before|||3\n"
                 "mine|before|||3\n");
    QVERIFY((*document)->problems.empty());
    QVERIFY((*document)->wrapping == Wrapping::Trace);
}

void tst_UnwrapTrace::graphsAreToldWhileTheTraceIsRead()
{
    std::string text;
    for (int i = 0; i < 2000; ++i)
        text += trace();
    std::vector<double> progress{0};
    std::vector<double> progressWhenTold;

    const auto document = loadDocument(
        SourceText("t.log", text),
        {.stop = {}, .progress = [&progress](double done) { progress.push_back(done); }},
        [&](const DocumentGraph&) { progressWhenTold.push_back(progress.back()); });

    QCOMPARE(progressWhenTold.size(), (*document)->graphs.size());
    QVERIFY(progress.size() > 5);
    QVERIFY(std::is_sorted(progress.begin(), progress.end()));
    QVERIFY(progressWhenTold.front() < 0.1);
    QVERIFY(progressWhenTold.back() > 0.9);
}

void tst_UnwrapTrace::readingATraceStopsWhenAsked()
{
    std::stop_source stop;
    std::size_t told = 0;

    const auto document =
        loadDocument(SourceText("t.log", trace()), {.stop = stop.get_token(), .progress = {}},
                     [&](const DocumentGraph&) {
                         ++told;
                         stop.request_stop();
                     });

    QVERIFY(!document.ok());
    QCOMPARE(document.error().message, std::string("reading was stopped"));
    QCOMPARE(told, std::size_t{1});
}

void tst_UnwrapTrace::nodesPointToThePayload()
{
    const auto document = documentFrom(trace());

    const DocumentGraph& entry = document->graphs[1];
    const TextSpan span = (*entry.graph)[entry.graph->find("y")].meta.span;
    // Behind the tab.
    QCOMPARE(span.column, 10u);
    QVERIFY(sourceOf(*document, entry).line(span.line).starts_with("\t        y: "));
    QCOMPARE(entry.origin.line, 12u);
}

static void write(const QDir& folder, const QString& name, const std::string& text)
{
    QVERIFY(folder.mkpath(QFileInfo(folder.filePath(name)).path()));
    std::ofstream(folder.filePath(name).toStdString(), std::ios::binary) << text;
}

void tst_UnwrapTrace::aFolderIsOneDocument()
{
    const QTemporaryDir folder;
    const QDir root(folder.path());
    const std::string graph =
        "class <lambda>(torch.nn.Module):\n    def forward(self, x):\n        y = x + 1\n"
        "        return (y,)\n";
    write(root, QStringLiteral("-_0_0_0/aot_forward_graph_3.txt"), graph);
    write(root, QStringLiteral("-_0_0_0/inductor_post_grad_graph_12.txt"), graph);
    write(root, QStringLiteral("-_0_0_0/inductor_output_code_13.txt"),
          "def call(args):\n    pass\n");
    write(root, QStringLiteral("!1_2_0_4/aot_backward_graph_4.html"),
          "<pre>class &lt;lambda&gt;(torch.nn.Module):\n    def forward(self, x):\n        return "
          "(x,)\n</pre>\n");
    write(root, QStringLiteral("raw.log"), trace());
    write(root, QStringLiteral("-_0_0_0/fx_graph_readable_14.txt"), "cut\n");
    write(root, QStringLiteral("notes.txt"), "milk\n");

    const auto document = loadDocument(folder.path().toStdString());

    QVERIFY2(document.ok(), document.ok() ? "" : document.error().message.c_str());
    std::string listing = listed(**document);
    listing.resize(listing.find("dynamo_output_graph"));
    COMPARE_TEXT(listing,
                 "aot_backward_graph|before|!1/2/0_4||2\n"
                 "aot_forward_graph|before|0/0||3\n"
                 "inductor_post_grad_graph|final|0/0||3\n");
    QCOMPARE((*document)->graphs.size(), std::size_t{8});
    const DocumentGraph& forward = (*document)->graphs[1];
    QCOMPARE(forward.origin.file, std::string("-_0_0_0/aot_forward_graph_3.txt"));
    QVERIFY(sourceOf(**document, forward).line(3).ends_with("y = x + 1"));
    bool missed = false;
    for (const Problem& problem : (*document)->problems)
        missed = missed || problem.file == "-_0_0_0/fx_graph_readable_14.txt";
    QVERIFY(missed);
}

void tst_UnwrapTrace::placesOfFilesSayWhatTheyAre_data()
{
    QTest::addColumn<std::string>("path");
    QTest::addColumn<std::string>("expected");
    const auto row = [](const char* path, const char* expected) {
        QTest::newRow(path) << std::string(path) << std::string(expected);
    };
    row("-_0_1_0/aot_forward_graph_3.txt", "aot_forward_graph|aot_forward_graph|0/1");
    row("-_2_0_1/fx_graph_runnable_10.txt", "fx_graph_runnable|fx_graph_runnable|2/0_1");
    row("run/torchinductor/model__0_inference_1.0/fx_graph_readable.py",
        "model__0_inference_1.0 fx_graph_readable|fx_graph_readable|");
    row("a.txt", "a|a|");
}

void tst_UnwrapTrace::placesOfFilesSayWhatTheyAre()
{
    QFETCH(const std::string, path);
    QFETCH(const std::string, expected);

    const GraphOrigin origin = originOfFile(path);

    COMPARE_TEXT(origin.title + "|" + origin.artifact + "|" + origin.compileId, expected);
}

void tst_UnwrapTrace::aFolderWithoutGraphsSaysSo()
{
    const QTemporaryDir folder;
    const auto empty = loadDocument(folder.path().toStdString());
    QVERIFY(!empty.ok());
    QCOMPARE(empty.error().message, std::string("this folder holds no dump"));

    write(QDir(folder.path()), QStringLiteral("notes.txt"), "milk\n");
    const auto other = loadDocument(folder.path().toStdString());
    QCOMPARE(other.error().message, std::string("no file of this folder holds a graph"));
    QVERIFY(!other.error().hint.empty());
}

QTEST_APPLESS_MAIN(tst_UnwrapTrace)
#include "tst_unwrap_trace.moc"
