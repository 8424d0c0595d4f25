// SPDX-License-Identifier: MIT
#include "views/models/tensor_words.h"

#include "views/session/qt_text.h"

#include <QCoreApplication>

#include <array>

namespace reinspect
{

QString bytesText(std::int64_t bytes)
{
    constexpr double kStep = 1024;
    constexpr std::array<const char*, 5> kUnits{"KiB", "MiB", "GiB", "TiB", "PiB"};
    if (bytes < 10 * 1024)
        return QStringLiteral("%L1 B").arg(bytes);
    double amount = static_cast<double>(bytes) / kStep;
    std::size_t unit = 0;
    for (; amount >= kStep && unit + 1 < kUnits.size(); ++unit)
        amount /= kStep;
    return QStringLiteral("%1 %2")
        .arg(amount, 0, 'f', amount < 100 ? 1 : 0)
        .arg(QLatin1String(kUnits[unit]));
}

QString bytesText(const SymExpr& bytes)
{
    if (const std::optional<std::int64_t> number = bytes.constant())
        return bytesText(*number);
    return toQString(toText(bytes)) + QStringLiteral(" B");
}

static QString joined(const std::vector<SymExpr>& values, const QString& separator)
{
    QStringList texts;
    for (const SymExpr& value : values)
        texts.append(toQString(toText(value)));
    return texts.join(separator);
}

QString listText(const std::vector<SymExpr>& values)
{
    return QStringLiteral("[%1]").arg(joined(values, QStringLiteral(", ")));
}

QString regionText(const TensorMeta& meta)
{
    const auto say = [](const char* text) {
        return QCoreApplication::translate("TensorWords", text);
    };
    const QString offset = meta.offset ? toQString(toText(*meta.offset)) : QStringLiteral("?");
    const QString sizes =
        meta.sizes.empty() ? say("one element") : joined(meta.sizes, QStringLiteral("\u00d7"));
    QString text = say("offset %1, %2").arg(offset, sizes);
    if (meta.strides && !meta.strides->empty())
        text += say(", strides (%1)").arg(joined(*meta.strides, QStringLiteral(", ")));
    return text;
}

} // namespace reinspect
