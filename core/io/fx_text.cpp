// SPDX-License-Identifier: MIT
#include "core/io/fx_text.h"

#include "core/io/forward_reader.h"
#include "core/io/fx_line.h"
#include "core/io/fx_value_reader.h"
#include "core/io/operator_names.h"
#include "core/io/stage_marks.h"

#include <algorithm>
#include <set>

namespace reinspect
{
namespace
{

constexpr std::size_t kMissingLimit = 64; // unknown names in one line

// A graph that is being read. The names are of this graph only.
struct OpenGraph
{
    Graph graph;
    NameTable names;
    std::size_t offset = 0;
    bool headerless = false; // a fragment: may return line by line, and use what it does not define
    bool ended = false;      // by its return
    bool hasRenamed = false; // a name was used twice
    std::vector<Argument> returned;
    TextSpan returnSpan;
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
    std::string_view logicalLine(std::size_t& number) const;
    void beginGraph(std::string_view text);
    void beginFragment(std::string_view text, std::size_t number);
    void addPlaceholder(std::string_view name, NodeOp op, std::string_view target);
    std::string newName(std::string_view name, NodeId id);
    bool addMissing(std::string_view name);
    void endGraph();
    void appendOutput();
    Result<void> nodeLine(std::string_view text);
    Result<void> call(Node& node, const NodeLine& parts, FxValueReader& values);
    Result<void> returnLine(std::string_view text);
    Result<void> unreadable(std::string_view text, Error error);
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
        const std::size_t first = number;
        const std::string_view text = logicalLine(number);
        if (!m_open && isNodeLine(text))
            beginFragment(text, first);
        if (!text.empty())
            REINSPECT_CHECK(line(text));
    }
    endGraph();
    if (m_graphs.empty())
        return m_source.errorAt(std::size_t{0}, "there is no graph in this text",
                                "A graph begins with \"graph():\".");
    return std::move(m_graphs);
}

// A line and those it was wrapped into: as long as brackets are open and no other node begins.
std::string_view FxTextReader::logicalLine(std::size_t& number) const
{
    constexpr std::size_t kMostWraps = 1000;
    const std::string_view first = trimmedFxLine(m_source.line(number));
    if (!first.starts_with('%') && !first.starts_with("return "))
        return first;
    std::string_view whole = first;
    std::ptrdiff_t depth = openBrackets(first);
    for (std::size_t wraps = 0; depth > 0 && wraps < kMostWraps && number < m_source.lineCount();
         ++wraps)
    {
        const std::string_view next = trimmedFxLine(m_source.line(number + 1));
        if (next.empty() || isNodeLine(next) || next.starts_with("return")
            || next.starts_with("graph("))
            break;
        depth += openBrackets(next);
        ++number;
        whole =
            m_source.text().substr(offsetOf(first), offsetOf(next) + next.size() - offsetOf(first));
    }
    // A line that does not close in the next ones either is a broken line, not a wrapped one.
    return whole;
}

Result<void> FxTextReader::line(std::string_view text)
{
    if (text.starts_with("graph("))
    {
        endGraph();
        beginGraph(text);
        return {};
    }
    if (!m_open || m_open->ended)
        return {};
    if (text.starts_with('%'))
        return nodeLine(text);
    if (text == "return" || text.starts_with("return "))
        return returnLine(text);
    m_problems.add(offsetOf(text),
                   "this line was not understood: it is neither a node nor a return");
    return {};
}

// "graph():"; about 2021 "graph(x, y):" without placeholder lines.
void FxTextReader::beginGraph(std::string_view text)
{
    m_open.emplace();
    m_open->offset = offsetOf(text);
    std::string_view names = text.substr(
        6, std::min(text.find(')'), text.size()) - std::min<std::size_t>(6, text.size()));
    while (!names.empty())
    {
        const std::size_t end = std::min(names.find(','), names.size());
        std::string_view name = trimmedFxLine(names.substr(0, end));
        if (name.starts_with('%'))
            name.remove_prefix(1);
        name = name.substr(0, name.find_first_of(" :="));
        if (!name.empty() && !m_open->names.find(name))
            addPlaceholder(name, NodeOp::Placeholder, name);
        names.remove_prefix(std::min(end + 1, names.size()));
    }
}

// Lines without "graph():" above: what they use and do not define before are their inputs.
void FxTextReader::beginFragment(std::string_view text, std::size_t number)
{
    m_open.emplace();
    m_open->offset = offsetOf(text);
    m_open->headerless = true;
    std::set<std::string_view> defined;
    for (; number <= m_source.lineCount(); ++number)
    {
        const std::string_view line = trimmedFxLine(m_source.line(number));
        if (line.starts_with("graph("))
            break;
        const std::size_t equals = line.find(" = ");
        for (std::size_t at = line.find('%', equals == std::string_view::npos ? 0 : equals);
             at != std::string_view::npos; at = line.find('%', at + 1))
        {
            std::size_t end = at + 1;
            while (end < line.size() && isNameCharacter(line[end]))
                ++end;
            const std::string_view name = line.substr(at + 1, end - at - 1);
            if (!name.empty() && defined.insert(name).second)
                addPlaceholder(name, NodeOp::Placeholder, name);
        }
        if (isNodeLine(line))
            defined.insert(line.substr(1, line.find_first_of(" :=") - 1));
    }
}

void FxTextReader::addPlaceholder(std::string_view name, NodeOp op, std::string_view target)
{
    Node node;
    node.name = newName(name, NodeId(m_open->graph.slotCount()));
    node.op = op;
    node.target = target;
    node.meta.span = m_source.spanAt(offsetOf(name), name.size());
    m_open->graph.append(std::move(node));
}

// A graph's names are unique; from here on the text means the newer node.
std::string FxTextReader::newName(std::string_view name, NodeId id)
{
    const bool isNew = m_open->names.add(name, id);
    const NodeId first = isNew && !m_open->hasRenamed ? NodeId{} : m_open->graph.find(name);
    if (!first)
        return std::string(name);
    m_open->names.set(name, id);
    m_open->hasRenamed = true;
    const std::string unique = m_open->graph.uniqueName(name);
    m_problems.add(offsetOf(name),
                   "the name '" + std::string(name) + "' is used twice; this node is shown as '"
                       + unique + "'",
                   "The first is in line " + std::to_string(m_open->graph[first].meta.span.line)
                       + ". Names are unique in a graph.");
    return unique;
}

void FxTextReader::endGraph()
{
    if (!m_open)
        return;
    if (m_open->headerless)
        appendOutput();
    if (!m_open->graph.output())
        m_problems.add(m_open->offset, "this graph has no return",
                       "What it returns is not known; the text may be cut.");
    m_graphs.push_back(std::move(m_open->graph));
    m_open.reset();
}

// Fragments return line by line.
void FxTextReader::appendOutput()
{
    std::vector<Argument>& returned = m_open->returned;
    if (returned.empty())
        return;
    Node node;
    node.name = m_open->graph.uniqueName("output");
    node.op = NodeOp::Output;
    node.target = "output";
    node.meta.span = m_open->returnSpan;
    node.args.push_back(returned.size() == 1 ? std::move(returned.front())
                                             : Argument{TupleArgument{std::move(returned)}});
    m_open->graph.append(std::move(node));
}

Result<void> FxTextReader::nodeLine(std::string_view text)
{
    Graph& graph = m_open->graph;
    const std::optional<NodeLine> parts = splitNode(text);
    const std::optional<NodeOp> op = parts ? opOf(parts->op) : std::nullopt;
    if (!op)
        return unreadable(
            text, m_source.errorAt(offsetOf(text), "expected '%name : ... = op[target=...]'"));
    // Named in the header already.
    if (const NodeId known = m_open->names.find(parts->name); known && *op == NodeOp::Placeholder
        && graph[known].op == NodeOp::Placeholder
        && graph[known].meta.span.line == m_source.spanAt(m_open->offset).line)
        return {};
    Node node;
    node.op = *op;
    node.target = targetOf(*parts);
    node.meta.value = m_annotations.read(parts->annotation, offsetOf(text));
    node.meta.span = m_source.spanAt(offsetOf(text), text.size());
    FxValueReader values(m_open->names, m_source);
    Result<void> read = call(node, *parts, values);
    for (std::size_t missing = 0; !read && missing < kMissingLimit && !isCut(text); ++missing)
    {
        if (!addMissing(values.unknownName()))
            break;
        read = call(node, *parts, values);
    }
    if (!read)
    {
        REINSPECT_CHECK(unreadable(text, read.error()));
        if (isCut(text))
            return {};
        keepNames(node, parts->call);
    }
    restoreStrings(node);
    node.name = newName(parts->name, NodeId(graph.slotCount()));
    graph.append(std::move(node));
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

// The line that defines a name is missing, or comes later: a node stands for it.
bool FxTextReader::addMissing(std::string_view name)
{
    if (name.empty())
        return false;
    m_problems.add(m_source.spanAt(offsetOf(name), name.size()),
                   "unknown node '" + std::string(name) + "'",
                   m_problems.isFull() ? std::string() : m_open->names.nearestHint(name));
    addPlaceholder(name, NodeOp::CallFunction, kUnreadableTarget);
    return true;
}

Result<void> FxTextReader::returnLine(std::string_view text)
{
    FxValueReader values(m_open->names, m_source);
    const std::string_view returned = text.substr(std::min<std::size_t>(7, text.size()));
    const auto read = [&]() {
        return returned.empty() ? Result<Argument>(Argument{}) : values.returned(returned);
    };
    Result<Argument> value = read();
    for (std::size_t missing = 0; !value && missing < kMissingLimit && !isCut(text); ++missing)
    {
        if (!addMissing(values.unknownName()))
            break;
        value = read();
    }
    if (!value)
        return unreadable(text, value.error());
    m_open->returned.push_back(std::move(*value));
    m_open->returnSpan = m_source.spanAt(offsetOf(text), text.size());
    if (!m_open->headerless)
    {
        appendOutput();
        m_open->ended = true;
    }
    return {};
}

// Grammar that is not understood is a problem, and so is everything in a last line that the text is cut
// in.
Result<void> FxTextReader::unreadable(std::string_view text, Error error)
{
    if (isCut(text))
        m_problems.add(offsetOf(text), "the text is cut in this line, which was left out",
                       "Copy the dump again to have it all.");
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
