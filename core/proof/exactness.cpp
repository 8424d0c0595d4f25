// SPDX-License-Identifier: MIT
// The table of tolerances of compare.h, and which of them a graph's results are judged by.
#include "core/proof/compare.h"

#include <algorithm>

namespace reinspect::proof
{
namespace
{

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

std::string_view exactnessName(Exactness exactness)
{
    switch (exactness)
    {
    case Exactness::Moved: return "bit for bit";
    case Exactness::Elementwise: return "elementwise";
    case Exactness::Cancelling: return "elementwise, with cancellation";
    case Exactness::Accumulated: break;
    }
    return "accumulated";
}

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

} // namespace reinspect::proof
