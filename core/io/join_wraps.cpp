// SPDX-License-Identifier: MIT
#include "core/io/join_wraps.h"

#include "core/io/fx_line.h"
#include "core/io/lexer.h"
#include "core/io/section.h"

#include <algorithm>
#include <array>

namespace reinspect
{
namespace
{

// What is still open behind a piece of code.
struct OpenParts
{
    std::ptrdiff_t brackets = 0;
    char quote = '\0';
    bool comment = false;

    void read(std::string_view piece)
    {
        for (std::size_t at = 0; at < piece.size() && !comment; ++at)
        {
            const char c = piece[at];
            if (quote != '\0')
            {
                at += c == '\\' ? 1u : 0u;
                quote = c == quote ? '\0' : quote;
            }
            else if (c == '"' || c == '\'')
                quote = c;
            else
                readSign(c);
        }
    }

private:
    void readSign(char c)
    {
        comment = c == '#';
        if (c == '(' || c == '[' || c == '{')
            ++brackets;
        else if (c == ')' || c == ']' || c == '}')
            --brackets;
    }
};

bool startsWithOneOf(std::string_view text, const auto& words)
{
    return std::any_of(words.begin(), words.end(),
                       [text](std::string_view word) { return text.starts_with(word); });
}

// What is never the rest of another line.
bool beginsAnew(std::string_view text)
{
    constexpr std::array<std::string_view, 10> kWords = {"class ", "def ",  "return ",      "#",
                                                         "graph(", "=====", "TRACED GRAPH", "```",
                                                         "\"\"\"", "..."};
    return text.empty() || startsWithOneOf(text, kWords) || isNodeLine(text);
}

bool endsForward(std::string_view text)
{
    constexpr std::array<std::string_view, 5> kWords = {"class ", "graph(", "=====", "TRACED GRAPH",
                                                        "```"};
    return startsWithOneOf(text, kWords);
}

// "name = ", "name: ", "name += ", "return".
bool isStatement(std::string_view text)
{
    const auto end = std::find_if_not(text.begin(), text.end(), isNameCharacter);
    std::string_view rest(end, text.end());
    if (rest.size() == text.size() || rest.empty())
        return text == "return";
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return rest.starts_with(':') || rest.starts_with('=')
        || (rest.size() > 1 && rest[1] == '=' && rest[0] != '=');
}

// "y = torch.ops.aten.si": the call is missing.
bool lacksItsCall(std::string_view text)
{
    const std::size_t equals = text.rfind(" = ");
    return equals != std::string_view::npos && text.substr(equals + 3).starts_with("torch.")
        && text.find('(', equals) == std::string_view::npos;
}

// "y = f(x);  x = No": names that are not needed any more are all set to None.
bool lacksItsNone(std::string_view text)
{
    const std::size_t semicolon = text.rfind(';');
    return semicolon != std::string_view::npos && text.substr(0, semicolon).ends_with(')')
        && !text.ends_with("None");
}

bool endsWithOneOf(std::string_view text, std::string_view signs)
{
    return !text.empty() && signs.find(text.back()) != std::string_view::npos;
}

// "%a : [num_users=1] = call_function[target=f](args = (), kwargs = {})"
bool isWholeNode(std::string_view text)
{
    const bool hasCall = text.find(" = placeholder[") == std::string_view::npos
        && text.find(" = get_attr[") == std::string_view::npos;
    return isNodeLine(text) && (text.ends_with(')') || (!hasCall && text.ends_with(']')));
}

class WrapJoiner
{
public:
    WrapJoiner(std::vector<TextLine>& lines, std::deque<std::string>& owned)
        : m_lines(lines)
        , m_owned(owned)
        , m_width(wrapWidth(lines))
    {}

    bool run();

private:
    void begin(const TextLine& line, std::string_view text);
    bool isRest(const TextLine& line, std::string_view text) const;
    bool isRestOfCode(std::string_view text, std::size_t indentation) const;
    void join(const TextLine& line);
    void read(std::string_view piece);
    bool isIncomplete() const;

    std::vector<TextLine>& m_lines;
    std::deque<std::string>& m_owned;
    std::optional<std::size_t> m_width;

