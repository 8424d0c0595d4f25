// SPDX-License-Identifier: MIT
#include "core/io/fx_text.h"

#include "core/io/forward_reader.h"
#include "core/io/fx_value_reader.h"
#include "core/io/operator_names.h"
#include "core/io/stage_marks.h"

#include <algorithm>

namespace reinspect
{
namespace
{

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// The parts of a node's line, each a part of the source.
struct NodeLine
{
    std::string_view name;
    std::string_view annotation; // "f32[4][1]cuda:0" of `Tensor "..."`; empty when there is none
    std::string_view op;
    std::string_view target;
    std::string_view call; // "(args = ...)" or "(default=3)"
};

// Nothing when the line is no node. `line` begins with '%'.
std::optional<NodeLine> splitNode(std::string_view line)
{
    NodeLine parts;
    const std::size_t nameEnd = line.find_first_of(" :=");
    const std::size_t equals = line.find(" = ");
    if (nameEnd == std::string_view::npos || nameEnd < 2 || equals == std::string_view::npos)
        return {};
    parts.name = line.substr(1, nameEnd - 1);
    const std::string_view type = line.substr(nameEnd, equals - nameEnd);
    if (const std::size_t open = type.find('"'); open != std::string_view::npos)
        parts.annotation = type.substr(open + 1, type.rfind('"') - open - 1);
    std::string_view rest = line.substr(equals + 3);
    const std::size_t bracket = rest.find("[target=");
    const std::size_t end = rest.find(']', bracket);
    if (bracket == std::string_view::npos || end == std::string_view::npos)
        return {};
    parts.op = rest.substr(0, bracket);
    parts.target = rest.substr(bracket + 8, end - bracket - 8);
    parts.call = rest.substr(end + 1);
    return parts;
}

// A graph that is being read. The names are of this graph only.
struct OpenGraph
{
    Graph graph;
    NameTable names;
    std::size_t offset = 0;
};

class FxTextReader
{
public:
    FxTextReader(const SourceText& source, ProblemList& problems)
        : m_source(source)
        , m_problems(problems)
        , m_annotations(problems)
    {}

    Result<std::vector<Graph>> graphs(const RunControl& control);

private:
    Result<void> line(std::string_view text);
    void beginGraph(std::string_view text);
    void endGraph();
    Result<void> nodeLine(std::string_view text);
    Result<void> call(Node& node, const NodeLine& parts, FxValueReader& values);
    Result<void> returnLine(std::string_view text);
    Result<void> unreadable(std::string_view text, Error error, bool aboutNames);
    void keepNames(Node& node, std::string_view text) const;
    std::size_t offsetOf(std::string_view part) const
    {
        return static_cast<std::size_t>(part.data() - m_source.text().data());
    }
    bool isCut(std::string_view text) const
    {
        return offsetOf(text) + text.size() == m_source.text().size();
    }

