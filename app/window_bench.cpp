// SPDX-License-Identifier: MIT
#include "app/window_bench.h"

#include "app/sample_index.h"
#include "core/passes/reinplace_pass.h"
#include "views/canvas/canvas_bench.h"
#include "views/session/read_document.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QThread>

#include <cstdio>

namespace reinspect
{
namespace
{

std::vector<BenchRow> benchSample(const QString& file)
{
    const auto document = readDocument(samplePath(file));
    if (!document.ok())
    {
        std::fputs(toText(document.error()).c_str(), stderr);
        return {};
    }
    const Document& loaded = **document;
    const auto trace = runReinplace({loaded.graphs.front().graph, loaded.facts, loaded.shapes});
    return trace.ok() ? benchCanvas(*trace) : std::vector<BenchRow>{};
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
    for (const QString& file :
         {QStringLiteral("03_view_read_later.fx"), QStringLiteral("kv_cache_2_layers.json"),
          QStringLiteral("kv_cache_12_layers.json"), QStringLiteral("kv_cache_32_layers.txt")})
        for (const BenchRow& row : benchSample(file))
        {
            rows.append(rowJson(row));
            if (!json)
                std::printf("%-44s %10lld %12.2f %-6s %10.2f  %s\n", row.name.c_str(),
                            static_cast<long long>(row.size), row.value, row.unit.c_str(),
                            row.budget, row.ok ? "ok" : "over budget");
        }
    if (json)
    {
        const QJsonObject report{{QStringLiteral("rows"), rows},
                                 {QStringLiteral("cores"), QThread::idealThreadCount()}};
        std::puts(QJsonDocument(report).toJson(QJsonDocument::Compact).constData());
    }
    return rows.isEmpty() ? 4 : 0;
}

} // namespace reinspect
