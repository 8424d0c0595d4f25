// SPDX-License-Identifier: MIT
// A text and its name, with lines found on demand: turns offsets into line and column, and places
// into Errors with the line's text, so that a message can show a caret.
#pragma once

#include "core/base/result.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace reinspect
{

// Where a line of an unwrapped text begins in the text that it was taken from; both count from 1.
struct LineOrigin
{
    std::uint32_t line = 0;
    std::uint32_t column = 1;

    friend bool operator==(const LineOrigin&, const LineOrigin&) = default;
};

class SourceText
{
public:
    SourceText() = default;
    SourceText(std::string fileName, std::string text);
    // A part of `original` without its wrapping: spans and excerpts are of the original, so that
    // whatever is read from the part points to where a person sees it. One origin a line.
    SourceText(std::shared_ptr<const SourceText> original, std::string text,
               std::vector<LineOrigin> origins);

    const std::string& fileName() const { return m_fileName; }
    std::string_view text() const { return m_text; }
    std::size_t lineCount() const { return m_lineStarts.size(); }
    std::size_t lineOf(std::size_t offset) const; // from 1
    // Without the line break; lines count from 1. Of this text, not of the original.
    std::string_view line(std::size_t number) const;

    // In the original, when this is a part of one.
    TextSpan spanAt(std::size_t offset, std::size_t length = 1) const;
    Error errorAt(std::size_t offset, std::string message, std::string hint = {}) const;
    Error errorAt(TextSpan span, std::string message, std::string hint = {}) const;

private:
    void findLines();

    std::string m_fileName;
    std::string m_text;
    std::shared_ptr<const SourceText> m_original; // null: this is the original
    std::vector<LineOrigin> m_origins;            // by line, with m_original only
    std::vector<std::size_t> m_lineStarts;
};

// "standard input" is read for "-"; a folder is an Error. The whole file. Missing, a directory, unreadable, empty: an Error that says which, and what to
// do.
Result<SourceText> readSourceText(const std::string& path);

} // namespace reinspect
