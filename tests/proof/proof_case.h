// SPDX-License-Identifier: MIT
// Programs of a few lines, and what is proved of them.
#pragma once

#include "core/exec/elements.h"
#include "core/proof/decision_proof.h"

#include "tests/support/graph_text.h"

#include <QString>

namespace reinspect::proof
{

// y reads c after both writes would land in its memory; each of them changes y by itself.
inline constexpr std::string_view kBothHarm = R"(
    def forward(self, x: "f32[4]", i: "i64[1]", src: "f32[1]"):
        c: "f32[4]" = torch.ops.aten.cos.default(x)
        p: "f32[4]" = torch.ops.aten.index_put.default(c, [i], src)
        y: "f32[4]" = torch.ops.aten.add.Tensor(c, 1)
        d: "f32[4]" = torch.ops.aten.sin.default(x)
        q: "f32[4]" = torch.ops.aten.index_put.default(d, [i], src)
        return (p, q, y)
)";

// q overwrites p's memory, which z reads: only harmful once p is c's memory, and y reads c.
inline constexpr std::string_view kTogether = R"(
    def forward(self, x: "f32[4]", i: "i64[1]", src: "f32[1]"):
        c: "f32[4]" = torch.ops.aten.cos.default(x)
        p: "f32[4]" = torch.ops.aten.fill.Scalar(c, 0.5)
        s: "f32[4]" = torch.ops.aten.index_put.default(c, [i], src)
        q: "f32[4]" = torch.ops.aten.index_put.default(s, [i], src, True)
        y: "f32[4]" = torch.ops.aten.add.Tensor(s, 1)
        return (q, y)
)";

// The result of the write leaves the graph and becomes an alias of x.
inline constexpr std::string_view kAlias = R"(
    def forward(self, x: "f32[4]", i: "i64[1]", src: "f32[1]"):
        p: "f32[4]" = torch.ops.aten.index_put.default(x, [i], src)
        b: "f32[4]" = torch.ops.aten.copy_.default(x, p)
        return (p,)
)";

// Stand-in for a kernel that adds in no fixed order: each run gives another last digit.
inline constexpr std::string_view kNoisy = R"(
    def forward(self, x: "f32[4]", i: "i64[1]", src: "f32[1]"):
        c: "f32[4]" = torch.ops.aten.cos.default(x)
        n: "f32[4]" = torch.ops.demo.noisy.default(c)
        p: "f32[4]" = torch.ops.aten.index_put.default(c, [i], src)
        y: "f32[4]" = torch.ops.aten.add.Tensor(c, 1)
        return (n, p, y)
)";

struct Case
{
    PassInput input;
    InputSource source;

    explicit Case(std::string_view code)
    {
        const auto document = documentFrom(code);
        input = {document->graphs.front().graph, document->facts, document->shapes};
        source.memoryLimit = 1 << 24;
    }

    std::shared_ptr<const PassTrace> trace(const std::vector<std::string>& forced) const
    {
        ReinplacePolicy policy;
        for (const std::string& node : forced)
            setOverride(policy, overrideFrom(node, true));
        return runReinplace(input, policy).value();
    }
    DecisionProof prove(const std::string& node, const std::vector<std::string>& forced = {}) const
    {
        const auto made = trace(forced);
        for (std::size_t i = 0; i < made->decisions.size(); ++i)
            if (made->nameOf(made->decisions[i].node) == node)
                return proveDecision(input, *made, DecisionIndex(i), source).value();
        qFatal("no decision about %s", node.c_str());
        return {};
    }
};

// Adds a little more at each call, and says that it may.
inline void addNoisyOperator(Case& at, double step)
{
    auto calls = std::make_shared<int>(0);
    auto foreign = std::make_shared<exec::ForeignOperators>();
    at.input.facts.operators.push_back(
        {"demo.noisy.default", "demo::noisy(Tensor x) -> Tensor", nullptr});
    (*foreign)["demo.noisy.default"] = [calls, step](const exec::KernelCall& call) {
        const exec::Tensor self = *call.values[0].tensor();
        call.context->hasAtomics = true;
        const exec::Tensor result = call.result(self.dtype, self.sizes).value();
        std::vector<double> values = exec::readAll<double>(self);
        const double more = step * (++*calls % 2);
        for (double& value : values)
            value += more;
        exec::writeAll<double>(result, values);
        return Result<exec::Value>(exec::Value(result));
    };
    at.source.foreign = std::move(foreign);
}

inline exec::Tensor tensorOf(DType dtype, exec::Sizes sizes, const std::vector<double>& values)
{
    const auto tracker = std::make_shared<exec::StorageTracker>(1 << 20);
    exec::Tensor tensor{dtype, sizes, exec::contiguousStrides(sizes), 0, nullptr, false};
    tensor.storage = *tracker->allocate(tensor.count() * tensor.elementBytes(), dtype);
    exec::writeAll<double>(tensor, values);
    return tensor;
}

inline QString text(const std::string& words)
{
    return QString::fromStdString(words);
}

} // namespace reinspect::proof
