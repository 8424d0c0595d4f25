// SPDX-License-Identifier: MIT
#include "core/ir/sym_polynomial.h"

#include "core/base/checked_math.h"

#include <algorithm>

namespace reinspect
{
namespace
{

// Beyond these an expression is not compared by its normal form any more: a product of sums grows
// exponentially, and nobody reads such sizes.
constexpr std::size_t kMaxTerms = 512;
constexpr std::size_t kMaxKeyLength = 4096;

int compare(const SymFactor& a, const SymFactor& b)
{
    if (a.atom != b.atom)
    {
        if (const int order = a.atom->key.compare(b.atom->key))
            return order;
    }
    return a.power < b.power ? -1 : a.power > b.power ? 1 : 0;
}

int compare(const SymTerm& a, const SymTerm& b)
{
    const std::size_t common = std::min(a.factors.size(), b.factors.size());
    for (std::size_t i = 0; i < common; ++i)
    {
        if (const int order = compare(a.factors[i], b.factors[i]))
            return order;
    }
    return a.factors.size() < b.factors.size() ? -1 : a.factors.size() > b.factors.size() ? 1 : 0;
}

// Sorts the terms and adds up those with the same factors.
MaybePolynomial collected(std::vector<SymTerm> terms)
{
    std::ranges::sort(terms, [](const SymTerm& a, const SymTerm& b) { return compare(a, b) < 0; });
    SymPolynomial result;
    for (SymTerm& term : terms)
    {
        if (result.terms.empty() || compare(result.terms.back(), term) != 0)
        {
            if (!result.terms.empty() && result.terms.back().coefficient == 0)
                result.terms.pop_back();
            result.terms.push_back(std::move(term));
            continue;
        }
        const auto sum = checkedAdd(result.terms.back().coefficient, term.coefficient);
        if (!sum)
            return std::nullopt;
        result.terms.back().coefficient = *sum;
    }
    if (!result.terms.empty() && result.terms.back().coefficient == 0)
        result.terms.pop_back();
    if (result.terms.size() > kMaxTerms)
        return std::nullopt;
    return result;
}

// Both lists are sorted by key; powers of an atom that is in both add up.
std::optional<std::vector<SymFactor>> mergedFactors(const std::vector<SymFactor>& a,
                                                    const std::vector<SymFactor>& b)
{
    std::vector<SymFactor> merged;
    merged.reserve(a.size() + b.size());
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() || j < b.size())
    {
        const int order = i == a.size() ? 1
            : j == b.size()             ? -1
                                        : a[i].atom->key.compare(b[j].atom->key);
        if (order < 0)
            merged.push_back(a[i++]);
        else if (order > 0)
            merged.push_back(b[j++]);
        else
        {
            const auto sum = checkedAdd(a[i].power, b[j].power);
            if (!sum)
                return std::nullopt;
            merged.push_back({a[i].atom, *sum});
            ++i;
            ++j;
        }
    }
    return merged;
}

// "-1+2*s0*s1^3"; false when it grows too long.
bool appendKey(std::string& key, const SymPolynomial& polynomial)
{
    for (const SymTerm& term : polynomial.terms)
    {
        (key += term.coefficient < 0 ? "" : "+") += std::to_string(term.coefficient);
        for (const SymFactor& factor : term.factors)
        {
            (key += '*') += factor.atom->key;
            if (factor.power != 1)
                (key += '^') += std::to_string(factor.power);
            if (key.size() > kMaxKeyLength)
                return false;
        }
    }
    return true;
}

} // namespace

SymPolynomial::SymPolynomial(std::int64_t value)
{
    if (value != 0)
        terms.push_back({value, {}});
}

SymPolynomial::SymPolynomial(std::shared_ptr<const SymAtom> atom)
{
    terms.push_back({1, {{std::move(atom), 1}}});
}

std::optional<std::int64_t> SymPolynomial::constant() const
{
    if (terms.empty())
        return 0;
    if (terms.size() == 1 && terms.front().factors.empty())
        return terms.front().coefficient;
    return std::nullopt;
}

bool operator==(const SymPolynomial& a, const SymPolynomial& b)
{
    return std::ranges::equal(a.terms, b.terms, [](const SymTerm& x, const SymTerm& y) {
        return x.coefficient == y.coefficient && compare(x, y) == 0;
    });
}

bool comesBefore(const SymPolynomial& a, const SymPolynomial& b)
{
    return std::ranges::lexicographical_compare(
        a.terms, b.terms, [](const SymTerm& x, const SymTerm& y) {
            const int order = compare(x, y);
            return order != 0 ? order < 0 : x.coefficient < y.coefficient;
        });
}

MaybePolynomial sumOf(std::span<const SymPolynomial> summands)
{
    std::vector<SymTerm> terms;
    for (const SymPolynomial& summand : summands)
        terms.insert(terms.end(), summand.terms.begin(), summand.terms.end());
    return collected(std::move(terms));
}

MaybePolynomial difference(const SymPolynomial& a, const SymPolynomial& b)
{
    const MaybePolynomial negated = scaled(b, -1);
    if (!negated)
        return std::nullopt;
    const SymPolynomial both[] = {a, *negated};
    return sumOf(both);
}

MaybePolynomial scaled(const SymPolynomial& polynomial, std::int64_t factor)
{
    if (factor == 0)
        return SymPolynomial{};
    SymPolynomial result = polynomial;
    for (SymTerm& term : result.terms)
    {
        const auto coefficient = checkedMultiply(term.coefficient, factor);
        if (!coefficient)
            return std::nullopt;
        term.coefficient = *coefficient;
    }
    return result;
}

MaybePolynomial product(const SymPolynomial& a, const SymPolynomial& b)
{
    if (a.terms.size() * b.terms.size() > kMaxTerms * 4)
        return std::nullopt;
    std::vector<SymTerm> terms;
    for (const SymTerm& x : a.terms)
    {
        for (const SymTerm& y : b.terms)
        {
            const auto coefficient = checkedMultiply(x.coefficient, y.coefficient);
            auto factors = mergedFactors(x.factors, y.factors);
            if (!coefficient || !factors)
                return std::nullopt;
            terms.push_back({*coefficient, std::move(*factors)});
        }
    }
    return collected(std::move(terms));
}

MaybePolynomial power(const SymPolynomial& base, std::int64_t exponent)
{
    if (exponent < 0)
        return std::nullopt;
    if (const auto number = base.constant())
    {
        const auto value = checkedPower(*number, exponent);
        return value ? MaybePolynomial(SymPolynomial(*value)) : std::nullopt;
    }
    MaybePolynomial result(SymPolynomial(1));
    constexpr std::int64_t kMaxExponent = 64;
    if (exponent > kMaxExponent)
        return std::nullopt;
    for (; exponent > 0 && result; --exponent)
        result = product(*result, base);
    return result;
}

MaybePolynomial atomOf(SymAtom::Kind kind, std::string name, std::vector<SymPolynomial> arguments)
{
    std::string key = std::move(name);
    if (kind != SymAtom::Kind::Symbol)
    {
        key += '(';
        for (const SymPolynomial& argument : arguments)
        {
            if (!appendKey(key, argument))
                return std::nullopt;
            key += ',';
        }
        key += ')';
    }
    SymAtom atom{kind, std::move(key), std::move(arguments)};
    return SymPolynomial(std::make_shared<const SymAtom>(std::move(atom)));
}

} // namespace reinspect
