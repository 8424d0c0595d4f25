// SPDX-License-Identifier: MIT
#include "core/io/text_lines.h"

#include <algorithm>
#include <cstring>

namespace reinspect
{

TextLines splitLines(const SourceText& source)
{
    TextLines split;
    split.lines.reserve(source.lineCount());
    const std::string_view text = source.text();
    std::uint32_t number = 0;
    for (std::size_t at = 0; at < text.size();)
    {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line = text.substr(at, end - at);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        split.lines.push_back({line, ++number, 1});
        at = end + 1;
    }
    return split;
}

std::shared_ptr<const SourceText> joinLines(std::shared_ptr<const SourceText> original,
                                            const std::vector<TextLine>& lines)
{
    std::size_t size = 0;
    for (const TextLine& line : lines)
        size += line.text.size() + 1;
    std::string text;
    text.reserve(size);
    std::vector<LineOrigin> origins;
    origins.reserve(lines.size());
    for (const TextLine& line : lines)
    {
        text.append(line.text) += '\n';
        origins.push_back({line.line, line.column});
    }
    // The last line keeps its missing line break: readers see by it that a text is cut.
    const bool cut = !lines.empty() && lines.back().line == original->lineCount()
        && !original->text().ends_with('\n');
    if (cut)
        text.pop_back();
    return std::make_shared<const SourceText>(std::move(original), std::move(text),
                                              std::move(origins));
}

std::size_t findText(std::string_view text, std::string_view part, std::size_t begin)
{
#if defined(__GLIBC__)
    // An empty text may have no address, which memmem() must be given.
    if (begin > text.size() || text.empty())
        return std::string_view::npos;
    const void* found = memmem(text.data() + begin, text.size() - begin, part.data(), part.size());
    return found ? static_cast<std::size_t>(static_cast<const char*>(found) - text.data())
                 : std::string_view::npos;
#else
    return text.find(part, begin);
#endif
}

std::string_view trimmedLine(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::size_t indentationOf(std::string_view text)
{
    return std::min(text.find_first_not_of(" \t"), text.size());
}

} // namespace reinspect
