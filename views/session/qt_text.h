// SPDX-License-Identifier: MIT
// Where core's plain values meet Qt's: texts, and ids inside a QVariant.
#pragma once

#include <QMetaType>
#include <QString>
#include <QVariant>

#include "core/base/ids.h"
#include "core/base/result.h"

#include <string>
#include <string_view>

namespace reinspect
{

inline QString toQString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

inline std::string toStdString(const QString& text)
{
    return text.toStdString();
}

// "1 step", "3 steps".
inline QString counted(qsizetype count, const QString& one, const QString& many)
{
    return QStringLiteral("%L1 %2").arg(count).arg(count == 1 ? one : many);
}

// An error as one line for the message strip: "file:line:col: message. Hint."
inline QString stripText(const Error& error)
{
    std::string text = error.file;
    if (error.span.line > 0)
        text += ':' + std::to_string(error.span.line) + ':' + std::to_string(error.span.column);
    if (!text.empty())
        text += ": ";
    text += error.message;
    if (!text.ends_with('.'))
        text += '.';
    if (!error.hint.empty())
        text += ' ' + error.hint;
    if (!text.ends_with('.'))
        text += '.';
    return toQString(text).simplified();
}

} // namespace reinspect

Q_DECLARE_METATYPE(reinspect::NodeId)
Q_DECLARE_METATYPE(reinspect::StorageId)
Q_DECLARE_METATYPE(reinspect::EventIndex)
