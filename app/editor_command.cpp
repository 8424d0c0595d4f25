// SPDX-License-Identifier: MIT
#include "app/editor_command.h"

#include "views/session/qt_text.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>

namespace reinspect
{

static SourcePlace namedPlace(const QString& source, const QString& folder)
{
    static const QRegularExpression pattern(QStringLiteral("^(.+?):(\\d+)"));
    const QRegularExpressionMatch match = pattern.match(source);
    if (!match.hasMatch())
        return {};
    const QString name = match.captured(1);
    for (const QString& candidate : {name, folder + u'/' + name})
    {
        if (QFileInfo(candidate).isFile())
            return {QFileInfo(candidate).absoluteFilePath(), match.captured(2).toInt()};
    }
    return {};
}

SourcePlace sourcePlaceOf(const Node& node, const QString& documentPath)
{
    const SourcePlace named = namedPlace(toQString(node.meta.sourceFile.str()).section(u' ', 0, 0),
                                         QFileInfo(documentPath).absolutePath());
    if (!named.file.isEmpty())
        return named;
    if (documentPath.startsWith(QLatin1String(":/")))
        return {};
    return {documentPath, static_cast<int>(node.meta.span.line)};
}

QStringList editorArguments(const QString& command, const SourcePlace& place)
{
    QStringList arguments = QProcess::splitCommand(command);
    bool isNamed = false;
    for (QString& argument : arguments)
    {
        isNamed = isNamed || argument.contains(QLatin1String("%f"));
        argument.replace(QLatin1String("%l"), QString::number(std::max(place.line, 1)));
        argument.replace(QLatin1String("%f"), place.file);
    }
    if (!isNamed)
        arguments.append(place.file);
    return arguments;
}

Result<void> openInEditor(const QString& command, const SourcePlace& place)
{
    if (command.trimmed().isEmpty())
        return Error{.message = "no editor is set",
                     .hint = "Settings has a place for its command, such as \"code -g %f:%l\"."};
    if (place.file.isEmpty())
        return Error{.message = "this node names no file that is here",
                     .hint = "The capture may come from another machine."};
    QStringList arguments = editorArguments(command, place);
    const QString program = arguments.takeFirst();
    if (!QProcess::startDetached(program, arguments))
        return Error{.message = "\"" + toStdString(program) + "\" could not be started",
                     .hint = "Settings has the command of your editor."};
    return {};
}

} // namespace reinspect
