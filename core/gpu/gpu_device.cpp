// SPDX-License-Identifier: MIT
#include "core/gpu/gpu_device.h"

#include "core/exec/elements.h"
#include "core/gpu/gpu_rows.h"

#include <algorithm>
#include <cmath>

namespace reinspect::gpu
{
namespace
{

using exec::ComputeKind;
using exec::Tensor;

Pool poolOf(exec::StorageRole role)
{
    return role == exec::StorageRole::Node ? Pool::Nodes : Pool::Scratch;
}

Error cannotRun(std::string message)
{
    return Error{.message = std::move(message), .kind = ErrorKind::CannotRunHere};
}

// First and last byte of the elements in their storage.
std::pair<std::int64_t, std::int64_t> spanOf(const Tensor& tensor)
{
    const std::int64_t width = tensor.elementBytes();
    const std::int64_t first = tensor.offset * width;
    return {first, first + exec::extent(tensor.sizes, tensor.strides).value_or(0) * width};
}

bool mayOverlap(const Tensor& a, const Tensor& b)
{
    if (a.storage != b.storage)
        return false;
    const auto [aFirst, aLast] = spanOf(a);
    const auto [bFirst, bLast] = spanOf(b);
    return aFirst < bLast && bFirst < aLast;
}

PointwiseOperand operandOf(const exec::Operand& operand, const Tensor& result, DType common)
{
    PointwiseOperand made;
    if (!operand.tensor)
    {
        made.real = operand.number.number().value_or(0);
        made.whole = operand.number.integer().value_or(static_cast<std::int64_t>(0));
        return made;
    }
    const Tensor& tensor = *operand.tensor;
    made.data = tensor.storage->address() + tensor.offset * tensor.elementBytes();
    made.dtype = tensor.dtype;
    const std::size_t added = result.rank() - std::min(tensor.rank(), result.rank());
    for (std::size_t d = 0; d < tensor.rank(); ++d)
        made.strides[d + added] = tensor.sizes[d] == 1 ? 0 : tensor.strides[d];
    if (tensor.dtype != common && dtypeBytes(common) <= 2 && exec::isFloating(common))
        made.roundTo = common;
    return made;
}

} // namespace

std::optional<Array> arrayOf(const Tensor& tensor)
{
    if (tensor.rank() > kMostDimensions)
        return {};
    Array array;
    array.data = tensor.storage->address() + tensor.offset * tensor.elementBytes();
    array.dtype = tensor.dtype;
    array.width = static_cast<int>(tensor.elementBytes());
    array.rank = static_cast<int>(tensor.rank());
    std::ranges::copy(tensor.sizes, array.sizes);
    std::ranges::copy(tensor.strides, array.strides);
    return array;
}

bool isReadable(DType dtype)
{
    switch (dtype)
    {
    case DType::Float32:
    case DType::Float64:
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float8E4M3FN:
    case DType::Float8E5M2:
    case DType::Bool:
    case DType::Int8:
    case DType::Int16:
    case DType::Int32:
    case DType::Int64:
    case DType::UInt8:
    case DType::UInt16:
    case DType::UInt32:
    case DType::UInt64: return true;
    default: return false;
    }
}

std::optional<Kind> kindOf(DType dtype)
{
    switch (exec::computeKind(dtype))
    {
    case ComputeKind::Float: return Kind::Float;
    case ComputeKind::Double: return Kind::Double;
    case ComputeKind::Integer: return Kind::Integer;
    default: return {};
    }
}

GpuDevice& gpuOf(const exec::KernelCall& call)
{
    return static_cast<GpuDevice&>(*call.context->accelerator);
}

std::shared_ptr<exec::Device> makeGpuDevice(std::shared_ptr<Api> api)
{
    return std::make_shared<GpuDevice>(std::move(api));
}

GpuDevice::GpuDevice(std::shared_ptr<Api> api)
    : m_api(std::move(api))
    , m_name(m_api->facts().name)
{}

std::byte* GpuDevice::allocate(std::int64_t bytes, exec::StorageRole role)
{
    return static_cast<std::byte*>(m_api->allocate(bytes, poolOf(role)));
}

void GpuDevice::release(std::byte* data, exec::StorageRole role)
{
    m_api->release(data, poolOf(role));
}

Result<void> GpuDevice::check(const char* problem)
{
    if (!problem)
        return {};
    Error error = cannotRun(m_name + ": " + problem);
    if (!m_failure)
        m_failure = error;
    return error;
}

Result<void> GpuDevice::poison(const exec::Storage& storage, DType dtype)
{
    const bool isSigned = dtype == DType::Int8 || dtype == DType::Int16 || dtype == DType::Int32
        || dtype == DType::Int64;
    const int width = std::clamp(static_cast<int>(dtypeBytes(dtype)), 1, 8);
    std::uint64_t pattern = dtype == DType::Bool ? 1 : ~std::uint64_t{0};
    if (isSigned)
        pattern = (std::uint64_t{1} << (width * 8 - 1)) - 1;
    return check(m_api->fill(storage.address(), storage.bytes() / width * width, pattern, width));
}

Result<void> GpuDevice::upload(const exec::Storage& to, const exec::Storage& from)
{
    return check(m_api->upload(to.address(), from.data(), from.bytes()));
}

Result<void> GpuDevice::download(const exec::Storage& to, const exec::Storage& from)
{
    return check(m_api->download(to.address(), from.address(), from.bytes()));
}

Result<void> GpuDevice::copy(const Tensor& to, const Tensor& from)
{
    if (to.dtype == from.dtype && to.storage == from.storage && to.offset == from.offset
        && to.strides == from.strides)
        return {};
    if (mayOverlap(to, from))
    {
        Tensor apart = from;
        apart.strides = exec::contiguousStrides(from.sizes);
        apart.offset = 0;
        REINSPECT_TRY(apart.storage,
                      from.storage->tracker().allocateOn(*this, from.count() * from.elementBytes(),
                                                         exec::StorageRole::Scratch));
        REINSPECT_CHECK(copy(apart, from));
        return copy(to, apart);
    }
    const auto target = arrayOf(to);
    const auto source = arrayOf(from);
    if (!target || !source)
        return cannotRun("a tensor of more than " + std::to_string(kMostDimensions)
                         + " dimensions cannot be copied on the device");
    if (to.dtype != from.dtype)
        for (const DType dtype : {to.dtype, from.dtype})
            if (!isReadable(dtype) && !exec::isComplex(dtype))
                return cannotRun("dtype " + std::string(dtypeName(dtype))
                                 + " is not converted on the device");
    return check(m_api->copy(*target, *source));
}

Result<exec::ElementDifferences> GpuDevice::compare(const Tensor& expected, const Tensor& found,
                                                    const exec::DifferenceLimits& limits)
{
    const auto a = arrayOf(expected);
    const auto b = arrayOf(found);
    if (!a || !b || !isReadable(expected.dtype))
        return cannotRun(exec::tensorText(expected) + " is not compared on the device");
    const bool isWhole = kindOf(expected.dtype) == Kind::Integer;
    exec::ElementDifferences differences;
    REINSPECT_CHECK(check(
        m_api->compare({*a, *b, isWhole ? Kind::Integer : Kind::Double, limits}, differences)));
    return differences;
}

Result<std::uint64_t> GpuDevice::digest(const Tensor& tensor)
{
    const auto array = arrayOf(tensor);
    if (!array)
        return cannotRun(exec::tensorText(tensor) + " has too many dimensions for " + m_name);
    std::uint64_t sum = 0;
    REINSPECT_CHECK(check(m_api->digest(*array, sum)));
    return sum;
}

bool GpuDevice::runs(exec::Pointwise function, ComputeKind kind) const
{
    return function != exec::Pointwise::None && kind <= ComputeKind::Integer
        && m_api->runs(static_cast<std::uint16_t>(function), static_cast<Kind>(kind));
}

Result<void> GpuDevice::pointwise(exec::Pointwise function, const Tensor& result,
                                  const exec::Operands& operands, DType common)
{
    const auto array = arrayOf(result);
    const auto kind = kindOf(common);
    if (!array || !kind)
        return cannotRun("a result " + exec::tensorText(result) + " has too many dimensions for "
                         + m_name);
    PointwiseCall call;
    call.function = static_cast<std::uint16_t>(function);
    call.kind = *kind;
    call.count = static_cast<int>(operands.list.size());
    call.result = *array;
    std::ranges::transform(operands.list, call.operands, [&](const exec::Operand& operand) {
        return operandOf(operand, result, common);
    });
    return check(m_api->pointwise(call));
}

Result<bool> GpuDevice::count(const Tensor& result, double start, double step)
{
    constexpr double mostExact = 9007199254740992.0; // of whole numbers in a double
    const auto array = arrayOf(result);
    if (!array || !isReadable(result.dtype)
        || std::abs(start) + std::abs(step) * static_cast<double>(result.count()) > mostExact)
        return false;
    RandomCall call;
    call.draw = Draw::Count;
    call.a = start;
    call.b = step;
    call.result = *array;
    REINSPECT_CHECK(check(m_api->random(call)));
    return true;
}

exec::KernelFunction GpuDevice::kernel(std::string_view row) const
{
    return findRow(row);
}

void GpuDevice::beginRun(bool times)
{
    m_times = times;
    m_nodes.clear();
    m_failure.reset();
    m_seconds.clear();
    m_peakBytes.reset();
    m_api->resetPeak();
}

void GpuDevice::beginNode(const std::string& name)
{
    m_api->beginNode(static_cast<int>(m_nodes.size()), m_times);
    m_nodes.push_back(&name);
}

Result<void> GpuDevice::finish()
{
    IndexFault fault;
    const auto done = check(m_api->finish(fault));
    m_peakBytes = m_api->peakBytes();
    if (m_times)
    {
        m_seconds.resize(m_nodes.size());
        m_api->nodeSeconds(m_seconds.data(), static_cast<int>(m_seconds.size()));
    }
    if (m_failure)
        return *m_failure;
    REINSPECT_CHECK(done);
    if (fault.node < 0)
        return {};
    const auto node = static_cast<std::size_t>(fault.node);
    const std::string name = node < m_nodes.size() ? "node '" + *m_nodes[node] + "': " : "";
    return Error{name + "index " + std::to_string(fault.index) + " is out of range for dimension "
                 + std::to_string(fault.dimension) + " of size " + std::to_string(fault.size)};
}

Result<void> GpuDevice::beginRecording()
{
    return check(m_api->beginRecording());
}

Result<std::vector<double>> GpuDevice::replay(int times)
{
    std::vector<double> seconds(static_cast<std::size_t>(times));
    REINSPECT_CHECK(check(m_api->replay(times, seconds.data())));
    return seconds;
}

std::vector<double> GpuDevice::nodeSeconds() const
{
    return m_seconds;
}

} // namespace reinspect::gpu
