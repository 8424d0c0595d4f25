// SPDX-License-Identifier: MIT
// Convolutions and pooling: windows that move over the last dimensions of an input. Mirrors their entries
// in torch/_meta_registrations.py and the fake tensors of convolutions.
#include "core/ir/channels_last.h"
#include "core/ir/meta_families.h"

#include <algorithm>
#include <array>

namespace reinspect
{
namespace
{

using Sizes = std::vector<SymExpr>;

// A number for each of `count` dimensions; one number stands for all.
std::optional<Sizes> perDimension(const RuleCall& call, std::string_view name, std::size_t count,
                                  const Sizes& otherwise)
{
    auto given = call.sizes(name);
    if (!call.given(name) || (given && given->empty()))
        return otherwise;
    if (!given || (given->size() != 1 && given->size() != count))
        return {};
    given->resize(count, given->front());
    return given;
}

// How a window moves over the last dimensions of an input.
struct Window
{
    Sizes kernel;
    Sizes stride;
    Sizes padding;
    Sizes dilation;
    bool roundsUp = false;
};

std::optional<Sizes> slid(const Sizes& input, const Window& window)
{
    const std::size_t count = window.kernel.size();
    if (input.size() < count)
        return {};
    Sizes sizes(input);
    for (std::size_t i = 0; i < count; ++i)
    {
        const SymExpr& step = window.stride[i];
        if (!step.isConstant() || *step.constant() < 1)
            return {};
        const SymExpr& in = input[input.size() - count + i];
        const SymExpr room =
            in + window.padding[i] * 2 - window.dilation[i] * (window.kernel[i] - 1) - 1;
        SymExpr out = SymExpr::floorDiv(window.roundsUp ? room + (step - 1) : room, step) + 1;
        // The last window has to begin inside the input or its left padding.
        const auto last = ((out - 1) * step - in - window.padding[i]).constant();
        if (window.roundsUp && last.value_or(-1) >= 0)
            out = out - 1;
        sizes[sizes.size() - count + i] = out;
    }
    return sizes;
}

std::optional<Window> poolWindow(const RuleCall& call)
{
    const auto kernel = call.sizes("kernel_size");
    if (!kernel || kernel->empty())
        return {};
    const std::string_view name = call.packet();
    const std::size_t count = name.find("3d") != std::string_view::npos ? 3
        : name.find("1d") != std::string_view::npos                     ? 1
                                                                        : 2;
    Sizes window = *kernel;
    window.resize(count, window.front());
    const auto stride = perDimension(call, "stride", count, window);
    const auto padding = perDimension(call, "padding", count, Sizes(count, 0));
    const auto dilation = perDimension(call, "dilation", count, Sizes(count, 1));
    if (!stride || !padding || !dilation)
        return {};
    return Window{window, *stride, *padding, *dilation, call.flag("ceil_mode")};
}

std::optional<TensorMeta> pooled(const RuleCall& call, DType type)
{
    const TensorMeta* self = call.tensor("self");
    const auto window = self ? poolWindow(call) : std::nullopt;
    auto sizes = window ? slid(self->sizes, *window) : std::nullopt;
    if (!sizes)
        return {};
    return laidOut(freshMeta(type, self->device, std::move(*sizes)), isChannelsLast(*self));
}

std::optional<TensorMeta> adaptivelyPooled(const RuleCall& call, DType type)
{
    const TensorMeta* self = call.tensor("self");
    const auto asked = call.sizes("output_size");
    if (!self || !asked || asked->size() > self->sizes.size())
        return {};
    Sizes sizes = self->sizes;
    std::ranges::copy(*asked, sizes.end() - static_cast<std::ptrdiff_t>(asked->size()));
    return laidOut(freshMeta(type, self->device, std::move(sizes)), isChannelsLast(*self));
}

std::optional<Sizes> transposedSizes(const RuleCall& call, const TensorMeta& input,
                                     const Window& window)
{
    const std::size_t count = window.kernel.size();
    const auto extra = perDimension(call, "output_padding", count, Sizes(count, 0));
    if (!extra)
        return {};
    Sizes sizes = input.sizes;
    for (std::size_t i = 0; i < count; ++i)
        sizes[2 + i] = (input.sizes[2 + i] - 1) * window.stride[i] - window.padding[i] * 2
            + window.dilation[i] * (window.kernel[i] - 1) + (*extra)[i] + 1;
    return sizes;
}

// [N, C, ...] with a weight [out, C/groups, ...], or [C, out/groups, ...] when it is transposed.
std::optional<TensorMeta> convolved(const RuleCall& call)
{
    const TensorMeta* input = call.tensor("input");
    const TensorMeta* weight = call.tensor("weight");
    if (!input || !weight || input->sizes.size() < 3 || weight->sizes.size() != input->sizes.size())
        return {};
    const std::size_t count = input->sizes.size() - 2;
    const auto stride = perDimension(call, "stride", count, Sizes(count, 1));
    const auto padding = perDimension(call, "padding", count, Sizes(count, 0));
    const auto dilation = perDimension(call, "dilation", count, Sizes(count, 1));
    const auto groups = call.number("groups", 1);
    if (!stride || !padding || !dilation || !groups)
        return {};
    const Window window{
        {weight->sizes.begin() + 2, weight->sizes.end()}, *stride, *padding, *dilation};
    const bool isTransposed = call.flag("transposed");
    auto sizes = isTransposed ? transposedSizes(call, *input, window) : slid(input->sizes, window);
    if (!sizes)
        return {};
    (*sizes)[1] = isTransposed ? weight->sizes[1] * *groups : weight->sizes[0];
    return laidOut(freshLike(*input, std::move(*sizes)),
                   isChannelsLast(*input) || isChannelsLast(*weight));
}

std::optional<TensorMeta> convolutionGradient(const RuleCall& call, std::size_t index)
{
    const TensorMeta* input = call.tensor("input");
    const TensorMeta* weight = call.tensor("weight");
    if (!input || !weight || index > 2)
        return {};
    const bool channelsLast = isChannelsLast(*input) || isChannelsLast(*weight);
    if (index < 2)
    {
        const TensorMeta& of = index == 0 ? *input : *weight;
        return laidOut(freshLike(of, of.sizes), channelsLast);
    }
    auto sizes = call.sizes("bias_sizes");
    return sizes ? std::optional(freshLike(*weight, std::move(*sizes))) : std::nullopt;
}

bool isOneOf(std::string_view name, const auto& names)
{
    return std::ranges::find(names, name) != names.end();
}

bool isOfPyTorch(const RuleCall& call)
{
    return call.target().starts_with("aten.") || call.target().starts_with("prims.");
}

// Pooling's gradient has the form of what was pooled.
bool isPoolGradient(std::string_view name)
{
    return name.find("pool") != std::string_view::npos && name.ends_with("_backward");
}

} // namespace

std::optional<TensorMeta> windowMeta(const RuleCall& call)
{
    static constexpr std::array<std::string_view, 3> kPools = {"avg_pool1d", "avg_pool2d",
                                                               "avg_pool3d"};
    const std::string_view name = call.packet();
    if (call.target() == "aten.convolution.default")
        return convolved(call);
    const TensorMeta* self = call.tensor("self");
    if (!self || !isOfPyTorch(call))
        return {};
    if (call.target() == "prims._low_memory_max_pool_offsets_to_indices.default")
        return freshMeta(DType::Int64, self->device, self->sizes);
    if (isPoolGradient(name))
        return formatLike(*self);
    if (isOneOf(name, kPools))
        return pooled(call, self->dtype);
    const bool isAdaptive =
        name.starts_with("_adaptive_avg_pool") || name.starts_with("adaptive_avg_pool");
    return isAdaptive ? adaptivelyPooled(call, self->dtype) : std::nullopt;
}

std::optional<TensorMeta> windowPartMeta(const RuleCall& call, std::size_t index)
{
    static constexpr std::array<std::string_view, 2> kPools = {"max_pool2d_with_indices",
                                                               "max_pool3d_with_indices"};
    const std::string_view name = call.packet();
    if (call.target() == "aten.convolution_backward.default")
        return convolutionGradient(call, index);
    const TensorMeta* self = call.tensor("self");
    if (!self || index > 1 || !isOfPyTorch(call))
        return {};
    if (call.target() == "prims._low_memory_max_pool_with_offsets.default")
        return pooled(call, index == 0 ? self->dtype : DType::Int8);
    const DType type = index == 0 ? self->dtype : DType::Int64;
    if (isOneOf(name, kPools))
        return pooled(call, type);
    return name.starts_with("adaptive_max_pool") ? adaptivelyPooled(call, type) : std::nullopt;
}

} // namespace reinspect
