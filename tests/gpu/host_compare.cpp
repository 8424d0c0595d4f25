// SPDX-License-Identifier: MIT
#include "tests/gpu/host_api.h"
#include "tests/gpu/host_elements.h"

#include <cstring>

namespace reinspect::gpu
{
namespace
{

double scaleOf(const Array& array)
{
    double sum = 0;
    double finite = 0;
    forEachIndex(array.sizes, array.rank, [&](const Sizes& index) {
        const auto value = load<double>(array.dtype, array.data, offsetOf(index, array.strides));
        sum += std::isfinite(value) ? value * value : 0;
        finite += std::isfinite(value) ? 1 : 0;
    });
    return finite > 0 ? std::sqrt(sum / finite) : 0;
}

} // namespace

const char* HostApi::compare(const CompareCall& call, exec::ElementDifferences& found)
{
    ++comparisons;
    exec::DifferenceLimits limits = call.limits;
    limits.scale = scaleOf(call.expected);
    std::int64_t place = 0;
    const DType dtype = call.expected.dtype;
    forEachIndex(call.expected.sizes, call.expected.rank, [&](const Sizes& index) {
        const std::int64_t a = offsetOf(index, call.expected.strides);
        const std::int64_t b = offsetOf(index, call.found.strides);
        if (call.kind == Kind::Integer)
            found.addWhole(load<std::int64_t>(dtype, call.expected.data, a),
                           load<std::int64_t>(dtype, call.found.data, b), place++);
        else
            found.addReal(load<double>(dtype, call.expected.data, a),
                          load<double>(dtype, call.found.data, b), place++, limits);
    });
    return takeFailure();
}

const char* HostApi::digest(const Array& array, std::uint64_t& sum)
{
    std::uint64_t place = 0;
    forEachIndex(array.sizes, array.rank, [&](const Sizes& index) {
        std::uint64_t bits = 0;
        std::memcpy(&bits,
                    static_cast<const std::byte*>(array.data)
                        + offsetOf(index, array.strides) * array.width,
                    static_cast<std::size_t>(array.width));
        sum += exec::elementDigest(bits, place++);
    });
    return takeFailure();
}

} // namespace reinspect::gpu
