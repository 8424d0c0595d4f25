// SPDX-License-Identifier: MIT
#include "core/io/document.h"

#include "core/io/fx_text.h"
#include "core/io/json_document.h"
#include "core/io/readable_code.h"
#include "core/io/utf8.h"

#include <algorithm>
#include <array>

namespace reinspect
{
namespace
{

struct StageRow
{
    Stage stage;
    std::string_view name;
};

constexpr std::array<StageRow, 8> kStages = {{{Stage::BeforePass, "before"},
                                              {Stage::Canonical, "canonical"},
                                              {Stage::CoreAfter, "core"},
                                              {Stage::CoreAfter, "core_after"},
                                              {Stage::AfterPass, "after"},
                                              {Stage::Final, "final"},
                                              {Stage::Baseline, "baseline"},
                                              {Stage::Unknown, "unknown"}}};

constexpr std::string_view kKnownForms = "Reinspect reads captures (JSON), print_readable code "
                                         "(\"def forward\") and print(graph) text (\"graph():\").";

struct Signature
{
    std::string_view bytes;
    std::string_view what;
    std::string_view hint = kKnownForms;
};

// What people open by mistake, by its first bytes.
constexpr std::array<Signature, 9> kSignatures = {
    {{"\x89PNG", "a PNG picture"},
     {"\xFF\xD8\xFF", "a JPEG picture"},
     {"%PDF", "a PDF document"},
     {"PK\x03\x04", "a zip archive (also .pt and .pt2)"},
     {"\x1F\x8B", "a gzip archive"},
     {"\x7F"
      "ELF",
      "a program or library"},
     {"\xFF\xFE", "UTF-16 text", "Save it as UTF-8."},
     {"\xFE\xFF", "UTF-16 text", "Save it as UTF-8."},
     {"<?xml", "XML or SVG"}}};

// Binary files and damaged text end here, with the place.
Result<void> checkIsText(const SourceText& source)
{
    const std::string_view text = source.text();
    for (const Signature& signature : kSignatures)
    {
        if (text.starts_with(signature.bytes))
            return Error{.message = "is " + std::string(signature.what) + ", which cannot be read",
                         .hint = std::string(signature.hint),
                         .file = source.fileName()};
    }
    const std::size_t nul = text.find('\0');
    if (nul != std::string_view::npos)
        return source.errorAt(nul, "a NUL byte: this is a binary file, or damaged",
                              std::string(kKnownForms));
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return Error{.message = "holds only blanks",
                     .hint = std::string(kKnownForms),
                     .file = source.fileName()};
    return {};
}

// Bytes that are no UTF-8 become '?', one for one, so that every place stays where it is.
std::optional<Problem> repairUtf8(SourceText& source)
{
    std::optional<std::size_t> invalid = firstInvalidUtf8(source.text());
    if (!invalid)
        return {};
    Problem problem{source.spanAt(*invalid), "bytes that are not UTF-8 were replaced by '?'",
                    "Save the file as UTF-8 to see them."};
    std::string text(source.text());
    for (; invalid; invalid = firstInvalidUtf8(text, *invalid + 1))
        text[*invalid] = '?';
    source = SourceText(source.fileName(), std::move(text));
    return problem;
}

bool anyLineStartsWith(std::string_view text, std::string_view word)
{
    for (std::size_t at = text.find(word); at != std::string_view::npos;
         at = text.find(word, at + 1))
    {
        const std::size_t lineStart = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
        if (text.substr(lineStart, at - lineStart).find_first_not_of(" \t")
            == std::string_view::npos)
            return true;
    }
    return false;
}

Result<DocumentFormat> detectFormat(const SourceText& source)
{
    const std::string_view text = source.text();
    const char first = text[std::min(text.find_first_not_of(" \t\r\n"), text.size() - 1)];
    if (first == '{' || first == '[')
        return DocumentFormat::Capture;
    if (text.find("def forward(") != std::string_view::npos)
        return DocumentFormat::Readable;
    if (anyLineStartsWith(text, "graph("))
        return DocumentFormat::IrText;
    return source.errorAt(std::size_t{0}, "there is no graph in this text",
                          std::string(kKnownForms));
}

Result<Document> readAs(DocumentFormat format, std::shared_ptr<const SourceText> source,
                        const RunControl& control)
{
    switch (format)
    {
    case DocumentFormat::Capture: return readJsonDocument(std::move(source), control);
    case DocumentFormat::Readable: return readReadableCode(std::move(source), control);
    case DocumentFormat::IrText: break;
    }
    return readFxText(std::move(source), control);
}

} // namespace

std::string_view formatName(DocumentFormat format)
{
    switch (format)
    {
    case DocumentFormat::Capture: return "reinspect-graph";
    case DocumentFormat::Readable: return "readable";
    case DocumentFormat::IrText: break;
    }
    return "ir";
}

std::string_view stageName(Stage stage)
{
    return std::find_if(kStages.begin(), kStages.end(),
                        [stage](const StageRow& row) { return row.stage == stage; })
        ->name;
}

Stage stageFromName(std::string_view name)
{
    // A remark may follow: "baseline (no reinplacing)".
    name = name.substr(0, name.find(' '));
    const auto found = std::find_if(kStages.begin(), kStages.end(),
                                    [name](const StageRow& row) { return row.name == name; });
    return found == kStages.end() ? Stage::Unknown : found->stage;
}

Result<std::shared_ptr<const Document>> loadDocument(const std::string& path,
                                                     const RunControl& control)
{
    REINSPECT_TRY(SourceText text, readSourceText(path));
    return loadDocument(std::move(text), control);
}

Result<std::shared_ptr<const Document>> loadDocument(SourceText text, const RunControl& control)
{
    // A byte order mark is no part of any grammar, and not visible, so columns do not count it.
    if (text.text().starts_with("\xEF\xBB\xBF"))
        text = SourceText(text.fileName(), std::string(text.text().substr(3)));
    REINSPECT_CHECK(checkIsText(text));
    const std::optional<Problem> repaired = repairUtf8(text);
    REINSPECT_TRY(const DocumentFormat format, detectFormat(text));
    REINSPECT_TRY(Document document,
                  readAs(format, std::make_shared<const SourceText>(std::move(text)), control));
    if (repaired)
        document.problems.insert(document.problems.begin(), *repaired);
    return std::make_shared<const Document>(std::move(document));
}

} // namespace reinspect
