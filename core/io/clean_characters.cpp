// SPDX-License-Identifier: MIT
// cleanCharacters and isPlainText of unwrap_paste.h.
#include "core/io/unwrap_paste.h"

#include <algorithm>
#include <array>

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

struct Dirt
{
    bool entities = false;
    bool lostEscapes = false;
};

std::string cleaned(std::string_view line, const Dirt& dirt)
{
    std::string text;
    for (std::size_t at = 0; at < line.size();)
    {
        const std::string_view rest = line.substr(at);
        const char c = rest[0];
        const Replacement* found = nullptr;
        if (c == '\x1B' || (c == '[' && dirt.lostEscapes))
        {
            if (const std::size_t length = colourLength(rest, dirt.lostEscapes))
            {
                at += length;
                continue;
            }
        }
        else if (c == '&' && dirt.entities)
            found = replacementFor(kEntities, rest);
        else if (c == '\xE2' || c == '\xC2' || c == '\xEF')
            found = replacementFor(kTypographic, rest);
        text += found ? found->to : rest.substr(0, 1);
        at += found ? found->from.size() : 1;
    }
    return text;
}

bool needsCleaning(std::string_view line, const Dirt& dirt)
{
    return line.find('\x1B') != std::string_view::npos
        || (dirt.lostEscapes && line.find('[') != std::string_view::npos)
        || (dirt.entities && line.find('&') != std::string_view::npos)
        || line.find("\xE2\x80") != std::string_view::npos
        || line.find("\xE2\x88\x92") != std::string_view::npos
        || line.find("\xC2\xA0") != std::string_view::npos
        || line.find("\xEF\xBB\xBF") != std::string_view::npos;
}

bool holds(std::string_view text, std::string_view part)
{
    return holdsText(text, part);
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

// A line that belongs to a wrapping, to a script, or to the other grammar. Looks at both ends only:
// nearly every line of a large text passes here.
bool isForeign(std::string_view line, PlainForm form)
{
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return false;
    line.remove_prefix(first);
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
    constexpr std::array<char, 4> kSpecial = {'\x1B', '&', '\xE2', '\xC2'};
    const bool isSpecial = std::any_of(kSpecial.begin(), kSpecial.end(), [text](char c) {
        return text.find(c) != std::string_view::npos;
    });
    if (form == PlainForm::None || isSpecial || holds(text, "[0m"))
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

bool cleanCharacters(TextLines& lines)
{
    Dirt dirt;
    for (const TextLine& line : lines.lines)
    {
        dirt.entities = dirt.entities || holds(line.text, "&lt;") || holds(line.text, "&quot;")
            || holds(line.text, "&#39;") || holds(line.text, "&gt;") || holds(line.text, "&nbsp;");
        dirt.lostEscapes =
            dirt.lostEscapes || (holds(line.text, "[0m") && !holds(line.text, "\x1B[0m"));
    }
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
