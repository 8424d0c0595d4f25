// SPDX-License-Identifier: MIT
// The normal form of symbolic integers: a sum of terms, each an integer times a product of atoms.
// An atom is a symbol or a function that polynomials cannot express, whose arguments are in normal
// form themselves. Two expressions with the same normal form are equal wherever both are defined.
// For the files of sym_expr and for shape_env; everybody else compares SymExpr.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace reinspect
{

struct SymAtom;

struct SymFactor
{
    std::shared_ptr<const SymAtom> atom;
    std::int64_t power = 1; // at least 1
};

struct SymTerm
{
    std::int64_t coefficient = 0;   // never 0 inside a polynomial
    std::vector<SymFactor> factors; // by key, each atom once; empty for the constant term
};

// Terms in ascending order of their factors, each product of factors once; empty for 0.
struct SymPolynomial
{
    std::vector<SymTerm> terms;

    SymPolynomial() = default;
    explicit SymPolynomial(std::int64_t value);
    explicit SymPolynomial(std::shared_ptr<const SymAtom> atom);

    std::optional<std::int64_t> constant() const;
    friend bool operator==(const SymPolynomial& a, const SymPolynomial& b);
};
// Some fixed order, so that the arguments of Max compare in any spelling.
bool comesBefore(const SymPolynomial& a, const SymPolynomial& b);

struct SymAtom
{
    enum class Kind
    {
        Symbol,
        FloorDivide, // arguments: dividend, divisor
        Modulo,      // arguments: dividend, divisor; takes the sign of the divisor
        Max,
        Min,
        Opaque, // equal to an atom with the same key, otherwise unknown
    };
    Kind kind = Kind::Opaque;
    std::string key; // spells the whole atom, so that equal keys mean equal atoms
    std::vector<SymPolynomial> arguments;
};

// Each answers nothing on overflow or when the result would have too many terms.
using MaybePolynomial = std::optional<SymPolynomial>;
MaybePolynomial sumOf(std::span<const SymPolynomial> summands);
MaybePolynomial difference(const SymPolynomial& a, const SymPolynomial& b);
MaybePolynomial scaled(const SymPolynomial& polynomial, std::int64_t factor);
MaybePolynomial product(const SymPolynomial& a, const SymPolynomial& b);
MaybePolynomial power(const SymPolynomial& base, std::int64_t exponent);

// These write what they cannot express as an atom; nothing also when the divisor is 0.
MaybePolynomial floorDivide(const SymPolynomial& dividend, const SymPolynomial& divisor);
MaybePolynomial modulo(const SymPolynomial& dividend, const SymPolynomial& divisor);
MaybePolynomial extreme(SymAtom::Kind maxOrMin, std::span<const SymPolynomial> values);

// A polynomial of one atom; nothing when its key would be too long to be worth keeping.
MaybePolynomial atomOf(SymAtom::Kind kind, std::string name, std::vector<SymPolynomial> arguments);

} // namespace reinspect
