// SPDX-License-Identifier: MIT
// Numbers as Python prints them.
#include "core/io/value_reader.h"

#include <charconv>
#include <limits>

namespace reinspect
{
namespace
{

std::optional<double> parseDouble(std::string_view text)
{
    double value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || failure != std::errc() || end != text.data() + text.size())
        return {};
    return value;
}

// Python's integers have no limit. What does not fit in 64 bits stays text.
std::optional<Argument> parseInteger(std::string_view digits, int base, bool negative)
{
    std::uint64_t value = 0;
    const auto [end, failure] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (digits.empty() || end != digits.data() + digits.size())
        return {};
    constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (failure != std::errc() || value > kLargest + (negative ? 1 : 0))
        return Argument{OpaqueArgument{(negative ? "-" : "") + std::string(digits), "int"}};
    return Argument{static_cast<std::int64_t>(negative ? 0 - value : value)};
}

} // namespace

std::optional<Argument> parseNumber(std::string_view text, bool negative)
{
    if (text.starts_with("0x") || text.starts_with("0X"))
        return parseInteger(text.substr(2), 16, negative);
    if (text.ends_with('j'))
    {
        const std::optional<double> imaginary = parseDouble(text.substr(0, text.size() - 1));
        if (!imaginary)
            return {};
        return Argument{std::complex<double>(0, negative ? -*imaginary : *imaginary)};
    }
    if (text.find_first_not_of("0123456789") == std::string_view::npos)
        return parseInteger(text, 10, negative);
    if (const std::optional<double> value = parseDouble(text))
        return Argument{negative ? -*value : *value};
    return {};
}

std::optional<Argument> parseComplex(std::string_view text)
{
    if (!text.ends_with('j'))
        return {};
    text.remove_suffix(1);
    std::size_t sign = text.find_last_of("+-");
    // The sign of an exponent belongs to its number.
    if (sign != std::string_view::npos && sign > 0
        && (text[sign - 1] == 'e' || text[sign - 1] == 'E'))
        sign = text.find_last_of("+-", sign - 1);
    if (sign == std::string_view::npos || sign == 0)
        return {};
    const std::optional<double> real = parseDouble(text.substr(0, sign));
    const std::optional<double> imaginary = parseDouble(text.substr(sign + 1));
    if (!real || !imaginary)
        return {};
    return Argument{std::complex<double>(*real, text[sign] == '-' ? -*imaginary : *imaginary)};
}

} // namespace reinspect
