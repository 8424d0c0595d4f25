// SPDX-License-Identifier: MIT
// Elements picked by indices, tensors put together, and scatters, which give what they were given.
#include "core/ir/dtype_promotion.h"
#include "core/ir/fresh_rules.h"
#include "core/ir/meta_families.h"

#include <algorithm>
#include <array>

namespace reinspect
{
namespace
{

std::optional<DType> commonType(const std::vector<const TensorMeta*>& tensors)
{
    DType type = tensors.front()->dtype;
    for (const TensorMeta* tensor : tensors)
        type = promoteTypes(type, tensor->dtype);
    return type == DType::Unknown ? std::nullopt : std::optional(type);
}

std::optional<TensorMeta> concatenated(const RuleCall& call)
{
    const std::vector<const TensorMeta*> tensors = call.tensors("tensors");
    if (tensors.empty())
        return {};
    std::vector<SymExpr> sizes = tensors.front()->sizes;
    const auto dim = call.dimension("dim", 0, sizes.size());
    const auto type = commonType(tensors);
    if (!dim || !type)
        return {};
    for (std::size_t i = 1; i < tensors.size(); ++i)
    {
        if (tensors[i]->sizes.size() != sizes.size())
            return {};
        sizes[*dim] = sizes[*dim] + tensors[i]->sizes[*dim];
    }
    return freshMeta(*type, tensors.front()->device, std::move(sizes));
}

std::optional<TensorMeta> stacked(const RuleCall& call)
{
    const std::vector<const TensorMeta*> tensors = call.tensors("tensors");
    if (tensors.empty())
        return {};
    std::vector<SymExpr> sizes = tensors.front()->sizes;
    const auto dim = call.dimension("dim", 0, sizes.size() + 1);
    const auto type = commonType(tensors);
    if (!dim || !type)
        return {};
    sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(*dim),
                 static_cast<std::int64_t>(tensors.size()));
    return freshMeta(*type, tensors.front()->device, std::move(sizes));
}

std::optional<TensorMeta> indexSelected(const RuleCall& call, const TensorMeta& self)
{
    const TensorMeta* index = call.tensor("index");
    const auto dim = call.dimension("dim", 0, self.sizes.size());
    if (!index || !dim)
        return {};
    std::vector<SymExpr> sizes = self.sizes;
    sizes[*dim] = elementCount(*index);
    return freshLike(self, std::move(sizes));
}

// x[i, :, j]: the indices broadcast, and stand where they stood if they stood together, else in front.
std::optional<TensorMeta> indexed(const RuleCall& call, const TensorMeta& self)
{
    const Argument* given = call.given("indices");
    const std::vector<Argument>* indices = given ? given->sequence() : nullptr;
    if (!indices || indices->size() > self.sizes.size())
        return {};
    std::vector<SymExpr> picked;
    std::vector<std::size_t> at;
    for (std::size_t i = 0; i < indices->size(); ++i)
    {
        if ((*indices)[i].isNone())
            continue;
        const TensorMeta* index = call.tensor(&(*indices)[i]);
        if (!index || index->dtype == DType::Bool || index->dtype == DType::UInt8)
            return {}; // a mask: how many it picks only the data decides
        auto both = broadcast(picked, index->sizes);
        if (!both)
            return {};
        picked = std::move(*both);
        at.push_back(i);
    }
    if (at.empty())
        return {};
    const bool together = at.back() - at.front() + 1 == at.size();
    std::vector<SymExpr> sizes;
    for (std::size_t i = 0; i < self.sizes.size(); ++i)
        if (std::ranges::find(at, i) == at.end())
            sizes.push_back(self.sizes[i]);
    const auto place = together ? static_cast<std::ptrdiff_t>(at.front()) : 0;
    sizes.insert(sizes.begin() + place, picked.begin(), picked.end());
    return freshLike(self, std::move(sizes));
}

std::optional<TensorMeta> embedded(const RuleCall& call)
{
    const TensorMeta* weight = call.tensor("weight");
    const TensorMeta* indices = call.tensor("indices");
    if (!weight || !indices || weight->sizes.size() != 2)
        return {};
    std::vector<SymExpr> sizes = indices->sizes;
    sizes.push_back(weight->sizes.back());
    return freshLike(*weight, std::move(sizes));
}

// The gradient of the table that embedding picked from.
std::optional<TensorMeta> embeddingGradient(const RuleCall& call)
{
    const TensorMeta* gradient = call.tensor("grad_output");
    const auto rows = call.size(call.given("num_weights"));
    if (!gradient || gradient->sizes.empty() || !rows)
        return {};
    return freshLike(*gradient, {*rows, gradient->sizes.back()});
}

// The parts of all processes one behind the other, or one's share of the whole.
std::optional<TensorMeta> ofAllProcesses(const RuleCall& call)
{
    const TensorMeta* input = call.tensor("input");
    const auto processes = call.number("group_size", 0);
    if (!input || input->sizes.empty() || processes.value_or(0) < 1)
        return {};
    std::vector<SymExpr> sizes = input->sizes;
    sizes[0] = call.packet() == "all_gather_into_tensor" ? sizes[0] * *processes
                                                         : SymExpr::floorDiv(sizes[0], *processes);
    return freshLike(*input, std::move(sizes));
}

// The input with some elements replaced.
bool givesItsInput(std::string_view name)
{
    static constexpr std::array<std::string_view, 16> kNames = {
        "index_put",         "_unsafe_index_put", "scatter",    "scatter_add",    "scatter_reduce",
        "index_add",         "index_copy",        "index_fill", "masked_scatter", "select_scatter",
        "slice_scatter",     "diagonal_scatter",  "copy",       "fill",           "index_reduce",
        "as_strided_scatter"};
    return std::ranges::find(kNames, name) != kNames.end();
}

bool keepsStrides(std::string_view name)
{
    return name == "copy" || name.ends_with("_scatter");
}

} // namespace

std::optional<TensorMeta> gatherMeta(const RuleCall& call)
{
    const std::string_view target = call.target();
    if (target == "_c10d_functional.all_gather_into_tensor.default"
        || target == "_c10d_functional.reduce_scatter_tensor.default")
        return ofAllProcesses(call);
    if (!target.starts_with("aten.") || !call.facts() || call.facts()->isMutable)
        return {};
    if (target == "aten.cat.default")
        return concatenated(call);
    if (target == "aten.stack.default")
        return stacked(call);
    if (target == "aten.embedding.default")
        return embedded(call);
    if (target == "aten.embedding_dense_backward.default")
        return embeddingGradient(call);
    const TensorMeta* self = call.tensor("self");
    if (!self)
        return {};
    const std::string_view name = call.packet();
    if (givesItsInput(name))
        return keepsStrides(name) ? sameStridesResult(*self) : cloneResult(*self);
    if (target == "aten.index_select.default")
        return indexSelected(call, *self);
    if (target == "aten.index.Tensor" || target == "aten._unsafe_index.Tensor")
        return indexed(call, *self);
    const TensorMeta* index = target == "aten.gather.default" ? call.tensor("index") : nullptr;
    return index ? std::optional(freshLike(*self, index->sizes)) : std::nullopt;
}

} // namespace reinspect
