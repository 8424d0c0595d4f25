// SPDX-License-Identifier: MIT
// What the functions of numbers (unary_functions.h and its kin) are written with. They are compiled for the
// host and, by nvcc, for the device: nothing here knows tensors.
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>
#include <type_traits>

#ifdef __CUDACC__
#define REINSPECT_ANYWHERE __host__ __device__
#else
#define REINSPECT_ANYWHERE
#endif

namespace reinspect::exec
{

template<typename C>
concept RealNumber = std::is_same_v<C, float> || std::is_same_v<C, double>;
template<typename C>
concept WholeNumber = std::is_same_v<C, std::int64_t>;
template<typename C>
concept ComplexNumber =
    std::is_same_v<C, std::complex<float>> || std::is_same_v<C, std::complex<double>>;
template<typename C>
concept AnyNumber = RealNumber<C> || WholeNumber<C> || ComplexNumber<C>;
template<typename C>
concept FloatingNumber = RealNumber<C> || ComplexNumber<C>;
template<typename C>
concept OrderedNumber = RealNumber<C> || WholeNumber<C>;

// Whole numbers wrap around.
REINSPECT_ANYWHERE inline std::int64_t wrapped(std::uint64_t value)
{
    return static_cast<std::int64_t>(value);
}
REINSPECT_ANYWHERE inline std::uint64_t bitsOf(std::int64_t value)
{
    return static_cast<std::uint64_t>(value);
}

template<typename C>
REINSPECT_ANYWHERE bool isNan(C x)
{
    return x != x;
}

template<typename F, typename C, std::size_t N>
constexpr bool existsFor = [] {
    if constexpr (N == 1)
        return requires(C x)
        {
            F::of(x);
        };
    else if constexpr (N == 2)
        return requires(C x)
        {
            F::of(x, x);
        };
    else if constexpr (N == 3)
        return requires(C x)
        {
            F::of(x, x, x);
        };
    else
        return requires(C x)
        {
            F::of(x, x, x, x);
        };
}();

} // namespace reinspect::exec
