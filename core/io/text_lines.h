// SPDX-License-Identifier: MIT
// A text as lines that are cleaned step by step (margins, prefixes, markup) while each remembers where
// it stands in the original. Lines are views into the original, or into `owned` once they were changed.
#pragma once

#include "core/io/source_text.h"

#include <deque>
#include <optional>

namespace reinspect
{

struct TextLine
{
    std::string_view text; // without the line break
    std::uint32_t line = 0;
    std::uint32_t column = 1; // where `text` begins in the original line

    void drop(std::size_t count)
    {
        text.remove_prefix(count);
        column += static_cast<std::uint32_t>(count);
    }
};

struct TextLines
{
    std::vector<TextLine> lines;
    std::deque<std::string> owned;
};

TextLines splitLines(const SourceText& source);
// The lines as a text of their own that points back into `original`.
std::shared_ptr<const SourceText> joinLines(std::shared_ptr<const SourceText> original,
                                            const std::vector<TextLine>& lines);

// Like find(), several times as quick where the first character of `part` is a common one.
std::size_t findText(std::string_view text, std::string_view part, std::size_t begin = 0);
inline bool holdsText(std::string_view text, std::string_view part)
{
    return findText(text, part) != std::string_view::npos;
}
std::string_view trimmedLine(std::string_view text);
std::size_t indentationOf(std::string_view text); // blanks in front; the size of a blank line

} // namespace reinspect
