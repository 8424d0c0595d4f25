// SPDX-License-Identifier: MIT
#include "core/io/document.h"

#include "core/io/document_builder.h"
#include "core/io/folder_document.h"
#include "core/io/text_check.h"

#include <filesystem>

namespace reinspect
{

Result<std::shared_ptr<const Document>>
loadDocument(const std::string& path, const RunControl& control, const GraphFound& found)
{
    std::error_code failure;
    if (path != "-" && std::filesystem::is_directory(path, failure))
        return loadFolder(path, control, found);
    REINSPECT_TRY(SourceText text, readSourceText(path));
    return loadDocument(std::move(text), control, found);
}

Result<std::shared_ptr<const Document>> loadDocument(SourceText text, const RunControl& control,
                                                     const GraphFound& found)
{
    // A byte order mark is no part of any grammar, and not visible, so columns do not count it.
    if (text.text().starts_with("\xEF\xBB\xBF"))
        text = SourceText(text.fileName(), std::string(text.text().substr(3)));
    REINSPECT_CHECK(checkIsText(text));
    const std::optional<Problem> repaired = repairBytes(text);
    REINSPECT_TRY(
        Document document,
        readDocument(std::make_shared<const SourceText>(std::move(text)), control, found));
    if (repaired)
        document.problems.insert(document.problems.begin(), *repaired);
    return std::make_shared<const Document>(std::move(document));
}

} // namespace reinspect
