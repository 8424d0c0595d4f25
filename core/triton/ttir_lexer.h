// SPDX-License-Identifier: MIT
// The words of an MLIR text, one at a time with one to look at. Comments fall away. A shape such as
// "16x1xf32" is no word of its own: the reader of types asks for it character by character.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace reinspect::triton
{

enum class TokenKind : std::uint8_t
{
    End,
    Word,   // tt.load, tensor, dense
    Value,  // %name, without the sign; %name#1 stays whole
    Label,  // ^bb0, without the sign
    Symbol, // @name or @"name", without sign and quotes
    Alias,  // #loc1, #tt.padding, without the sign
    Bang,   // !tt.ptr, without the sign
    Number, // -1, 0xFF, 1.5e+00
    String, // without the quotes, escapes as they stand
    Arrow,  // ->
    Sign,   // any other character
};

struct Token
{
    TokenKind kind = TokenKind::End;
    std::string_view text;
    std::uint32_t offset = 0;
    std::uint32_t line = 1;
    bool startsLine = false; // the first of its line
};

class TtirLexer
{
public:
    // The text must outlive the lexer, and be shorter than 4 GiB.
    explicit TtirLexer(std::string_view text);

    const Token& token() const { return m_token; }
    Token take(); // the token, and on to the next
    bool isSign(char sign) const
    {
        return m_token.kind == TokenKind::Sign && m_token.text[0] == sign;
    }
    bool isWord(std::string_view word) const
    {
        return m_token.kind == TokenKind::Word && m_token.text == word;
    }
    bool takeSign(char sign);
    bool takeWord(std::string_view word);
    // Whether the token and the one behind it are these signs, side by side.
    bool isPair(char first, char second) const;

    // "16x" at the token, which is given back: 16. -1 for "?x". The next token is what follows the x.
    std::optional<std::int64_t> takeDimension();

    // Back to a token that was seen.
    void goTo(const Token& token);

    Error error(std::string message) const; // at the token
    Error errorAt(const Token& token, std::string message) const;
    std::uint32_t columnOf(const Token& token) const;

private:
    void next();
    void skipBlanks();
    void lexNumber();
    void lexQuoted();
    std::size_t endOfName(std::size_t from) const;
    char at(std::size_t offset) const { return offset < m_text.size() ? m_text[offset] : '\0'; }

    std::string_view m_text;
    std::size_t m_position = 0; // behind the token
    std::uint32_t m_line = 1;
    bool m_startsLine = true;
    Token m_token;
};

} // namespace reinspect::triton
