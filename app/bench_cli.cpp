// SPDX-License-Identifier: MIT
#include "app/bench_cli.h"

#include "app/bench_forms.h"
#include "app/bench_graphs.h"
#include "core/io/document.h"
#include "core/io/json_document.h"
#include "core/io/json_text.h"
#include "core/passes/reinplace_pass.h"
#include "core/passes/trace_cursor.h"
#include "core/proof/equivalence.h"
#include "core/proof/triton_files.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <thread>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace reinspect
{
namespace
{

using Clock = std::chrono::steady_clock;

struct BenchRow
{
    std::string name;
    std::size_t size = 0; // bytes read, or nodes
    double value = 0;
    std::string unit;
    std::optional<double> budget = {};

    // Rates must reach their budget, times must stay under it.
    bool ok() const { return !budget || (unit == "MB/s" ? value >= *budget : value <= *budget); }
};

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// The quickest of several runs: what the work costs when nothing else disturbs. `work` returns what
// it made, so that taking it down is not counted.
template<typename Work>
double quickest(const Work& work)
{
    constexpr double kAtLeast = 0.3;
    constexpr int kRuns = 5; // the first ones pay for memory that the system has to find
    const Clock::time_point begin = Clock::now();
    double best = 1e9;
    for (int run = 0; run < kRuns || secondsSince(begin) < kAtLeast; ++run)
    {
        const Clock::time_point start = Clock::now();
        [[maybe_unused]] const auto made = work();
        best = std::min(best, secondsSince(start));
    }
    return best;
}

// Bytes on the heap that are in use; nothing where the C library does not say.
std::optional<std::size_t> heapBytes()
{
#if defined(__GLIBC__)
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return {};
#endif
}

class Bench
{
public:
    // Reading, the pass and stepping over one text.
    Result<void> measure(const std::string& name, const SourceText& text);
    // Readable code and captures have a budget; what is wrapped has none.
    Result<void> measureReading(const std::string& name, const SourceText& text,
                                std::optional<double> budget = 50.0);
    Result<void> measurePass(const std::string& name, const Document& document);
    Result<void> measureMemory(const std::string& name, const SourceText& text);
    // The graph computed on the CPU, once; nothing where an operator of it cannot run.
    void measureRun(const std::string& name, const Document& document);
    const std::vector<BenchRow>& rows() const { return m_rows; }

private:
    std::vector<BenchRow> m_rows;
};

Result<void> Bench::measureReading(const std::string& name, const SourceText& text,
                                   std::optional<double> budget)
{
    REINSPECT_TRY(const std::shared_ptr<const Document> document, loadDocument(text));
    const double seconds = quickest([&text] { return loadDocument(text); });
    const std::size_t bytes = text.text().size();
    m_rows.push_back({"read " + std::string(formatName(document->format)) + ", " + name, bytes,
                      static_cast<double>(bytes) / seconds / 1e6, "MB/s", budget});
    return {};
}

Result<void> Bench::measurePass(const std::string& name, const Document& document)
{
    const PassInput input{document.graphs.front().graph, document.facts, document.shapes};
    REINSPECT_TRY(const std::shared_ptr<const PassTrace> trace, runReinplace(input));
    const std::size_t nodes = input.graph->size();
    const double seconds = quickest([&input] { return runReinplace(input); });
    // 20 ms are meant for 9,237 nodes and 300 for 100,000; what lies between may take its share.
    const double budget =
        20.0 + 280.0 * std::max(0.0, static_cast<double>(nodes) - 9237.0) / (100'000.0 - 9237.0);
    m_rows.push_back({"pass with trace, " + name, nodes, seconds * 1e3, "ms", budget});

    TraceCursor cursor(trace);
    const std::size_t events = trace->events.size();
    if (events < 2)
        return {};
    std::size_t at = 0;
    const double stepping = quickest([&] {
        cursor.goTo(EventIndex(at = (at + 1) % events));
        return 0;
    });
    const double worst = quickest([&] {
        cursor.goTo(EventIndex(events - 1));
        cursor.goTo(EventIndex(std::size_t{0}));
        return 0;
    });
    m_rows.push_back({"step to the next event, " + name, nodes, stepping * 1e3, "ms", 16.0});
    m_rows.push_back({"to the last event and back, " + name, events, worst * 1e3, "ms"});
    return {};
}

// What a program holds of an open text besides the text itself: graph and trace, a node.
Result<void> Bench::measureMemory(const std::string& name, const SourceText& text)
{
    const auto before = heapBytes();
    REINSPECT_TRY(const std::shared_ptr<const Document> document, loadDocument(text));
    const std::shared_ptr<const Graph> graph = document->graphs.front().graph;
    REINSPECT_TRY(const std::shared_ptr<const PassTrace> trace,
                  runReinplace({graph, document->facts, document->shapes}));
    const auto after = heapBytes();
    if (before && after && graph->size() >= 1000)
        m_rows.push_back({"memory of graph and trace, " + name, graph->size(),
                          static_cast<double>(*after - *before - text.text().size())
                              / static_cast<double>(graph->size()),
                          "B/node", 1024.0});
    return {};
}

void Bench::measureRun(const std::string& name, const Document& document)
{
    const std::shared_ptr<const Graph> graph = document.graphs.front().graph;
    if (!exec::unknownTargets(*graph, document.facts).empty())
        return;
    proof::InputSource source;
    source.triton = proof::readTritonLibrary(document.facts);
    const auto run = proof::runStage("before", graph, document.facts, document.shapes, source);
    if (run.ok() && run->ran())
        m_rows.push_back({"run on the CPU, " + name, graph->size(), run->run.seconds * 1e3, "ms"});
}

Result<void> Bench::measure(const std::string& name, const SourceText& text)
{
    REINSPECT_CHECK(measureReading(name, text));
    REINSPECT_CHECK(measureMemory(name, text));
    REINSPECT_TRY(const std::shared_ptr<const Document> document, loadDocument(text));
    return measurePass(name, *document);
}

// Where a pass over all members of a storage for each candidate would grow with the square.
Result<void> measureGrowth(Bench& bench)
{
    struct Shape
    {
        const char* name;
        std::string (*program)(std::size_t);
        std::vector<std::size_t> sizes;
    };
    const std::vector<Shape> shapes = {
        {"generated program", longProgram, {25'000, 50'000, 100'000}},
        {"one storage, views", manyViewsProgram, {2'500, 5'000, 10'000}},
        {"disjoint slices written", disjointSlicesProgram, {2'500, 5'000, 10'000}},
        {"one buffer, updates", updatesProgram, {2'500, 5'000, 10'000}},
        {"one tensor, users", manyUsersProgram, {12'500, 25'000, 50'000}}};
    for (const Shape& shape : shapes)
        for (const std::size_t size : shape.sizes)
        {
            const std::string name = std::string(shape.name) + " " + std::to_string(size);
            const SourceText text("generated", shape.program(size));
            REINSPECT_CHECK(bench.measureMemory(name, text));
            REINSPECT_TRY(const std::shared_ptr<const Document> document, loadDocument(text));
            REINSPECT_CHECK(bench.measurePass(name, *document));
        }
    return {};
}

Result<void> measureGenerated(Bench& bench)
{
    const SourceText program("generated", longProgram(9237));
    REINSPECT_CHECK(bench.measure("generated program", program));
    REINSPECT_TRY(const std::shared_ptr<const Document> document, loadDocument(program));
    const Graph& graph = *document->graphs.front().graph;
    const SourceText capture("generated", writeJsonDocument(*document, graph, Stage::BeforePass));
    REINSPECT_CHECK(bench.measureReading("generated program", capture));
    for (const BenchForm& form : benchForms(graph))
        REINSPECT_CHECK(
            bench.measureReading("generated program, " + form.name, form.text, std::nullopt));
    return measureGrowth(bench);
}

std::vector<std::string> sampleFiles()
{
    std::vector<std::string> files;
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator("samples", failure))
    {
        const std::filesystem::path& path = entry.path();
        const bool isCapture = path.extension() == ".json" && path.filename() != "index.json";
        if (isCapture || path.extension() == ".txt" || path.extension() == ".fx")
            files.push_back(path.string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

Result<void> measureAll(Bench& bench, const std::vector<std::string>& files)
{
    for (const std::string& file : files.empty() ? sampleFiles() : files)
    {
        REINSPECT_TRY(const SourceText text, readSourceText(file));
        const std::string name = std::filesystem::path(file).filename().string();
        REINSPECT_CHECK(bench.measure(name, text));
        REINSPECT_TRY(const std::shared_ptr<const Document> document, loadDocument(text));
        bench.measureRun(name, *document);
    }
    return files.empty() ? measureGenerated(bench) : Result<void>();
}

void printTable(const std::vector<BenchRow>& rows)
{
    for (const BenchRow& row : rows)
    {
        char numbers[96];
        std::snprintf(numbers, sizeof numbers, "%12zu %12.3f %-5s", row.size, row.value,
                      row.unit.c_str());
        std::cout << numbers;
        std::snprintf(numbers, sizeof numbers, " %10.1f  %-6s", row.budget.value_or(0),
                      row.ok() ? "ok" : "MISSED");
        std::cout << (row.budget ? numbers : "                   ") << row.name << '\n';
    }
}

void printJson(const std::vector<BenchRow>& rows)
{
    std::string text = "{\"rows\":[";
    JsonSeparator items(text);
    for (const BenchRow& row : rows)
    {
        items.next() += '{';
        JsonSeparator keys(text);
        appendJsonString(keys.key("name"), row.name);
        keys.key("size") += std::to_string(row.size);
        appendJsonNumber(keys.key("value"), row.value);
        appendJsonString(keys.key("unit"), row.unit);
        if (row.budget)
            appendJsonNumber(keys.key("budget"), *row.budget);
        else
            keys.key("budget") += "null";
        keys.key("ok") += row.ok() ? "true" : "false";
        text += '}';
    }
    text +=
        "],\"cores\":" + std::to_string(std::max(1u, std::thread::hardware_concurrency())) + "}\n";
    std::cout << text;
}

} // namespace

int runBench(const std::vector<std::string>& files, bool json)
{
    Bench bench;
    const Result<void> measured = measureAll(bench, files);
    if (!measured)
    {
        std::cerr << toText(measured.error());
        return measured.error().kind == ErrorKind::BadInput ? 3 : 4;
    }
    if (json)
        printJson(bench.rows());
    else
        printTable(bench.rows());
    return 0;
}

} // namespace reinspect
