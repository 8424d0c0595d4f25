// SPDX-License-Identifier: MIT
#include "core/proof/digest.h"

#include "core/exec/element_difference.h"
#include "core/exec/elements.h"
#include "core/exec/host_copies.h"

namespace reinspect::proof
{
namespace
{

using exec::Tensor;

constexpr std::int64_t kMostPart = 8; // bytes of an element taken at once

std::uint64_t digestHere(const Tensor& tensor)
{
    const std::int64_t width = tensor.elementBytes();
    const std::int64_t part = std::min(width, kMostPart);
    std::uint64_t sum = 0;
    std::uint64_t place = 0;
    const exec::Walk<1> walk(tensor.sizes, {&tensor.strides});
    walk.run({tensor.offset}, [&](const auto& at, const auto& stride, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i)
        {
            const std::byte* element = tensor.storage->data() + (at[0] + i * stride[0]) * width;
            for (std::int64_t done = 0; done < width; done += part)
            {
                std::uint64_t bits = 0;
                std::memcpy(&bits, element + done, static_cast<std::size_t>(part));
                sum += exec::elementDigest(bits, place++);
            }
        }
    });
    return sum;
}

// 0 where a device cannot say, and cannot give the content, either.
std::uint64_t contentOf(const Tensor& tensor)
{
    if (!tensor.storage->isOnDevice())
        return digestHere(tensor);
    if (tensor.elementBytes() <= kMostPart)
        if (const auto there = tensor.storage->device()->digest(tensor); there.ok())
            return *there;
    const auto here = exec::broughtHome(tensor);
    return here.ok() ? digestHere(*here) : 0;
}

} // namespace

std::uint64_t digestOf(const Tensor& tensor)
{
    std::uint64_t hash = exec::elementDigest(static_cast<std::uint64_t>(tensor.dtype), 0);
    for (const std::int64_t size : tensor.sizes)
        hash = exec::elementDigest(hash, static_cast<std::uint64_t>(size));
    return hash + contentOf(tensor);
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
