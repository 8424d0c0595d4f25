// SPDX-License-Identifier: MIT
// Products of matrices: rows of the left by columns of the right.
#include "core/ir/meta_families.h"

namespace reinspect
{
namespace
{

// [..., n, k] x [..., k, m]: the sizes before the last two broadcast.
std::optional<TensorMeta> product(const TensorMeta* left, const TensorMeta* right)
{
    if (!left || !right || left->sizes.empty() || right->sizes.empty())
        return {};
    std::vector<SymExpr> a = left->sizes;
    std::vector<SymExpr> b = right->sizes;
    const bool isRow = a.size() == 1;
    const bool isColumn = b.size() == 1;
    if (isRow)
        a.insert(a.begin(), 1);
    if (isColumn)
        b.push_back(1);
    auto sizes = broadcast({a.begin(), a.end() - 2}, {b.begin(), b.end() - 2});
    if (!sizes)
        return {};
    if (!isRow)
        sizes->push_back(a[a.size() - 2]);
    if (!isColumn)
        sizes->push_back(b.back());
    return freshLike(*left, std::move(*sizes));
}

bool hasRank(const TensorMeta* meta, std::size_t rank)
{
    return meta && meta->sizes.size() == rank;
}

// x times the transposed weight; the bias changes no size.
std::optional<TensorMeta> linear(const TensorMeta* input, const TensorMeta* weight)
{
    if (!input || !hasRank(weight, 2) || input->sizes.empty())
        return {};
    std::vector<SymExpr> sizes = input->sizes;
    sizes.back() = weight->sizes.front();
    return freshLike(*input, std::move(sizes));
}

} // namespace

std::optional<TensorMeta> productMeta(const RuleCall& call)
{
    const std::string_view target = call.target();
    const TensorMeta* self = call.tensor("self");
    if (target == "aten.mm.default" || target == "aten.bmm.default")
    {
        const std::size_t rank = target == "aten.mm.default" ? 2 : 3;
        const TensorMeta* right = call.tensor("mat2");
        return hasRank(self, rank) && hasRank(right, rank) ? product(self, right) : std::nullopt;
    }
    if (target == "aten.addmm.default")
        return product(call.tensor("mat1"), call.tensor("mat2"));
    if (target == "aten.baddbmm.default")
        return product(call.tensor("batch1"), call.tensor("batch2"));
    if (target == "aten.addmv.default")
        return product(call.tensor("mat"), call.tensor("vec"));
    if (target == "aten.mv.default")
        return product(self, call.tensor("vec"));
    if (target == "aten.dot.default")
        return product(self, call.tensor("tensor"));
    if (target == "aten.matmul.default")
        return product(self, call.tensor("other"));
    if (target == "aten.linear.default")
        return linear(call.tensor("input"), call.tensor("weight"));
    return {};
}

} // namespace reinspect