    std::size_t m_kept = 0;          // lines that stay, the last of them the open one
    std::string* m_joined = nullptr; // the open line, once something was added to it
    OpenParts m_open;                // what is open at its end
    bool m_isFull = false;           // its last piece is as long as the terminal is wide
    bool m_isNode = false;           // of graph() text
    bool m_isReturn = false;
    bool m_inHeader = false;
    bool m_hasMargin = false;             // forward's body stands further right than forward
    std::optional<std::size_t> m_forward; // indentation of the forward that lines belong to
};

bool WrapJoiner::isIncomplete() const
{
    const std::string_view text = trimmedLine(m_lines[m_kept - 1].text);
    return m_open.brackets > 0 || m_open.quote != '\0' || lacksRest(text)
        || (m_inHeader && !text.ends_with(':'));
}

bool WrapJoiner::isRestOfCode(std::string_view text, std::size_t indentation) const
{
    const bool isLeft = indentation <= *m_forward && (m_inHeader || m_hasMargin);
    if (m_open.comment)
        return isLeft && m_isFull;
    // Readers pass over a break in front of a bracket.
    if (text.starts_with(')') && m_open.quote == '\0')
        return false;
    if (isLeft)
        return (isIncomplete() || m_isFull || text.starts_with('=')) && gluedPathLength(text) == 0;
    const bool isCut = m_open.quote != '\0' || (m_open.brackets > 0 && m_isFull);
    return isCut && !isStatement(text);
}

bool WrapJoiner::isRest(const TextLine& line, std::string_view text) const
{
    if (m_kept == 0 || beginsAnew(text))
        return false;
    const std::string_view above = trimmedLine(m_lines[m_kept - 1].text);
    if (m_isNode)
        return m_open.brackets > 0 || text.starts_with('(') || !isWholeNode(above);
    if (!m_forward)
        return m_open.brackets > 0;
    const bool isOpen = m_open.brackets > 0 || m_open.quote != '\0' || m_open.comment;
    const bool isDone = m_isReturn || (m_inHeader && above.ends_with(':'));
    return (isOpen || !isDone) && isRestOfCode(text, indentationOf(line.text));
}

void WrapJoiner::join(const TextLine& line)
{
    TextLine& whole = m_lines[m_kept - 1];
    if (!m_joined)
        m_joined = &m_owned.emplace_back(whole.text);
    if (trimmedLine(*m_joined) == "return")
        *m_joined += ' ';
    m_joined->append(line.text);
    whole.text = *m_joined;
    read(line.text);
}

// Strings have lost their quotes in graph() text.
void WrapJoiner::read(std::string_view piece)
{
    if (m_isNode)
        m_open.brackets += openBrackets(piece);
    else
        m_open.read(piece);
}

// A line of its own, or one that readers join.
void WrapJoiner::begin(const TextLine& line, std::string_view text)
{
    const bool goesOn = m_forward && m_open.brackets > 0 && !beginsAnew(text);
    if (!goesOn)
        m_open = {};
    m_open.comment = false;
    m_open.quote = '\0';
    m_isNode = text.starts_with('%');
    if (text.starts_with("def forward("))
    {
        m_forward = indentationOf(line.text);
        m_inHeader = true;
        m_hasMargin = m_isReturn = false;
    }
    else if (m_inHeader && !goesOn && !text.empty() && !text.starts_with('#'))
    {
        m_inHeader = false;
        m_hasMargin = indentationOf(line.text) > *m_forward;
    }
    else if (endsForward(text))
        m_forward.reset();
    if (!text.starts_with("\"\"\""))
        read(line.text);
    m_isReturn = m_isReturn || text.starts_with("return");
    if (!m_forward && !m_isNode && !m_isReturn)
        m_open = {};
    m_joined = nullptr;
    m_lines[m_kept++] = line;
}

bool WrapJoiner::run()
{
    const std::vector<TextLine> lines = m_lines;
    for (const TextLine& line : lines)
    {
        const std::string_view text = trimmedLine(line.text);
        if (isRest(line, text))
            join(line);
        else
            begin(line, text);
        m_isFull = m_width == widthOf(line);
    }
    m_lines.resize(m_kept);
    return m_kept < lines.size();
}

// True when some line is neither a statement of its own nor the beginning of something else: most texts have
// none, and need no closer look.
bool mayHoldWraps(const std::vector<TextLine>& lines)
{
    std::optional<std::size_t> forward;
    bool inNodes = false;
    for (const TextLine& line : lines)
    {
        const std::size_t indentation = indentationOf(line.text);
        const std::string_view text = line.text.substr(indentation);
        if (text.starts_with("def forward("))
            forward = indentation;
        else if (text.starts_with('%'))
            inNodes = true;
        else if (!beginsAnew(text) && (forward || inNodes)
                 && !(forward && indentation > *forward && isStatement(text)))
            return true;
    }
    return false;
}

} // namespace

bool lacksRest(std::string_view text)
{
    return endsWithOneOf(text, "=,+-*/.") || lacksItsCall(text) || lacksItsNone(text);
}

std::size_t widthOf(const TextLine& line)
{
    return line.column - 1 + line.text.size();
}

std::optional<std::size_t> wrapWidth(const std::vector<TextLine>& lines)
{
    std::size_t longest = 0;
    std::size_t count = 0;
    for (const TextLine& line : lines)
    {
        const std::size_t width = widthOf(line);
        if (width > longest)
            count = 0;
        longest = std::max(longest, width);
        count += width == longest ? 1u : 0u;
    }
    return count > 1 ? std::optional(longest) : std::nullopt;
}

bool joinWraps(std::vector<TextLine>& lines, std::deque<std::string>& owned)
{
    return mayHoldWraps(lines) && WrapJoiner(lines, owned).run();
}

} // namespace reinspect
