// SPDX-License-Identifier: MIT
#include "core/io/section.h"

#include <algorithm>
#include <array>

namespace reinspect
{
namespace
{

struct Row
{
    std::string_view part;
    Stage stage;
};

// The first part that the name holds decides.
constexpr std::array<Row, 20> kArtifacts = {{
    {"graph_code", Stage::Dynamo},
    {"dynamo_output_graph", Stage::Dynamo},
    {"compiled_autograd", Stage::Dynamo},
    {"optimize_ddp", Stage::Dynamo},
    {"pre_grad", Stage::PreGrad},
    {"before_joint_graph", Stage::BeforePass},
    {"after_joint_graph", Stage::BeforePass},
    {"aot_joint_graph", Stage::Joint},
    {"joint_graph", Stage::Joint},
    {"before_post_grad", Stage::BeforePass},
    {"post_grad", Stage::Final},
    {"aot_forward", Stage::BeforePass},
    {"aot_backward", Stage::BeforePass},
    {"aot_inference", Stage::BeforePass},
    {"aot_graphs", Stage::BeforePass},
    {"fx_graph_transformed", Stage::Final},
    {"fx_graph_readable", Stage::BeforePass},
    {"fx_graph_runnable", Stage::BeforePass},
    {"minifier", Stage::BeforePass},
    {"output_code", Stage::Fragment},
}};

constexpr std::array<Row, 9> kTitles = {{
    {"BEFORE PRE GRAD", Stage::PreGrad},
    {"AFTER PRE GRAD", Stage::PreGrad},
    {"BEFORE POST GRAD", Stage::BeforePass},
    {"AFTER POST GRAD", Stage::Final},
    {"Joint graph", Stage::Joint},
    {"Forward graph", Stage::BeforePass},
    {"Backward graph", Stage::BeforePass},
    {"Compiled autograd graph", Stage::Dynamo},
    {"__compiled_fn_", Stage::Dynamo},
}};

template<typename Rows>
Stage stageIn(const Rows& rows, std::string_view name)
{
    const auto found = std::find_if(rows.begin(), rows.end(), [name](const Row& row) {
        return name.find(row.part) != std::string_view::npos;
    });
    return found == rows.end() ? Stage::Unknown : found->stage;
}

} // namespace

Stage stageOfArtifact(std::string_view artifact)
{
    return stageIn(kArtifacts, artifact);
}

Stage stageOfTitle(std::string_view title)
{
    return stageIn(kTitles, title);
}

std::string_view bannerTitle(std::string_view line)
{
    line = trimmedLine(line);
    if (!line.starts_with("=====") || !line.ends_with("====="))
        return {};
    const std::size_t begin = line.find_first_not_of('=');
    if (begin == std::string_view::npos)
        return {};
    return trimmedLine(line.substr(begin, line.find_last_not_of('=') - begin + 1));
}

std::size_t gluedPathLength(std::string_view line)
{
    constexpr std::string_view kClass = " class ";
    const std::size_t at = findText(line, kClass);
    if (at == std::string_view::npos || at == 0)
        return 0;
    const std::string_view path = trimmedLine(line.substr(0, at));
    const bool isPath = path.starts_with("<eval_with_key>")
        || (path.ends_with(".py") && path.find_first_of("()\"'") == std::string_view::npos)
        || path.ends_with("in wrapped");
    return isPath ? at + 1 : 0;
}

bool beginsGraph(std::string_view line)
{
    const std::string_view text = trimmedLine(line);
    return text.starts_with("def forward(") || text.starts_with("graph(")
        || (text.starts_with("class ") && text.find("Module") != std::string_view::npos)
        || text.starts_with("digraph ") || gluedPathLength(text) > 0;
}

} // namespace reinspect
