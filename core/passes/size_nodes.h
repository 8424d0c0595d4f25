// SPDX-License-Identifier: MIT
// Sizes, strides and offset of one tensor as arguments of new nodes: plain numbers stand for themselves,
// symbolic ones become sym_size, sym_stride and arithmetic nodes when they are first asked for, as
// PyTorch leaves them when it traces a function with dynamic shapes (torch/fx/experimental/proxy_tensor.py).
#pragma once

#include "core/ir/graph.h"
#include "core/ir/shape_env.h"

namespace reinspect
{

struct SizedValue
{
    SymExpr expr;
    Argument argument; // a number, or the node that computes it
};

class SizeNodes
{
public:
    using Insert = std::function<NodeId(Node)>;
    // `meta` must have strides and an offset; `shapes` gives the hints of the traced run.
    SizeNodes(NodeId tensor, const TensorMeta& meta, const ShapeEnv& shapes, Insert insert);

    SizedValue offset();
    ListArgument sizes();
    ListArgument strides();
    // Elements from the start of the storage to the last one reached. Mirrors
    // compute_required_storage_length of torch/_prims_common, node for node.
    SizedValue requiredLength();

private:
    SizedValue read(const SymExpr& value, std::string_view target, std::optional<std::size_t> dim,
                    std::optional<SizedValue>& known);
    SizedValue size(std::size_t dim);
    SizedValue stride(std::size_t dim);
    SizedValue compute(std::string_view op, const SizedValue& a, const SizedValue& b);
    MetaValue scalarMeta(const SymExpr& expr) const;

    NodeId m_tensor;
    const TensorMeta& m_meta;
    const ShapeEnv& m_shapes;
    Insert m_insert;
    std::vector<std::optional<SizedValue>> m_sizes;
    std::vector<std::optional<SizedValue>> m_strides;
    std::optional<SizedValue> m_offset;
};

} // namespace reinspect
