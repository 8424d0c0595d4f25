// SPDX-License-Identifier: MIT
// The functions of the normal form that are not polynomials: floor division, remainder, Max, Min.
// What can be taken out of them is taken out, so that different spellings meet:
//     (4*s0 + 6)//4  ->  s0 + 1        (8*s0) % 4  ->  0        Max(s0, s0 + 1)  ->  s0 + 1
#include "core/base/checked_math.h"
#include "core/ir/sym_polynomial.h"

#include <algorithm>
#include <numeric>

namespace reinspect
{
namespace
{

// The factors of `term` without those of `divisor`; nothing when they are not all there.
std::optional<std::vector<SymFactor>> withoutFactors(const SymTerm& term, const SymTerm& divisor)
{
    std::vector<SymFactor> rest = term.factors;
    for (const SymFactor& factor : divisor.factors)
    {
        const auto found = std::ranges::find_if(rest, [&](const SymFactor& candidate) {
            return candidate.atom->key == factor.atom->key;
        });
        if (found == rest.end() || found->power < factor.power)
            return std::nullopt;
        found->power -= factor.power;
        if (found->power == 0)
            rest.erase(found);
    }
    return rest;
}

// dividend = quotient * divisor + rest, so that
// floor(dividend / divisor) = quotient + floor(rest / divisor).
struct Division
{
    SymPolynomial quotient;
    SymPolynomial rest;
};

// Divides term by term; only a divisor of one term takes anything out.
std::optional<Division> divided(const SymPolynomial& dividend, const SymPolynomial& divisor)
{
    Division result;
    if (divisor.terms.size() != 1)
    {
        if (dividend == divisor)
            result.quotient = SymPolynomial(1);
        else
            result.rest = dividend;
        return result;
    }
    const SymTerm& by = divisor.terms.front();
    std::vector<SymPolynomial> quotients;
    for (const SymTerm& term : dividend.terms)
    {
        const auto factors = withoutFactors(term, by);
        if (!factors)
        {
            result.rest.terms.push_back(term);
            continue;
        }
        const auto count = checkedFloorDivide(term.coefficient, by.coefficient);
        if (!count)
            return std::nullopt;
        if (*count != 0)
            quotients.emplace_back().terms.push_back({*count, *factors});
        if (const auto left = checkedModulo(term.coefficient, by.coefficient); *left != 0)
            result.rest.terms.push_back({*left, term.factors}); // the order of the terms is kept
    }
    MaybePolynomial quotient = sumOf(quotients);
    if (!quotient)
        return std::nullopt;
    result.quotient = std::move(*quotient);
    return result;
}

// Divides both by the greatest integer that divides every coefficient of both.
void reduce(SymPolynomial& dividend, SymPolynomial& divisor)
{
    std::int64_t common = 0;
    for (const SymPolynomial* polynomial : {&dividend, &divisor})
    {
        for (const SymTerm& term : polynomial->terms)
        {
            if (term.coefficient == std::numeric_limits<std::int64_t>::min())
                return; // its magnitude has no 64-bit spelling
            common = std::gcd(common, term.coefficient);
        }
    }
    if (common <= 1)
        return;
    for (SymPolynomial* polynomial : {&dividend, &divisor})
    {
        for (SymTerm& term : polynomial->terms)
            term.coefficient /= common;
    }
}

const SymAtom* soleAtom(const SymPolynomial& polynomial)
{
    if (polynomial.terms.size() != 1)
        return nullptr;
    const SymTerm& term = polynomial.terms.front();
    const bool bare =
        term.coefficient == 1 && term.factors.size() == 1 && term.factors.front().power == 1;
    return bare ? term.factors.front().atom.get() : nullptr;
}

// Nothing is left to divide. A constant rest lies between 0 and a constant divisor.
bool leavesNothing(const SymPolynomial& rest, const SymPolynomial& divisor)
{
    return rest.terms.empty() || (rest.constant() && divisor.constant());
}

// Of two values a constant apart only one can be the extreme; the other is dropped.
void dropBeaten(std::vector<SymPolynomial>& values, SymAtom::Kind maxOrMin)
{
    const auto beats = [&](const SymPolynomial& winner, const SymPolynomial& loser) {
        const MaybePolynomial distance = difference(winner, loser);
        const std::optional<std::int64_t> number = distance ? distance->constant() : std::nullopt;
        return number && (maxOrMin == SymAtom::Kind::Max ? *number >= 0 : *number <= 0);
    };
    std::vector<SymPolynomial> kept;
    for (SymPolynomial& value : values)
    {
        if (std::ranges::any_of(kept,
                                [&](const SymPolynomial& other) { return beats(other, value); }))
            continue;
        std::erase_if(kept, [&](const SymPolynomial& other) { return beats(value, other); });
        kept.push_back(std::move(value));
    }
    values = std::move(kept);
}

} // namespace

MaybePolynomial floorDivide(const SymPolynomial& dividend, const SymPolynomial& divisor)
{
    if (divisor.terms.empty())
        return std::nullopt;
    std::optional<Division> division = divided(dividend, divisor);
    if (!division || leavesNothing(division->rest, divisor))
        return division ? MaybePolynomial(division->quotient) : std::nullopt;

    SymPolynomial by = divisor;
    reduce(division->rest, by);
    const SymAtom* inner = soleAtom(division->rest);
    MaybePolynomial remaining;
    if (inner && inner->kind == SymAtom::Kind::FloorDivide && by.constant().value_or(0) > 0)
    {
        // (a//b)//c is a//(b*c) for a positive number c.
        const MaybePolynomial both = product(inner->arguments[1], by);
        remaining = both ? floorDivide(inner->arguments[0], *both) : std::nullopt;
    }
    else
        remaining = atomOf(SymAtom::Kind::FloorDivide, "//", {division->rest, by});
    if (!remaining)
        return std::nullopt;
    const SymPolynomial parts[] = {division->quotient, *remaining};
    return sumOf(parts);
}

MaybePolynomial modulo(const SymPolynomial& dividend, const SymPolynomial& divisor)
{
    if (divisor.terms.empty())
        return std::nullopt;
    const std::optional<Division> division = divided(dividend, divisor);
    if (!division)
        return std::nullopt;
    if (leavesNothing(division->rest, divisor))
        return division->rest;
    return atomOf(SymAtom::Kind::Modulo, "%", {division->rest, divisor});
}

MaybePolynomial extreme(SymAtom::Kind maxOrMin, std::span<const SymPolynomial> values)
{
    constexpr std::size_t kMaxValues = 32;
    std::vector<SymPolynomial> kept;
    for (const SymPolynomial& value : values)
    {
        const SymAtom* inner = soleAtom(value);
        if (inner && inner->kind == maxOrMin)
            kept.insert(kept.end(), inner->arguments.begin(), inner->arguments.end());
        else
            kept.push_back(value);
    }
    if (kept.empty() || kept.size() > kMaxValues)
        return std::nullopt;
    dropBeaten(kept, maxOrMin);
    if (kept.size() == 1)
        return kept.front();
    std::ranges::sort(kept, comesBefore);
    return atomOf(maxOrMin, maxOrMin == SymAtom::Kind::Max ? "Max" : "Min", std::move(kept));
}

} // namespace reinspect
