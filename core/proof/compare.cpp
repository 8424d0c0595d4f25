// SPDX-License-Identifier: MIT
#include "core/proof/compare.h"

#include "core/exec/element_difference.h"
#include "core/exec/elements.h"
#include "core/exec/host_copies.h"
#include "core/ir/dtype_promotion.h"

#include <algorithm>
#include <cmath>

namespace reinspect::proof
{
namespace
{

using exec::ElementDifferences;
using exec::Sizes;
using exec::Tensor;
using exec::Value;

constexpr std::int64_t kBlock = 512; // elements read at once

Sizes indexOf(const Sizes& sizes, std::int64_t number)
{
    Sizes index(sizes.size(), 0);
    for (std::size_t i = sizes.size(); i-- > 0; number /= sizes[i])
        index[i] = number % sizes[i];
    return index;
}

// visit(as, bs, count, place): the elements of both as C, row by row in blocks.
template<typename C, typename Visit>
void forEachBlock(const Tensor& a, const Tensor& b, Visit&& visit)
{
    const exec::Walk<2> walk(a.sizes, {&a.strides, &b.strides});
    const std::int64_t width = a.elementBytes();
    std::int64_t place = 0;
    C as[kBlock];
    C bs[kBlock];
    walk.run({a.offset, b.offset}, [&](const auto& at, const auto& stride, std::int64_t count) {
        for (std::int64_t done = 0; done < count; done += kBlock)
        {
            const std::int64_t some = std::min(kBlock, count - done);
            exec::loadRun<C>(a.dtype, a.storage->data() + (at[0] + done * stride[0]) * width,
                             stride[0], some, as);
            exec::loadRun<C>(b.dtype, b.storage->data() + (at[1] + done * stride[1]) * width,
                             stride[1], some, bs);
            visit(as, bs, some, place);
            place += some;
        }
    });
}

// Real parts and imaginary parts in turns.
Tensor realView(const Tensor& tensor)
{
    Tensor view = tensor;
    switch (tensor.dtype)
    {
    case DType::Complex64: view.dtype = DType::Float32; break;
    case DType::Complex128: view.dtype = DType::Float64; break;
    default: return view;
    }
    for (std::int64_t& stride : view.strides)
        stride *= 2;
    view.offset *= 2;
    view.sizes.push_back(2);
    view.strides.push_back(1);
    return view;
}

// The root of the mean square of the finite ones.
double scaleOf(const Tensor& tensor)
{
    double sum = 0;
    std::int64_t finite = 0;
    forEachBlock<double>(
        tensor, tensor, [&](const double* values, const double*, std::int64_t count, std::int64_t) {
            for (std::int64_t i = 0; i < count; ++i)
                if (std::isfinite(values[i]))
                {
                    sum += values[i] * values[i];
                    ++finite;
                }
        });
    return finite > 0 ? std::sqrt(sum / static_cast<double>(finite)) : 0;
}

exec::DifferenceLimits limitsFor(DType dtype, const Tolerance& tolerance)
{
    return {tolerance.ulps, tolerance.relative, 0, exec::floatFormat(dtype)};
}

ElementDifferences differencesHere(const Tensor& expected, const Tensor& found,
                                   exec::DifferenceLimits limits)
{
    ElementDifferences all;
    const exec::ComputeKind kind = exec::computeKind(expected.dtype);
    if (kind == exec::ComputeKind::Integer || kind == exec::ComputeKind::None)
    {
        forEachBlock<std::int64_t>(expected, found,
                                   [&](const auto* a, const auto* b, auto count, auto place) {
                                       for (std::int64_t i = 0; i < count; ++i)
                                           all.addWhole(a[i], b[i], place + i);
                                   });
        return all;
    }
    if (limits.relative > 0)
        limits.scale = scaleOf(expected);
    forEachBlock<double>(expected, found,
                         [&](const auto* a, const auto* b, auto count, auto place) {
                             for (std::int64_t i = 0; i < count; ++i)
                                 all.addReal(a[i], b[i], place + i, limits);
                         });
    return all;
}

exec::DeviceMemory* deviceOf(const Tensor& a, const Tensor& b)
{
    return a.storage->isOnDevice() ? a.storage->device() : b.storage->device();
}

Result<ElementDifferences> differencesThere(exec::DeviceMemory& device, const Tensor& expected,
                                            const Tensor& found, const Tolerance& tolerance)
{
    exec::HostCopies copies(device, expected.storage->tracker().shared_from_this());
    REINSPECT_TRY(const Tensor a, copies.toDevice(expected, exec::StorageRole::Scratch));
    REINSPECT_TRY(const Tensor b, copies.toDevice(found, exec::StorageRole::Scratch));
    return device.compare(a, b, limitsFor(expected.dtype, tolerance));
}

void take(Difference& difference, const ElementDifferences& counted, const Sizes& sizes,
          bool isOfPairs)
{
    difference.isBitwise = counted.count == 0;
    difference.isWithin = counted.isWithin;
    difference.maxAbsolute = counted.maxAbsolute;
    difference.maxRelative = counted.maxRelative;
    difference.maxUlps = counted.maxUlps;
    difference.differing = counted.count;
    if (counted.first >= 0)
        difference.firstIndex = indexOf(sizes, isOfPairs ? counted.first / 2 : counted.first);
}

} // namespace

Difference compareTensors(const Tensor& expected, const Tensor& found, const Tolerance& tolerance)
{
    Difference difference;
    if (expected.dtype != found.dtype || expected.sizes != found.sizes)
    {
        difference.mismatch = exec::tensorText(expected) + " against " + exec::tensorText(found);
        difference.isBitwise = difference.isWithin = false;
        return difference;
    }
    const Tensor a = realView(expected);
    const Tensor b = realView(found);
    if (exec::DeviceMemory* device = deviceOf(a, b))
    {
        if (const auto there = differencesThere(*device, a, b, tolerance); there.ok())
        {
            difference.isFromDevice = true;
            take(difference, *there, expected.sizes, a.rank() > expected.rank());
            return difference;
        }
    }
    const auto hereA = exec::broughtHome(a);
    const auto hereB = exec::broughtHome(b);
    if (!hereA.ok() || !hereB.ok())
    {
        difference.mismatch =
            "cannot be compared: " + (hereA.ok() ? hereB.error() : hereA.error()).message;
        difference.isBitwise = difference.isWithin = false;
        return difference;
    }
    take(difference, differencesHere(*hereA, *hereB, limitsFor(expected.dtype, tolerance)),
         expected.sizes, a.rank() > expected.rank());
    return difference;
}

Difference compareValues(const Value& expected, const Value& found, const Tolerance& tolerance)
{
    if (expected.tensor() && found.tensor())
        return compareTensors(*expected.tensor(), *found.tensor(), tolerance);
    Difference difference;
    if (expected.value.index() != found.value.index() && !(expected.number() && found.number()))
    {
        difference.isBitwise = difference.isWithin = false;
        difference.mismatch = exec::kindText(expected) + " against " + exec::kindText(found);
    }
    else if (expected.number() && found.number()) // a device, a text: nothing that is computed
    {
        ElementDifferences counted;
        counted.addReal(*expected.number(), *found.number(), 0,
                        limitsFor(DType::Float64, tolerance));
        take(difference, counted, {}, false);
        difference.firstIndex.reset();
        difference.differing = 0;
    }
    return difference;
}

} // namespace reinspect::proof
