// SPDX-License-Identifier: MIT
// What is known of a value without running the graph: PyTorch's node.meta["val"]. Sizes, strides
// and offsets count elements; bytes say so in their names.
#pragma once

#include "core/base/ids.h"
#include "core/ir/argument.h"
#include "core/ir/dtype.h"
#include "core/ir/sym_expr.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace reinspect
{

struct TensorMeta
{
    DType dtype = DType::Unknown;
    // Worked out from the operators (meta_rules.h), where the dump says nothing: never written to a file.
    bool isInferred = false;
    // Likewise the strides, or the device, of a tensor that the dump prints without them.
    bool hasInferredStrides = false;
    bool hasInferredDevice = false;
    StorageId storage;  // as captured; invalid when the dump has none
    std::string device; // "cuda:0"; empty when the dump does not say
    std::vector<SymExpr> sizes;
    std::optional<std::vector<SymExpr>> strides; // nothing when the dump does not print them
    std::optional<SymExpr> offset;               // nothing when the dump does not print it
    std::optional<SymExpr> storageBytes;

    friend bool operator==(const TensorMeta&, const TensorMeta&) = default;
};

struct SymScalarMeta
{
    enum class Kind
    {
        Int,
        Float,
        Bool,
    };
    Kind kind = Kind::Int;
    std::string text; // sympy's text; for ints `expr` is the same, parsed
    SymExpr expr;
    std::optional<Argument> hint; // int, float or bool of the traced run

    friend bool operator==(const SymScalarMeta&, const SymScalarMeta&) = default;
};

struct ScalarMeta
{
    Argument value;

    friend bool operator==(const ScalarMeta&, const ScalarMeta&) = default;
};

struct OpaqueMeta
{
    std::string repr;

    friend bool operator==(const OpaqueMeta&, const OpaqueMeta&) = default;
};

struct SequenceMeta;

// monostate: nothing is known.
using MetaValueBase = std::variant<std::monostate, TensorMeta, SymScalarMeta, ScalarMeta,
                                   OpaqueMeta, std::shared_ptr<const SequenceMeta>>;

struct MetaValue
{
    MetaValueBase value;

    const TensorMeta* tensor() const { return std::get_if<TensorMeta>(&value); }
    TensorMeta* tensor() { return std::get_if<TensorMeta>(&value); }
    const SequenceMeta* sequence() const;
    bool isKnown() const { return value.index() != 0; }

    friend bool operator==(const MetaValue& a, const MetaValue& b);
};

struct SequenceMeta
{
    bool isTuple = true;
    std::vector<MetaValue> items;

    friend bool operator==(const SequenceMeta&, const SequenceMeta&) = default;
};

// Worked out, in whole or in a part that tells where elements lie.
bool isInferred(const MetaValue& meta);
// "inferred", "strides inferred", "strides and device inferred"; empty when the dump says it all.
std::string inferredText(const MetaValue& meta);
// Without what was worked out.
MetaValue asPrinted(const MetaValue& meta);

SymExpr elementCount(const TensorMeta& meta);
// Elements times element size: what upstream's missed-bytes count and a stride-preserving clone of a dense tensor cost.
SymExpr byteCount(const TensorMeta& meta);
// Row-major strides of a size list (a size of 0 counts as 1, as PyTorch does).
std::vector<SymExpr> contiguousStrides(const std::vector<SymExpr>& sizes);
// False when strides are unknown or cannot be decided.
bool isContiguous(const TensorMeta& meta);

// "f32[8, 4][4, 1]cuda:0", the annotation form of print_readable; "Sym(s77)"; "(a, b)" for sequences.
std::string toText(const TensorMeta& meta);
std::string toText(const MetaValue& meta);

} // namespace reinspect
