// SPDX-License-Identifier: MIT
#include "core/io/text_check.h"

#include "core/io/utf8.h"

#include <algorithm>
#include <array>

namespace reinspect
{

const std::string_view kKnownForms =
    "Reinspect reads captures (JSON), print_readable code (\"def forward\"), print(graph) text "
    "(\"graph():\"), fx_graph_runnable scripts, DOT, and the logs, traces and folders they come "
    "in.";

namespace
{

struct Signature
{
    std::string_view bytes;
    std::string_view what;
    std::string_view hint = {}; // empty: kKnownForms
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

// More than a few are no damage but a binary file.
bool holdsManyNuls(std::string_view text)
{
    constexpr std::size_t kLooked = std::size_t{1} << 16;
    const std::string_view begin = text.substr(0, kLooked);
    const auto nuls = static_cast<std::size_t>(std::count(begin.begin(), begin.end(), '\0'));
    return nuls * 20 > begin.size();
}

} // namespace

Result<void> checkIsText(const SourceText& source)
{
    const std::string_view text = source.text();
    for (const Signature& signature : kSignatures)
    {
        if (text.starts_with(signature.bytes))
            return Error{.message = "is " + std::string(signature.what) + ", which cannot be read",
                         .hint = std::string(signature.hint.empty() ? kKnownForms : signature.hint),
                         .file = source.fileName()};
    }
    if (holdsManyNuls(text))
        return source.errorAt(text.find('\0'), "a NUL byte: this is a binary file",
                              std::string(kKnownForms));
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return Error{.message = "holds only blanks",
                     .hint = std::string(kKnownForms),
                     .file = source.fileName()};
    return {};
}

std::optional<Problem> repairBytes(SourceText& source)
{
    std::optional<std::size_t> invalid = firstInvalidUtf8(source.text());
    const std::size_t nul = source.text().find('\0');
    if (!invalid && nul == std::string_view::npos)
        return {};
    const bool nulFirst = nul < invalid.value_or(std::string_view::npos);
    Problem problem{source.spanAt(nulFirst ? nul : *invalid),
                    nulFirst ? "NUL bytes were replaced by '?'"
                             : "bytes that are not UTF-8 were replaced by '?'",
                    nulFirst ? "The file is damaged here." : "Save the file as UTF-8 to see them."};
    std::string text(source.text());
    std::replace(text.begin(), text.end(), '\0', '?');
    for (; invalid; invalid = firstInvalidUtf8(text, *invalid + 1))
        text[*invalid] = '?';
    source = SourceText(source.fileName(), std::move(text));
    return problem;
}

} // namespace reinspect
