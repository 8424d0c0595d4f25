// SPDX-License-Identifier: MIT
// Symbolic integers, as PyTorch prints them: "s77", "s27*s77 + 63", "((s0 + 63)//64)".
// A value is either a plain integer or an immutable shared tree. It prints as it was written, and
// compares by its normal form: a polynomial with integer coefficients whose atoms are symbols and
// the functions that polynomials cannot express (floor division, Mod, Max, Min, powers, calls).
// What is known about the symbols themselves (ranges, hints) belongs to ShapeEnv.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reinspect
{

struct SymNode;

class SymExpr
{
public:
    SymExpr() = default;
    SymExpr(std::int64_t value)
        : m_value(value)
    {}
    SymExpr(const SymExpr& other)
        : m_value(other.m_value)
        , m_node(other.m_node)
    {
        if (m_node)
            retain();
    }
    SymExpr(SymExpr&& other) noexcept
        : m_value(other.m_value)
        , m_node(std::exchange(other.m_node, nullptr))
    {}
    SymExpr& operator=(SymExpr other) noexcept
    {
        m_value = other.m_value;
        std::swap(m_node, other.m_node);
        return *this;
    }
    ~SymExpr()
    {
        if (m_node)
            release();
    }

    static SymExpr symbol(std::string_view name);
    // Reads sympy's text; an unknown function name becomes an opaque call that equals only itself.
    static Result<SymExpr> parse(std::string_view text);

    bool isConstant() const { return !m_node; }
    // The number when no symbol is left; what folds to a number is kept as one.
    std::optional<std::int64_t> constant() const;
    // Names in order of first appearance, each once.
    std::vector<std::string> symbols() const;

    using Lookup = std::function<std::optional<std::int64_t>(std::string_view symbol)>;
    // The number when every symbol has a value; nothing on a missing value, a division by zero,
    // overflow, or a function that is not known here.
    std::optional<std::int64_t> evaluate(const Lookup& lookup) const;
    // The expression with the symbols that `lookup` knows replaced by numbers, folded.
    SymExpr substitute(const Lookup& lookup) const;

    // Arithmetic keeps sympy's spelling where it can and folds constants. Overflow makes an opaque
    // node and never wraps; a tree beyond all reason becomes one that equals only itself.
    friend SymExpr operator+(const SymExpr& a, const SymExpr& b);
    friend SymExpr operator-(const SymExpr& a, const SymExpr& b);
    friend SymExpr operator*(const SymExpr& a, const SymExpr& b);
    static SymExpr floorDiv(const SymExpr& a, const SymExpr& b);
    static SymExpr mod(const SymExpr& a, const SymExpr& b);
    static SymExpr max(const SymExpr& a, const SymExpr& b);
    static SymExpr min(const SymExpr& a, const SymExpr& b);

    // Equal in normal form: s0 + s0 == 2*s0, wherever both are defined: (s0*s1)//s1 == s0. Not
    // equal does not mean different for all symbol values.
    friend bool operator==(const SymExpr& a, const SymExpr& b);

    // Null for a plain integer. For the files of sym_expr and for shape_env.
    const SymNode* node() const { return m_node; }

private:
    void retain() const;
    void release() const;

    std::int64_t m_value = 0;
    const SymNode* m_node = nullptr; // shared: counts its owners
    friend struct SymAccess;
};

// sympy's spelling; `SymExpr::parse(toText(e)) == e`.
std::string toText(const SymExpr& expr);

// "u0": a size that only the data decides. "s77" is backed: known when the graph was traced.
bool isUnbackedSymbol(std::string_view name);

} // namespace reinspect
