// SPDX-License-Identifier: MIT
#include "core/io/lexer.h"

#include "core/io/utf8.h"

#include <algorithm>
#include <array>

namespace reinspect
{
namespace
{

enum CharacterClass : std::uint8_t
{
    Other = 0,
    NameStart = 1,
    Digit = 2,
};

// Letters of other alphabets are Python names too; their UTF-8 bytes need no closer look.
constexpr std::array<std::uint8_t, 256> makeClasses()
{
    std::array<std::uint8_t, 256> classes{};
    for (int c = 0; c < 256; ++c)
    {
        const bool letter =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
        classes[static_cast<std::size_t>(c)] = letter ? NameStart
            : c >= '0' && c <= '9'                    ? Digit
                                                      : Other;
    }
    return classes;
}

constexpr std::array<std::uint8_t, 256> kClasses = makeClasses();

std::uint8_t classOf(char c)
{
    return kClasses[static_cast<unsigned char>(c)];
}

bool isQuote(char c)
{
    return c == '\'' || c == '"';
}

bool isStringPrefix(std::string_view name)
{
    return name.size() <= 2 && name.find_first_not_of("rRbBuUfF") == std::string_view::npos;
}

int hexValue(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

// Resolves \xHH, \uHHHH and \UHHHHHHHH behind the letter at `at`; false when digits are missing.
bool appendCodePoint(std::string& value, std::string_view body, std::size_t& at)
{
    const std::size_t digits = body[at] == 'x' ? 2 : body[at] == 'u' ? 4 : 8;
    char32_t code = 0;
    for (std::size_t i = 1; i <= digits; ++i)
    {
        const int digit = at + i < body.size() ? hexValue(body[at + i]) : -1;
        if (digit < 0)
            return false;
        code = code * 16 + static_cast<char32_t>(digit);
    }
    at += digits;
    appendUtf8(value, code);
    return true;
}

void appendEscape(std::string& value, std::string_view body, std::size_t& at)
{
    constexpr std::string_view kLetters = "abfnrtv0\\'\"";
    constexpr std::string_view kMeanings = {"\a\b\f\n\r\t\v\0\\'\"", 11};
    const char letter = body[at];
    const std::size_t known = kLetters.find(letter);
    if (known != std::string_view::npos)
        value += kMeanings[known];
    else if ((letter != 'x' && letter != 'u' && letter != 'U') || !appendCodePoint(value, body, at))
        (value += '\\') += letter;
}

} // namespace

bool isNameStart(char c)
{
    return classOf(c) == NameStart;
}

bool isNameCharacter(char c)
{
    return classOf(c) != Other;
}

std::size_t nextLineStart(std::string_view text, std::size_t offset)
{
    const std::size_t lineBreak = text.find('\n', offset);
    return lineBreak == std::string_view::npos ? text.size() : lineBreak + 1;
}

std::string unquoted(std::string_view literal)
{
    const std::size_t open = std::min(literal.find_first_of("'\""), literal.size());
    const bool raw = literal.substr(0, open).find_first_of("rR") != std::string_view::npos;
    std::string_view body = literal.substr(open);
    const std::size_t quotes = body.size() >= 6 && body[1] == body[0] && body[2] == body[0] ? 3 : 1;
    if (body.size() < 2 * quotes)
        return {};
    body = body.substr(quotes, body.size() - 2 * quotes);
    if (raw || body.find('\\') == std::string_view::npos)
        return std::string(body);
    std::string value;
    for (std::size_t at = 0; at < body.size(); ++at)
    {
        if (body[at] != '\\' || at + 1 == body.size())
            value += body[at];
        else
            appendEscape(value, body, ++at);
    }
    return value;
}

void Lexer::seek(std::size_t offset)
{
    m_at = std::min(offset, m_text.size());
    m_depth = 0;
}

Token Lexer::next()
{
    skipBlanks();
    if (m_at >= m_text.size())
        return take(TokenKind::End, 0);
    const char c = m_text[m_at];
    if (classOf(c) == NameStart)
        return takeName();
    if (classOf(c) == Digit || (c == '.' && classOf(at(m_at + 1)) == Digit))
        return takeNumber();
    if (isQuote(c))
        return takeString(0);
    if (c == '\n')
        return take(TokenKind::LineBreak, 1);
    if (c == '#')
    {
        const std::size_t end = std::min(m_text.find('\n', m_at), m_text.size());
        return take(TokenKind::Comment, end - m_at);
    }
    return takeSymbol();
}

void Lexer::skipBlanks()
{
    for (; m_at < m_text.size(); ++m_at)
    {
        const char c = m_text[m_at];
        if (c == ' ' || c == '\t' || c == '\r' || c == '\f')
            continue;
        if (c == '\n' && m_depth > 0)
            continue;
        if (c == '\\' && (at(m_at + 1) == '\n' || (at(m_at + 1) == '\r' && at(m_at + 2) == '\n')))
        {
            m_at += at(m_at + 1) == '\n' ? 1 : 2;
            continue;
        }
        if (c != '#' || m_depth == 0)
            return;
        // A comment inside brackets ends with its line.
        m_at = nextLineStart(m_text, m_at) - 1;
    }
}

Token Lexer::take(TokenKind kind, std::size_t length)
{
    const Token token{kind, m_at, m_text.substr(std::min(m_at, m_text.size()), length)};
    m_at += length;
    return token;
}

Token Lexer::takeName()
{
    std::size_t end = m_at + 1;
    while (end < m_text.size() && classOf(m_text[end]) != Other)
        ++end;
    if (end < m_text.size() && isQuote(m_text[end])
        && isStringPrefix(m_text.substr(m_at, end - m_at)))
        return takeString(end - m_at);
    return take(TokenKind::Name, end - m_at);
}

Token Lexer::takeNumber()
{
    std::size_t end = m_at;
    const bool hexadecimal = m_text[m_at] == '0' && (at(m_at + 1) == 'x' || at(m_at + 1) == 'X');
    while (end < m_text.size() && (classOf(m_text[end]) != Other || m_text[end] == '.'))
    {
        const bool exponent = !hexadecimal && (m_text[end] == 'e' || m_text[end] == 'E');
        ++end;
        if (exponent && (at(end) == '+' || at(end) == '-'))
            ++end;
    }
    return take(TokenKind::Number, end - m_at);
}

Token Lexer::takeString(std::size_t prefixLength)
{
    const std::size_t open = m_at + prefixLength;
    const char quote = m_text[open];
    if (at(open + 1) == quote && at(open + 2) == quote)
    {
        const std::size_t close = m_text.find(std::string(3, quote), open + 3);
        if (close != std::string_view::npos)
            return take(TokenKind::String, close + 3 - m_at);
        return take(TokenKind::Broken, m_text.size() - m_at);
    }
    std::size_t end = open + 1;
    while (end < m_text.size() && m_text[end] != quote && m_text[end] != '\n')
        end += m_text[end] == '\\' && at(end + 1) != '\n' ? 2 : 1;
    if (end < m_text.size() && m_text[end] == quote)
        return take(TokenKind::String, end + 1 - m_at);
    return take(TokenKind::Broken, std::min(end, m_text.size()) - m_at);
}

Token Lexer::takeSymbol()
{
    constexpr std::string_view kSymbolCharacters = "()[]{}<>.,:;=+-*/%@&|^~!";
    const char c = m_text[m_at];
    if (kSymbolCharacters.find(c) == std::string_view::npos)
        return take(TokenKind::Broken, 1);
    if (c == '(' || c == '[' || c == '{')
        ++m_depth;
    else if ((c == ')' || c == ']' || c == '}') && m_depth > 0)
        --m_depth;
    std::size_t length = 1;
    const char second = at(m_at + 1);
    if (second == c && std::string_view("*/<>=").find(c) != std::string_view::npos)
        length = 2;
    else if (c == '-' && second == '>')
        length = 2;
    // "+=", "//=", "==", "!=", but not a bracket before "=".
    if (length < 3 && at(m_at + length) == '=' && !(c == '=' && length == 2)
        && std::string_view("=+-*/%@&|^<>!").find(c) != std::string_view::npos
        && !(c == '-' && second == '>'))
        ++length;
    return take(TokenKind::Symbol, length);
}

} // namespace reinspect
