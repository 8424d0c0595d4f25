// SPDX-License-Identifier: MIT
// Every file of samples/ loads, and its trace holds what a reader of it relies on.
#include "core/io/document.h"
#include "core/ir/graph_verifier.h"
#include "core/passes/explain.h"
#include "core/passes/reinplace_pass.h"
#include "core/passes/trace_cursor.h"

#include "tests/support/golden.h"

#include <set>

using namespace reinspect;

namespace
{

constexpr std::size_t kSmallGraph = 300; // nodes, up to which every edit is verified

const std::filesystem::path kFolder = REINSPECT_SOURCE_DIR "/samples";

std::set<std::string> sampleNames()
{
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(kFolder))
    {
        const std::filesystem::path extension = entry.path().extension();
        const std::string name = entry.path().filename().string();
        if (extension == ".fx" || (extension == ".json" && name != "index.json"))
            names.insert(name);
    }
    return names;
}

std::string fileText(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

} // namespace

class tst_Samples : public QObject
{
    Q_OBJECT

private slots:
    void theIndexListsEachSample();
    void samplesAreTraced_data();
    void samplesAreTraced();
    void theReviewIsReplayed();
};

void tst_Samples::theIndexListsEachSample()
{
    const std::string index = fileText(kFolder / "index.json");
    const std::set<std::string> names = sampleNames();

    QVERIFY(!names.empty());
    for (const std::string& name : names)
        QVERIFY2(index.find("\"file\": \"" + name + "\"") != std::string::npos, name.c_str());
}

void tst_Samples::samplesAreTraced_data()
{
    QTest::addColumn<std::string>("name");
    for (const std::string& name : sampleNames())
        QTest::newRow(name.c_str()) << name;
}

void tst_Samples::samplesAreTraced()
{
    QFETCH(const std::string, name);
    const auto document = loadDocument((kFolder / name).string());
    QVERIFY2(document.ok(), document.ok() ? "" : toText(document.error()).c_str());
    QVERIFY((*document)->problems.empty());
    const std::shared_ptr<const Graph> graph = (*document)->graphs.front().graph;
    QVERIFY(verifyGraph(*graph).ok());

    const auto run =
        runReinplace({.graph = graph, .facts = (*document)->facts, .shapes = (*document)->shapes});

    QVERIFY(run.ok());
    const PassTrace& trace = **run;
    QVERIFY(!trace.decisions.empty());
    QVERIFY(sameGraph(graphAfterEdits(trace, trace.edits.size()), *trace.result));

    TraceCursor cursor(*run);
    cursor.goTo(EventIndex(trace.events.size() - 1));
    QVERIFY(sameGraph(cursor.graph(), *trace.result));
    cursor.goTo(EventIndex(0));
    QVERIFY(sameGraph(cursor.graph(), *trace.initial));

    for (std::size_t count = 0; graph->size() < kSmallGraph && count <= trace.edits.size(); ++count)
        QVERIFY2(verifyGraph(graphAfterEdits(trace, count)).ok(), std::to_string(count).c_str());

    if (name != "kv_cache_12_layers.json") // the same sentences as for 2 layers, many times
        COMPARE_GOLDEN("samples/" + name + ".txt", explainAll(trace));
}

// What each step of the review decides about its three programs, and why.
void tst_Samples::theReviewIsReplayed()
{
    std::string told;
    for (const char* name : {"11_review_read_before.fx", "12_review_view_read_after.fx",
                             "13_review_read_after_copy_back.fx"})
    {
        const auto document = loadDocument((kFolder / name).string()).value();
        told += std::string(name) + "\n";
        for (const char* policy : {"pr-111627", "later-uses", "alias-aware", "torch-2.11"})
        {
            const auto trace =
                runReinplace({document->graphs.front().graph, document->facts, document->shapes},
                             policyNamed(policy).value())
                    .value();
            for (const Decision& decision : trace->decisions)
                told +=
                    "  " + std::string(policy) + ": " + explain(*trace, decision.decided) + "\n";
        }
    }
    COMPARE_GOLDEN("samples/review.txt", told);
}

QTEST_APPLESS_MAIN(tst_Samples)
#include "tst_samples.moc"
