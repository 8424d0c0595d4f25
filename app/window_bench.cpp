// SPDX-License-Identifier: MIT
#include "app/window_bench.h"

#include "app/bench_graphs.h"
#include "app/sample_index.h"
#include "core/layout/row_layout.h"
#include "core/passes/reinplace_pass.h"
#include "core/passes/trace_cursor.h"
#include "views/canvas/canvas_bench.h"
#include "views/canvas/graph_scene.h"
#include "views/models/node_search.h"
#include "views/session/read_document.h"
#include "views/session/scope.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QThread>

#include <algorithm>
#include <cstdio>

namespace reinspect
{
namespace
{

using Loaded = Result<std::shared_ptr<const Document>>;

double millisecondsSince(const QElapsedTimer& timer)
{
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

// Typing shows results after each letter.
void benchFind(const std::shared_ptr<const PassTrace>& trace, std::vector<BenchRow>& rows)
{
    constexpr double kBudget = 50;
    const auto size = static_cast<std::int64_t>(trace->result->slotCount());
    QElapsedTimer preparing;
    preparing.start();
    const NodeSearch search(trace);
    search.prepare();
    // In the background in a large graph.
    rows.push_back({"find, made ready", size, millisecondsSince(preparing), "ms", 1000,
                    millisecondsSince(preparing) <= 1000});
    for (const char* name : {"find, slowest of 6"})
    {
        double slowest = 0;
        for (const char* query : {"add", "op:index_put", "verdict:kept", "shape:[64]", "bytes>100",
                                  "verdict:kept bytes>100 op:index_put"})
        {
            QElapsedTimer timer;
            timer.start();
            const std::vector<NodeId> found = search.find(*parseQuery(query));
            slowest = std::max(slowest, millisecondsSince(timer));
        }
        rows.push_back({name, size, slowest, "ms", kBudget, slowest <= kBudget});
    }
}

void benchFocus(const std::shared_ptr<const PassTrace>& trace, std::vector<BenchRow>& rows)
{
    constexpr double kBudget = 300;
    GraphScene scene;
    scene.setTrace(trace);
    QElapsedTimer timer;
    timer.start();
    scene.setScope(scopeAround(*trace, openingEvent(*trace), 400));
    scene.setLayout(rowLayout(scene.layoutRequest()));
    const double time = millisecondsSince(timer);
    rows.push_back({"focus on a neighborhood",
                    static_cast<std::int64_t>(trace->result->slotCount()), time, "ms", kBudget,
                    time <= kBudget});
}

// Of the whole program, as the system counts it; 0 where it does not say.
double residentMegabytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    constexpr double kPage = 4096;
    return file.readAll().split(' ').value(1).toDouble() * kPage / 1e6;
}

std::vector<BenchRow> benchDocument(const Loaded& document)
{
    if (!document.ok())
    {
        std::fputs(toText(document.error()).c_str(), stderr);
        return {};
    }
    const Document& loaded = **document;
    const auto trace = runReinplace({loaded.graphs.front().graph, loaded.facts, loaded.shapes});
    if (!trace.ok())
        return {};
    std::vector<BenchRow> rows = benchCanvas(*trace);
    benchFind(*trace, rows);
    benchFocus(*trace, rows);
    // Everything at once: document, trace, picture, search.
    const auto size = static_cast<std::int64_t>((*trace)->result->slotCount());
    const double budget = 150 + static_cast<double>(size) * 8 / 1000;
    const double megabytes = residentMegabytes();
    rows.push_back({"memory of the program", size, megabytes, "MB", budget, megabytes <= budget});
    return rows;
}

QJsonObject rowJson(const BenchRow& row)
{
    return {{QStringLiteral("name"), QString::fromStdString(row.name)},
            {QStringLiteral("size"), static_cast<qint64>(row.size)},
            {QStringLiteral("value"), row.value},
            {QStringLiteral("unit"), QString::fromStdString(row.unit)},
            {QStringLiteral("budget"), row.budget},
            {QStringLiteral("ok"), row.ok}};
}

} // namespace

int runWindowBench(bool json)
{
    QJsonArray rows;
    const auto take = [&](const Loaded& document) {
        for (const BenchRow& row : benchDocument(document))
        {
            rows.append(rowJson(row));
            if (!json)
                std::printf("%-44s %10lld %12.2f %-6s %10.2f  %s\n", row.name.c_str(),
                            static_cast<long long>(row.size), row.value, row.unit.c_str(),
                            row.budget, row.ok ? "ok" : "over budget");
        }
    };
    for (const QString& file :
         {QStringLiteral("03_view_read_later.fx"), QStringLiteral("kv_cache_2_layers.json"),
          QStringLiteral("kv_cache_12_layers.json"), QStringLiteral("kv_cache_32_layers.txt")})
        take(readDocument(samplePath(file)));
    for (const std::size_t nodes : {10'000, 30'000, 100'000})
        take(loadDocument(SourceText("bench.py", longProgram(nodes))));
    if (json)
    {
        const QJsonObject report{{QStringLiteral("rows"), rows},
                                 {QStringLiteral("cores"), QThread::idealThreadCount()}};
        std::puts(QJsonDocument(report).toJson(QJsonDocument::Compact).constData());
    }
    return rows.isEmpty() ? 4 : 0;
}

} // namespace reinspect
