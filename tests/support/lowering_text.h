// SPDX-License-Identifier: MIT
// Programs of one wrapper, and what a graph says after it was lowered, for the tests of lowering.
#pragma once

#include "core/passes/lowering.h"
#include "core/passes/reinplace_pass.h"

#include "tests/support/graph_text.h"

namespace reinspect
{

// The statements of a graph but for its inputs.
inline std::string body(const Graph& graph)
{
    std::string text;
    for (const NodeId id : graph.order())
        if (graph[id].op != NodeOp::Placeholder)
            text += toText(graph, id) + "\n";
    return text;
}

inline std::shared_ptr<const PassTrace> traceOf(const Graph& graph, const CaptureFacts& facts)
{
    return runReinplace({std::make_shared<const Graph>(graph), facts}).value();
}

inline std::string triton(std::string_view toClone)
{
    return "torch.ops.higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, "
           "constant_args_idx "
           "= 0, grid = [(1, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'src': y, 'out': x}, "
           "tensors_to_clone = ["
        + std::string(toClone) + "])";
}

// def forward(x, y) with this body; sizes as given for x.
inline Graph program(std::string_view x, std::string_view statements)
{
    return graphFrom("def forward(self, x: \"" + std::string(x) + "\", y: \"f32[8][1]cuda:0\"):\n"
                     + std::string(statements));
}

inline constexpr std::string_view kLaunch =
    "higher_order.triton_kernel_wrapper_mutation(kernel_idx = 0, constant_args_idx = 0, grid = "
    "[(1, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'src': y, 'out': ";

inline constexpr std::string_view kFunctionalV1 =
    "torch.ops.higher_order.auto_functionalized(torch.ops.demo.";
inline constexpr std::string_view kFunctionalV2 =
    "torch.ops.higher_order.auto_functionalized_v2(torch.ops.demo.";

} // namespace reinspect
