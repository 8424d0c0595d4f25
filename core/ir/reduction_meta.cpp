// SPDX-License-Identifier: MIT
// Dimensions summed up, searched or scanned.
#include "core/ir/dtype_promotion.h"
#include "core/ir/fresh_rules.h"
#include "core/ir/meta_families.h"

#include <algorithm>
#include <array>

namespace reinspect
{
namespace
{

enum class Gives : std::uint8_t
{
    Same,
    Sum, // integers as int64
    Index,
    Bool,
};

struct Reduction
{
    std::string_view name;
    Gives gives;
};

constexpr std::array<Reduction, 16> kReductions = {{
    {"sum", Gives::Sum},
    {"prod", Gives::Sum},
    {"nansum", Gives::Sum},
    {"mean", Gives::Same},
    {"amax", Gives::Same},
    {"amin", Gives::Same},
    {"max", Gives::Same},
    {"min", Gives::Same},
    {"var", Gives::Same},
    {"std", Gives::Same},
    {"logsumexp", Gives::Same},
    {"linalg_vector_norm", Gives::Same},
    {"argmax", Gives::Index},
    {"argmin", Gives::Index},
    {"any", Gives::Bool},
    {"all", Gives::Bool},
}};

DType resultType(Gives gives, DType self)
{
    const DTypeKind kind = dtypeKind(self);
    switch (gives)
    {
    case Gives::Same: return self;
    case Gives::Sum:
        return kind == DTypeKind::Bool || kind == DTypeKind::Integer ? DType::Int64 : self;
    case Gives::Index: return DType::Int64;
    case Gives::Bool: return self == DType::UInt8 ? DType::UInt8 : DType::Bool;
    }
    return DType::Unknown;
}

// Which dimensions go; none named means all.
std::optional<std::vector<bool>> reducedDimensions(const RuleCall& call, std::size_t rank)
{
    const Argument* dim = call.given("dim");
    const std::vector<Argument>* listed = dim ? dim->sequence() : nullptr;
    if (!dim || (listed && listed->empty()))
        return std::vector<bool>(rank, true);
    const auto dims = call.sizes("dim");
    if (!dims)
        return {};
    std::vector<bool> reduced(rank, false);
    for (const SymExpr& given : *dims)
    {
        const auto number = given.constant();
        if (rank == 0 && number && (*number == 0 || *number == -1))
            continue;
        const auto at = number ? dimensionOf(*number, rank) : std::nullopt;
        if (!at)
            return {};
        reduced[*at] = true;
    }
    return reduced;
}

std::optional<TensorMeta> reduce(const RuleCall& call, const TensorMeta& self, DType type)
{
    const auto reduced = reducedDimensions(call, self.sizes.size());
    if (!reduced || type == DType::Unknown)
        return {};
    std::vector<SymExpr> sizes;
    const bool keeps = call.flag("keepdim");
    for (std::size_t i = 0; i < self.sizes.size(); ++i)
        if (!(*reduced)[i] || keeps)
            sizes.push_back((*reduced)[i] ? SymExpr(1) : self.sizes[i]);
    return freshMeta(type, self.device, std::move(sizes));
}

// cumsum, softmax: as many elements as before.
std::optional<TensorMeta> scan(const RuleCall& call, const TensorMeta& self)
{
    static constexpr std::array<std::string_view, 6> kNames = {
        "cumsum", "cumprod", "_softmax", "_log_softmax", "softmax", "log_softmax"};
    const std::string_view name = call.packet();
    if (std::ranges::find(kNames, name) == kNames.end())
        return {};
    TensorMeta result = cloneResult(self);
    result.dtype =
        call.dtype(resultType(name.starts_with("cum") ? Gives::Sum : Gives::Same, self.dtype));
    return result;
}

// The largest element and the sum of exponents, the dimension kept with size 1.
std::optional<TensorMeta> softmaxPart(const RuleCall& call, std::size_t index)
{
    const TensorMeta* input = call.tensor("a");
    const auto dim = input ? call.dimension("dim", 0, input->sizes.size()) : std::nullopt;
    if (!dim || index > 1)
        return {};
    std::vector<SymExpr> sizes = input->sizes;
    sizes[*dim] = 1;
    return freshLike(*input, std::move(sizes));
}

} // namespace

std::optional<TensorMeta> reductionMeta(const RuleCall& call)
{
    const TensorMeta* self = call.target().starts_with("aten.") ? call.tensor("self") : nullptr;
    if (!self || schemaReturnCount(call.facts()->schema) != 1 || call.overload().ends_with("out")
        || call.overload().ends_with(".other"))
        return {};
    const auto row = std::ranges::find(kReductions, call.packet(), &Reduction::name);
    if (row == kReductions.end())
        return scan(call, *self);
    return reduce(call, *self, call.dtype(resultType(row->gives, self->dtype)));
}

// var_mean, max.dim: every result has the same sizes. sort: those of the input.
std::optional<TensorMeta> reductionPartMeta(const RuleCall& call, std::size_t index)
{
    if (call.target() == "prims.prepare_softmax_online.default")
        return softmaxPart(call, index);
    const TensorMeta* self = call.target().starts_with("aten.") ? call.tensor("self") : nullptr;
    if (!self || index > 1)
        return {};
    const std::string_view name = call.packet();
    if (name == "var_mean" || name == "std_mean" || name == "aminmax")
        return reduce(call, *self, self->dtype);
    const DType type = index == 0 ? self->dtype : DType::Int64;
    if (call.target() == "aten.max.dim" || call.target() == "aten.min.dim")
        return reduce(call, *self, type);
    if (name == "sort")
        return freshMeta(type, self->device, self->sizes);
    if (call.target() != "aten.topk.default")
        return {};
    std::vector<SymExpr> sizes = self->sizes;
    const auto dim = call.dimension("dim", -1, sizes.size());
    const auto count = call.size(call.given("k"));
    if (!dim || !count)
        return {};
    sizes[*dim] = *count;
    return freshMeta(type, self->device, std::move(sizes));
}

} // namespace reinspect
