// SPDX-License-Identifier: MIT
// Arithmetic on 64-bit integers that answers "nothing" where the result does not fit or does not
// exist. Division and remainder round towards minus infinity, as Python's do.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace reinspect
{

inline std::optional<std::int64_t> checkedAdd(std::int64_t a, std::int64_t b)
{
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::nullopt : std::optional(sum);
}

inline std::optional<std::int64_t> checkedSubtract(std::int64_t a, std::int64_t b)
{
    std::int64_t difference = 0;
    return __builtin_sub_overflow(a, b, &difference) ? std::nullopt : std::optional(difference);
}

inline std::optional<std::int64_t> checkedMultiply(std::int64_t a, std::int64_t b)
{
    std::int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::nullopt : std::optional(product);
}

inline std::optional<std::int64_t> checkedFloorDivide(std::int64_t a, std::int64_t b)
{
    if (b == 0 || (b == -1 && a == std::numeric_limits<std::int64_t>::min()))
        return std::nullopt;
    const std::int64_t quotient = a / b;
    const bool roundedUp = a % b != 0 && (a < 0) != (b < 0);
    return roundedUp ? quotient - 1 : quotient;
}

// Takes the sign of b.
inline std::optional<std::int64_t> checkedModulo(std::int64_t a, std::int64_t b)
{
    if (b == 0)
        return std::nullopt;
    if (b == -1)
        return 0; // the machine's remainder overflows for the smallest number
    const std::int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

inline std::optional<std::int64_t> checkedPower(std::int64_t base, std::int64_t exponent)
{
    if (exponent < 0)
        return std::nullopt;
    if (base == 0 || base == 1)
        return exponent == 0 ? 1 : base;
    if (base == -1)
        return exponent % 2 == 0 ? 1 : -1;
    std::optional<std::int64_t> result = 1;
    for (; exponent > 0 && result; --exponent) // ends within 64 rounds: the base is 2 or more
        result = checkedMultiply(*result, base);
    return result;
}

} // namespace reinspect
