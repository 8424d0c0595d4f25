// SPDX-License-Identifier: MIT
// A trace with one decision of each sort, made by hand where the pass would need a long program:
// p2 is kept, missed and could go; p10 is forced, dangerous and large; s is of symbolic size.
#pragma once

#include "core/passes/reinplace_pass.h"
#include "tests/support/graph_text.h"

namespace reinspect
{

inline std::shared_ptr<const PassTrace> verdictTrace()
{
    const Graph graph = graphFrom(R"(
        def forward(self, x: "f32[16]", i: "i64[1]", v: "f32[1]", w: "f32[2]"):
            a: "f32[16]" = torch.ops.aten.cos.default(x)
            b: "f32[16]" = torch.ops.aten.sin.default(x)
            c: "f32[16]" = torch.ops.aten.tan.default(x)
            p2: "f32[16]" = torch.ops.aten.index_put.default(a, [i], v)
            p10: "f32[16]" = torch.ops.aten.index_put.default(b, [i], v)
            s: "f32[16]" = torch.ops.aten._unsafe_index_put.default(c, [i], v)
            r: "f32[16]" = torch.ops.aten.add.Tensor(a, c)
            return (p2, p10, s, r)
    )");
    auto trace = std::make_shared<PassTrace>(
        *runReinplace({.graph = std::make_shared<const Graph>(graph)}).value());
    for (Decision& decision : trace->decisions)
    {
        decision.hazards.clear();
        decision.certainty = Certainty::Certain;
        decision.safe = decision.missed = false;
    }
    Decision& kept = trace->decisions.at(0);
    kept.missed = kept.safe = true;
    Decision& forced = trace->decisions.at(1);
    forced.forced = true;
    forced.overruled = Reason::UsedLater;
    forced.bytes = SymExpr(std::int64_t{2} << 20);
    const NodeId reader = trace->result->find("r");
    forced.hazards = {{HazardKind::OldValueRead, {reader}, {}},
                      {HazardKind::NewAlias, {reader}, "sizes are not known"},
                      {HazardKind::OldValueRead, {reader}, {}}};
    Decision& symbolic = trace->decisions.at(2);
    symbolic.bytes = SymExpr(4) * SymExpr::symbol("s0");
    symbolic.certainty = Certainty::Assumed;
    symbolic.assumption = "sizes are not known";
    symbolic.reason = Reason::NotProfitable;
    return trace;
}

} // namespace reinspect