    const SourceText& m_source;
    ProblemList& m_problems;
    AnnotationReader m_annotations;
    std::optional<OpenGraph> m_open;
    std::vector<Graph> m_graphs;
};

Result<std::vector<Graph>> FxTextReader::graphs(const RunControl& control)
{
    for (std::size_t number = 1; number <= m_source.lineCount(); ++number)
    {
        if (number % 1024 == 0 && control.stopRequested())
            return Error{.message = "reading was stopped"};
        const std::string_view text = trimmed(m_source.line(number));
        if (!text.empty())
            REINSPECT_CHECK(line(text));
    }
    endGraph();
    if (m_graphs.empty())
        return m_source.errorAt(std::size_t{0}, "there is no graph in this text",
                                "A graph begins with \"graph():\".");
    return std::move(m_graphs);
}

Result<void> FxTextReader::line(std::string_view text)
{
    if (text.starts_with("graph("))
    {
        endGraph();
        beginGraph(text);
        return {};
    }
    if (!m_open || m_open->graph.output())
        return {};
    if (text.starts_with('%'))
        return nodeLine(text);
    if (text == "return" || text.starts_with("return "))
        return returnLine(text);
    m_problems.add(offsetOf(text),
                   "this line was not understood: it is neither a node nor a return");
    return {};
}

void FxTextReader::beginGraph(std::string_view text)
{
    m_open.emplace();
    m_open->offset = offsetOf(text);
}

void FxTextReader::endGraph()
{
    if (!m_open)
        return;
    if (!m_open->graph.output())
        m_problems.add(m_open->offset, "this graph has no return",
                       "What it returns is not known; the text may be cut.");
    m_graphs.push_back(std::move(m_open->graph));
    m_open.reset();
}

Result<void> FxTextReader::nodeLine(std::string_view text)
{
    Graph& graph = m_open->graph;
    const std::optional<NodeLine> parts = splitNode(text);
    const std::optional<NodeOp> op = parts ? nodeOpFromName(parts->op) : std::nullopt;
    if (!op)
        return unreadable(
            text, m_source.errorAt(offsetOf(text), "expected '%name : ... = op[target=...]'"),
            false);
    if (const NodeId first = m_open->names.find(parts->name))
        return m_source.errorAt(
            offsetOf(parts->name), "the name '" + std::string(parts->name) + "' is used twice",
            "The first is in line " + std::to_string(graph[first].meta.span.line)
                + ". Names are unique in a graph.");
    Node node;
    node.name = parts->name;
    node.op = *op;
    const bool oldGetitem = parts->target == "<built-in function getitem>";
    node.target = oldGetitem ? "operator.getitem" : canonicalTarget(parts->target);
    node.meta.value = m_annotations.read(parts->annotation, offsetOf(text));
    node.meta.span = m_source.spanAt(offsetOf(text), text.size());
    FxValueReader values(m_open->names, m_source);
    const Result<void> read = call(node, *parts, values);
    if (!read)
    {
        REINSPECT_CHECK(unreadable(text, read.error(), values.metUnknownName()));
        if (isCut(text))
            return {};
        keepNames(node, parts->call);
    }
    m_open->names.add(parts->name, graph.append(std::move(node)));
    return {};
}

Result<void> FxTextReader::call(Node& node, const NodeLine& parts, FxValueReader& values)
{
    constexpr std::string_view kArgs = "(args = (";
    constexpr std::string_view kKwargs = "), kwargs = {";
    constexpr std::string_view kDefault = "(default=";
    const std::string_view text = parts.call;
    if (text.starts_with(kDefault) && text.ends_with(')'))
    {
        REINSPECT_TRY(
            node.args,
            values.arguments(text.substr(kDefault.size(), text.size() - kDefault.size() - 1)));
        return {};
    }
    if (text.empty() && (node.op == NodeOp::Placeholder || node.op == NodeOp::GetAttr))
        return {};
    // A string may hold anything, so the last place that looks like the border is the border.
    const std::size_t border = text.rfind(kKwargs);
    if (!text.starts_with(kArgs) || border == std::string_view::npos || border + 1 < kArgs.size()
        || !text.ends_with("})"))
        return m_source.errorAt(offsetOf(text), "expected '(args = (...), kwargs = {...})'");
    REINSPECT_TRY(
        node.args,
        values.arguments(text.substr(kArgs.size(), border - std::min(border, kArgs.size()))));
    const std::size_t named = border + kKwargs.size();
    REINSPECT_TRY(node.kwargs, values.namedArguments(text.substr(named, text.size() - 2 - named)));
    return {};
}

Result<void> FxTextReader::returnLine(std::string_view text)
{
    Graph& graph = m_open->graph;
    Node node;
    node.name = graph.uniqueName("output");
    node.op = NodeOp::Output;
    node.target = "output";
    node.meta.span = m_source.spanAt(offsetOf(text), text.size());
    FxValueReader values(m_open->names, m_source);
    const std::string_view returned = text.substr(std::min<std::size_t>(7, text.size()));
    Result<Argument> read =
        returned.empty() ? Result<Argument>(Argument{}) : values.returned(returned);
    if (!read)
        return unreadable(text, read.error(), values.metUnknownName());
    node.args.push_back(std::move(*read));
    graph.append(std::move(node));
    return {};
}

// A name that stands for nothing is an error; grammar that is not understood is a problem, and so
// is everything in a last line that the text is cut in.
Result<void> FxTextReader::unreadable(std::string_view text, Error error, bool aboutNames)
{
    if (isCut(text))
        m_problems.add(offsetOf(text), "the text is cut in this line, which was left out",
                       "Copy the dump again to have it all.");
    else if (aboutNames)
        return error;
    else
        m_problems.add(error.span, "this line was not understood: " + error.message, error.hint);
    return {};
}

// The arguments could not be read: at least no use is lost.
void FxTextReader::keepNames(Node& node, std::string_view text) const
{
    node.args.clear();
    node.kwargs.clear();
    for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1))
    {
        std::size_t end = at + 1;
        while (end < text.size() && isNameCharacter(text[end]))
            ++end;
        if (const NodeId used = m_open->names.find(text.substr(at + 1, end - at - 1)))
            node.args.push_back({used});
    }
    if (node.op == NodeOp::CallFunction)
        node.target = kUnreadableTarget;
}

} // namespace

Result<Document> readFxText(std::shared_ptr<const SourceText> text, const RunControl& control)
{
    Document document;
    document.source = std::move(text);
    document.format = DocumentFormat::IrText;
    ProblemList problems(*document.source);
    problems.add(std::size_t{0},
                 "print(graph) text has no shapes and no strides, so verdicts are assumed",
                 "print_readable() or a capture has them.");
    REINSPECT_TRY(std::vector<Graph> graphs,
                  FxTextReader(*document.source, problems).graphs(control));
    for (Graph& graph : graphs)
    {
        const Stage stage = stageFromMarks(graph);
        document.graphs.push_back({std::make_shared<const Graph>(std::move(graph)), stage});
    }
    document.problems = problems.take();
    return document;
}

} // namespace reinspect
