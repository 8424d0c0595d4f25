// SPDX-License-Identifier: MIT
#include "core/ir/sym_expr.h"

#include "core/base/checked_math.h"
#include "core/ir/sym_node.h"

#include <algorithm>
#include <set>

namespace reinspect
{
namespace
{

using Number = std::optional<std::int64_t>;

// Every symbol below, left to right.
void collectSymbols(const SymExpr& expr, std::set<std::string_view>& seen,
                    std::vector<std::string>& names)
{
    const SymNode* node = expr.node();
    if (!node)
        return;
    if (node->kind == SymKind::Symbol && seen.insert(node->text).second)
        names.push_back(node->text);
    for (const SymExpr& operand : node->operands)
        collectSymbols(operand, seen, names);
}

Number exactQuotient(std::int64_t a, std::int64_t b)
{
    return checkedModulo(a, b) == 0 ? checkedFloorDivide(a, b) : std::nullopt;
}

template<typename Combine>
Number folded(const std::vector<std::int64_t>& values, const Combine& combine)
{
    Number result = values.front();
    for (std::size_t i = 1; i < values.size() && result; ++i)
        result = combine(*result, values[i]);
    return result;
}

Number evaluateCall(const std::string& name, const std::vector<std::int64_t>& values)
{
    if (values.size() == 2)
    {
        if (name == "FloorDiv")
            return checkedFloorDivide(values[0], values[1]);
        if (name == "CleanDiv")
            return exactQuotient(values[0], values[1]);
        if (name == "Mod" || name == "PythonMod")
            return checkedModulo(values[0], values[1]);
        if (name == "Pow" || name == "PowByNatural")
            return checkedPower(values[0], values[1]);
    }
    if (name == "ModularIndexing" && values.size() == 3)
    {
        const Number quotient = checkedFloorDivide(values[0], values[1]);
        return quotient ? checkedModulo(*quotient, values[2]) : std::nullopt;
    }
    if (name == "Max" && !values.empty())
        return std::ranges::max(values);
    if (name == "Min" && !values.empty())
        return std::ranges::min(values);
    return std::nullopt;
}

Number evaluateNode(const SymNode& node, const std::vector<std::int64_t>& values)
{
    switch (node.kind)
    {
    case SymKind::Add: return folded(values, checkedAdd);
    case SymKind::Multiply: return folded(values, checkedMultiply);
    case SymKind::Negate: return checkedSubtract(0, values[0]);
    case SymKind::Divide: return exactQuotient(values[0], values[1]);
    case SymKind::FloorDivide: return checkedFloorDivide(values[0], values[1]);
    case SymKind::Modulo: return checkedModulo(values[0], values[1]);
    case SymKind::Power: return checkedPower(values[0], values[1]);
    case SymKind::Call: return evaluateCall(node.text, values);
    case SymKind::Group: return values[0];
    case SymKind::Symbol:
    case SymKind::Literal:
    case SymKind::Compare:
    case SymKind::BitAnd:
    case SymKind::BitXor:
    case SymKind::BitOr:
    case SymKind::Not:
    case SymKind::Tuple:
    case SymKind::TooLarge: break;
    }
    return std::nullopt;
}

template<typename Combine>
SymExpr combined(const std::vector<SymExpr>& values, const Combine& combine)
{
    SymExpr result = values.front();
    for (std::size_t i = 1; i < values.size(); ++i)
        result = combine(result, values[i]);
    return result;
}

// The tree with other operands, built by the arithmetic that folds.
SymExpr rebuilt(const SymNode& node, std::vector<SymExpr> values)
{
    const bool pair = values.size() == 2;
    if (node.kind == SymKind::Add)
        return combined(values, [](const SymExpr& a, const SymExpr& b) { return a + b; });
    if (node.kind == SymKind::Multiply)
        return combined(values, [](const SymExpr& a, const SymExpr& b) { return a * b; });
    if (node.kind == SymKind::Negate)
        return SymExpr(-1) * values[0];
    if (node.kind == SymKind::Group)
        return values[0];
    if (node.kind == SymKind::FloorDivide
        || (node.kind == SymKind::Call && pair && node.text == "FloorDiv"))
        return SymExpr::floorDiv(values[0], values[1]);
    if (node.kind == SymKind::Call && node.text == "Max" && !values.empty())
        return combined(values, SymExpr::max);
    if (node.kind == SymKind::Call && node.text == "Min" && !values.empty())
        return combined(values, SymExpr::min);
    return makeSymExpr(node.kind, node.text, std::move(values));
}

SymExpr substituted(const SymExpr& expr, const SymExpr::Lookup& lookup)
{
    const SymNode* node = expr.node();
    if (!node)
        return expr;
    if (node->kind == SymKind::Symbol)
    {
        const Number value = lookup(node->text);
        return value ? SymExpr(*value) : expr;
    }
    if (node->operands.empty())
        return expr;
    std::vector<SymExpr> values;
    for (const SymExpr& operand : node->operands)
        values.push_back(substituted(operand, lookup));
    return rebuilt(*node, std::move(values));
}

} // namespace

void SymExpr::retain() const
{
    m_node->owners.fetch_add(1, std::memory_order_relaxed);
}

void SymExpr::release() const
{
    if (m_node->owners.fetch_sub(1, std::memory_order_acq_rel) == 1)
        delete m_node;
}

SymExpr tooLargeSymExpr()
{
    auto node = std::make_unique<SymNode>();
    node->text = kTooLargeText;
    node->polynomial = normalForm(*node);
    return SymAccess::make(std::move(node));
}

SymExpr makeSymExpr(SymKind kind, std::string text, std::vector<SymExpr> operands)
{
    auto node = std::make_unique<SymNode>();
    node->kind = kind;
    node->text = std::move(text);
    node->operands = std::move(operands);
    std::uint64_t count = 1;
    for (const SymExpr& operand : node->operands)
    {
        if (isKind(operand, SymKind::TooLarge))
            return tooLargeSymExpr(); // a new one: t + 1 is not t
        node->depth = std::max(node->depth, operand.node() ? operand.node()->depth + 1 : 2);
        count += operand.node() ? operand.node()->count : 1;
    }
    if (node->depth > kMaxSymDepth || count > kMaxSymCount)
        return tooLargeSymExpr();
    node->count = static_cast<std::uint32_t>(count);
    node->polynomial = normalForm(*node);
    if (const Number number = node->polynomial.constant())
        return *number;
    return SymAccess::make(std::move(node));
}

bool isKind(const SymExpr& expr, SymKind kind)
{
    return expr.node() && expr.node()->kind == kind;
}

SymPolynomial polynomialOf(const SymExpr& expr)
{
    return expr.node() ? expr.node()->polynomial : SymPolynomial(*expr.constant());
}

SymExpr SymExpr::symbol(std::string_view name)
{
    return makeSymExpr(SymKind::Symbol, std::string(name), {});
}

Number SymExpr::constant() const
{
    return m_node ? std::nullopt : Number(m_value); // a tree that folds to a number is never made
}

std::vector<std::string> SymExpr::symbols() const
{
    std::vector<std::string> names;
    std::set<std::string_view> seen;
    collectSymbols(*this, seen, names);
    return names;
}

Number SymExpr::evaluate(const Lookup& lookup) const
{
    if (!m_node)
        return m_value;
    if (m_node->kind == SymKind::Symbol)
        return lookup(m_node->text);
    std::vector<std::int64_t> values;
    for (const SymExpr& operand : m_node->operands)
    {
        const Number value = operand.evaluate(lookup);
        if (!value)
            return std::nullopt;
        values.push_back(*value);
    }
    return evaluateNode(*m_node, values);
}

SymExpr SymExpr::substitute(const Lookup& lookup) const
{
    const std::vector<std::string> names = symbols();
    const bool changes = std::ranges::any_of(
        names, [&](const std::string& name) { return lookup(name).has_value(); });
    return changes ? substituted(*this, lookup) : *this;
}

bool operator==(const SymExpr& a, const SymExpr& b)
{
    if (!a.m_node || !b.m_node)
        return a.m_node == b.m_node && a.m_value == b.m_value;
    return a.m_node == b.m_node || a.m_node->polynomial == b.m_node->polynomial;
}

bool isUnbackedSymbol(std::string_view name)
{
    return name.size() >= 2 && name[0] == 'u' && name[1] >= '0' && name[1] <= '9';
}

} // namespace reinspect
