// SPDX-License-Identifier: MIT
// One graph's text (or a few) taken out of its wrapping, with what the wrapping says about it.
#pragma once

#include "core/io/document.h"
#include "core/io/text_lines.h"

namespace reinspect
{

struct Section
{
    GraphOrigin origin;
    Stage stage = Stage::Unknown; // as the wrapping says; Unknown: look at the graph
    std::vector<TextLine> lines;
};

// "aot_graphs", "aot_forward_graph", "inductor_post_grad_graph", ...: names of log artifacts, of trace
// events and of the files that tlparse and debug folders give them.
Stage stageOfArtifact(std::string_view artifact);
// "Forward graph 0", "AFTER POST GRAD", "Joint graph 0", "__compiled_fn_1"
Stage stageOfTitle(std::string_view title);
// NAME of " ===== NAME =====" with any number of signs; empty when the line is none.
std::string_view bannerTitle(std::string_view line);
// A line that a graph begins with: a class, a forward, "graph(...)", "digraph".
bool beginsGraph(std::string_view line);
// The length of "/x/torch/fx/_lazy_graph_module.py " in front of "class"; 0 when there is none.
std::size_t gluedPathLength(std::string_view line);

} // namespace reinspect
