// SPDX-License-Identifier: MIT
// Small programs whose traces the canvas tests look at.
#pragma once

#include "core/passes/reinplace_pass.h"
#include "tests/support/graph_text.h"
#include "views/canvas/graph_scene.h"

namespace reinspect
{

// v shares c's memory and is read after p, so p keeps its clone.
inline constexpr std::string_view kKept = R"(
    def forward(self, x: "f32[4]", i: "i64[1]", src: "f32[1]"):
        c: "f32[4]" = torch.ops.aten.cos.default(x)
        v: "f32[2]" = torch.ops.aten.slice.Tensor(c, 0, 0, 2)
        p: "f32[4]" = torch.ops.aten.index_put.default(c, [i], src)
        y: "f32[2]" = torch.ops.aten.add.Tensor(v, 1)
        return (p, y)
)";

// p is copied back into x, so it may write x itself, and the copy goes.
inline constexpr std::string_view kCopiedBack = R"(
    def forward(self, x: "f32[4]", i: "i64[1]", src: "f32[1]"):
        p: "f32[4]" = torch.ops.aten.index_put.default(x, [i], src)
        s: "f32[4]" = torch.ops.aten.sin.default(p)
        b: "f32[4]" = torch.ops.aten.copy_.default(x, p)
        return (s,)
)";

inline std::shared_ptr<const PassTrace> traceOf(std::string_view code)
{
    return runReinplace({.graph = std::make_shared<const Graph>(graphFrom(code))}).value();
}

inline NodeId nodeNamed(const PassTrace& trace, std::string_view name)
{
    for (std::size_t slot = 0; slot < trace.result->slotCount(); ++slot)
    {
        if (trace.nameOf(NodeId(slot)) == name)
            return NodeId(slot);
    }
    return {};
}

inline EventIndex lastEvent(const PassTrace& trace)
{
    return EventIndex(trace.events.size() - 1);
}

} // namespace reinspect
