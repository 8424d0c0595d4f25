// SPDX-License-Identifier: MIT
#include "core/ir/sym_node.h"

#include <sstream>

namespace reinspect
{
namespace
{

using Polynomials = std::vector<SymPolynomial>;

SymPolynomial uniqueAtom()
{
    auto atom = std::make_shared<SymAtom>();
    std::ostringstream key;
    key << "?"
        << static_cast<const void*>(atom.get()); // nobody else has it while anybody compares it
    atom->key = key.str();
    return SymPolynomial(std::shared_ptr<const SymAtom>(std::move(atom)));
}

MaybePolynomial opaque(std::string name, Polynomials values)
{
    return atomOf(SymAtom::Kind::Opaque, std::move(name), std::move(values));
}

MaybePolynomial productOf(const Polynomials& values)
{
    MaybePolynomial result(SymPolynomial(1));
    for (const SymPolynomial& value : values)
    {
        if (result)
            result = product(*result, value);
    }
    return result;
}

MaybePolynomial powerOf(const Polynomials& values)
{
    const auto exponent = values[1].constant();
    MaybePolynomial expanded = exponent ? power(values[0], *exponent) : std::nullopt;
    return expanded ? expanded : opaque("**", values);
}

MaybePolynomial quotientOf(const Polynomials& values)
{
    const MaybePolynomial rest = values[1].constant() ? modulo(values[0], values[1]) : std::nullopt;
    if (values[0].terms.empty() || (rest && rest->terms.empty()))
        return floorDivide(values[0], values[1]);
    if (values[0].terms.front().coefficient > 0)
        return opaque("/", values);
    // The sign goes in front: -1/s0 is -(1/s0).
    const MaybePolynomial dividend = scaled(values[0], -1);
    const MaybePolynomial quotient = dividend ? opaque("/", {*dividend, values[1]}) : std::nullopt;
    return quotient ? scaled(*quotient, -1) : std::nullopt;
}

MaybePolynomial callOf(const std::string& name, const Polynomials& values)
{
    if (values.size() == 2)
    {
        if (name == "FloorDiv" || name == "CleanDiv")
            return floorDivide(values[0], values[1]);
        if (name == "Mod" || name == "PythonMod")
            return modulo(values[0], values[1]);
        if (name == "Pow" || name == "PowByNatural")
            return powerOf(values);
    }
    if (name == "ModularIndexing" && values.size() == 3)
    {
        const MaybePolynomial quotient = floorDivide(values[0], values[1]);
        return quotient ? modulo(*quotient, values[2]) : std::nullopt;
    }
    if (name == "Max" && !values.empty())
        return extreme(SymAtom::Kind::Max, values);
    if (name == "Min" && !values.empty())
        return extreme(SymAtom::Kind::Min, values);
    return opaque(name, values);
}

MaybePolynomial expressed(const SymNode& node, const Polynomials& values)
{
    switch (node.kind)
    {
    case SymKind::Symbol: return atomOf(SymAtom::Kind::Symbol, node.text, {});
    case SymKind::Literal: return opaque("#" + node.text, {});
    case SymKind::Add: return sumOf(values);
    case SymKind::Multiply: return productOf(values);
    case SymKind::Negate: return scaled(values[0], -1);
    case SymKind::Divide: return quotientOf(values);
    case SymKind::FloorDivide: return floorDivide(values[0], values[1]);
    case SymKind::Modulo: return modulo(values[0], values[1]);
    case SymKind::Power: return powerOf(values);
    case SymKind::Call: return callOf(node.text, values);
    case SymKind::Compare: return opaque(node.text, values);
    case SymKind::BitAnd: return opaque("&", values);
    case SymKind::BitXor: return opaque("^", values);
    case SymKind::BitOr: return opaque("|", values);
    case SymKind::Not: return opaque("~", values);
    case SymKind::Tuple: return opaque("tuple", values);
    case SymKind::Group: return values[0];
    case SymKind::TooLarge: return uniqueAtom();
    }
    return std::nullopt;
}

std::string spelling(const SymNode& node)
{
    auto copy = std::make_unique<SymNode>();
    copy->kind = node.kind;
    copy->text = node.text;
    copy->operands = node.operands;
    return toText(SymAccess::make(std::move(copy)));
}

} // namespace

SymPolynomial normalForm(const SymNode& node)
{
    Polynomials values;
    values.reserve(node.operands.size());
    for (const SymExpr& operand : node.operands)
        values.push_back(polynomialOf(operand));
    if (MaybePolynomial found = expressed(node, values))
        return std::move(*found);
    // Overflow, a division by 0 or too many terms: equal only to what is spelled the same.
    auto atom = std::make_shared<SymAtom>();
    atom->key = "text:" + spelling(node);
    return SymPolynomial(std::shared_ptr<const SymAtom>(std::move(atom)));
}

} // namespace reinspect
