// SPDX-License-Identifier: MIT
#include "core/exec/elements.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace reinspect::exec
{
namespace
{

template<typename T>
inline constexpr bool isComplex = false;
template<typename T>
inline constexpr bool isComplex<std::complex<T>> = true;

template<typename T>
inline constexpr bool isSmallFloat =
    std::is_same_v<
        T,
        Half> || std::is_same_v<T, BFloat16> || std::is_same_v<T, Float8E4M3> || std::is_same_v<T, Float8E5M2>;

// A number without dimensions of the stored type, as the nearest type of C++.
template<typename T>
auto opened(T value)
{
    if constexpr (isSmallFloat<T>)
        return toFloat(value);
    else if constexpr (std::is_same_v<T, Boolean>)
        return std::int64_t{value.byte != 0};
    else
        return value;
}

template<typename To, typename From>
To converted(From value)
{
    if constexpr (isComplex<From> && isComplex<To>)
        return To(static_cast<typename To::value_type>(value.real()),
                  static_cast<typename To::value_type>(value.imag()));
    else if constexpr (isComplex<From>)
        return converted<To>(value.real());
    else if constexpr (isComplex<To>)
        return To(converted<typename To::value_type>(value));
    else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>)
    {
        // Outside of the range C++ says nothing; the machine says the least integer.
        const double whole = static_cast<double>(value);
        if (whole >= -9223372036854775808.0 && whole < 9223372036854775808.0)
            return static_cast<To>(static_cast<std::int64_t>(whole));
        if (std::is_same_v<To, std::uint64_t> && whole > 0 && whole < 18446744073709551616.0)
            return static_cast<To>(static_cast<std::uint64_t>(whole));
        return static_cast<To>(std::numeric_limits<std::int64_t>::min());
    }
    else if constexpr (std::is_same_v<To, float> && std::is_same_v<From, double>)
        return static_cast<float>(value);
    else
        return static_cast<To>(value);
}

template<typename T, typename C>
T closed(C value)
{
    if constexpr (std::is_same_v<T, Boolean>)
        return Boolean{static_cast<std::uint8_t>(value != C{})};
    else if constexpr (std::is_same_v<T, Half>)
        return halfFrom(converted<float>(value));
    else if constexpr (std::is_same_v<T, BFloat16>)
        return bfloat16From(converted<float>(value));
    else if constexpr (std::is_same_v<T, Float8E4M3>)
        return float8e4m3From(converted<float>(value));
    else if constexpr (std::is_same_v<T, Float8E5M2>)
        return float8e5m2From(converted<float>(value));
    else
        return converted<T>(value);
}

template<typename F>
void dispatchStored(DType dtype, F&& f)
{
    switch (dtype)
    {
    case DType::Float32: return f(TypeTag<float>{});
    case DType::Float64: return f(TypeTag<double>{});
    case DType::Float16: return f(TypeTag<Half>{});
    case DType::BFloat16: return f(TypeTag<BFloat16>{});
    case DType::Float8E4M3FN: return f(TypeTag<Float8E4M3>{});
    case DType::Float8E5M2: return f(TypeTag<Float8E5M2>{});
    case DType::Complex64: return f(TypeTag<std::complex<float>>{});
    case DType::Complex128: return f(TypeTag<std::complex<double>>{});
    case DType::Bool: return f(TypeTag<Boolean>{});
    case DType::Int8: return f(TypeTag<std::int8_t>{});
    case DType::Int16: return f(TypeTag<std::int16_t>{});
    case DType::Int32: return f(TypeTag<std::int32_t>{});
    case DType::Int64: return f(TypeTag<std::int64_t>{});
    case DType::UInt16: return f(TypeTag<std::uint16_t>{});
    case DType::UInt32: return f(TypeTag<std::uint32_t>{});
    case DType::UInt64: return f(TypeTag<std::uint64_t>{});
    default: return f(TypeTag<std::uint8_t>{});
    }
}

// Bytes as they are: the same dtype on both sides, element by element.
void copyRun(std::byte* to, std::int64_t toStride, const std::byte* from, std::int64_t fromStride,
             std::int64_t count, std::int64_t width)
{
    if (toStride == 1 && fromStride == 1)
    {
        std::memcpy(to, from, static_cast<std::size_t>(count * width));
        return;
    }
    for (std::int64_t i = 0; i < count; ++i)
        std::memcpy(to + i * toStride * width, from + i * fromStride * width,
                    static_cast<std::size_t>(width));
}

void copySameType(const Tensor& to, const Tensor& from)
{
    const std::int64_t width = to.elementBytes();
    const Walk<2> walk(to.sizes, {&to.strides, &from.strides});
    walk.run({to.offset, from.offset}, [&](const auto& at, const auto& stride, std::int64_t count) {
        copyRun(to.storage->data() + at[0] * width, stride[0], from.storage->data() + at[1] * width,
                stride[1], count, width);
    });
}

template<typename C>
void copyConverted(const Tensor& to, const Tensor& from)
{
    constexpr std::int64_t block = 1024;
    std::array<C, block> values;
    const Walk<2> walk(to.sizes, {&to.strides, &from.strides});
    walk.run({to.offset, from.offset}, [&](const auto& at, const auto& stride, std::int64_t count) {
        for (std::int64_t done = 0; done < count; done += block)
        {
            const std::int64_t part = std::min(block, count - done);
            loadRun<C>(from.dtype,
                       from.storage->data() + (at[1] + done * stride[1]) * from.elementBytes(),
                       stride[1], part, values.data());
            storeRun<C>(to.dtype,
                        to.storage->data() + (at[0] + done * stride[0]) * to.elementBytes(),
                        stride[0], part, values.data());
        }
    });
}

} // namespace

