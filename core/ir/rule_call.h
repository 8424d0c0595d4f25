// SPDX-License-Identifier: MIT
// A call whose result is being worked out: arguments by their schema's names, and what is known of the
// tensors among them. Sizes that are nodes read as the expressions that those nodes stand for.
#pragma once

#include "core/ir/graph.h"
#include "core/ir/op_facts.h"

namespace reinspect
{

using TensorLookup = std::function<const TensorMeta*(NodeId)>;
using SizeLookup = std::function<std::optional<SymExpr>(NodeId)>;

class RuleCall
{
public:
    RuleCall(const Node& node, const TensorLookup& tensors, const SizeLookup& sizes);

    const Node& node() const { return m_node; }
    std::string_view target() const { return m_node.target; }
    const OpFacts* facts() const { return m_facts; }
    // Name without namespace and overload: "add" of "aten.add.Tensor"; "add.Tensor".
    std::string_view packet() const;
    std::string_view overload() const;
    const std::vector<SchemaArgument>& schema() const { return m_schema; }

    const Argument* given(std::string_view name) const; // null when left out or None
    const TensorMeta* tensor(const Argument* argument) const;
    const TensorMeta* tensor(std::string_view name) const { return tensor(given(name)); }
    std::optional<SymExpr> size(const Argument* argument) const;
    // An integer in reach of the rank's arithmetic; `otherwise` when left out; nothing when no number.
    std::optional<std::int64_t> number(std::string_view name, std::int64_t otherwise) const;
    bool flag(std::string_view name) const;
    // A list of sizes, or one size.
    std::optional<std::vector<SymExpr>> sizes(std::string_view name) const;
    // Null for anything but a list of tensors that are all known.
    std::vector<const TensorMeta*> tensors(std::string_view name) const;
    // A dimension counted from either end; nothing outside of the rank.
    std::optional<std::size_t> dimension(std::string_view name, std::int64_t otherwise,
                                         std::size_t rank) const;
    DType dtype(DType otherwise) const; // of the keyword
    std::string device(const std::string& otherwise) const;

private:
    const Node& m_node;
    const TensorLookup& m_tensors;
    const SizeLookup& m_sizes;
    const OpFacts* m_facts;
    std::vector<SchemaArgument> m_schema;
};

std::optional<std::size_t> dimensionOf(std::int64_t dim, std::size_t rank);
// Memory of its own, dense and in order.
TensorMeta freshMeta(DType dtype, std::string device, std::vector<SymExpr> sizes);
// As freshMeta, with the first tensor's device.
TensorMeta freshLike(const TensorMeta& like, std::vector<SymExpr> sizes);
// The sizes that two lists broadcast to; nothing when they do not or nothing says so.
std::optional<std::vector<SymExpr>> broadcast(const std::vector<SymExpr>& a,
                                              const std::vector<SymExpr>& b);

} // namespace reinspect
