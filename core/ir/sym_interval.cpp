// SPDX-License-Identifier: MIT
#include "core/ir/sym_interval.h"

#include "core/base/checked_math.h"

#include <algorithm>
#include <unordered_map>

namespace reinspect
{
namespace
{

constexpr std::int64_t kNoLower = SymInterval::kNoLower;
constexpr std::int64_t kNoUpper = SymInterval::kNoUpper;

bool isInfinite(std::int64_t end)
{
    return end == kNoLower || end == kNoUpper;
}

// Ends beyond 64 bits become infinite, which only widens the interval.
std::int64_t endProduct(std::int64_t a, std::int64_t b)
{
    if (a == 0 || b == 0)
        return 0;
    const auto product = isInfinite(a) || isInfinite(b) ? std::nullopt : checkedMultiply(a, b);
    return product.value_or((a < 0) != (b < 0) ? kNoLower : kNoUpper);
}

SymInterval operator*(SymInterval a, SymInterval b)
{
    const auto [lower, upper] =
        std::minmax<std::int64_t>({endProduct(a.lower, b.lower), endProduct(a.lower, b.upper),
                                   endProduct(a.upper, b.lower), endProduct(a.upper, b.upper)});
    return {lower, upper};
}

SymInterval operator+(SymInterval a, SymInterval b)
{
    const auto endSum = [](std::int64_t x, std::int64_t y, std::int64_t infinite) {
        if (x == infinite || y == infinite)
            return infinite;
        return checkedAdd(x, y).value_or(x < 0 ? kNoLower : kNoUpper);
    };
    return {endSum(a.lower, b.lower, kNoLower), endSum(a.upper, b.upper, kNoUpper)};
}

SymInterval both(SymInterval a, SymInterval b)
{
    return {std::max(a.lower, b.lower), std::min(a.upper, b.upper)};
}

SymInterval power(SymInterval base, std::int64_t exponent)
{
    constexpr std::int64_t kMaxExponent = 64;
    if (exponent > kMaxExponent)
        return exponent % 2 == 0 ? SymInterval{0, kNoUpper} : SymInterval{};
    SymInterval result{1, 1};
    for (std::int64_t i = 0; i < exponent; ++i)
        result = result * base;
    return exponent % 2 == 0 ? both(result, {0, kNoUpper}) : result;
}

SymInterval symbolRange(const std::string& name, const ShapeEnv& shapes)
{
    const SymbolFacts facts = shapes.facts(name);
    return {facts.lower, facts.upper.value_or(kNoUpper)};
}

// Floor division by a positive divisor: a dividend below 0 is least for the smallest divisor.
SymInterval quotientRange(SymInterval dividend, SymInterval divisor)
{
    if (divisor.lower <= 0)
        return {};
    const auto end = [](std::int64_t value, std::int64_t by) -> std::int64_t {
        if (by == kNoUpper)
            return value < 0 ? -1 : 0;
        return *checkedFloorDivide(value, by);
    };
    SymInterval range;
    if (dividend.lower != kNoLower)
        range.lower = end(dividend.lower, dividend.lower < 0 ? divisor.lower : divisor.upper);
    if (dividend.upper != kNoUpper)
        range.upper = end(dividend.upper, dividend.upper < 0 ? divisor.upper : divisor.lower);
    return range;
}

SymInterval remainderRange(SymInterval dividend, SymInterval divisor)
{
    if (divisor.lower <= 0)
        return {};
    SymInterval range{0, divisor.upper == kNoUpper ? kNoUpper : divisor.upper - 1};
    if (dividend.lower >= 0)
        range.upper = std::min(range.upper, dividend.upper);
    return range;
}

std::int64_t length(SymInterval range)
{
    if (range.upper == kNoUpper)
        return kNoUpper;
    return checkedSubtract(range.upper, range.lower).value_or(kNoUpper);
}

// Answers one question. It remembers the range of each atom, since a nested one is met many times.
class IntervalFinder
{
public:
    explicit IntervalFinder(const ShapeEnv& shapes)
        : m_shapes(shapes)
    {}
    SymInterval intervalOf(const SymPolynomial& polynomial);

private:
    enum class Shift
    {
        None,
        ToZero,
    };

