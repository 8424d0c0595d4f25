// SPDX-License-Identifier: MIT
#include "core/proof/digest.h"

#include "core/exec/elements.h"

namespace reinspect::proof
{

using exec::Tensor;

std::uint64_t digestOf(const Tensor& tensor)
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    const auto mix = [&](std::uint64_t value) {
        hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    };
    mix(static_cast<std::uint64_t>(tensor.dtype));
    for (const std::int64_t size : tensor.sizes)
        mix(static_cast<std::uint64_t>(size));
    const std::int64_t width = tensor.elementBytes();
    const exec::Walk<1> walk(tensor.sizes, {&tensor.strides});
    walk.run({tensor.offset}, [&](const auto& at, const auto& stride, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i)
        {
            std::uint64_t bits = 0;
            const std::int64_t part = std::min<std::int64_t>(width, 8);
            const std::byte* place = tensor.storage->data() + (at[0] + i * stride[0]) * width;
            for (std::int64_t done = 0; done < width; done += part)
            {
                std::memcpy(&bits, place + done, static_cast<std::size_t>(part));
                mix(bits);
            }
        }
    });
    return hash;
}

std::uint64_t digestOf(const exec::Value& value)
{
    std::uint64_t hash = value.value.index();
    exec::forEachTensor(value, [&](const Tensor& tensor) { hash = hash * 31 + digestOf(tensor); });
    if (const auto number = value.number())
        hash ^= std::bit_cast<std::uint64_t>(*number);
    return hash;
}

} // namespace reinspect::proof
