// SPDX-License-Identifier: MIT
#include "core/exec/special_functions.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace reinspect::exec
{
namespace
{

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi = std::numbers::pi;
constexpr double kRoot2 = std::numbers::sqrt2;

// Even Bernoulli numbers B2, B4, ...
constexpr double kBernoulli[] = {1.0 / 6,  -1.0 / 30,     1.0 / 42, -1.0 / 30,
                                 5.0 / 66, -691.0 / 2730, 7.0 / 6,  -3617.0 / 510};

} // namespace

double digamma(double x)
{
    if (x == 0)
        return std::copysign(kInfinity, -x);
    if (x < 0)
    {
        if (x == std::floor(x))
            return kNan;
        return digamma(1 - x) - kPi / std::tan(kPi * (x - std::floor(x)));
    }
    double below = 0;
    for (; x < 10; x += 1)
        below -= 1 / x;
    double series = 0;
    const double square = 1 / (x * x);
    double power = square;
    for (int k = 0; k < 8; ++k, power *= square)
        series += kBernoulli[k] / (2 * (k + 1)) * power;
    return below + std::log(x) - 0.5 / x - series;
}

// Euler and Maclaurin: the first terms one by one, the rest by an integral and corrections.
double hurwitzZeta(double x, double q)
{
    if (x == 1)
        return kInfinity;
    if (x < 1 || std::isnan(x) || std::isnan(q))
        return kNan;
    if (q <= 0)
    {
        if (q == std::floor(q))
            return kInfinity;
        if (x != std::floor(x))
            return kNan;
    }
    double sum = 0;
    int k = 0;
    for (; k < 12 || q + k < 10; ++k)
        sum += std::pow(q + k, -x);
    const double a = q + k;
    sum += std::pow(a, 1 - x) / (x - 1) + 0.5 * std::pow(a, -x);
    double factor = x * std::pow(a, -x - 1) / 2; // of B2
    for (int i = 0; i < 8; ++i)
    {
        sum += kBernoulli[i] * factor;
        const double n = 2 * (i + 1);
        factor *= (x + n - 1) * (x + n) / ((n + 1) * (n + 2) * a * a);
    }
    return sum;
}

double polygamma(int n, double x)
{
    if (n == 0)
        return digamma(x);
    const double value = std::tgamma(n + 1.0) * hurwitzZeta(n + 1.0, x);
    return n % 2 != 0 ? value : -value;
}

// A start from a coarse formula for the tail, made exact by Halley's steps on erfc.
double inverseNormal(double p)
{
    if (p == 0 || p == 1)
        return p == 0 ? -kInfinity : kInfinity;
    if (!(p > 0 && p < 1))
        return kNan;
    const double tail = std::min(p, 1 - p);
    const double t = std::sqrt(-2 * std::log(tail));
    double x = -(t
                 - (2.515517 + t * (0.802853 + t * 0.010328))
                     / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
    for (int step = 0; step < 4; ++step)
    {
        const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * kPi);
        const double off = (0.5 * std::erfc(-x / kRoot2) - tail) / density;
        x -= off / (1 + 0.5 * x * off);
    }
    return p < 0.5 ? x : -x;
}

double inverseErf(double y)
{
    if (std::abs(y) == 1)
        return std::copysign(kInfinity, y);
    if (!(std::abs(y) < 1))
        return kNan;
    double x = inverseNormal((1 + y) / 2) / kRoot2;
    for (int step = 0; step < 2; ++step)
        x -= (std::erf(x) - y) * std::exp(x * x) * std::sqrt(kPi) / 2;
    return x;
}

double scaledErfc(double x)
{
    if (x < 25)
        return std::exp(x * x) * std::erfc(x);
    const double square = 1 / (2 * x * x);
    return (1 - square * (1 - 3 * square * (1 - 5 * square))) / (x * std::sqrt(kPi));
}

double logNormal(double x)
{
    if (x < -1)
        return std::log(scaledErfc(-x / kRoot2) / 2) - x * x / 2;
    return std::log1p(-std::erfc(x / kRoot2) / 2);
}

double scaledBesselI(int order, double x)
{
    const double size = std::abs(x);
    const double sign = order == 1 && x < 0 ? -1 : 1;
    if (size < 40) // all terms are positive
    {
        double term = order == 0 ? 1 : size / 2;
        double sum = term;
        for (int k = 1; k < 400 && term > sum * 1e-18; ++k)
        {
            term *= size * size / 4 / (static_cast<double>(k) * (k + order));
            sum += term;
        }
        return sign * sum * std::exp(-size);
    }
    double term = 1;
    double sum = 1;
    for (int k = 1; k < 20; ++k)
    {
        const double odd = 2 * k - 1;
        term *= -(4.0 * order * order - odd * odd) / (8 * size * k);
        sum += term;
    }
    return std::isnan(x) ? x : std::isinf(size) ? 0 : sign * sum / std::sqrt(2 * kPi * size);
}

double besselI(int order, double x)
{
    if (std::isinf(x))
        return order == 1 ? x : kInfinity;
    return scaledBesselI(order, x) * std::exp(std::abs(x));
}

namespace
{

// x^a exp(-x) / gamma(a)
double gammaFactor(double a, double x)
{
    return std::exp(a * std::log(x) - x - std::lgamma(a));
}

double gammaSeries(double a, double x)
{
    double term = 1 / a;
    double sum = term;
    for (int k = 1; k < 10000 && std::abs(term) > std::abs(sum) * 1e-17; ++k)
    {
        term *= x / (a + k);
        sum += term;
    }
    return sum * gammaFactor(a, x);
}

// Lentz's way through the continued fraction of the upper part.
double gammaFraction(double a, double x)
{
    constexpr double tiny = 1e-300;
    double b = x + 1 - a;
    double c = 1 / tiny;
    double d = 1 / (b == 0 ? tiny : b);
    double value = d;
    for (int k = 1; k < 10000; ++k)
    {
        const double step = -k * (k - a);
        b += 2;
        d = step * d + b;
        d = 1 / (std::abs(d) < tiny ? tiny : d);
        c = b + step / c;
        c = std::abs(c) < tiny ? tiny : c;
        value *= d * c;
        if (std::abs(d * c - 1) < 1e-16)
            break;
    }
    return value * gammaFactor(a, x);
}

} // namespace

double lowerGamma(double a, double x)
{
    if (!(a >= 0) || !(x >= 0) || (a == 0 && x == 0) || (std::isinf(a) && std::isinf(x)))
        return kNan;
    if (a == 0 || std::isinf(x))
        return 1;
    if (x == 0 || std::isinf(a))
        return 0;
    return x < a + 1 ? gammaSeries(a, x) : 1 - gammaFraction(a, x);
}

double upperGamma(double a, double x)
{
    if (x > 0 && a > 0 && !std::isinf(x) && !std::isinf(a) && x >= a + 1)
        return gammaFraction(a, x);
    return 1 - lowerGamma(a, x);
}

} // namespace reinspect::exec
