// SPDX-License-Identifier: MIT
// What the files behind explain.h share.
#pragma once

#include "core/passes/explain.h"

namespace reinspect
{

// Nodes as sentences name them.
struct Names
{
    const PassTrace& trace;

    std::string operator()(NodeId node) const
    {
        return node ? "\"" + trace.nameOf(node) + "\"" : "(no tensor)";
    }
    std::string list(const std::vector<NodeId>& nodes) const
    {
        std::string text;
        for (const NodeId node : nodes)
            text += (text.empty() ? "" : ", ") + (*this)(node);
        return text.empty() ? "(no tensor)" : text;
    }
};

std::string decidedSentence(const Names& name, const Decision& decision);

} // namespace reinspect
