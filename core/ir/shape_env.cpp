// SPDX-License-Identifier: MIT
#include "core/ir/shape_env.h"

#include "core/ir/sym_interval.h"
#include "core/ir/sym_node.h"

#include <algorithm>

namespace reinspect
{
namespace
{

bool isBackedSymbol(std::string_view name)
{
    return name.size() >= 2 && name[0] == 's' && name[1] >= '0' && name[1] <= '9';
}

// The values that b - a can take; every value when the difference has no normal form.
SymInterval distance(const SymExpr& a, const SymExpr& b, const ShapeEnv& shapes)
{
    const MaybePolynomial rise = difference(polynomialOf(b), polynomialOf(a));
    return rise ? intervalOf(*rise, shapes) : SymInterval{};
}

} // namespace

SymbolFacts ShapeEnv::defaultFacts(std::string_view symbol)
{
    if (isBackedSymbol(symbol))
        return {.lower = 2, .upper = {}, .hint = {}};
    return {.lower = isUnbackedSymbol(symbol) ? 0 : SymInterval::kNoLower, .upper = {}, .hint = {}};
}

void ShapeEnv::setHint(std::string_view symbol, std::int64_t value)
{
    SymbolFacts changed = facts(symbol);
    changed.hint = value;
    // What was seen is possible, whatever the range says.
    changed.lower = std::min(changed.lower, value);
    if (changed.upper)
        changed.upper = std::max(*changed.upper, value);
    m_symbols.insert_or_assign(std::string(symbol), changed);
}

void ShapeEnv::setRange(std::string_view symbol, std::int64_t lower,
                        std::optional<std::int64_t> upper)
{
    SymbolFacts changed = facts(symbol);
    changed.lower = lower;
    changed.upper = upper;
    m_symbols.insert_or_assign(std::string(symbol), changed);
}

SymbolFacts ShapeEnv::facts(std::string_view symbol) const
{
    const auto found = m_symbols.find(symbol);
    return found != m_symbols.end() ? found->second : defaultFacts(symbol);
}

Known ShapeEnv::knownEqual(const SymExpr& a, const SymExpr& b) const
{
    if (a.isConstant() && b.isConstant())
        return *a.constant() == *b.constant() ? Known::Yes : Known::No;
    if (a == b)
        return Known::Yes;
    const SymInterval rise = distance(a, b, *this);
    if (rise.lower == 0 && rise.upper == 0)
        return Known::Yes;
    return rise.lower > 0 || rise.upper < 0 ? Known::No : Known::Unknown;
}

Known ShapeEnv::knownLess(const SymExpr& a, const SymExpr& b) const
{
    if (a.isConstant() && b.isConstant())
        return *a.constant() < *b.constant() ? Known::Yes : Known::No;
    const SymInterval rise = distance(a, b, *this);
    if (rise.lower > 0)
        return Known::Yes;
    return rise.upper <= 0 ? Known::No : Known::Unknown;
}

Known ShapeEnv::knownLessEqual(const SymExpr& a, const SymExpr& b) const
{
    switch (knownLess(b, a))
    {
    case Known::Yes: return Known::No;
    case Known::No: return Known::Yes;
    case Known::Unknown: break;
    }
    return Known::Unknown;
}

std::optional<std::int64_t> ShapeEnv::hintOf(const SymExpr& expr) const
{
    return expr.evaluate([this](std::string_view symbol) { return facts(symbol).hint; });
}

} // namespace reinspect
