// SPDX-License-Identifier: MIT
// Special functions and families of polynomials of every element; computed in double, rounded once.
#include "core/exec/joined_rows.h"
#include "core/exec/pointwise.h"
#include "core/exec/special_functions.h"

#include <numbers>
#include <numeric>

namespace reinspect::exec
{
namespace
{

#define REINSPECT_SPECIAL(name, expression)                                                        \
    struct name                                                                                    \
    {                                                                                              \
        template<RealNumber C>                                                                     \
        static C of(C given)                                                                       \
        {                                                                                          \
            const auto x = static_cast<double>(given);                                             \
            return static_cast<C>(expression);                                                     \
        }                                                                                          \
    };
#define REINSPECT_SPECIAL_PAIR(name, expression)                                                   \
    struct name                                                                                    \
    {                                                                                              \
        template<RealNumber C>                                                                     \
        static C of(C first, C second)                                                             \
        {                                                                                          \
            const auto x = static_cast<double>(first);                                             \
            const auto y = static_cast<double>(second);                                            \
            return static_cast<C>(expression);                                                     \
        }                                                                                          \
    };
REINSPECT_SPECIAL(Digamma, digamma(x))
REINSPECT_SPECIAL(InverseErf, inverseErf(x))
REINSPECT_SPECIAL(InverseNormal, inverseNormal(x))
REINSPECT_SPECIAL(ScaledErfc, scaledErfc(x))
REINSPECT_SPECIAL(LogNormal, logNormal(x))
REINSPECT_SPECIAL(BesselI0, besselI(0, x))
REINSPECT_SPECIAL(BesselI1, besselI(1, x))
REINSPECT_SPECIAL(ScaledBesselI0, scaledBesselI(0, x))
REINSPECT_SPECIAL(ScaledBesselI1, scaledBesselI(1, x))
REINSPECT_SPECIAL(BesselJ0, ::j0(x))
REINSPECT_SPECIAL(BesselJ1, ::j1(x))
REINSPECT_SPECIAL(BesselY0, ::y0(x))
REINSPECT_SPECIAL(BesselY1, ::y1(x))
REINSPECT_SPECIAL(SphericalJ0, std::isinf(x) ? 0 : x == 0 ? 1 : std::sin(x) / x)
REINSPECT_SPECIAL(Sinc, x == 0 ? 1 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x))
REINSPECT_SPECIAL(Entropy, x > 0 ? -x * std::log(x) : x < 0 ? -HUGE_VAL : x)
REINSPECT_SPECIAL_PAIR(LowerGamma, lowerGamma(x, y))
REINSPECT_SPECIAL_PAIR(UpperGamma, upperGamma(x, y))
REINSPECT_SPECIAL_PAIR(Zeta, hurwitzZeta(x, y))
REINSPECT_SPECIAL_PAIR(XLogY, std::isnan(y) ? y : x == 0 ? 0 : x * std::log(y))
REINSPECT_SPECIAL_PAIR(XLog1PY, std::isnan(y) ? y : x == 0 ? 0 : x * std::log1p(y))

struct Angle
{
    template<RealNumber C>
    static C of(C x)
    {
        return std::isnan(x) ? x : x < C(0) ? std::numbers::pi_v<C> : C(0);
    }
};

struct LeastMultiple
{
    template<WholeNumber C>
    static C of(C a, C b)
    {
        if (a == 0 || b == 0 || a == INT64_MIN || b == INT64_MIN)
            return 0;
        return wrapped(bitsOf(std::abs(a / std::gcd(a, b))) * bitsOf(std::abs(b)));
    }
};

// Polynomials by p(k + 1) = next(k, x, p(k), p(k - 1)).
template<typename Next>
double recurrence(double x, double n, double first, Next&& next)
{
    if (n < 0 || std::isnan(x) || std::isnan(n))
        return n < 0 ? 0 : x + n;
    double before = 1;
    double now = first;
    const auto degree = static_cast<std::int64_t>(std::min(n, 1e6));
    if (degree == 0)
        return 1;
    for (std::int64_t k = 1; k < degree && !std::isnan(now); ++k)
    {
        const double after = next(static_cast<double>(k), x, now, before);
        before = now;
        now = after;
    }
    return now;
}

double chebyshev(double x, double n, double first)
{
    return recurrence(x, n, first, [](double, double at, double now, double before) {
        return 2 * at * now - before;
    });
}
double hermite(double x, double n, double factor)
{
    return recurrence(x, n, factor * x, [factor](double k, double at, double now, double before) {
        return factor * (at * now - k * before);
    });
}
double laguerre(double x, double n)
{
    return recurrence(x, n, 1 - x, [](double k, double at, double now, double before) {
        return ((2 * k + 1 - at) * now - k * before) / (k + 1);
    });
}
double legendre(double x, double n)
{
    return recurrence(x, n, x, [](double k, double at, double now, double before) {
        return ((2 * k + 1) * at * now - k * before) / (k + 1);
    });
}
REINSPECT_SPECIAL_PAIR(ChebyshevT, chebyshev(x, y, x))
REINSPECT_SPECIAL_PAIR(ChebyshevU, chebyshev(x, y, 2 * x))
REINSPECT_SPECIAL_PAIR(ChebyshevV, chebyshev(x, y, 2 * x - 1))
REINSPECT_SPECIAL_PAIR(ChebyshevW, chebyshev(x, y, 2 * x + 1))
REINSPECT_SPECIAL_PAIR(ShiftedT, chebyshev(2 * x - 1, y, 2 * x - 1))
REINSPECT_SPECIAL_PAIR(ShiftedU, chebyshev(2 * x - 1, y, 4 * x - 2))
REINSPECT_SPECIAL_PAIR(ShiftedV, chebyshev(2 * x - 1, y, 4 * x - 3))
REINSPECT_SPECIAL_PAIR(ShiftedW, chebyshev(2 * x - 1, y, 4 * x - 1))
REINSPECT_SPECIAL_PAIR(HermiteH, hermite(x, y, 2))
REINSPECT_SPECIAL_PAIR(HermiteHe, hermite(x, y, 1))
REINSPECT_SPECIAL_PAIR(Laguerre, laguerre(x, y))
REINSPECT_SPECIAL_PAIR(Legendre, legendre(x, y))

// f(double) on floats; integers count as float32.
template<typename F>
Result<Value> withNumber(const KernelCall& call, F&& f)
{
    REINSPECT_TRY(const Operands operands, operandsOf(call, {"self"}));
    const DType dtype = computedDType(ResultRule::Floating, operands.promoted);
    return mapFloating<1>(call, operands, dtype, [&]<typename C>(C x) -> C {
        return static_cast<C>(f(static_cast<double>(x)));
    });
}

Result<Value> polygammaOf(const KernelCall& call)
{
    REINSPECT_TRY(const std::int64_t n, call.integer("n"));
    if (n < 0 || n > 150)
        return call.error("no polygamma function of order " + std::to_string(n));
    return withNumber(call, [n](double x) { return polygamma(static_cast<int>(n), x); });
}

Result<Value> multivariateGamma(const KernelCall& call)
{
    REINSPECT_TRY(const std::int64_t p, call.integer("p"));
    if (p < 1)
        return call.error("p must be positive");
    return withNumber(call, [p](double x) {
        const auto order = static_cast<double>(p);
        double sum = order * (order - 1) / 4 * std::log(std::numbers::pi);
        for (std::int64_t j = 0; j < p; ++j)
            sum += std::lgamma(x - static_cast<double>(j) / 2);
        return sum;
    });
}

Result<Value> logit(const KernelCall& call)
{
    const double eps = call.optionalNumber("eps").value_or(-1);
    return withNumber(call, [eps](double x) {
        if (eps >= 0)
            x = x < eps ? eps : x > 1 - eps ? 1 - eps : x;
        return std::log(x / (1 - x));
    });
}

Result<Value> logitBackward(const KernelCall& call)
{
    REINSPECT_TRY(const Operands operands, operandsOf(call, {"grad_output", "self"}));
    const auto eps = call.optionalNumber("eps");
    return mapFloating<2>(call, operands, operands.promoted, [&]<typename C>(C grad, C x) -> C {
        const double at = static_cast<double>(x);
        const double low = eps.value_or(0);
        if (at < low || at > 1 - low)
            return eps ? C(0) : std::numeric_limits<C>::quiet_NaN();
        return static_cast<C>(static_cast<double>(grad) / (at * (1 - at)));
    });
}

// Always in float64.
Result<Value> floatPower(const KernelCall& call)
{
    REINSPECT_TRY(Operands operands, operandsOf(call, {"self", "exponent"}));
    if (isComplex(operands.promoted))
        return call.unsupported("not for complex numbers");
    return mapFloating<2>(call, operands, DType::Float64,
                          [](auto x, auto y) { return std::pow(x, y); });
}

constexpr ResultRule same = ResultRule::Same;
constexpr ResultRule floating = ResultRule::Floating;

#define REINSPECT_SCALAR_FORMS(name, function, first, second)                                      \
    {"aten." name ".default", function}, {"aten." name "." first, function},                       \
    {                                                                                              \
        "aten." name "." second, function                                                          \
    }
#define REINSPECT_POLYNOMIAL(name, function)                                                       \
    REINSPECT_SCALAR_FORMS("special_" name, (binary<function, floating>), "x_scalar", "n_scalar")

const KernelRow table[] = {
    {"aten.digamma.default", unary<Digamma, floating>},
    {"aten.erfinv.default", unary<InverseErf, floating>},
    {"aten.special_ndtri.default", unary<InverseNormal, floating>},
    {"aten.special_erfcx.default", unary<ScaledErfc, floating>},
    {"aten.special_log_ndtr.default", unary<LogNormal, floating>},
    {"aten.i0.default", unary<BesselI0, floating>},
    {"aten.special_modified_bessel_i0.default", unary<BesselI0, floating>},
    {"aten.special_modified_bessel_i1.default", unary<BesselI1, floating>},
    {"aten.special_i1.default", unary<BesselI1, floating>},
    {"aten.special_i0e.default", unary<ScaledBesselI0, floating>},
    {"aten.special_i1e.default", unary<ScaledBesselI1, floating>},
    {"aten.special_bessel_j0.default", unary<BesselJ0, floating>},
    {"aten.special_bessel_j1.default", unary<BesselJ1, floating>},
    {"aten.special_bessel_y0.default", unary<BesselY0, floating>},
    {"aten.special_bessel_y1.default", unary<BesselY1, floating>},
    {"aten.special_spherical_bessel_j0.default", unary<SphericalJ0, floating>},
    {"aten.sinc.default", unary<Sinc, floating>},
    {"aten.special_entr.default", unary<Entropy, floating>},
    {"aten.angle.default", unary<Angle, floating>},
    {"prims.digamma.default", unary<Digamma, floating>},
    {"aten.igamma.default", binary<LowerGamma, floating>},
    {"prims.igamma.default", binary<LowerGamma, floating>},
    {"aten.igammac.default", binary<UpperGamma, floating>},
    {"prims.igammac.default", binary<UpperGamma, floating>},
    REINSPECT_SCALAR_FORMS("special_zeta", (binary<Zeta, floating>), "self_scalar", "other_scalar"),
    REINSPECT_SCALAR_FORMS("special_xlog1py", (binary<XLog1PY, floating>), "self_scalar",
                           "other_scalar"),
    {"aten.xlogy.Scalar_Self", binary<XLogY, floating>},
    {"aten.lcm.default", binary<LeastMultiple, same>},
    REINSPECT_POLYNOMIAL("chebyshev_polynomial_t", ChebyshevT),
    REINSPECT_POLYNOMIAL("chebyshev_polynomial_u", ChebyshevU),
    REINSPECT_POLYNOMIAL("chebyshev_polynomial_v", ChebyshevV),
    REINSPECT_POLYNOMIAL("chebyshev_polynomial_w", ChebyshevW),
    REINSPECT_POLYNOMIAL("shifted_chebyshev_polynomial_t", ShiftedT),
    REINSPECT_POLYNOMIAL("shifted_chebyshev_polynomial_u", ShiftedU),
    REINSPECT_POLYNOMIAL("shifted_chebyshev_polynomial_v", ShiftedV),
    REINSPECT_POLYNOMIAL("shifted_chebyshev_polynomial_w", ShiftedW),
    REINSPECT_POLYNOMIAL("hermite_polynomial_h", HermiteH),
    REINSPECT_POLYNOMIAL("hermite_polynomial_he", HermiteHe),
    REINSPECT_POLYNOMIAL("laguerre_polynomial_l", Laguerre),
    REINSPECT_POLYNOMIAL("legendre_polynomial_p", Legendre),
    {"aten.polygamma.default", polygammaOf},
    {"aten.mvlgamma.default", multivariateGamma},
    {"aten.logit.default", logit},
    {"aten.logit_backward.default", logitBackward},
    {"aten.float_power.Tensor_Tensor", floatPower},
    {"aten.float_power.Tensor_Scalar", floatPower},
    {"aten.float_power.Scalar", floatPower},
};

} // namespace

std::span<const KernelRow> specialKernels()
{
    static const std::vector<KernelRow> rows =
        joinedRows({table, fourierRows(), splitNumberRows()});
    return rows;
}

} // namespace reinspect::exec
