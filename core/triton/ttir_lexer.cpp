// SPDX-License-Identifier: MIT
#include "core/triton/ttir_lexer.h"

#include <algorithm>

namespace reinspect::triton
{
namespace
{

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isHexDigit(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool isNameCharacter(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.'
        || c == '$';
}

} // namespace

TtirLexer::TtirLexer(std::string_view text)
    : m_text(text)
{
    next();
}

Token TtirLexer::take()
{
    const Token taken = m_token;
    next();
    return taken;
}

bool TtirLexer::takeSign(char sign)
{
    if (!isSign(sign))
        return false;
    next();
    return true;
}

bool TtirLexer::takeWord(std::string_view word)
{
    if (!isWord(word))
        return false;
    next();
    return true;
}

bool TtirLexer::isPair(char first, char second) const
{
    return isSign(first) && at(m_token.offset + 1) == second;
}

std::optional<std::int64_t> TtirLexer::takeDimension()
{
    std::size_t end = m_token.offset;
    std::int64_t size = 0;
    if (at(end) == '?')
    {
        size = -1;
        ++end;
    }
    else
    {
        while (isDigit(at(end)) && size < (std::int64_t{1} << 56))
            size = size * 10 + (m_text[end++] - '0');
    }
    if (end == m_token.offset || at(end) != 'x')
        return std::nullopt;
    m_position = end + 1;
    next();
    return size;
}

void TtirLexer::goTo(const Token& token)
{
    m_position = token.offset;
    m_line = token.line;
    m_startsLine = token.startsLine;
    next();
}

void TtirLexer::skipBlanks()
{
    while (m_position < m_text.size())
    {
        const char c = m_text[m_position];
        if (c == '\n')
        {
            ++m_line;
            m_startsLine = true;
        }
        else if (c == '/' && at(m_position + 1) == '/')
        {
            m_position = std::min(m_text.find('\n', m_position), m_text.size());
            continue;
        }
        else if (c != ' ' && c != '\t' && c != '\r')
            return;
        ++m_position;
    }
}

std::size_t TtirLexer::endOfName(std::size_t from) const
{
    while (from < m_text.size() && isNameCharacter(m_text[from]))
        ++from;
    return from;
}

void TtirLexer::lexNumber()
{
    std::size_t end = m_position + (at(m_position) == '-' ? 1 : 0);
    if (at(end) == '0' && at(end + 1) == 'x' && isHexDigit(at(end + 2)))
    {
        end += 2;
        while (isHexDigit(at(end)))
            ++end;
    }
    else
    {
        while (isDigit(at(end)))
            ++end;
        if (at(end) == '.')
            ++end;
        while (isDigit(at(end)))
            ++end;
        const bool hasSign = at(end + 1) == '-' || at(end + 1) == '+';
        if ((at(end) == 'e' || at(end) == 'E') && isDigit(at(end + 1 + (hasSign ? 1 : 0))))
        {
            end += hasSign ? 2 : 1;
            while (isDigit(at(end)))
                ++end;
        }
    }
    m_token.kind = TokenKind::Number;
    m_token.text = m_text.substr(m_position, end - m_position);
    m_position = end;
}

// From the opening quote on. A string without an end reaches to the end of its line.
void TtirLexer::lexQuoted()
{
    std::size_t end = m_position + 1;
    while (end < m_text.size() && m_text[end] != '"' && m_text[end] != '\n')
        end += m_text[end] == '\\' && end + 1 < m_text.size() ? 2 : 1;
    end = std::min(end, m_text.size());
    m_token.text = m_text.substr(m_position + 1, end - m_position - 1);
    const bool isClosed = at(end) == '"';
    if (!isClosed) // nothing that the grammar knows
        m_token.kind = TokenKind::Sign;
    if (!isClosed)
        m_token.text = m_text.substr(m_position, 1);
    m_position = isClosed ? end + 1 : end;
}

void TtirLexer::next()
{
    skipBlanks();
    m_token = {.kind = TokenKind::End,
               .text = {},
               .offset = static_cast<std::uint32_t>(m_position),
               .line = m_line,
               .startsLine = m_startsLine};
    m_startsLine = false;
    if (m_position >= m_text.size())
        return;
    const char c = m_text[m_position];
    const auto named = [&](TokenKind kind, std::size_t skipped) {
        const std::size_t end = endOfName(m_position + skipped);
        m_token.kind = kind;
        m_token.text = m_text.substr(m_position + skipped, end - m_position - skipped);
        m_position = end;
    };
    if (isDigit(c) || (c == '-' && isDigit(at(m_position + 1))))
        return lexNumber();
    if (c == '-' && at(m_position + 1) == '>')
    {
        m_token.kind = TokenKind::Arrow;
        m_token.text = m_text.substr(m_position, 2);
        m_position += 2;
    }
    else if (c == '"')
    {
        m_token.kind = TokenKind::String;
        lexQuoted();
    }
    else if (c == '@' && at(m_position + 1) == '"')
    {
        ++m_position;
        m_token.kind = TokenKind::Symbol;
        lexQuoted();
    }
    else if (c == '%')
    {
        std::size_t end = m_position + 1;
        while (isNameCharacter(at(end)) || at(end) == '-'
               || (at(end) == '#' && isDigit(at(end + 1))))
            ++end;
        m_token.kind = TokenKind::Value;
        m_token.text = m_text.substr(m_position + 1, end - m_position - 1);
        m_position = end;
    }
    else if (c == '^' || c == '@' || c == '#' || c == '!')
        named(c == '^'       ? TokenKind::Label
                  : c == '@' ? TokenKind::Symbol
                  : c == '#' ? TokenKind::Alias
                             : TokenKind::Bang,
              1);
    else if (isNameCharacter(c))
        named(TokenKind::Word, 0);
    else
    {
        m_token.kind = TokenKind::Sign;
        m_token.text = m_text.substr(m_position++, 1);
    }
}

std::uint32_t TtirLexer::columnOf(const Token& token) const
{
    const std::size_t lineStart =
        token.offset == 0 ? 0 : m_text.substr(0, token.offset).rfind('\n') + 1; // npos + 1 is 0
    return static_cast<std::uint32_t>(token.offset - lineStart + 1);
}

Error TtirLexer::errorAt(const Token& token, std::string message) const
{
    const std::uint32_t column = columnOf(token);
    const std::size_t lineStart = token.offset - (column - 1);
    const std::size_t lineEnd = std::min(m_text.find('\n', lineStart), m_text.size());
    Error error;
    error.message = std::move(message);
    error.span = {.line = token.line,
                  .column = column,
                  .length = static_cast<std::uint32_t>(token.text.size())};
    error.excerpt = std::string(m_text.substr(lineStart, lineEnd - lineStart));
    return error;
}

Error TtirLexer::error(std::string message) const
{
    return errorAt(m_token, std::move(message));
}

} // namespace reinspect::triton