template<typename C>
void loadRun(DType dtype, const std::byte* data, std::int64_t stride, std::int64_t count, C* out)
{
    dispatchStored(dtype, [&]<typename T>(TypeTag<T>) {
        if constexpr (std::is_same_v<T, C>)
            if (stride == 1)
            {
                std::memcpy(out, data, static_cast<std::size_t>(count) * sizeof(T));
                return;
            }
        const std::int64_t step = stride * static_cast<std::int64_t>(sizeof(T));
        for (std::int64_t i = 0; i < count; ++i, data += step)
        {
            T value;
            std::memcpy(&value, data, sizeof(T));
            out[i] = converted<C>(opened(value));
        }
    });
}

template<typename C>
void storeRun(DType dtype, std::byte* data, std::int64_t stride, std::int64_t count,
              const C* values)
{
    dispatchStored(dtype, [&]<typename T>(TypeTag<T>) {
        const std::int64_t step = stride * static_cast<std::int64_t>(sizeof(T));
        for (std::int64_t i = 0; i < count; ++i, data += step)
        {
            const T value = closed<T>(values[i]);
            std::memcpy(data, &value, sizeof(T));
        }
    });
}

#define REINSPECT_RUNS_OF(C)                                                                       \
    template void loadRun<C>(DType, const std::byte*, std::int64_t, std::int64_t, C*);             \
    template void storeRun<C>(DType, std::byte*, std::int64_t, std::int64_t, const C*);
REINSPECT_RUNS_OF(float)
REINSPECT_RUNS_OF(double)
REINSPECT_RUNS_OF(std::int64_t)
REINSPECT_RUNS_OF(std::complex<float>)
REINSPECT_RUNS_OF(std::complex<double>)
#undef REINSPECT_RUNS_OF

