// SPDX-License-Identifier: MIT
// joinSpacedNames of unwrap_paste.h.
#include "core/io/unwrap_paste.h"

#include "core/io/lexer.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace reinspect
{
namespace
{

// "my first layer" and what it is made of; longer names of one first word stand first.
using SpacedNames = std::unordered_map<std::string_view, std::vector<std::string_view>>;

constexpr std::array<std::string_view, 8> kKeywords = {"return", "class", "def", "from",
                                                       "import", "if",    "for", "in"};

std::size_t wordEnd(std::string_view text, std::size_t at)
{
    while (at < text.size() && isNameCharacter(text[at]))
        ++at;
    return at;
}

// Where a name of several words that begins at `at` ends, single blanks between them; `at` when there is
// only one word, or none.
std::size_t spacedNameEnd(std::string_view text, std::size_t at)
{
    if (at >= text.size() || !isNameStart(text[at]))
        return at;
    const std::size_t first = wordEnd(text, at);
    const std::string_view word = text.substr(at, first - at);
    if (std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end())
        return at;
    std::size_t end = first;
    while (end + 1 < text.size() && text[end] == ' ' && isNameCharacter(text[end + 1]))
        end = wordEnd(text, end + 1);
    return end == first ? at : end;
}

void addName(std::string_view name, SpacedNames& names)
{
    std::vector<std::string_view>& known = names[name.substr(0, name.find(' '))];
    if (std::find(known.begin(), known.end(), name) != known.end())
        return;
    known.push_back(name);
    std::sort(known.begin(), known.end(),
              [](std::string_view a, std::string_view b) { return a.size() > b.size(); });
}

// "my layer: \"f32[4]\" = ...", "my layer = ...".
void addDefinition(std::string_view line, SpacedNames& names)
{
    const std::size_t end = spacedNameEnd(line, 0);
    const std::string_view rest = line.substr(end);
    if (end > 0 && (rest.starts_with(" = ") || rest.starts_with(": \"")))
        addName(line.substr(0, end), names);
}

// "def forward(self, my input: \"f32[4, 2]\", other):"
void addParameters(std::string_view line, SpacedNames& names)
{
    bool isQuoted = false;
    for (std::size_t at = line.find('('); at < line.size(); ++at)
    {
        isQuoted = isQuoted != (line[at] == '"');
        if (isQuoted || (line[at] != ',' && line[at] != '('))
            continue;
        const std::size_t begin = at + (line.substr(at + 1).starts_with(' ') ? 2 : 1);
        const std::size_t end = spacedNameEnd(line, begin);
        if (end > begin && end < line.size()
            && std::string_view(":,)").find(line[end]) != std::string_view::npos)
            addName(line.substr(begin, end - begin), names);
    }
}

void addNames(std::string_view line, SpacedNames& names)
{
    const std::string_view text = line.substr(indentationOf(line));
    if (text.starts_with("def forward("))
        addParameters(text, names);
    else
        addDefinition(text, names);
}

// The known name that stands at `at`, or an empty text.
std::string_view nameAt(std::string_view line, std::size_t at, const SpacedNames& names)
{
    const auto known = names.find(line.substr(at, wordEnd(line, at) - at));
    if (known == names.end())
        return {};
    for (const std::string_view name : known->second)
    {
        const std::size_t end = at + name.size();
        const bool isWhole = end >= line.size() || !isNameCharacter(line[end]);
        if (isWhole && line.substr(at).starts_with(name))
            return name;
    }
    return {};
}

// Underscores for the blanks of names, outside of strings and comments: no column moves.
std::string joined(std::string_view line, const SpacedNames& names)
{
    std::string text(line);
    char quote = '\0';
    for (std::size_t at = 0; at < text.size(); ++at)
    {
        const char c = text[at];
        if (quote == '\0' && c == '#')
            break;
        if (c == '"' || c == '\'')
            quote = quote == '\0' ? c : quote == c ? '\0' : quote;
        if (quote != '\0' || !isNameStart(c))
            continue;
        const std::string_view name = nameAt(line, at, names);
        const std::size_t end = name.empty() ? wordEnd(line, at) : at + name.size();
        std::replace(text.begin() + static_cast<std::ptrdiff_t>(at),
                     text.begin() + static_cast<std::ptrdiff_t>(end), ' ', '_');
        at = end - 1;
    }
    return text;
}

} // namespace

bool definesSpacedNames(std::string_view line)
{
    SpacedNames names;
    addNames(line, names);
    return !names.empty();
}

std::optional<TextLines> joinSpacedNames(const std::vector<TextLine>& lines, ProblemList& problems)
{
    SpacedNames names;
    for (const TextLine& line : lines)
        addNames(line.text, names);
    if (names.empty())
        return {};
    TextLines all{lines, {}};
    bool isTold = false;
    for (TextLine& line : all.lines)
    {
        std::string text = joined(line.text, names);
        if (text == line.text)
            continue;
        if (!isTold)
            problems.add(TextSpan{line.line, line.column, 1},
                         "names with blanks in them are shown with underscores");
        isTold = true;
        line.text = all.owned.emplace_back(std::move(text));
    }
    return all;
}

} // namespace reinspect
