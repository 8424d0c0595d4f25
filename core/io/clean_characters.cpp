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
    return text.find(part) != std::string_view::npos;
}

// Each line that a graph begins with has only blanks in front of it.
bool marksStandAlone(std::string_view text, std::string_view mark)
{
    for (std::size_t at = text.find(mark); at != std::string_view::npos;
         at = text.find(mark, at + 1))
    {
        const std::size_t lineStart = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
        if (text.substr(lineStart, at - lineStart).find_first_not_of(" \t")
            != std::string_view::npos)
            return false;
    }
    return true;
}

// No path is glued in front of "class <lambda>(torch.nn.Module):".
bool classesStandAlone(std::string_view text)
{
    constexpr std::string_view kModule = "(torch.nn.Module)";
    for (std::size_t at = text.find(kModule); at != std::string_view::npos;
         at = text.find(kModule, at + 1))
    {
        const std::size_t lineStart = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
        const std::size_t first = text.find_first_not_of(" \t", lineStart);
        if (!text.substr(first).starts_with("class "))
            return false;
    }
    return true;
}

} // namespace

bool isPlainText(std::string_view text)
{
    constexpr std::array<std::string_view, 14> kWrappings = {
        "\x1B",     "```",          "~~~",   "&lt;", "&quot;",           "\xE2\x80",
        "\xC2\xA0", "TRACED GRAPH", "=====", "[0m",  "# Graph fragment", "<eval_with_key>",
        "@@ -",     ">>> "};
    return std::none_of(kWrappings.begin(), kWrappings.end(),
                        [text](std::string_view part) { return holds(text, part); })
        && marksStandAlone(text, "def forward(") && classesStandAlone(text)
        && marksStandAlone(text, "graph()")
        && (holds(text, "def forward(") || holds(text, "graph()"))
        && !(holds(text, "def forward(") && holds(text, "graph()")) && !holds(text, "load_args")
        && !holds(text, "class Repro(");
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
