// SPDX-License-Identifier: MIT
#include "core/proof/digest.h"

#include "core/base/parallel.h"
#include "core/exec/element_difference.h"
#include "core/exec/elements.h"
#include "core/exec/host_copies.h"

#include <atomic>
#include <bit>
#include <cstring>

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
    const auto parts = static_cast<std::uint64_t>(width / std::max<std::int64_t>(part, 1));
    std::atomic<std::uint64_t> sum = 0;
    std::uint64_t first = 0;
    const exec::Walk<1> walk(tensor.sizes, {&tensor.strides});
    walk.run({tensor.offset}, [&](const auto& at, const auto& stride, std::int64_t count) {
        const std::byte* data = tensor.storage->data() + at[0] * width;
        forEachSlice(static_cast<std::size_t>(count), [&](std::size_t begin, std::size_t end) {
            std::uint64_t own = 0;
            for (std::size_t i = begin; i < end; ++i)
                for (std::uint64_t k = 0; k < parts; ++k)
                {
                    std::uint64_t bits = 0;
                    std::memcpy(&bits,
                                data + static_cast<std::int64_t>(i) * stride[0] * width
                                    + static_cast<std::int64_t>(k) * part,
                                static_cast<std::size_t>(part));
                    own += exec::elementDigest(bits, (first + i) * parts + k);
                }
            sum += own;
        });
        first += static_cast<std::uint64_t>(count);
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