namespace
{

// The narrowest type of computing that loses nothing of `from` on its way to `to`.
ComputeKind conversionKind(DType from, DType to)
{
    const ComputeKind source = computeKind(from);
    const ComputeKind target = computeKind(to);
    if (source == ComputeKind::Integer && target == ComputeKind::Float)
        return ComputeKind::Integer; // rounded once
    return source;
}

// A copy of the elements, for when writing could change what is still to be read.
Result<Tensor> apart(const Tensor& from)
{
    auto tracker = std::make_shared<StorageTracker>(std::numeric_limits<std::int64_t>::max());
    Tensor copy = from;
    copy.strides = contiguousStrides(from.sizes);
    copy.offset = 0;
    REINSPECT_TRY(
        copy.storage,
        tracker->allocate(from.count() * from.elementBytes(), from.dtype, StorageRole::Scratch));
    copySameType(copy, from);
    return copy;
}

// The same elements as a tensor of a storage of their own on the device.
Result<Tensor> packed(const Tensor& tensor)
{
    Tensor dense = tensor;
    dense.strides = contiguousStrides(tensor.sizes);
    dense.offset = 0;
    REINSPECT_TRY(dense.storage,
                  tensor.storage->tracker().allocateOn(*tensor.storage->device(),
                                                       tensor.count() * tensor.elementBytes(),
                                                       StorageRole::Scratch));
    return dense;
}

bool sameView(const Tensor& a, const Tensor& b)
{
    return a.offset == b.offset && a.strides == b.strides && a.dtype == b.dtype;
}

} // namespace

Tensor hostTwin(const Tensor& tensor)
{
    auto tracker = std::make_shared<StorageTracker>(std::numeric_limits<std::int64_t>::max());
    Tensor twin = tensor;
    twin.strides = contiguousStrides(tensor.sizes);
    twin.offset = 0;
    auto storage = tracker->allocate(tensor.count() * tensor.elementBytes(), tensor.dtype,
                                     StorageRole::Scratch);
    assert(storage.ok());
    twin.storage = std::move(*storage);
    return twin;
}

Tensor onHost(const Tensor& tensor)
{
    if (!tensor.storage->isOnDevice())
        return tensor;
    const Tensor twin = hostTwin(tensor);
    const auto dense = packed(tensor);
    DeviceMemory& device = *tensor.storage->device();
    if (dense.ok() && device.copy(*dense, tensor).ok())
        (void)device.download(*twin.storage, *dense->storage).ok(); // said at the end of the run
    return twin;
}

Result<void> sendToDevice(const Tensor& to, const Tensor& from)
{
    Tensor shaped = to;
    shaped.dtype = from.dtype;
    REINSPECT_TRY(const Tensor dense, packed(shaped));
    DeviceMemory& device = *to.storage->device();
    REINSPECT_CHECK(device.upload(*dense.storage, *from.storage));
    return device.copy(to, dense);
}

Result<void> copyElements(const Tensor& to, const Tensor& from)
{
    REINSPECT_TRY(Tensor source, broadcastTo(from, to.sizes));
    if (to.storage->isOnDevice())
    {
        if (source.storage->isOnDevice())
            return to.storage->device()->copy(to, source);
        REINSPECT_TRY(source, apart(source));
        return sendToDevice(to, source);
    }
    source = onHost(source);
    if (to.storage == source.storage && sameView(to, source))
        return {};
    if (to.storage == source.storage)
    {
        REINSPECT_TRY(source, apart(source));
    }
    if (to.dtype == source.dtype)
        copySameType(to, source);
    else
        dispatchCompute(conversionKind(source.dtype, to.dtype),
                        [&]<typename C>(TypeTag<C>) { copyConverted<C>(to, source); });
    return {};
}

void addElement(const Tensor& self, std::int64_t offset, const Tensor& values, std::int64_t number)
{
    std::byte* place = self.data() + offset * self.elementBytes();
    const std::byte* value = values.data() + number * values.elementBytes();
    dispatchCompute(computeKind(self.dtype), [&]<typename C>(TypeTag<C>) {
        C a, b;
        loadRun<C>(self.dtype, place, 1, 1, &a);
        loadRun<C>(values.dtype, value, 1, 1, &b);
        if constexpr (std::is_same_v<C, std::int64_t>)
            a = static_cast<std::int64_t>(static_cast<std::uint64_t>(a)
                                          + static_cast<std::uint64_t>(b));
        else
            a += b;
        storeRun<C>(self.dtype, place, 1, 1, &a);
    });
}

} // namespace reinspect::exec
