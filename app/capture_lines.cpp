// SPDX-License-Identifier: MIT
#include "app/capture_lines.h"

#include "views/session/qt_text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

namespace reinspect
{

namespace
{

const QString kResource = QStringLiteral(":/capture/reinspect_capture.py");

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString quotedForPython(QString text)
{
    text.replace(u'\\', QStringLiteral("\\\\")).replace(u'"', QStringLiteral("\\\""));
    return u'"' + text + u'"';
}

// As a word of a POSIX shell; double quotes elsewhere.
QString quotedForShell(const QString& text)
{
    static const QString kPlain = QStringLiteral("/._-+=:,@%");
    const bool isPlain = std::ranges::all_of(text, [](QChar letter) {
        return (letter.unicode() < 128 && letter.isLetterOrNumber()) || kPlain.contains(letter);
    });
    if (isPlain && !text.isEmpty())
        return text;
#ifdef Q_OS_WIN
    return u'"' + text + u'"';
#else
    return u'\'' + QString(text).replace(u'\'', QStringLiteral("'\\''")) + u'\'';
#endif
}

} // namespace

QString toolFileName()
{
    return QStringLiteral("reinspect_capture.py");
}

ToolState toolState(const QString& path)
{
    if (path.isEmpty() || !QFileInfo(path).isFile())
        return ToolState::Missing;
    return contentOf(path) == contentOf(kResource) ? ToolState::Saved : ToolState::Other;
}

Result<void> saveTool(const QString& path)
{
    const QByteArray content = contentOf(kResource);
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.commit())
        return {};
    return Error{.message = "the tool cannot be written: " + toStdString(file.errorString()),
                 .file = toStdString(path)};
}

CaptureLines captureLines(const QString& toolPath, bool live)
{
    // Another name than its own could not be imported: the folder is told, the name stays.
    const QFileInfo file(toolPath);
    const QString folder = toolPath.isEmpty() ? QString() : QDir::cleanPath(file.absolutePath());
    const QString path = toolPath.isEmpty() ? toolFileName() : file.absoluteFilePath();
    CaptureLines lines;
    lines.program = folder.isEmpty()
        ? QString()
        : QStringLiteral("import sys; sys.path.append(%1)\n").arg(quotedForPython(folder));
    lines.program += QStringLiteral("import reinspect_capture\n"
                                    "with reinspect_capture.record(\"captures\", inputs=True%1):\n")
                         .arg(live ? QStringLiteral(", live=True") : QString());
    lines.command = QStringLiteral("python %1 --inputs%2 script.py")
                        .arg(quotedForShell(QDir::toNativeSeparators(path)),
                             live ? QStringLiteral(" --live") : QString());
    return lines;
}

} // namespace reinspect
