// SPDX-License-Identifier: MIT
// Cubic convolution with a = -0.75: what each of four neighbours counts at a place between the middle two, and
// how that changes with the place.
#pragma once

#include <array>
#include <cmath>

namespace reinspect::exec
{

using CubicWeights = std::array<double, 4>;

inline constexpr double kCubic = -0.75;

// Of a neighbour at most one away, and of one further off.
inline double cubicNear(double x)
{
    return ((kCubic + 2) * x - (kCubic + 3)) * x * x + 1;
}
inline double cubicFar(double x)
{
    return ((kCubic * x - 5 * kCubic) * x + 8 * kCubic) * x - 4 * kCubic;
}
inline double cubicNearSlope(double x)
{
    return (3 * (kCubic + 2) * x - 2 * (kCubic + 3)) * x;
}
inline double cubicFarSlope(double x)
{
    return (3 * kCubic * x - 10 * kCubic) * x + 8 * kCubic;
}

// `t` from 0 to 1, from the second neighbour to the third.
inline CubicWeights cubicWeights(double t)
{
    return {cubicFar(t + 1), cubicNear(t), cubicNear(1 - t), cubicFar(2 - t)};
}
inline CubicWeights cubicSlopes(double t)
{
    return {cubicFarSlope(t + 1), cubicNearSlope(t), -cubicNearSlope(1 - t), -cubicFarSlope(2 - t)};
}

} // namespace reinspect::exec
