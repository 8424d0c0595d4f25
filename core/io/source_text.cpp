// SPDX-License-Identifier: MIT
#include "core/io/source_text.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

namespace reinspect
{
namespace
{

constexpr std::size_t kReadBlock = std::size_t{1} << 18;
// Offsets are kept in 32 bits; the limit also ends the reading of endless devices.
constexpr std::size_t kLargestFile = std::size_t{1} << 31;
constexpr std::string_view kForms = "Reinspect reads captures (JSON), printed graphs of PyTorch, "
                                    "its logs, traces and debug folders.";

Error fileError(const std::string& path, std::string message, std::string hint = {})
{
    return {.message = std::move(message), .hint = std::move(hint), .file = path};
}

// `expected` bytes are made room for at once: a large file is then never held twice.
Result<std::string> readAll(std::FILE* file, const std::string& path, std::size_t expected = 0)
{
    std::string text;
    text.reserve(std::min(expected, kLargestFile) + kReadBlock);
    std::size_t got = 0;
    do
    {
        const std::size_t filled = text.size();
        text.resize(filled + kReadBlock);
        got = std::fread(text.data() + filled, 1, kReadBlock, file);
        text.resize(filled + got);
        if (text.size() > kLargestFile)
            return fileError(path, "is larger than 2 GiB", "Save one graph a file.");
    } while (got > 0);
    if (std::ferror(file) != 0)
        return fileError(path, std::string("cannot be read: ") + std::strerror(errno));
    return text;
}

// A directory opens like a file on some systems, so it is asked for first.
Result<void> checkPath(const std::string& path)
{
    std::error_code failure;
    const std::filesystem::file_status status = std::filesystem::status(path, failure);
    if (status.type() == std::filesystem::file_type::not_found)
        return fileError(path, "no such file", "Check the spelling and the current folder.");
    if (status.type() == std::filesystem::file_type::directory)
        return fileError(path, "is a folder, not a file", "Name one of the files in it.");
    return {};
}

} // namespace

SourceText::SourceText(std::string fileName, std::string text)
    : m_fileName(std::move(fileName))
    , m_text(std::move(text))
{
    findLines();
}

SourceText::SourceText(std::shared_ptr<const SourceText> original, std::string text,
                       std::vector<LineOrigin> origins)
    : m_fileName(original->fileName())
    , m_text(std::move(text))
    , m_original(std::move(original))
    , m_origins(std::move(origins))
{
    findLines();
    m_origins.resize(m_lineStarts.size(), m_origins.empty() ? LineOrigin{} : m_origins.back());
    if (!m_original->m_original)
        return;
    // A part of a part: places are those of the whole.
    const SourceText& part = *m_original;
    for (LineOrigin& origin : m_origins)
        if (origin.line > 0 && origin.line <= part.m_origins.size())
            origin = {part.m_origins[origin.line - 1].line,
                      part.m_origins[origin.line - 1].column + origin.column - 1};
    m_original = part.m_original;
}

void SourceText::findLines()
{
    m_lineStarts.push_back(0);
    for (std::size_t at = m_text.find('\n'); at != std::string::npos;
         at = m_text.find('\n', at + 1))
        m_lineStarts.push_back(at + 1);
    // The break at the very end closes a line; it does not begin another.
    if (m_lineStarts.size() > 1 && m_lineStarts.back() == m_text.size())
        m_lineStarts.pop_back();
}

std::string_view SourceText::line(std::size_t number) const
{
    if (number == 0 || number > m_lineStarts.size())
        return {};
    const std::size_t begin = m_lineStarts[number - 1];
    const std::size_t end = std::min(m_text.find('\n', begin), m_text.size());
    std::string_view found = std::string_view(m_text).substr(begin, end - begin);
    if (found.ends_with('\r'))
        found.remove_suffix(1);
    return found;
}

std::size_t SourceText::lineOf(std::size_t offset) const
{
    const auto after = std::upper_bound(m_lineStarts.begin(), m_lineStarts.end(), offset);
    return static_cast<std::size_t>(after - m_lineStarts.begin());
}

TextSpan SourceText::spanAt(std::size_t offset, std::size_t length) const
{
    if (m_lineStarts.empty())
        return {};
    const std::size_t line = lineOf(offset);
    const std::size_t column = offset - m_lineStarts[line - 1];
    const LineOrigin origin =
        m_original ? m_origins[line - 1] : LineOrigin{static_cast<std::uint32_t>(line), 1};
    return {origin.line, static_cast<std::uint32_t>(column) + origin.column,
            static_cast<std::uint32_t>(length)};
}

Error SourceText::errorAt(std::size_t offset, std::string message, std::string hint) const
{
    return errorAt(spanAt(std::min(offset, m_text.size())), std::move(message), std::move(hint));
}

Error SourceText::errorAt(TextSpan span, std::string message, std::string hint) const
{
    return {.message = std::move(message),
            .hint = std::move(hint),
            .file = m_fileName,
            .span = span,
            .excerpt = std::string(m_original ? m_original->line(span.line) : line(span.line))};
}

Result<SourceText> readSourceText(const std::string& path)
{
    std::string text;
    if (path == "-")
    {
        REINSPECT_TRY(text, readAll(stdin, "standard input"));
    }
    else
    {
        REINSPECT_CHECK(checkPath(path));
        const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                                   std::fclose);
        if (!file)
            return fileError(path, std::string("cannot be opened: ") + std::strerror(errno));
        std::error_code unknown;
        const std::uintmax_t size = std::filesystem::file_size(path, unknown);
        REINSPECT_TRY(text,
                      readAll(file.get(), path, unknown ? 0 : static_cast<std::size_t>(size)));
    }
    if (text.empty())
        return fileError(path, "is empty", std::string(kForms));
    return SourceText(path == "-" ? "standard input" : path, std::move(text));
}

} // namespace reinspect
