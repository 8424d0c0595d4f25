// SPDX-License-Identifier: MIT
#include "core/proof/compare.h"

#include "core/exec/elements.h"
#include "core/ir/dtype_promotion.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace reinspect::proof
{
namespace
{

using exec::Sizes;
using exec::Tensor;
using exec::Value;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct ToleranceRow
{
    DType dtype;
    Tolerance cancelling; // Elementwise: its ulps alone
    Tolerance accumulated;
};

// ulps; then what relative is where sums cancel, as many ulps of the tensor's scale; then of accumulated results
constexpr ToleranceRow kTolerances[] = {
    {DType::Float64, {4, 8.9e-16}, {16, 1e-12}},   {DType::Float32, {4, 4.8e-7}, {4, 1e-5}},
    {DType::Float16, {1, 9.8e-4}, {2, 2e-3}},      {DType::BFloat16, {1, 7.9e-3}, {2, 1.6e-2}},
    {DType::Float8E4M3FN, {1, 0.125}, {1, 0.125}}, {DType::Float8E5M2, {1, 0.25}, {1, 0.25}},
    {DType::Complex64, {4, 4.8e-7}, {8, 1e-5}},    {DType::Complex128, {4, 8.9e-16}, {16, 1e-12}},
};

// The distance of two neighbouring numbers at this magnitude.
double unitInTheLastPlace(DType dtype, double magnitude)
{
    int digits = 24;
    int lowest = -126;
    switch (dtype)
    {
    case DType::Float64:
    case DType::Complex128: digits = 53, lowest = -1022; break;
    case DType::Float16: digits = 11, lowest = -14; break;
    case DType::BFloat16: digits = 8; break;
    case DType::Float8E4M3FN: digits = 4, lowest = -6; break;
    case DType::Float8E5M2: digits = 3, lowest = -14; break;
    default: break;
    }
    int exponent = lowest;
    if (magnitude > 0 && std::isfinite(magnitude))
        exponent = std::max(lowest, std::ilogb(magnitude));
    return std::ldexp(1.0, exponent - digits + 1);
}

Sizes indexOf(const Sizes& sizes, std::int64_t number)
{
    Sizes index(sizes.size(), 0);
    for (std::size_t i = sizes.size(); i-- > 0; number /= sizes[i])
        index[i] = number % sizes[i];
    return index;
}

// Real parts and imaginary parts in turns.
std::vector<double> realsOf(const Tensor& tensor, bool isComplex)
{
    if (!isComplex)
        return exec::readAll<double>(tensor);
    std::vector<double> reals;
    for (const std::complex<double>& value : exec::readAll<std::complex<double>>(tensor))
    {
        reals.push_back(value.real());
        reals.push_back(value.imag());
    }
    return reals;
}

double scaleOf(const std::vector<double>& values)
{
    double sum = 0;
    double count = 0;
    for (const double value : values)
        if (std::isfinite(value))
        {
            sum += value * value;
            ++count;
        }
    return count > 0 ? std::sqrt(sum / count) : 0;
}

void measure(Difference& difference, DType dtype, double a, double b, double scale,
             const Tolerance& tolerance)
{
    if (!std::isfinite(a) || !std::isfinite(b))
    {
        difference.maxAbsolute = difference.maxRelative = difference.maxUlps = kInfinite;
        difference.isWithin = false;
        return;
    }
    const double distance = std::abs(a - b);
    const double larger = std::max(std::abs(a), std::abs(b));
    const double ulps = distance / unitInTheLastPlace(dtype, larger);
    difference.maxAbsolute = std::max(difference.maxAbsolute, distance);
    difference.maxRelative = std::max(difference.maxRelative, larger > 0 ? distance / larger : 0);
    difference.maxUlps = std::max(difference.maxUlps, ulps);
    if (ulps > tolerance.ulps && distance > tolerance.relative * std::max(larger, scale))
        difference.isWithin = false;
}

bool sameNumber(double a, double b)
{
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

void compareWhole(Difference& difference, const Tensor& expected, const Tensor& found)
{
    const auto a = exec::readAll<std::int64_t>(expected);
    const auto b = exec::readAll<std::int64_t>(found);
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        if (a[i] == b[i])
            continue;
        if (difference.differing++ == 0)
            difference.firstIndex = indexOf(expected.sizes, static_cast<std::int64_t>(i));
        const double distance = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        const double larger =
            std::max(std::abs(static_cast<double>(a[i])), std::abs(static_cast<double>(b[i])));
        difference.maxAbsolute = std::max(difference.maxAbsolute, distance);
        difference.maxRelative = std::max(difference.maxRelative, distance / larger);
        difference.isBitwise = difference.isWithin = false;
    }
}

bool isAccumulating(std::string_view target)
{
    static constexpr std::string_view parts[] = {"sum",          "mean",
                                                 "var",          "mm",
                                                 "conv",         "norm",
                                                 "softmax",      "attention",
                                                 "cumsum",       "prod",
                                                 "std.",         "embedding_dense_backward",
                                                 "scatter_add",  "scatter_reduce",
                                                 "index_add",    "triton",
                                                 "pool",         "logsumexp",
                                                 "trace",        "index_put",
                                                 "dot",          "mv.",
                                                 "loss",         "cumprod",
                                                 "logcumsumexp", "reduce",
                                                 "upsample",     "interpolate",
                                                 "lerp"};
    return std::ranges::any_of(
        parts, [&](std::string_view part) { return target.find(part) != std::string_view::npos; });
}

bool isComputing(std::string_view target)
{
    const OpFacts* facts = findOpFacts(target);
    const std::string_view copies[] = {"aten.clone.default", "aten.copy.default",
                                       "aten.copy_.default", "aten.where.self"};
    return facts && (facts->isPointwise || facts->isForeach)
        && std::ranges::find(copies, target) == std::end(copies);
}

// "add" of "aten.add_.Tensor" and of "aten._foreach_add.List".
std::string_view packetOf(std::string_view target)
{
    target.remove_prefix(std::min(target.size(), target.find('.') + 1));
    target = target.substr(0, target.find('.'));
    if (target.starts_with("_foreach_"))
        target.remove_prefix(9);
    if (target.ends_with('_'))
        target.remove_suffix(1);
    return target;
}

// Correctly rounded everywhere: the same bits whoever computes them.
bool isRoundedAlike(std::string_view packet)
{
    static constexpr std::string_view names[] = {"add",
                                                 "sub",
                                                 "rsub",
                                                 "mul",
                                                 "div",
                                                 "neg",
                                                 "abs",
                                                 "sqrt",
                                                 "relu",
                                                 "clamp",
                                                 "minimum",
                                                 "where",
                                                 "maximum",
                                                 "clamp_min",
                                                 "clamp_max",
                                                 "reciprocal",
                                                 "floor",
                                                 "ceil",
                                                 "trunc",
                                                 "round",
                                                 "sign",
                                                 "sgn",
                                                 "fmod",
                                                 "_to_copy",
                                                 "copy",
                                                 "clone",
                                                 "fill",
                                                 "frac",
                                                 "square",
                                                 "full_like",
                                                 "convert_element_type"};
    return std::ranges::find(names, packet) != std::end(names);
}

// A small relative error of the operand stays a small one of the result.
bool keepsErrorsSmall(std::string_view packet)
{
    static constexpr std::string_view names[] = {"mul",
                                                 "div",
                                                 "neg",
                                                 "abs",
                                                 "sqrt",
                                                 "rsqrt",
                                                 "reciprocal",
                                                 "relu",
                                                 "clamp",
                                                 "clamp_min",
                                                 "where",
                                                 "minimum",
                                                 "maximum",
                                                 "tanh",
                                                 "clamp_max",
                                                 "copy",
                                                 "_to_copy",
                                                 "square",
                                                 "clone",
                                                 "sigmoid",
                                                 "erf",
                                                 "leaky_relu",
                                                 "convert_element_type"};
    return std::ranges::find(names, packet) != std::end(names);
}

// Finds the least exact operator, following which values may differ in the last place.
class ExactnessSearch
{
public:
    void look(const Graph& graph, int depth, bool areInputsRounded)
    {
        std::vector<bool> isRounded(graph.slotCount(), false);
        for (const NodeId id : graph.order())
        {
            const Node& node = graph.node(id);
            if (node.op == NodeOp::Placeholder)
                isRounded[id.index()] = areInputsRounded;
            if (node.op != NodeOp::CallFunction)
                continue;
            const bool isGivenRounded = std::ranges::any_of(
                graph.inputs(id), [&](NodeId input) { return isRounded[input.index()]; });
            isRounded[id.index()] = lookAt(node.target, isGivenRounded);
        }
        for (const auto& [name, body] : graph.subgraphs)
            if (depth < 8)
                look(*body, depth + 1, true);
    }
    Exactness worst() const { return m_worst; }

private:
    // May the result differ in the last place?
    bool lookAt(std::string_view target, bool isGivenRounded)
    {
        const std::string_view packet = packetOf(target);
        if (isAccumulating(target))
            m_worst = Exactness::Accumulated;
        else if (isComputing(target))
            m_worst =
                std::max(m_worst,
                         isGivenRounded && !keepsErrorsSmall(packet) ? Exactness::Cancelling
                                                                     : Exactness::Elementwise);
        const bool isUnknown = !findOpFacts(target) && target != "operator.getitem"
            && !target.ends_with("generalized_scatter");
        return isGivenRounded || isUnknown || isAccumulating(target)
            || (isComputing(target) && !isRoundedAlike(packet));
    }

    Exactness m_worst = Exactness::Moved;
};

} // namespace

Tolerance toleranceFor(DType dtype, Exactness exactness)
{
    for (const ToleranceRow& row : kTolerances)
        if (row.dtype == dtype)
            switch (exactness)
            {
            case Exactness::Moved: return {};
            case Exactness::Elementwise: return {row.cancelling.ulps, 0};
            case Exactness::Cancelling: return row.cancelling;
            case Exactness::Accumulated: return row.accumulated;
            }
    return {};
}

Exactness exactnessOf(const Graph& graph, const CaptureFacts& facts)
{
    ExactnessSearch search;
    search.look(graph, 0, false);
    for (const CustomOperator& custom : facts.operators)
        if (custom.body)
            search.look(*custom.body, 0, true);
    return search.worst();
}

Difference compareTensors(const Tensor& expected, const Tensor& found, const Tolerance& tolerance)
{
    Difference difference;
    if (expected.dtype != found.dtype || expected.sizes != found.sizes)
    {
        difference.mismatch = exec::tensorText(expected) + " against " + exec::tensorText(found);
        difference.isBitwise = difference.isWithin = false;
        return difference;
    }
    const exec::ComputeKind kind = exec::computeKind(expected.dtype);
    if (kind == exec::ComputeKind::Integer || kind == exec::ComputeKind::None)
    {
        compareWhole(difference, expected, found);
        return difference;
    }
    const bool isComplex = dtypeKind(expected.dtype) == DTypeKind::Complex;
    const std::vector<double> a = realsOf(expected, isComplex);
    const std::vector<double> b = realsOf(found, isComplex);
    const double scale = scaleOf(a);
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        if (sameNumber(a[i], b[i]))
            continue;
        difference.isBitwise = false;
        if (difference.differing++ == 0)
            difference.firstIndex =
                indexOf(expected.sizes, static_cast<std::int64_t>(isComplex ? i / 2 : i));
        if (a[i] != b[i]) // not 0 and -0
            measure(difference, expected.dtype, a[i], b[i], scale, tolerance);
    }
    return difference;
}

Difference compareValues(const Value& expected, const Value& found, const Tolerance& tolerance)
{
    if (expected.tensor() && found.tensor())
        return compareTensors(*expected.tensor(), *found.tensor(), tolerance);
    Difference difference;
    const auto a = expected.number();
    const auto b = found.number();
    if (a && b && sameNumber(*a, *b))
        return difference;
    if (expected.isNone() && found.isNone())
        return difference;
    difference.isBitwise = difference.isWithin = false;
    if (a && b)
        measure(difference, DType::Float64, *a, *b, 0, tolerance);
    else if (expected.value.index() != found.value.index())
        difference.mismatch = exec::kindText(expected) + " against " + exec::kindText(found);
    else
        difference.isBitwise = difference.isWithin =
            true; // a device, a text: nothing that is computed
    return difference;
}

} // namespace reinspect::proof
