// SPDX-License-Identifier: MIT
// Padding: with a constant, with the tensor's mirror image, with its edge; and their gradients. Amounts come in
// pairs (in front, behind) from the last dimension on; negative ones cut off.
#include "core/exec/axis_maps.h"
#include "core/exec/kernel_registry.h"

#include <algorithm>

namespace reinspect::exec
{
namespace
{

enum class Border : std::uint8_t
{
    Constant,
    Reflection,
    Replication,
};

std::int64_t sourceOf(Border border, std::int64_t at, std::int64_t size)
{
    if (at >= 0 && at < size)
        return at;
    if (border == Border::Constant)
        return -1;
    if (border == Border::Replication)
        return at < 0 ? 0 : size - 1;
    return at < 0 ? -at : 2 * (size - 1) - at;
}

Result<AxisMaps> paddingMaps(const KernelCall& call, const Sizes& sizes, Border border,
                             std::string_view name)
{
    REINSPECT_TRY(const Sizes amounts, call.integers(name));
    if (amounts.size() % 2 != 0 || amounts.size() / 2 > sizes.size())
        return call.error("padding " + sizesText(amounts) + " for sizes " + sizesText(sizes));
    AxisMaps maps = identityMaps(sizes);
    for (std::size_t pair = 0; pair < amounts.size() / 2; ++pair)
    {
        const std::size_t dim = sizes.size() - 1 - pair;
        const std::int64_t front = amounts[2 * pair];
        const std::int64_t behind = amounts[2 * pair + 1];
        const std::int64_t size = sizes[dim];
        const bool isTooFar = border == Border::Reflection && (front >= size || behind >= size);
        const bool isNothing = border != Border::Constant && size == 0;
        if (front < -size || behind < -size || size + front + behind < 0 || isTooFar || isNothing
            || front > call.context->tracker->limit() || behind > call.context->tracker->limit())
            return call.error("padding " + sizesText(amounts) + " does not fit sizes "
                              + sizesText(sizes));
        maps[dim].clear();
        for (std::int64_t at = -front; at < size + behind; ++at)
            maps[dim].push_back(sourceOf(border, at, size));
    }
    return maps;
}

Result<Value> constantPad(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const AxisMaps maps, paddingMaps(call, self.sizes, Border::Constant, "pad"));
    const Value* fill = call.given("value");
    return mapped(call, self, maps, fill ? *fill : Value(std::int64_t{0}));
}

template<Border How>
Result<Value> pad(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const AxisMaps maps, paddingMaps(call, self.sizes, How, "padding"));
    return mapped(call, self, maps);
}

template<Border How>
Result<Value> padBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Tensor grad, call.tensor("grad_output"));
    REINSPECT_TRY(const AxisMaps maps, paddingMaps(call, self.sizes, How, "padding"));
    return mappedBackward(call, grad, self.sizes, maps);
}

constexpr auto reflection = Border::Reflection;
constexpr auto replication = Border::Replication;

const KernelRow table[] = {
    {"aten.constant_pad_nd.default", constantPad},
    {"aten.reflection_pad1d.default", pad<reflection>, {}, RunsOn::Anywhere},
    {"aten.reflection_pad2d.default", pad<reflection>, {}, RunsOn::Anywhere},
    {"aten.reflection_pad3d.default", pad<reflection>, {}, RunsOn::Anywhere},
    {"aten.replication_pad1d.default", pad<replication>, {}, RunsOn::Anywhere},
    {"aten.replication_pad2d.default", pad<replication>, {}, RunsOn::Anywhere},
    {"aten.replication_pad3d.default", pad<replication>, {}, RunsOn::Anywhere},
    {"aten.reflection_pad1d_backward.default", padBackward<reflection>, {}, RunsOn::Anywhere},
    {"aten.reflection_pad2d_backward.default", padBackward<reflection>, {}, RunsOn::Anywhere},
    {"aten.reflection_pad3d_backward.default", padBackward<reflection>, {}, RunsOn::Anywhere},
    {"aten.replication_pad1d_backward.default", padBackward<replication>, {}, RunsOn::Anywhere},
    {"aten.replication_pad2d_backward.default", padBackward<replication>, {}, RunsOn::Anywhere},
    {"aten.replication_pad3d_backward.default", padBackward<replication>, {}, RunsOn::Anywhere},
};

} // namespace

std::span<const KernelRow> padKernels()
{
    return table;
}

} // namespace reinspect::exec
