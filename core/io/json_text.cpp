// SPDX-License-Identifier: MIT
#include "core/io/json_text.h"

#include "core/io/utf8.h"

#include <charconv>
#include <cstdio>

namespace reinspect
{
namespace
{

void appendEscaped(std::string& text, char c)
{
    constexpr std::string_view kSpecial = "\"\\\b\f\n\r\t";
    constexpr std::string_view kLetters = "\"\\bfnrt";
    const std::size_t known = kSpecial.find(c);
    if (known != std::string_view::npos)
    {
        (text += '\\') += kLetters[known];
        return;
    }
    char code[8];
    std::snprintf(code, sizeof code, "\\u%04x",
                  static_cast<unsigned>(static_cast<unsigned char>(c)));
    text += code;
}

void appendValid(std::string& text, std::string_view value)
{
    for (const char c : value)
    {
        if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20)
            appendEscaped(text, c);
        else
            text += c;
    }
}

} // namespace

void appendJsonString(std::string& text, std::string_view value)
{
    text += '"';
    while (const std::optional<std::size_t> invalid = firstInvalidUtf8(value))
    {
        appendValid(text, value.substr(0, *invalid));
        appendUtf8(text, 0xFFFD);
        value.remove_prefix(*invalid + 1);
    }
    appendValid(text, value);
    text += '"';
}

void appendJsonNumber(std::string& text, double value)
{
    char buffer[40];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
    const std::string_view digits(buffer, static_cast<std::size_t>(end.ptr - buffer));
    text += digits;
    if (digits.find_first_of(".e") == std::string_view::npos)
        text += ".0";
}

} // namespace reinspect
