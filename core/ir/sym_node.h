// SPDX-License-Identifier: MIT
// The tree inside a SymExpr. It keeps the spelling; its polynomial decides what it equals. Nodes
// are made by makeSymExpr alone, which folds what has become a plain integer, so a tree always has
// a symbol or something opaque in it. For the files of sym_expr and for shape_env.
#pragma once

#include "core/ir/sym_expr.h"
#include "core/ir/sym_polynomial.h"

#include <atomic>
#include <memory>

namespace reinspect
{

enum class SymKind : std::uint8_t
{
    Symbol,      // text
    Literal,     // text: True, oo, 0.5, an integer that does not fit 64 bits
    Add,         // operands; a - b is a + Negate(b)
    Multiply,    // operands
    Negate,      // one operand
    Divide,      // a/b, exact
    FloorDivide, // (a//b), printed with its brackets
    Modulo,      // a % b
    Power,       // a**b
    Call,        // text(operands)
    Compare,     // a text b
    BitAnd,      // operands
    BitXor,
    BitOr,
    Not,      // ~a
    Tuple,    // (a, b)
    Group,    // brackets that the meaning does not need and sympy prints: (((s0 - 1)//2)) + 1
    TooLarge, // what replaces an expression beyond the limits; equals only itself
};

struct SymNode
{
    SymKind kind = SymKind::TooLarge;
    std::string text = {};
    std::vector<SymExpr> operands = {};
    SymPolynomial polynomial = {};
    std::uint32_t depth = 1; // of the tree: recursion over it is bounded by kMaxSymDepth
    std::uint32_t count = 1; // of the nodes in it
    mutable std::atomic<std::uint32_t> owners = 0;
};

struct SymAccess
{
    static SymExpr make(std::unique_ptr<const SymNode> node)
    {
        SymExpr expr;
        expr.m_node = node.release();
        expr.retain();
        return expr;
    }
};

constexpr std::uint32_t kMaxSymDepth = 200;
constexpr std::uint32_t kMaxSymCount = 20'000;
constexpr std::string_view kTooLargeText = "too_large"; // how such a node prints and is read back

SymExpr makeSymExpr(SymKind kind, std::string text, std::vector<SymExpr> operands);
SymExpr tooLargeSymExpr();
bool isKind(const SymExpr& expr, SymKind kind);
SymPolynomial polynomialOf(const SymExpr& expr);
// The normal form of a tree whose operands have theirs; the node's own is not read.
SymPolynomial normalForm(const SymNode& node);

} // namespace reinspect
