// SPDX-License-Identifier: MIT
#include "app/sample_index.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace reinspect
{

QString samplePath(const QString& fileName)
{
    return QStringLiteral(":/samples/") + fileName;
}

QString openingSample()
{
    return samplePath(QStringLiteral("triton_old_value_needed.json"));
}

std::vector<Sample> sampleIndex()
{
    QFile file(samplePath(QStringLiteral("index.json")));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    std::vector<Sample> samples;
    const QJsonArray entries = QJsonDocument::fromJson(file.readAll()).array();
    for (const QJsonValue& entry : entries)
    {
        const QJsonObject sample = entry.toObject();
        samples.push_back({.path = samplePath(sample.value(QStringLiteral("file")).toString()),
                           .title = sample.value(QStringLiteral("title")).toString(),
                           .teaches = sample.value(QStringLiteral("teaches")).toString()});
    }
    return samples;
}

} // namespace reinspect
