// SPDX-License-Identifier: MIT
// Tokens of Python-like text, one at a time, as views into it. A line break inside brackets is no
// token, so a wrapped call is one statement. A Lexer is a small value: copy it to look ahead, and
// seek() to go on after a line that could not be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace reinspect
{

enum class TokenKind : std::uint8_t
{
    Name,
    Number,
    String,    // with its quotes and prefix; may be a block in triple quotes
    Symbol,    // one operator or bracket: "+", "**", "(", "+="
    Comment,   // from '#' to the end of the line
    LineBreak, // outside brackets
    Broken,    // a string that does not end in its line, or a character Python does not know
    End,
};

struct Token
{
    TokenKind kind = TokenKind::End;
    std::size_t offset = 0;
    std::string_view text;

    bool is(std::string_view symbol) const { return kind == TokenKind::Symbol && text == symbol; }
    bool isName(std::string_view name) const { return kind == TokenKind::Name && text == name; }
    bool endsStatement() const
    {
        return kind == TokenKind::LineBreak || kind == TokenKind::End || kind == TokenKind::Comment
            || is(";");
    }
    std::size_t end() const { return offset + text.size(); }
};

class Lexer
{
public:
    explicit Lexer(std::string_view text, std::size_t offset = 0)
        : m_text(text)
        , m_at(offset)
    {}

    Token next();
    // Goes on at `offset`, outside all brackets.
    void seek(std::size_t offset);
    // Goes on at `offset`, inside the same brackets.
    void skipTo(std::size_t offset) { m_at = offset; }
    std::size_t offset() const { return m_at; }
    std::string_view text() const { return m_text; }

private:
    void skipBlanks();
    Token take(TokenKind kind, std::size_t length);
    Token takeName();
    Token takeNumber();
    Token takeString(std::size_t prefixLength);
    Token takeSymbol();
    char at(std::size_t index) const { return index < m_text.size() ? m_text[index] : '\0'; }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_depth = 0; // open brackets
};

// The offset just behind the line break that ends the line of `offset`; the text's size in the last
// line.
std::size_t nextLineStart(std::string_view text, std::size_t offset);
bool isNameStart(char c);
bool isNameCharacter(char c);
// The value of a String token: quotes and prefix removed, escapes resolved.
std::string unquoted(std::string_view literal);

} // namespace reinspect
