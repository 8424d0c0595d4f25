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

bool isVague(char c)
{
    return c == ' ' || c == '\t' || isDigit(c);
}

template<typename Accepts>
std::size_t skipped(std::string_view text, std::size_t at, Accepts accepts)
{
    while (at < text.size() && accepts(text[at]))
        ++at;
    return at;
}

// Where the line goes on behind a number with blanks in front of it; npos when there is none.
std::size_t behindNumber(std::string_view line, std::size_t at)
{
    at = skipped(line, at, [](char c) { return c == ' ' || c == '\t'; });
    const std::size_t end = skipped(line, at, isDigit);
    return end == at ? std::string_view::npos : end;
}

// The length of the margin in `line`, or npos. "12 | " matches "  9 | ": runs of blanks and digits stand
// for each other, except the blanks behind the margin's last sign, since indentation follows them.
std::size_t marginLength(std::string_view line, std::string_view margin)
{
    if (std::none_of(margin.begin(), margin.end(), isDigit))
        return line.starts_with(margin) ? margin.size() : std::string_view::npos;
    const std::string_view core = margin.substr(0, margin.find_last_not_of(" \t") + 1);
    std::size_t at = 0;
    for (std::size_t i = 0; i < core.size();)
    {
        const std::size_t runEnd = skipped(core, i, isVague);
        if (runEnd == core.size())
            at = behindNumber(line, at);
        else if (runEnd > i)
            at = skipped(line, at, isVague);
        else if (at >= line.size() || line[at++] != core[runEnd])
            return std::string_view::npos;
        if (at == std::string_view::npos)
            return at;
        i = runEnd > i ? runEnd : i + 1;
    }
    for (std::size_t n = margin.size() - core.size(); n > 0 && at < line.size() && line[at] == ' ';
         --n)
        ++at;
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

bool startsWithOneOf(const TextLine& line, std::string_view signs)
{
    return !line.text.empty() && signs.find(line.text.front()) != std::string_view::npos;
}

bool isDiffHead(const TextLine& line)
{
    constexpr std::array<std::string_view, 6> kHeads = {"+++ ",  "--- ",   "@@ ",
                                                        "diff ", "index ", "\\ No newline"};
    return std::any_of(kHeads.begin(), kHeads.end(),
                       [&line](std::string_view head) { return line.text.starts_with(head); });
}

// What the first columns of a text hold.
struct DiffMarks
{
    std::size_t added = 0;
    std::size_t removed = 0;
    bool others = false; // neither a mark nor a blank
    bool hunks = false;  // "@@ "
};

DiffMarks diffMarksOf(const std::vector<TextLine>& lines)
{
    DiffMarks marks;
    for (const TextLine& line : lines)
    {
        marks.hunks = marks.hunks || line.text.starts_with("@@ ");
        if (isDiffHead(line) || line.text.empty())
            continue;
        marks.added += startsWithOneOf(line, "+") ? 1u : 0u;
        marks.removed += startsWithOneOf(line, "-") ? 1u : 0u;
        marks.others = marks.others || !startsWithOneOf(line, "+- ");
    }
    return marks;
}

// +, - and a blank in the first column: the newer side is read, the older is listed.
bool takeDiffMarks(std::vector<TextLine>& lines, ProblemList& problems)
{
    const DiffMarks marks = diffMarksOf(lines);
    if (!marks.hunks && (marks.added + marks.removed == 0 || marks.others))
        return false;
    std::vector<TextLine> kept;
    for (TextLine& line : lines)
    {
        if (isDiffHead(line))
            continue;
        if (marks.added > 0 && startsWithOneOf(line, "-"))
        {
            problems.add(TextSpan{line.line, line.column, 1},
                         "a line that the diff removes was left out");
            continue;
        }
        if (startsWithOneOf(line, "+- "))
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
