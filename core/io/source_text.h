// SPDX-License-Identifier: MIT
// A text and its name, with lines found on demand: turns offsets into line and column, and places
// into Errors with the line's text, so that a message can show a caret.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace reinspect
{

class SourceText
{
public:
    SourceText() = default;
    SourceText(std::string fileName, std::string text);

    const std::string& fileName() const { return m_fileName; }
    std::string_view text() const { return m_text; }
    std::size_t lineCount() const { return m_lineStarts.size(); }
    // Without the line break; lines count from 1.
    std::string_view line(std::size_t number) const;

    TextSpan spanAt(std::size_t offset, std::size_t length = 1) const;
    Error errorAt(std::size_t offset, std::string message, std::string hint = {}) const;
    Error errorAt(TextSpan span, std::string message, std::string hint = {}) const;

private:
    std::string m_fileName;
    std::string m_text;
    std::vector<std::size_t> m_lineStarts;
};

// The whole file. Missing, a directory, unreadable, empty: an Error that says which, and what to
// do.
Result<SourceText> readSourceText(const std::string& path);

} // namespace reinspect
