// SPDX-License-Identifier: MIT
#include "views/session/read_document.h"

#include "views/session/qt_text.h"

#include <QFile>

namespace reinspect
{

Result<std::shared_ptr<const Document>> readDocument(const QString& path, const RunControl& control)
{
    if (!path.startsWith(QLatin1String(":/")))
        return loadDocument(toStdString(path), control);
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{.message = "this program has no such sample", .file = toStdString(path)};
    const QString name = path.mid(path.lastIndexOf(u'/') + 1);
    return loadDocument(SourceText(toStdString(name), file.readAll().toStdString()), control);
}

} // namespace reinspect
