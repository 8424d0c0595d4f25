// SPDX-License-Identifier: MIT
// What is known of the symbols of one document: a range and, where the capture has it, the value
// seen when the program was traced (the hint). Questions answer Yes, No or Unknown, and never
// guess; a hint is used only where the caller asks for it by name. Mirrors what upstream gets from
// `ShapeEnv` through `statically_known_true` and `size_hint`.
#pragma once

#include "core/ir/sym_expr.h"

#include <map>

namespace reinspect
{

enum class Known
{
    Yes,
    No,
    Unknown,
};

struct SymbolFacts
{
    std::int64_t lower = 0;            // least possible value
    std::optional<std::int64_t> upper; // greatest, when bounded
    std::optional<std::int64_t> hint;  // the value of the traced run
};

class ShapeEnv
{
public:
    // Backed sizes ("s77") start at 2 as upstream's do, which specializes 0 and 1; unbacked ones
    // ("u0") start at 0; anything else may be any number (the least 64-bit one stands for that).
    static SymbolFacts defaultFacts(std::string_view symbol);

    // Widens the range where it excludes the value: what was seen is possible.
    void setHint(std::string_view symbol, std::int64_t value);
    void setRange(std::string_view symbol, std::int64_t lower, std::optional<std::int64_t> upper);
    SymbolFacts facts(std::string_view symbol) const;
    const std::map<std::string, SymbolFacts, std::less<>>& symbols() const { return m_symbols; }

    Known knownEqual(const SymExpr& a, const SymExpr& b) const;
    Known knownLess(const SymExpr& a, const SymExpr& b) const;      // a < b
    Known knownLessEqual(const SymExpr& a, const SymExpr& b) const; // a <= b

    // The value with every symbol replaced by its hint; nothing when a hint is missing.
    std::optional<std::int64_t> hintOf(const SymExpr& expr) const;

private:
    std::map<std::string, SymbolFacts, std::less<>> m_symbols;
};

} // namespace reinspect
