// SPDX-License-Identifier: MIT
// Normalizations: the result, and the statistics that its gradient needs. Mirrors native_layer_norm and its
// like in torch/_refs and torch/_meta_registrations.py.
#include "core/ir/channels_last.h"
#include "core/ir/meta_families.h"

#include <algorithm>
#include <array>

namespace reinspect
{
namespace
{

using Sizes = std::vector<SymExpr>;

// Statistics are kept in float32 where the data is shorter.
DType statisticType(DType type)
{
    return type == DType::Float16 || type == DType::BFloat16 ? DType::Float32 : type;
}

std::optional<TensorMeta> layerNormalized(const RuleCall& call, std::size_t index)
{
    const TensorMeta* input = call.tensor("input");
    const auto normalized = call.sizes("normalized_shape");
    if (!input || !normalized || normalized->size() > input->sizes.size() || index > 2)
        return {};
    if (index == 0)
        return freshLike(*input, input->sizes);
    Sizes sizes = input->sizes;
    std::fill(sizes.end() - static_cast<std::ptrdiff_t>(normalized->size()), sizes.end(),
              SymExpr(1));
    return freshMeta(statisticType(input->dtype), input->device, std::move(sizes));
}

std::optional<TensorMeta> groupNormalized(const RuleCall& call, std::size_t index)
{
    const TensorMeta* input = call.tensor("input");
    const auto batch = call.size(call.given("N"));
    const auto groups = call.size(call.given("group"));
    if (!input || !batch || !groups || index > 2)
        return {};
    return index == 0 ? formatLike(*input)
                      : freshMeta(statisticType(input->dtype), input->device, {*batch, *groups});
}

// Mean and deviation have one number a channel.
std::optional<TensorMeta> batchNormalized(const RuleCall& call, std::size_t index)
{
    const TensorMeta* input = call.tensor("input");
    if (!input || input->sizes.size() < 2 || index > 2)
        return {};
    return index == 0 ? formatLike(*input)
                      : freshMeta(statisticType(input->dtype), input->device, {input->sizes[1]});
}

// The gradients of an input, and of weight and bias.
std::optional<TensorMeta> normalizationGradient(const RuleCall& call, std::size_t index)
{
    const TensorMeta* input = call.tensor("input");
    if (!input || input->sizes.size() < 2 || index > 2)
        return {};
    if (index == 0)
        return formatLike(*input);
    const TensorMeta* weight = call.tensor("weight");
    if (weight)
        return freshLike(*weight, weight->sizes);
    return {};
}

// Which elements dropout kept.
std::optional<TensorMeta> droppedOut(const RuleCall& call, std::size_t index)
{
    const TensorMeta* input = call.tensor("input");
    if (!input || index > 1)
        return {};
    TensorMeta result = formatLike(*input);
    if (index == 1)
        result.dtype = DType::Bool;
    return result;
}

bool isBatchNormalization(std::string_view name)
{
    static constexpr std::array<std::string_view, 5> kNames = {
        "native_batch_norm", "_native_batch_norm_legit", "_native_batch_norm_legit_functional",
        "_native_batch_norm_legit_no_training", "cudnn_batch_norm"};
    return std::ranges::find(kNames, name) != kNames.end();
}

} // namespace

std::optional<TensorMeta> normalizationPartMeta(const RuleCall& call, std::size_t index)
{
    if (!call.target().starts_with("aten."))
        return {};
    const std::string_view name = call.packet();
    if (name == "native_layer_norm")
        return layerNormalized(call, index);
    if (name == "native_group_norm")
        return groupNormalized(call, index);
    if (name == "native_dropout")
        return droppedOut(call, index);
    if (isBatchNormalization(name))
        return batchNormalized(call, index);
    const bool isGradient = name == "native_layer_norm_backward"
        || name == "native_group_norm_backward" || name == "native_batch_norm_backward";
    return isGradient ? normalizationGradient(call, index) : std::nullopt;
}

} // namespace reinspect
