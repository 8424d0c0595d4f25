// SPDX-License-Identifier: MIT
#include "core/io/utf8.h"

#include <cstdint>
#include <cstring>

namespace reinspect
{
namespace
{

// Bytes of the well-formed character at `at`; 0 when there is none. Overlong spellings, surrogates
// and code points above U+10FFFF are not well-formed.
std::size_t characterLength(std::string_view text, std::size_t at)
{
    const auto byte = [text, at](std::size_t i) {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
    };
    const auto follows = [&byte](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
    const unsigned first = byte(0);
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return follows(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF)
    {
        const bool badSecond =
            (first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F);
        return follows(1) && follows(2) && !badSecond ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4)
    {
        const bool badSecond =
            (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F);
        return follows(1) && follows(2) && follows(3) && !badSecond ? 4 : 0;
    }
    return 0;
}

} // namespace

std::optional<std::size_t> firstInvalidUtf8(std::string_view text, std::size_t from)
{
    std::size_t at = from;
    while (at < text.size())
    {
        // Eight ASCII bytes at once: nearly all of every dump.
        std::uint64_t block = 0;
        while (at + sizeof block <= text.size())
        {
            std::memcpy(&block, text.data() + at, sizeof block);
            if ((block & 0x8080808080808080u) != 0)
                break;
            at += sizeof block;
        }
        if (at >= text.size())
            break;
        const std::size_t length = characterLength(text, at);
        if (length == 0)
            return at;
        at += length;
    }
    return {};
}

void appendUtf8(std::string& text, char32_t code)
{
    const auto follow = [&text](char32_t bits) { text += static_cast<char>(0x80 | (bits & 0x3F)); };
    if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        code = 0xFFFD;
    if (code < 0x80)
    {
        text += static_cast<char>(code);
        return;
    }
    if (code < 0x800)
        text += static_cast<char>(0xC0 | (code >> 6));
    else if (code < 0x10000)
        text += static_cast<char>(0xE0 | (code >> 12));
    else
        text += static_cast<char>(0xF0 | (code >> 18));
    if (code >= 0x10000)
        follow(code >> 12);
    if (code >= 0x800)
        follow(code >> 6);
    follow(code);
}

} // namespace reinspect
