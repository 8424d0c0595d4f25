// SPDX-License-Identifier: MIT
#include "app/commands.h"
#include "core/io/json_text.h"
#include "core/io/stage_marks.h"

#include <algorithm>
#include <map>
#include <ostream>

namespace reinspect
{
namespace
{

struct GraphCounts
{
    std::size_t placeholders = 0;
    std::map<std::string, std::size_t> targets; // of calls
};

GraphCounts countsOf(const Graph& graph)
{
    GraphCounts counts;
    for (const NodeId id : graph.order())
    {
        const Node& node = graph[id];
        switch (node.op)
        {
        case NodeOp::Placeholder: ++counts.placeholders; break;
        case NodeOp::CallFunction:
        case NodeOp::CallMethod:
        case NodeOp::CallModule: ++counts.targets[node.target.str()]; break;
        case NodeOp::GetAttr:
        case NodeOp::Output: break;
        }
    }
    return counts;
}

// Results of calls whose metadata is not in the dump, in whole or in part.
struct InferredCounts
{
    std::size_t tensors = 0;
    std::size_t strides = 0;
    std::size_t devices = 0;
};

InferredCounts inferredIn(const Graph& graph)
{
    InferredCounts counts;
    for (const NodeId id : graph.order())
        if (const TensorMeta* meta = graph[id].meta.value.tensor())
        {
            counts.tensors += meta->isInferred ? 1u : 0u;
            counts.strides += meta->hasInferredStrides ? 1u : 0u;
            counts.devices += meta->hasInferredDevice ? 1u : 0u;
        }
    return counts;
}

void appendInferred(JsonSeparator& separator, const Graph& graph)
{
    const InferredCounts counts = inferredIn(graph);
    if (counts.tensors + counts.strides + counts.devices == 0)
        return;
    separator.key("inferred") += "{\"tensors\":" + std::to_string(counts.tensors) + ",\"strides\":"
        + std::to_string(counts.strides) + ",\"devices\":" + std::to_string(counts.devices) + "}";
}

void appendGraph(std::string& text, const DocumentGraph& entry)
{
    const Graph& graph = *entry.graph;
    const GraphCounts counts = countsOf(graph);
    text += '{';
    JsonSeparator separator(text);
    appendJsonString(separator.key("name"), graph.name);
    appendJsonString(separator.key("stage"), stageName(entry.stage));
    const GraphOrigin& origin = entry.origin;
    for (const auto& [key, value] :
         {std::pair<const char*, const std::string&>{"title", origin.title},
          {"artifact", origin.artifact},
          {"compile_id", origin.compileId},
          {"rank", origin.rank},
          {"file", origin.file}})
        if (!value.empty())
            appendJsonString(separator.key(key), value);
    if (origin.line > 0)
        separator.key("line") += std::to_string(origin.line);
    separator.key("nodes") += std::to_string(graph.size());
    separator.key("placeholders") += std::to_string(counts.placeholders);
    separator.key("outputs") += std::to_string(outputCount(graph));
    separator.key("ops") += '{';
    JsonSeparator targets(text);
    for (const auto& [target, count] : counts.targets)
        targets.key(target) += std::to_string(count);
    text += '}';
    appendInferred(separator, graph);
    if (isAfterPass(entry.stage))
    {
        const PassLeftovers left = leftByPass(graph);
        separator.key("left") += "{\"clones\":" + std::to_string(left.clones.size())
            + ",\"self_copies\":" + std::to_string(left.selfCopies.size()) + "}";
    }
    if (!stageAdvice(entry.stage).empty())
        appendJsonString(separator.key("advice"), stageAdvice(entry.stage));
    text += '}';
}

void appendProblem(std::string& text, const Problem& problem)
{
    text += '{';
    JsonSeparator separator(text);
    if (!problem.file.empty())
        appendJsonString(separator.key("file"), problem.file);
    separator.key("line") += std::to_string(problem.span.line);
    appendJsonString(separator.key("text"), problem.text);
    appendJsonString(separator.key("hint"), problem.hint);
    text += '}';
}

void appendNames(std::string& text, const std::vector<std::string>& names)
{
    text += '[';
    JsonSeparator separator(text);
    for (const std::string& name : names)
        appendJsonString(separator.next(), name);
    text += ']';
}

void appendPassLog(std::string& text, const std::vector<PassLogLine>& lines)
{
    text += '[';
    JsonSeparator items(text);
    for (const PassLogLine& line : lines)
    {
        items.next() += '{';
        JsonSeparator separator(text);
        appendJsonString(separator.key("node"), line.node);
        appendNames(separator.key("attempted"), line.attempted);
        appendNames(separator.key("unable"), line.unable);
        appendNames(separator.key("missed"), line.missed);
        if (line.missedBytes)
            separator.key("missed_bytes") += std::to_string(*line.missedBytes);
        separator.key("line") += std::to_string(line.origin.line);
        text += '}';
    }
    text += ']';
}

std::string infoJson(const Document& document, const std::vector<DocumentGraph>& graphs)
{
    std::string text = "{";
    JsonSeparator separator(text);
    appendJsonString(separator.key("file"), document.fileName());
    appendJsonString(separator.key("format"), formatName(document.format));
    appendJsonString(separator.key("wrapping"), wrappingName(document.wrapping));
    appendJsonString(separator.key("stage"), stageName(graphs.front().stage));
    separator.key("graphs") += '[';
    JsonSeparator items(text);
    for (const DocumentGraph& entry : graphs)
        appendGraph(items.next(), entry);
    text += ']';
    separator.key("problems") += '[';
    JsonSeparator problems(text);
    for (const Problem& problem : document.problems)
        appendProblem(problems.next(), problem);
    text += ']';
    if (!document.passLog.empty())
        appendPassLog(separator.key("pass_log"), document.passLog);
    return text + "}\n";
}

std::string counted(std::size_t count, const std::string& what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// The most frequent first.
std::string targetLines(const GraphCounts& counts)
{
    std::vector<std::pair<std::string, std::size_t>> sorted(counts.targets.begin(),
                                                            counts.targets.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string text;
    for (const auto& [target, count] : sorted)
    {
        const std::string number = std::to_string(count);
        text += std::string(number.size() < 8 ? 8 - number.size() : 0, ' ') + number + "  " + target
            + "\n";
    }
    return text;
}

// "Forward graph 0 [0/0] rank1 line 12: "
std::string originText(const GraphOrigin& origin)
{
    std::string text;
    for (const std::string& part :
         {origin.file, origin.title, origin.compileId.empty() ? "" : "[" + origin.compileId + "]",
          origin.rank})
        if (!part.empty())
            text += (text.empty() ? "" : " ") + part;
    return text.empty() ? text : text + ", line " + std::to_string(origin.line) + ": ";
}

std::string inferredRemark(const Graph& graph)
{
    const InferredCounts counts = inferredIn(graph);
    std::string text;
    for (const auto& [count, what] : {std::pair{counts.tensors, "tensor"},
                                      {counts.strides, "stride list"},
                                      {counts.devices, "device"}})
        if (count > 0)
            text += (text.empty() ? "" : ", ") + counted(count, what);
    return text.empty() ? text
                        : "    Inferred from the operators, not in the dump: " + text + ".\n";
}

// What a graph that is not the pass's input is good for.
std::string stageRemark(const DocumentGraph& entry)
{
    const std::string_view advice = stageAdvice(entry.stage);
    if (advice.empty())
        return {};
    std::string text = "    " + std::string(advice) + "\n";
    if (!isAfterPass(entry.stage))
        return text;
    const PassLeftovers left = leftByPass(*entry.graph);
    const std::string copies = std::to_string(left.selfCopies.size());
    return text + "    It left " + counted(left.clones.size(), "clone") + " and " + copies
        + (left.selfCopies.size() == 1 ? " copy" : " copies") + " of a buffer onto itself.\n";
}

std::string infoText(const Document& document, const std::vector<DocumentGraph>& graphs)
{
    std::string text = document.fileName() + ": " + std::string(formatName(document.format))
        + ", stage " + std::string(stageName(graphs.front().stage));
    if (document.wrapping != Wrapping::None)
        text += ", from a " + std::string(wrappingName(document.wrapping));
    text += (document.producer.empty() ? "" : ", from " + document.producer) + "\n";
    for (const DocumentGraph& entry : graphs)
    {
        text += originText(entry.origin);
        const GraphCounts counts = countsOf(*entry.graph);
        text += "graph \"" + entry.graph->name + "\" (" + std::string(stageName(entry.stage))
            + "): " + counted(entry.graph->size(), "node") + ", "
            + counted(counts.placeholders, "placeholder") + ", "
            + counted(outputCount(*entry.graph), "output") + "\n" + targetLines(counts)
            + inferredRemark(*entry.graph) + stageRemark(entry);
    }
    if (!document.problems.empty())
        text += counted(document.problems.size(), "problem") + ":\n";
    for (const Problem& problem : document.problems)
        text += problemLine(document, problem);
    return text;
}

} // namespace

Result<void> runInfo(const CommandLine& line, const Streams& streams)
{
    REINSPECT_TRY(const SharedDocument document, loadDocument(line.files.front()));
    REINSPECT_TRY(const std::vector<DocumentGraph> graphs, chosenGraphs(line, *document));
    streams.out << (line.json ? infoJson(*document, graphs) : infoText(*document, graphs));
    return {};
}

} // namespace reinspect
