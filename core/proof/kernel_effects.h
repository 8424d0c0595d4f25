// SPDX-License-Identifier: MIT
// What the Triton kernel of a wrapper node reads and writes, from the TTIR beside the capture, compared with the
// tensors that the capture lists to be cloned. Reads the file of the variant that the node's metadata asks for.
#pragma once

#include "core/triton/effect_rows.h"

namespace reinspect::proof
{

struct KernelEffects
{
    NodeId node;
    std::string kernel; // "add_kernel"
    std::vector<triton::EffectRow> rows;
    std::vector<std::string> reasons; // why something of it is assumed
    std::string problem;              // why nothing is known; empty: the rows say all
    bool hasCloneList = false; // the node has tensors_to_clone, so the rows are compared with it
};

// Nothing for a node that launches no kernel.
std::optional<KernelEffects> kernelEffects(const Graph& graph, NodeId node,
                                           const CaptureFacts& facts);
// Of every node of the graph that launches one, in order.
std::vector<KernelEffects> allKernelEffects(const Graph& graph, const CaptureFacts& facts);

// "read and written, line 12 (cases.py:48). Not in tensors_to_clone: ..."
std::string effectSentence(const triton::EffectRow& row);
// Lines for people, a heading for each launch; empty when none.
std::string kernelEffectsText(const Graph& graph, const std::vector<KernelEffects>& launches);

} // namespace reinspect::proof
