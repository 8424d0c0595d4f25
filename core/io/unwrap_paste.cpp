// SPDX-License-Identifier: MIT
#include "core/io/unwrap_paste.h"

#include <algorithm>
#include <array>

namespace reinspect
{
namespace
{

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// Where the word that a graph begins with stands in its line; npos for other lines.
std::size_t graphMark(std::string_view line)
{
    constexpr std::array<std::string_view, 4> kMarks = {"class ", "def forward(",
                                                        "graph():", "digraph "};
    std::size_t first = std::string_view::npos;
    for (const std::string_view mark : kMarks)
    {
        const std::size_t at = line.find(mark);
        const bool isClass = mark.front() != 'c' || line.find("Module)") != std::string_view::npos;
        const bool boundary = at == 0 || at == std::string_view::npos
            || (line[at - 1] != '.' && line[at - 1] != '_' && line[at - 1] != '"');
        if (isClass && boundary)
            first = std::min(first, at);
    }
    return first;
}

// "12 | " matches "  9 | ": runs of blanks and digits stand for each other. The length of the margin
// in `line`, or npos.
std::size_t marginLength(std::string_view line, std::string_view margin)
{
    const auto isVague = [](char c) { return c == ' ' || c == '\t' || isDigit(c); };
    const bool hasDigits = std::any_of(margin.begin(), margin.end(), isDigit);
    if (!hasDigits)
        return line.starts_with(margin) ? margin.size() : std::string_view::npos;
    std::size_t at = 0;
    for (std::size_t i = 0; i < margin.size();)
    {
        if (!isVague(margin[i]))
        {
            if (at >= line.size() || line[at++] != margin[i++])
                return std::string_view::npos;
            continue;
        }
        const std::size_t begin = i;
        while (i < margin.size() && isVague(margin[i]))
            ++i;
        // Behind the last sign of the margin its blanks are counted, since indentation follows.
        const bool last = i == margin.size();
        const bool onlyBlanks =
            std::none_of(margin.begin() + static_cast<std::ptrdiff_t>(begin),
                         margin.begin() + static_cast<std::ptrdiff_t>(i), isDigit);
        if (last && onlyBlanks)
        {
            for (std::size_t n = i - begin; n > 0 && at < line.size() && line[at] == ' '; --n)
                ++at;
            return at;
        }
        if (last)
        {
            // "12 class": blanks, a number, as many blanks as behind the margin's number.
            while (at < line.size() && line[at] == ' ')
                ++at;
            const std::size_t number = at;
            while (at < line.size() && isDigit(line[at]))
                ++at;
            std::size_t trailing = 0;
            while (trailing < margin.size() && margin[margin.size() - 1 - trailing] == ' ')
                ++trailing;
            if (number == at)
                return std::string_view::npos;
            for (; trailing > 0 && at < line.size() && line[at] == ' '; --trailing)
                ++at;
            return at;
        }
        while (at < line.size() && isVague(line[at]))
            ++at;
    }
    return at;
}

// What stands in front of the first graph's first word in most lines; empty when nothing does.
std::string_view commonMargin(const std::vector<TextLine>& lines)
{
    for (const TextLine& line : lines)
    {
        const std::size_t mark = graphMark(line.text);
        if (mark == std::string_view::npos)
            continue;
        const std::string_view margin = line.text.substr(0, mark);
        if (trimmedLine(margin).empty() || gluedPathLength(line.text) == mark)
            return {};
        return margin;
    }
    return {};
}

bool takeCommonMargin(std::vector<TextLine>& lines)
{
    const std::string_view margin = commonMargin(lines);
    if (margin.empty() || margin.size() > 120)
        return false;
    const std::size_t bareEnd = margin.find_last_not_of(" \t") + 1;
    const std::string_view bare = margin.substr(0, bareEnd);
    std::size_t marked = 0;
    std::size_t filled = 0;
    for (const TextLine& line : lines)
    {
        filled += trimmedLine(line.text).empty() ? 0u : 1u;
        marked += marginLength(line.text, bare) == std::string_view::npos ? 0u : 1u;
    }
    if (marked * 2 < filled)
        return false;
    for (TextLine& line : lines)
    {
        std::size_t length = marginLength(line.text, margin);
        if (length == std::string_view::npos)
            length = marginLength(line.text, bare);
        if (length != std::string_view::npos)
            line.drop(length);
    }
    return true;
}

// +, - and a blank in the first column: the newer side is read, the older is listed.
bool takeDiffMarks(std::vector<TextLine>& lines, ProblemList& problems)
{
    const auto startsWith = [](const TextLine& line, std::string_view signs) {
        return !line.text.empty() && signs.find(line.text.front()) != std::string_view::npos;
    };
    std::size_t added = 0;
    std::size_t removed = 0;
    bool others = false;
    bool heads = false;
    for (const TextLine& line : lines)
    {
        const bool head = line.text.starts_with("+++ ") || line.text.starts_with("--- ")
            || line.text.starts_with("@@ ") || line.text.starts_with("diff ")
            || line.text.starts_with("index ") || line.text.starts_with("\\ No newline");
        heads = heads || line.text.starts_with("@@ ");
        added += !head && startsWith(line, "+") ? 1u : 0u;
        removed += !head && startsWith(line, "-") ? 1u : 0u;
        others = others || (!head && !line.text.empty() && !startsWith(line, "+- "));
    }
    if (added + removed == 0 || (others && !heads))
        return false;
    std::vector<TextLine> kept;
    for (TextLine& line : lines)
    {
        const bool head = line.text.starts_with("+++ ") || line.text.starts_with("--- ")
            || line.text.starts_with("@@ ") || line.text.starts_with("diff ")
            || line.text.starts_with("index ") || line.text.starts_with("\\ No newline");
        if (head)
            continue;
        if (added > 0 && startsWith(line, "-"))
        {
            problems.add(TextSpan{line.line, line.column, 1},
                         "a line that the diff removes was left out");
            continue;
        }
        if (startsWith(line, "+- "))
            line.drop(1);
        kept.push_back(line);
    }
    lines = std::move(kept);
    return true;
}

// What was typed to print the graph is no part of it.
bool takePrompts(std::vector<TextLine>& lines)
{
    const auto isCommand = [](const TextLine& line) {
        return (line.text.starts_with(">>> ") || line.text.starts_with("In [")
                || line.text.starts_with("$ "))
            && graphMark(line.text) == std::string_view::npos;
    };
    return std::erase_if(lines, isCommand) > 0;
}

} // namespace

bool stripMargins(std::vector<TextLine>& lines, ProblemList& problems)
{
    bool changed = takeDiffMarks(lines, problems);
    // Quotes of quotes: a mail of a mail.
    for (int depth = 0; depth < 4 && takeCommonMargin(lines); ++depth)
        changed = true;
    return takePrompts(lines) || changed;
}

} // namespace reinspect
