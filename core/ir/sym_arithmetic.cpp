// SPDX-License-Identifier: MIT
// Arithmetic on symbolic integers, in sympy's manner: like terms and like factors are collected,
// operands are put in sympy's order, products of sums stay products.
#include "core/base/checked_math.h"
#include "core/ir/sym_node.h"

#include <algorithm>

namespace reinspect
{
namespace
{

// base ** power inside a product.
struct Factor
{
    SymExpr base;
    std::int64_t power = 1;
    std::string key; // orders bases as sympy does; equal only for equal spellings
};

// coefficient * factors inside a sum.
struct Term
{
    std::int64_t coefficient = 1;
    std::vector<Factor> factors = {}; // in sympy's order
};

const SymExpr& withoutGroup(const SymExpr& expr)
{
    return isKind(expr, SymKind::Group) ? withoutGroup(expr.node()->operands[0]) : expr;
}

// sympy prints these in an extra pair of brackets wherever they are operands.
SymExpr asOperand(const SymExpr& expr)
{
    const bool call =
        isKind(expr, SymKind::Call) && expr.node()->text != "Max" && expr.node()->text != "Min";
    return call || isKind(expr, SymKind::FloorDivide) ? makeSymExpr(SymKind::Group, {}, {expr})
                                                      : expr;
}

// Symbols, then sums, short ones first, then functions.
Factor factorOf(const SymExpr& base, std::int64_t power)
{
    std::string rank = isKind(base, SymKind::Symbol) ? "0" : "2";
    if (isKind(base, SymKind::Add))
        rank = "1" + std::to_string(100'000 + base.node()->operands.size()); // all of one length
    return {base, power, rank + toText(base)};
}

bool comesFirst(const Factor& a, const Factor& b)
{
    return a.key < b.key;
}

// Multiplies `term` by `value`; false on overflow.
bool multiplyInto(Term& term, const SymExpr& value)
{
    const SymExpr& bare = withoutGroup(value);
    const SymNode* node = bare.node();
    if (!node)
    {
        const auto scaled = checkedMultiply(term.coefficient, *bare.constant());
        term.coefficient = scaled.value_or(0);
        return scaled.has_value();
    }
    if (node->kind == SymKind::Negate)
        return multiplyInto(term, -1) && multiplyInto(term, node->operands[0]);
    if (node->kind == SymKind::Multiply)
        return std::ranges::all_of(node->operands,
                                   [&](const SymExpr& part) { return multiplyInto(term, part); });

    const auto exponent =
        node->kind == SymKind::Power ? node->operands[1].constant() : std::nullopt;
    const bool split = exponent.value_or(0) > 0;
    Factor factor = factorOf(split ? withoutGroup(node->operands[0]) : bare, split ? *exponent : 1);
    const auto place = std::ranges::lower_bound(term.factors, factor, comesFirst);
    if (place == term.factors.end() || comesFirst(factor, *place))
    {
        term.factors.insert(place, std::move(factor));
        return true;
    }
    const auto sum = checkedAdd(place->power, factor.power);
    place->power = sum.value_or(0);
    return sum.has_value();
}

SymExpr built(const Term& term)
{
    std::vector<SymExpr> operands;
    if ((term.coefficient != 1 && term.coefficient != -1) || term.factors.empty())
        operands.emplace_back(term.coefficient);
    for (const Factor& factor : term.factors)
    {
        const bool alone = term.factors.size() == 1 && operands.empty() && term.coefficient == 1;
        const SymExpr base = alone && factor.power == 1 ? factor.base : asOperand(factor.base);
        operands.push_back(
            factor.power == 1 ? base : makeSymExpr(SymKind::Power, {}, {base, factor.power}));
    }
    SymExpr product =
        operands.size() == 1 ? operands.front() : makeSymExpr(SymKind::Multiply, {}, operands);
    const bool negative = term.coefficient == -1 && !term.factors.empty();
    return negative ? makeSymExpr(SymKind::Negate, {}, {std::move(product)}) : product;
}

bool sameFactors(const Term& a, const Term& b)
{
    return std::ranges::equal(a.factors, b.factors, [](const Factor& x, const Factor& y) {
        return x.power == y.power && x.key == y.key;
    });
}

// The order of monomials in sympy's sums: the term with more of the first symbol comes first.
bool comesFirst(const Term& a, const Term& b)
{
    const std::size_t common = std::min(a.factors.size(), b.factors.size());
    for (std::size_t i = 0; i < common; ++i)
    {
        const Factor& x = a.factors[i];
        const Factor& y = b.factors[i];
        if (x.key != y.key)
            return comesFirst(x, y);
        if (x.power != y.power)
            return x.power > y.power;
    }
    return a.factors.size() > b.factors.size();
}

// Adds `value` times `sign` to the terms; false on overflow.
bool addInto(std::vector<Term>& terms, const SymExpr& value, std::int64_t sign)
{
    const SymExpr& bare = withoutGroup(value);
    if (isKind(bare, SymKind::Negate) && isKind(bare.node()->operands[0], SymKind::Add))
        return addInto(terms, bare.node()->operands[0], -sign);
    if (isKind(bare, SymKind::Add))
    {
        return std::ranges::all_of(bare.node()->operands,
                                   [&](const SymExpr& part) { return addInto(terms, part, sign); });
    }
    Term term{.coefficient = sign};
    if (!multiplyInto(term, bare))
        return false;
    const auto same =
        std::ranges::find_if(terms, [&](const Term& other) { return sameFactors(term, other); });
    if (same == terms.end())
    {
        terms.push_back(std::move(term));
        return true;
    }
    const auto sum = checkedAdd(same->coefficient, term.coefficient);
    same->coefficient = sum.value_or(0);
    return sum.has_value();
}

// sympy writes "1 - s0", though "-s0*s1 + 1".
bool numberLeads(const std::vector<Term>& terms)
{
    return terms.size() == 2 && terms[1].factors.empty() && terms[1].coefficient > 0
        && terms[0].coefficient < 0 && terms[0].factors.size() == 1;
}

SymExpr built(std::vector<Term> terms)
{
    std::erase_if(terms, [](const Term& term) { return term.coefficient == 0; });
    if (terms.empty())
        return 0;
    if (terms.size() == 1)
        return built(terms.front());
    std::ranges::sort(terms, [](const Term& a, const Term& b) { return comesFirst(a, b); });
    if (numberLeads(terms))
        std::swap(terms[0], terms[1]);
    std::vector<SymExpr> operands;
    for (const Term& term : terms)
        operands.push_back(asOperand(built(term)));
    return makeSymExpr(SymKind::Add, {}, std::move(operands));
}

// a + sign * b.
SymExpr added(const SymExpr& a, const SymExpr& b, std::int64_t sign)
{
    if (isKind(a, SymKind::TooLarge) || isKind(b, SymKind::TooLarge))
        return tooLargeSymExpr();
    std::vector<Term> terms;
    if (addInto(terms, a, 1) && addInto(terms, b, sign))
        return built(std::move(terms));
    const SymExpr second = sign > 0 ? b : makeSymExpr(SymKind::Negate, {}, {b});
    return makeSymExpr(SymKind::Add, {}, {a, second});
}

} // namespace

SymExpr operator+(const SymExpr& a, const SymExpr& b)
{
    if (a.isConstant() && b.isConstant())
    {
        if (const auto sum = checkedAdd(a.m_value, b.m_value))
            return *sum;
    }
    if (b.constant() == 0)
        return a;
    return a.constant() == 0 ? b : added(a, b, 1);
}

SymExpr operator-(const SymExpr& a, const SymExpr& b)
{
    if (a.isConstant() && b.isConstant())
    {
        if (const auto difference = checkedSubtract(a.m_value, b.m_value))
            return *difference;
    }
    return b.constant() == 0 ? a : added(a, b, -1);
}

SymExpr operator*(const SymExpr& a, const SymExpr& b)
{
    if (a.isConstant() && b.isConstant())
    {
        if (const auto product = checkedMultiply(a.m_value, b.m_value))
            return *product;
    }
    if (a.constant() == 0 || b.constant() == 0)
        return 0;
    if (b.constant() == 1)
        return a;
    if (a.constant() == 1)
        return b;
    Term term;
    if (!multiplyInto(term, a) || !multiplyInto(term, b))
        return makeSymExpr(SymKind::Multiply, {}, {a, b});

    // A number times a sum is distributed, as sympy does: 2*(s0 + 1) is 2*s0 + 2.
    const bool numberTimesSum = term.coefficient != 1 && term.factors.size() == 1
        && term.factors.front().power == 1 && isKind(term.factors.front().base, SymKind::Add);
    if (!numberTimesSum)
        return built(term);
    SymExpr sum = 0;
    for (const SymExpr& part : term.factors.front().base.node()->operands)
        sum = sum + term.coefficient * part;
    return sum;
}

namespace
{

// The terms of a sum that a positive number divides, divided, and the others.
struct Split
{
    SymExpr quotient = 0;
    SymExpr rest = 0;
};

Split splitBy(const SymExpr& dividend, std::int64_t divisor)
{
    Split split;
    std::vector<Term> terms;
    if (!addInto(terms, dividend, 1))
        return {0, dividend};
    std::vector<Term> others;
    std::erase_if(terms, [&](const Term& term) {
        const bool divides = term.coefficient % divisor == 0;
        if (!divides)
            others.push_back(term);
        return !divides;
    });
    for (Term& term : terms)
        term.coefficient /= divisor;
    return {built(std::move(terms)), built(std::move(others))};
}

SymExpr extremeOf(const char* name, const SymExpr& a, const SymExpr& b)
{
    std::vector<SymExpr> values;
    for (const SymExpr& operand : {withoutGroup(a), withoutGroup(b)})
    {
        if (isKind(operand, SymKind::Call) && operand.node()->text == name)
            values.insert(values.end(), operand.node()->operands.begin(),
                          operand.node()->operands.end());
        else
            values.push_back(operand);
    }
    std::ranges::stable_sort(values, [](const SymExpr& x, const SymExpr& y) {
        return x.isConstant() != y.isConstant() ? x.isConstant() : toText(x) < toText(y);
    });
    const auto repeated = std::ranges::unique(values);
    values.erase(repeated.begin(), repeated.end());
    SymExpr call = makeSymExpr(SymKind::Call, name, values);
    for (const SymExpr& value : values) // the greater of s0 and s0 + 1 is s0 + 1
    {
        if (value == call)
            return value;
    }
    return call;
}

} // namespace

SymExpr SymExpr::floorDiv(const SymExpr& a, const SymExpr& b)
{
    if (a.isConstant() && b.isConstant())
    {
        if (const auto quotient = checkedFloorDivide(a.m_value, b.m_value))
            return *quotient;
    }
    if (b.constant() == 1)
        return a;
    if (const auto divisor = b.constant(); divisor && *divisor > 1)
    {
        const Split split = splitBy(a, *divisor);
        if (!(split.quotient == SymExpr(0)))
            return split.quotient + floorDiv(split.rest, b);
        const SymExpr& inner = withoutGroup(a);
        if (isKind(inner, SymKind::FloorDivide))
            return floorDiv(inner.node()->operands[0], inner.node()->operands[1] * b);
    }
    return makeSymExpr(SymKind::FloorDivide, {}, {asOperand(a), asOperand(b)});
}

SymExpr SymExpr::mod(const SymExpr& a, const SymExpr& b)
{
    if (a.isConstant() && b.isConstant())
    {
        if (const auto rest = checkedModulo(a.m_value, b.m_value))
            return *rest;
    }
    return makeSymExpr(SymKind::Call, "Mod", {a, b});
}

SymExpr SymExpr::max(const SymExpr& a, const SymExpr& b)
{
    if (a.isConstant() && b.isConstant())
        return std::max(a.m_value, b.m_value);
    return extremeOf("Max", a, b);
}

SymExpr SymExpr::min(const SymExpr& a, const SymExpr& b)
{
    if (a.isConstant() && b.isConstant())
        return std::min(a.m_value, b.m_value);
    return extremeOf("Min", a, b);
}

} // namespace reinspect
