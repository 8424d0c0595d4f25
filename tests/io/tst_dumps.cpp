// SPDX-License-Identifier: MIT
// Real dumps of three compiled programs: what `info` lists of each, compared with a golden file, and real
// captures printed, wrapped as logs and read again.
#include "core/io/document.h"

#include "core/io/json_document.h"
#include "core/io/readable_code.h"
#include "tests/support/golden.h"
#include "tests/support/graph_text.h"

using namespace reinspect;

class tst_Dumps : public QObject
{
    Q_OBJECT

private slots:
    void everyDumpListsItsGraphs();
    void everyGraphReadsBackEqual();
};

static std::vector<std::string> dumpFiles()
{
    const std::filesystem::path root = testDataPath("dumps");
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
        if (entry.is_regular_file())
            files.push_back(std::filesystem::relative(entry.path(), root).generic_string());
    std::sort(files.begin(), files.end());
    files.push_back("debug_f"); // a folder
    return files;
}

// "file: format wrapping", then a line a graph.
static std::string listed(const std::string& name)
{
    const auto loaded = loadDocument(testDataPath("dumps/" + name));
    if (!loaded)
        return name + ": " + loaded.error().message + "\n    " + loaded.error().hint + "\n";
    const Document& document = **loaded;
    std::string text = name + ": " + std::string(formatName(document.format)) + " "
        + std::string(wrappingName(document.wrapping)) + "\n";
    for (const DocumentGraph& entry : document.graphs)
    {
        std::size_t placeholders = 0;
        for (const NodeId id : entry.graph->order())
            placeholders += (*entry.graph)[id].op == NodeOp::Placeholder ? 1u : 0u;
        text += "    " + std::string(stageName(entry.stage)) + " "
            + std::to_string(entry.graph->size()) + " nodes, " + std::to_string(placeholders)
            + " placeholders, " + std::to_string(outputCount(*entry.graph)) + " outputs, line "
            + std::to_string(entry.origin.line) + ", \"" + entry.graph->name + "\" "
            + entry.origin.title + " [" + entry.origin.compileId + "] " + entry.origin.file + "\n";
    }
    for (const PassLogLine& line : document.passLog)
        text += "    the pass: " + line.node + ", line " + std::to_string(line.origin.line) + "\n";
    for (const Problem& problem : document.problems)
        text +=
            "    problem in line " + std::to_string(problem.span.line) + ": " + problem.text + "\n";
    return text;
}

void tst_Dumps::everyDumpListsItsGraphs()
{
    std::string text;
    for (const std::string& name : dumpFiles())
        text += listed(name);

    COMPARE_GOLDEN("io/dumps.txt", text);
}

void tst_Dumps::everyGraphReadsBackEqual()
{
    std::size_t graphs = 0;
    for (const std::string& name : dumpFiles())
    {
        const auto document = loadDocument(testDataPath("dumps/" + name));
        if (!document)
            continue;
        for (const DocumentGraph& entry : (*document)->graphs)
        {
            ++graphs;
            // Code does not say which inputs share a buffer, as scripts do; a capture does.
            const bool isScript = entry.graph->name == "Repro";
            const auto again = loadDocument(
                SourceText("again",
                           isScript ? writeJsonDocument(**document, *entry.graph, entry.stage)
                                    : writeReadableCode(*entry.graph)));
            QVERIFY(again.ok());
            Graph named = *(*again)->graphs.front().graph;
            named.name = entry.graph->name;
            // Attributes have no place in code.
            named.attributes = entry.graph->attributes;
            QVERIFY2(sameGraph(named, *entry.graph), (name + " " + entry.origin.title).c_str());
        }
    }
    QVERIFY(graphs > 20);
}

QTEST_APPLESS_MAIN(tst_Dumps)
#include "tst_dumps.moc"