    SymInterval rangeOf(const SymAtom& atom);
    SymInterval computedRange(const SymAtom& atom);
    SymInterval extremeRange(const SymAtom& atom);
    SymInterval sumOfRanges(const SymPolynomial& polynomial, Shift shift);
    MaybePolynomial shifted(const SymPolynomial& polynomial);
    MaybePolynomial shifted(const SymTerm& term);

    const ShapeEnv& m_shapes;
    std::unordered_map<const SymAtom*, SymInterval> m_ranges;
};

SymInterval IntervalFinder::rangeOf(const SymAtom& atom)
{
    if (const auto found = m_ranges.find(&atom); found != m_ranges.end())
        return found->second;
    const SymInterval range = computedRange(atom);
    m_ranges.emplace(&atom, range);
    return range;
}

SymInterval IntervalFinder::computedRange(const SymAtom& atom)
{
    switch (atom.kind)
    {
    case SymAtom::Kind::Symbol: return symbolRange(atom.key, m_shapes);
    case SymAtom::Kind::FloorDivide:
        return quotientRange(intervalOf(atom.arguments[0]), intervalOf(atom.arguments[1]));
    case SymAtom::Kind::Modulo:
        return remainderRange(intervalOf(atom.arguments[0]), intervalOf(atom.arguments[1]));
    case SymAtom::Kind::Max:
    case SymAtom::Kind::Min: return extremeRange(atom);
    case SymAtom::Kind::Opaque: break;
    }
    return {};
}

SymInterval IntervalFinder::extremeRange(const SymAtom& atom)
{
    SymInterval range = intervalOf(atom.arguments.front());
    for (const SymPolynomial& argument : atom.arguments)
    {
        const SymInterval other = intervalOf(argument);
        if (atom.kind == SymAtom::Kind::Max)
            range = {std::max(range.lower, other.lower), std::max(range.upper, other.upper)};
        else
            range = {std::min(range.lower, other.lower), std::min(range.upper, other.upper)};
    }
    return range;
}

MaybePolynomial IntervalFinder::shifted(const SymTerm& term)
{
    MaybePolynomial result(SymPolynomial(term.coefficient));
    for (const SymFactor& factor : term.factors)
    {
        const std::int64_t least = rangeOf(*factor.atom).lower;
        const SymPolynomial parts[] = {SymPolynomial(least == kNoLower ? 0 : least),
                                       SymPolynomial(factor.atom)};
        const MaybePolynomial base = sumOf(parts);
        const MaybePolynomial raised = base ? power(*base, factor.power) : std::nullopt;
        result = result && raised ? product(*result, *raised) : std::nullopt;
    }
    return result;
}

// Each atom that is at least k is written as k + t, and t keeps the atom's name. Then the signs of
// the coefficients decide what intervals cannot: with s0 and s1 at least 2,
//     s0*s1 - s0  =  (2 + t0)*(2 + t1) - (2 + t0)  =  2 + t0 + 2*t1 + t0*t1  >=  2
MaybePolynomial IntervalFinder::shifted(const SymPolynomial& polynomial)
{
    std::vector<SymPolynomial> summands;
    for (const SymTerm& term : polynomial.terms)
    {
        MaybePolynomial summand = shifted(term);
        if (!summand)
            return std::nullopt;
        summands.push_back(std::move(*summand));
    }
    return sumOf(summands);
}

SymInterval IntervalFinder::sumOfRanges(const SymPolynomial& polynomial, Shift shift)
{
    SymInterval sum{0, 0};
    for (const SymTerm& term : polynomial.terms)
    {
        SymInterval value{term.coefficient, term.coefficient};
        for (const SymFactor& factor : term.factors)
        {
            SymInterval range = rangeOf(*factor.atom);
            if (shift == Shift::ToZero && range.lower != kNoLower)
                range = {0, length(range)};
            value = value * power(range, factor.power);
        }
        sum = sum + value;
    }
    return sum;
}

SymInterval IntervalFinder::intervalOf(const SymPolynomial& polynomial)
{
    if (const auto number = polynomial.constant())
        return {*number, *number};
    const SymInterval plain = sumOfRanges(polynomial, Shift::None);
    const MaybePolynomial moved = shifted(polynomial);
    return moved ? both(plain, sumOfRanges(*moved, Shift::ToZero)) : plain;
}

} // namespace

SymInterval intervalOf(const SymPolynomial& polynomial, const ShapeEnv& shapes)
{
    return IntervalFinder(shapes).intervalOf(polynomial);
}

} // namespace reinspect
