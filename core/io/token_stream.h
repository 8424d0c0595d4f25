// SPDX-License-Identifier: MIT
// A Lexer with its current token: what the readers of statements and values share.
#pragma once

#include "core/io/lexer.h"

namespace reinspect
{

class TokenStream
{
public:
    explicit TokenStream(std::string_view text)
        : m_lexer(text)
        , m_current(m_lexer.next())
    {}

    const Token& current() const { return m_current; }
    // The current token; the stream moves on.
    Token take()
    {
        const Token taken = m_current;
        m_previousEnd = taken.end();
        m_current = m_lexer.next();
        return taken;
    }
    bool takeIf(std::string_view symbol)
    {
        if (!m_current.is(symbol))
            return false;
        take();
        return true;
    }
    // The character behind the current token, blanks skipped; '\0' at the end.
    char following() const
    {
        const std::size_t at = m_lexer.text().find_first_not_of(" \t", m_lexer.offset());
        return at == std::string_view::npos ? '\0' : m_lexer.text()[at];
    }
    void seek(std::size_t offset)
    {
        m_lexer.seek(offset);
        m_current = m_lexer.next();
    }
    void skipTo(std::size_t offset)
    {
        m_previousEnd = offset;
        m_lexer.skipTo(offset);
        m_current = m_lexer.next();
    }

    std::size_t previousEnd() const { return m_previousEnd; } // end of the token taken last
    std::string_view text() const { return m_lexer.text(); }
    std::string_view text(std::size_t begin, std::size_t end) const
    {
        return text().substr(begin, end - begin);
    }

private:
    Lexer m_lexer;
    Token m_current;
    std::size_t m_previousEnd = 0;
};

} // namespace reinspect
