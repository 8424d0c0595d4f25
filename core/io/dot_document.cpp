// SPDX-License-Identifier: MIT
#include "core/io/dot_document.h"

#include "core/io/annotation.h"
#include "core/io/dot_parser.h"
#include "core/io/graph_writers.h"
#include "core/io/json_document.h"
#include "core/io/operator_names.h"
#include "core/io/stage_marks.h"

#include <algorithm>

namespace reinspect
{
namespace
{

std::string_view blanksAside(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// The fields of a record label, "{name=%a|op_code=call_function\n|target=T\n|...}". The breaks at the
// end of a field (a real one, "\n", "\l") and the backslashes in front of braces are taken off.
std::map<std::string, std::string, std::less<>> labelFields(std::string_view label)
{
    std::map<std::string, std::string, std::less<>> fields;
    label = blanksAside(label);
    if (!label.starts_with('{') || !label.ends_with('}'))
        return fields;
    std::string field;
    const auto finish = [&] {
        const std::size_t equals = field.find('=');
        if (equals != std::string::npos)
            fields.emplace(blanksAside(std::string_view(field).substr(0, equals)),
                           blanksAside(std::string_view(field).substr(equals + 1)));
        field.clear();
    };
    for (std::size_t i = 1; i + 1 < label.size(); ++i)
    {
        const char c = label[i];
        if (c == '|')
            finish();
        else if (c != '\\' || i + 2 >= label.size())
            field += c;
        else if (const char escaped = label[++i];
                 escaped != 'n' && escaped != 'l' && escaped != 'r')
            field += escaped;
        else
            field += ' ';
    }
    finish();
    return fields;
}

// "torch.float32" and "(2, 3)" as print_readable would annotate them.
std::string annotationOf(const std::map<std::string, std::string, std::less<>>& fields)
{
    const auto dtype = fields.find("dtype");
    const auto shape = fields.find("shape");
    if (dtype == fields.end() || shape == fields.end() || !shape->second.starts_with('('))
        return {};
    const auto bracketed = [](std::string_view tuple) {
        std::string inside(tuple.substr(1, tuple.size() - 2));
        if (inside.ends_with(','))
            inside.pop_back();
        return "[" + inside + "]";
    };
    const std::string name = dtype->second.substr(dtype->second.find('.') + 1);
    std::string text =
        std::string(dtypeAbbreviation(dtypeFromName(name))) + bracketed(shape->second);
    const auto stride = fields.find("stride");
    if (stride != fields.end() && stride->second.starts_with('('))
        text += bracketed(stride->second);
    return text;
}

std::string firstLineOf(std::string_view label)
{
    const std::size_t end =
        std::min({label.find('\n'), label.find("\\n"), label.find("\\l"), label.size()});
    return std::string(blanksAside(label.substr(0, end)));
}

class DotReader
{
public:
    DotReader(const DotGraph& drawing, ProblemList& problems)
        : m_drawing(drawing)
        , m_problems(problems)
        , m_annotations(problems)
        , m_producers(drawing.nodes.size())
        , m_ids(drawing.nodes.size())
    {}

    Graph graph();
    bool isFx() const { return m_isFx; }

private:
    std::vector<std::size_t> order();
    Node nodeFrom(const DotNode& drawn);
    void addArguments(Node& node, std::size_t index) const;

    const DotGraph& m_drawing;
    ProblemList& m_problems;
    AnnotationReader m_annotations;
    std::vector<std::vector<std::size_t>> m_producers; // in order of the edges
    std::vector<NodeId> m_ids;
    Graph m_graph;
    bool m_isFx = false;
};

// Producers first, else the order of the text; an edge that closes a cycle is left out.
std::vector<std::size_t> DotReader::order()
{
    const std::size_t count = m_drawing.nodes.size();
    std::vector<std::size_t> ordered;
    ordered.reserve(count);
    std::vector<char> state(count, 0); // 1: on the way, 2: placed
    std::vector<std::pair<std::size_t, std::size_t>> stack;
    for (std::size_t root = 0; root < count; ++root)
    {
        if (state[root] == 0)
            stack.emplace_back(root, 0);
        while (!stack.empty())
        {
            auto& [node, at] = stack.back();
            state[node] = std::max<char>(state[node], 1);
            std::vector<std::size_t>& producers = m_producers[node];
            if (at == producers.size())
            {
                state[node] = 2;
                ordered.push_back(node);
                stack.pop_back();
            }
            else if (const std::size_t producer = producers[at]; state[producer] == 1)
            {
                m_problems.add(m_drawing.nodes[node].offset,
                               "the edge from " + quotedExcerpt(m_drawing.nodes[producer].name)
                                   + " to " + quotedExcerpt(m_drawing.nodes[node].name)
                                   + " closes a cycle and was left out");
                producers.erase(producers.begin() + static_cast<std::ptrdiff_t>(at));
            }
            else
            {
                ++at;
                if (state[producer] == 0)
                    stack.emplace_back(producer, 0);
            }
        }
    }
    return ordered;
}

Node DotReader::nodeFrom(const DotNode& drawn)
{
    Node node;
    const auto label = drawn.attributes.find("label");
    const auto fields =
        label == drawn.attributes.end() ? labelFields({}) : labelFields(label->second);
    const auto field = [&fields](std::string_view key) {
        const auto found = fields.find(key);
        return found == fields.end() ? std::string() : found->second;
    };
    std::string name = field("name");
    if (name.starts_with('%'))
        name.erase(0, 1);
    node.name = name.empty() ? drawn.name : name;
    if (node.name.empty())
        node.name = "node";
    node.meta.span = m_problems.source().spanAt(drawn.offset, drawn.name.size());
    const std::optional<NodeOp> op = nodeOpFromName(field("op_code"));
    m_isFx = m_isFx || op.has_value();
    node.op = op.value_or(NodeOp::CallFunction);
    node.target = op                      ? canonicalTarget(field("target"))
        : label == drawn.attributes.end() ? node.name
                                          : firstLineOf(label->second);
    if (node.target.empty())
        node.target = node.name;
    node.meta.value = m_annotations.read(annotationOf(fields), drawn.offset);
    // "a/b.py:3 code"
    const std::string file = field("file");
    const std::size_t blank = file.find(' ', file.find(':'));
    node.meta.sourceFile = file.substr(0, blank);
    if (blank != std::string::npos)
        node.meta.source = file.substr(blank + 1);
    return node;
}

void DotReader::addArguments(Node& node, std::size_t index) const
{
    std::vector<Argument> used;
    for (const std::size_t producer : m_producers[index])
        if (m_ids[producer])
            used.push_back({m_ids[producer]});
    if (node.op == NodeOp::Placeholder || node.op == NodeOp::GetAttr)
        return;
    if (node.op == NodeOp::Output)
        node.args = {Argument{TupleArgument{std::move(used)}}};
    else
        node.args = std::move(used);
}

Graph DotReader::graph()
{
    for (const DotEdge& edge : m_drawing.edges)
        m_producers[edge.to].push_back(edge.from);
    m_graph.name = m_drawing.name;
    bool returned = false;
    for (const std::size_t index : order())
    {
        Node node = nodeFrom(m_drawing.nodes[index]);
        addArguments(node, index);
        // A graph returns once.
        if (node.op == NodeOp::Output && std::exchange(returned, true))
            node.op = NodeOp::CallFunction;
        if (m_graph.find(node.name))
            node.name = m_graph.uniqueName(node.name);
        m_ids[index] = m_graph.append(std::move(node));
    }
    return std::move(m_graph);
}

// The capture that writeDot put in, if its nodes are still those of the drawing.
std::optional<Document> embeddedCapture(const DotGraph& drawing, const SourceText& source)
{
    const auto found = drawing.attributes.find(kDotCaptureAttribute);
    if (found == drawing.attributes.end())
        return {};
    const std::string& escaped = found->second;
    std::string json;
    json.reserve(escaped.size());
    for (std::size_t at = 0; at < escaped.size();)
    {
        // A backslash stands for what follows it; the last one has nothing to stand for.
        const std::size_t kept = at + (escaped[at] == '\\' && at + 1 < escaped.size() ? 1 : 0);
        at = std::min(escaped.find('\\', kept + 1), escaped.size());
        json.append(escaped, kept, at - kept);
    }
    Result<Document> read = readJsonDocument(
        std::make_shared<const SourceText>(source.fileName(), std::move(json)), {});
    if (!read || read->graphs.front().graph->size() != drawing.nodes.size())
        return {};
    return std::move(*read);
}

} // namespace

bool isDotText(std::string_view text)
{
    // Comments may stand first.
    bool inComment = false;
    for (std::size_t at = 0; at < text.size();)
    {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = blanksAside(text.substr(at, end - at));
        at = end + 1;
        inComment = inComment || line.starts_with("/*");
        const bool passed =
            inComment || line.empty() || line.starts_with("//") || line.starts_with('#');
        inComment = inComment && line.find("*/") == std::string_view::npos;
        if (passed)
            continue;
        const std::string_view word = line.substr(0, line.find_first_of(" \t{\""));
        const bool isGraph = word == "digraph" || word == "graph" || word == "strict";
        return isGraph && !line.starts_with("graph(")
            && (line.find('{') != std::string_view::npos
                || blanksAside(text.substr(std::min(at, text.size()))).starts_with('{'));
    }
    return false;
}

Result<Document> readDotText(std::shared_ptr<const SourceText> text, const RunControl& control)
{
    Document document;
    document.source = std::move(text);
    document.format = DocumentFormat::Dot;
    ProblemList problems(*document.source);
    const DotGraph drawing = parseDot(problems, control);
    if (control.stopRequested())
        return Error{.message = "reading was stopped"};
    if (std::optional<Document> capture = embeddedCapture(drawing, *document.source))
    {
        document.graphs = std::move(capture->graphs);
        document.graphs.front().source = std::move(capture->source);
        document.facts = std::move(capture->facts);
        document.shapes = std::move(capture->shapes);
        return document;
    }
    if (drawing.nodes.empty())
        return document.source->errorAt(std::size_t{0}, "this drawing has no nodes");
    DotReader reader(drawing, problems);
    Graph graph = reader.graph();
    problems.add(std::size_t{0},
                 reader.isFx()
                     ? "a drawing does not say at which position a node is used, so verdicts "
                       "are assumed"
                     : "this drawing is not of a PyTorch graph; it is shown as it is",
                 reader.isFx() ? "print_readable() or a capture says it." : "");
    const Stage stage = reader.isFx() ? stageFromMarks(graph) : Stage::Unknown;
    document.graphs.push_back({std::make_shared<const Graph>(std::move(graph)), stage});
    document.problems = problems.take();
    return document;
}

} // namespace reinspect
