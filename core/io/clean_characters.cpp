// SPDX-License-Identifier: MIT
// cleanCharacters and isPlainText of unwrap_paste.h.
#include "core/io/unwrap_paste.h"

#include <algorithm>
#include <array>
#include <optional>

namespace reinspect
{
namespace
{

struct Replacement
{
    std::string_view from;
    std::string_view to;
};

// Typographic quotes, no-break and thin blanks, dashes and dots that editors put for ASCII.
constexpr std::array<Replacement, 12> kTypographic = {{{"\xE2\x80\x98", "'"},
                                                       {"\xE2\x80\x99", "'"},
                                                       {"\xE2\x80\x9C", "\""},
                                                       {"\xE2\x80\x9D", "\""},
                                                       {"\xE2\x80\x9E", "\""},
                                                       {"\xE2\x80\x93", "-"},
                                                       {"\xE2\x88\x92", "-"},
                                                       {"\xE2\x80\x8B", ""},
                                                       {"\xE2\x80\xAF", " "},
                                                       {"\xE2\x80\xA6", "..."},
                                                       {"\xC2\xA0", " "},
                                                       {"\xEF\xBB\xBF", ""}}};
constexpr std::array<Replacement, 9> kEntities = {{{"&lt;", "<"},
                                                   {"&gt;", ">"},
                                                   {"&quot;", "\""},
                                                   {"&#39;", "'"},
                                                   {"&#x27;", "'"},
                                                   {"&apos;", "'"},
                                                   {"&#34;", "\""},
                                                   {"&nbsp;", " "},
                                                   {"&amp;", "&"}}};

// The length of the colour code that `text` begins with: ESC [ 3 1 m, or "[31m" where the escape
// character was lost; 0 when there is none.
std::size_t colourLength(std::string_view text, bool escapesAreLost)
{
    std::size_t at = 0;
    if (text[0] == '\x1B')
        at = 1;
    else if (!escapesAreLost)
        return 0;
    if (at >= text.size() || text[at] != '[')
        return at; // a lone escape character
    const std::size_t digits = ++at;
    while (at < text.size()
           && (std::string_view("0123456789;?").find(text[at]) != std::string_view::npos))
        ++at;
    const bool isCode = at < text.size()
        && (text[0] == '\x1B' ? text[at] >= '@' && text[at] <= '~'
                              : text[at] == 'm' && at > digits);
    return isCode ? at + 1 : text[0] == '\x1B' ? 1 : 0;
}

template<typename Rows>
const Replacement* replacementFor(const Rows& rows, std::string_view text)
{
    const auto row = std::find_if(rows.begin(), rows.end(), [text](const Replacement& r) {
        return text.starts_with(r.from);
    });
    return row == rows.end() ? nullptr : &*row;
}

// What a text holds of each kind; looked for once, since most texts hold none.
struct Dirt
{
    bool entities = false;
    bool typographic = false;
    bool escapes = false;
    bool lostEscapes = false;
};

bool holds(std::string_view text, std::string_view part)
{
    return holdsText(text, part);
}

bool holdsOneOf(std::string_view text, std::string_view characters)
{
    return std::any_of(characters.begin(), characters.end(),
                       [text](char c) { return text.find(c) != std::string_view::npos; });
}

bool hasLostEscapes(const TextLines& lines)
{
    return std::any_of(lines.lines.begin(), lines.lines.end(), [](const TextLine& line) {
        return holds(line.text, "[0m") && !holds(line.text, "\x1B[0m");
    });
}

Dirt dirtOf(const TextLines& lines, std::string_view text)
{
    Dirt dirt;
    const bool hasAmpersand = holdsOneOf(text, "&");
    for (const std::string_view entity : {"&lt;", "&quot;", "&#39;", "&gt;", "&nbsp;"})
        dirt.entities = dirt.entities || (hasAmpersand && holds(text, entity));
    dirt.typographic = holdsOneOf(text, "\xE2\xC2\xEF");
    dirt.escapes = holdsOneOf(text, "\x1B");
    dirt.lostEscapes = holds(text, "[0m") && hasLostEscapes(lines);
    return dirt;
}

// What stands at the start of `text` and goes: its length, and what comes in its place.
std::optional<Replacement> replacementAt(std::string_view text, const Dirt& dirt)
{
    const char c = text[0];
    if (c == '\x1B' || (c == '[' && dirt.lostEscapes))
    {
        const std::size_t length = colourLength(text, dirt.lostEscapes);
        return length > 0 ? std::optional(Replacement{text.substr(0, length), ""}) : std::nullopt;
    }
    const Replacement* found = nullptr;
    if (c == '&' && dirt.entities)
        found = replacementFor(kEntities, text);
    else if (c == '\xE2' || c == '\xC2' || c == '\xEF')
        found = replacementFor(kTypographic, text);
    return found ? std::optional(*found) : std::nullopt;
}

std::string cleaned(std::string_view line, const Dirt& dirt)
{
    constexpr std::string_view kFirst = "&[\x1B\xE2\xC2\xEF";
    std::string text;
    text.reserve(line.size());
    std::size_t kept = 0; // up to here the line is copied
    for (std::size_t at = line.find_first_of(kFirst); at != std::string_view::npos;
         at = line.find_first_of(kFirst, at))
    {
        const std::optional<Replacement> found = replacementAt(line.substr(at), dirt);
        if (!found)
        {
            ++at;
            continue;
        }
        text.append(line, kept, at - kept).append(found->to);
        kept = at += found->from.size();
    }
    return text.append(line, kept);
}

bool needsCleaning(std::string_view line, const Dirt& dirt)
{
    const bool isTypographic = dirt.typographic
        && (holds(line, "\xE2\x80") || holds(line, "\xE2\x88\x92") || holds(line, "\xC2\xA0")
            || holds(line, "\xEF\xBB\xBF"));
    return isTypographic || (dirt.escapes && holdsOneOf(line, "\x1B"))
        || (dirt.lostEscapes && holdsOneOf(line, "[")) || (dirt.entities && holdsOneOf(line, "&"));
}

// Only blanks stand in front of the first place of the word.
bool standsAlone(std::string_view text, std::string_view word)
{
    const std::size_t at = findText(text, word);
    if (at == std::string_view::npos)
        return false;
    const std::size_t lineStart = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    return text.substr(lineStart, at - lineStart).find_first_not_of(" \t")
        == std::string_view::npos;
}

// Left of where statements stand: the beginning of a graph, or the rest of a line that was wrapped.
bool isMisplaced(std::string_view line, std::size_t indentation, PlainForm form)
{
    if (form == PlainForm::Ir)
        return !line.starts_with('%') && !line.starts_with("return") && !line.starts_with("graph(");
    constexpr std::array<std::string_view, 6> kBeginnings = {"class ", "def ",  "return",
                                                             "#",      "wrap(", "\"\"\""};
    if (definesSpacedNames(line))
        return true;
    return indentation < 4
        && std::none_of(kBeginnings.begin(), kBeginnings.end(),
                        [line](std::string_view word) { return line.starts_with(word); });
}

// A line that belongs to a wrapping, to a script, or to the other grammar. Looks at both ends only:
// nearly every line of a large text passes here.
bool isForeign(std::string_view line, PlainForm form)
{
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return false;
    line.remove_prefix(first);
    if (isMisplaced(line, first, form))
        return true;
    switch (line[0])
    {
    case '=': return line.starts_with("=====");
    case 'T': return line.starts_with("TRACED GRAPH");
    case '#': return line.starts_with("# Graph fragment");
    case '@': return line.starts_with("@@ ");
    case '>': return true;
    case '`':
    case '~': return line.starts_with("```") || line.starts_with("~~~");
    case 'i': return line.starts_with("import ");
    case 'f': return line.starts_with("from ");
    case 'o': return line.starts_with("opcode ");
    case 'c': return line.starts_with("class Repro(");
    case 'd': return form == PlainForm::Ir && line.starts_with("def forward(");
    case 'g': return form == PlainForm::Code && line.starts_with("graph(");
    default: return line.ends_with("Module):") || line.ends_with("Module):\r");
    }
}

} // namespace

PlainForm plainForm(std::string_view text)
{
    PlainForm form = PlainForm::None;
    const std::size_t code = findText(text, "def forward(");
    const std::size_t ir = findText(text.substr(0, code), "graph():");
    if (code == std::string_view::npos && standsAlone(text, "graph():"))
        form = PlainForm::Ir;
    else if (ir == std::string_view::npos && standsAlone(text, "def forward("))
        form = PlainForm::Code;
    if (form == PlainForm::None || holdsOneOf(text, "\x1B&\xE2\xC2") || holds(text, "[0m"))
        return PlainForm::None;
    for (std::size_t at = 0; at < text.size();)
    {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        if (isForeign(text.substr(at, end - at), form))
            return PlainForm::None;
        at = end + 1;
    }
    return form;
}

bool cleanCharacters(TextLines& lines, std::string_view text)
{
    const Dirt dirt = dirtOf(lines, text);
    if (!dirt.entities && !dirt.typographic && !dirt.escapes && !dirt.lostEscapes)
        return false;
    bool changed = false;
    for (TextLine& line : lines.lines)
    {
        if (!needsCleaning(line.text, dirt))
            continue;
        line.text = lines.owned.emplace_back(cleaned(line.text, dirt));
        changed = true;
    }
    return changed;
}

} // namespace reinspect
