// SPDX-License-Identifier: MIT
#include "core/io/runnable_script.h"

#include "core/io/readable_code.h"
#include "core/io/script_inputs.h"
#include "core/io/script_kernels.h"
#include "core/io/text_lines.h"

#include <algorithm>
#include <charconv>

namespace reinspect
{
namespace
{

struct Attribute
{
    std::string name;
    std::size_t offset = 0; // of its expression, in the script
    std::string className;  // "self.x = Name()": a body, or a module
};

// The classes with a forward, and what their __init__ assigns.
struct ScriptParts
{
    std::vector<TextLine> classLines;
    std::vector<std::pair<std::string, std::vector<Attribute>>> classes;
};

bool isModuleClass(std::string_view line)
{
    return line.starts_with("class ") && line.find("Module") != std::string_view::npos;
}

std::string_view nameBehind(std::string_view text, std::size_t at)
{
    const std::size_t end = text.find_first_of(" (:=,'\")", at);
    return text.substr(at, end == std::string_view::npos ? end : end - at);
}

// "self.register_buffer('name', EXPR)", "self.name = EXPR"
std::optional<Attribute> attributeOf(std::string_view line, std::size_t lineOffset)
{
    constexpr std::string_view kBuffer = "self.register_buffer('";
    constexpr std::string_view kSelf = "self.";
    if (line.starts_with(kBuffer))
    {
        const std::string_view name = nameBehind(line, kBuffer.size());
        return Attribute{std::string(name), lineOffset + kBuffer.size() + name.size(), {}};
    }
    const std::size_t equals = line.find(" = ");
    if (!line.starts_with(kSelf) || equals == std::string_view::npos)
        return {};
    const std::string_view expression = line.substr(equals + 3);
    const bool isCall = expression.ends_with("()");
    return Attribute{std::string(line.substr(kSelf.size(), equals - kSelf.size())),
                     lineOffset + equals + 3,
                     isCall ? std::string(expression.substr(0, expression.size() - 2)) : ""};
}

ScriptParts partsOf(const SourceText& text)
{
    ScriptParts parts;
    bool inClass = false;
    bool inForward = false;
    for (const TextLine& line : splitLines(text).lines)
    {
        const std::string_view trimmed = trimmedLine(line.text);
        const bool atMargin = !line.text.empty() && indentationOf(line.text) == 0;
        if (isModuleClass(line.text))
        {
            parts.classes.emplace_back(std::string(nameBehind(line.text, 6)),
                                       std::vector<Attribute>{});
            inClass = true;
            inForward = false;
        }
        else if (inClass && atMargin && !trimmed.empty() && trimmed.front() != '#'
                 && trimmed.front() != ')')
            inClass = false;
        if (!inClass)
            continue;
        if (trimmed.starts_with("def "))
            inForward = trimmed.starts_with("def forward(");
        const auto offset = static_cast<std::size_t>(trimmed.data() - text.text().data());
        if (const auto attribute = inForward ? std::nullopt : attributeOf(trimmed, offset))
            parts.classes.back().second.push_back(*attribute);
        if (inForward || isModuleClass(line.text))
            parts.classLines.push_back(line);
    }
    return parts;
}

// "s77 = 24" at the top.
void readSymbols(const SourceText& text, ShapeEnv& shapes)
{
    for (const TextLine& line : splitLines(text).lines)
    {
        if (isModuleClass(line.text))
            break;
        const std::size_t equals = line.text.find(" = ");
        if (equals == std::string_view::npos || indentationOf(line.text) != 0)
            continue;
        const std::string_view name = line.text.substr(0, equals);
        const std::string_view number = trimmedLine(line.text.substr(equals + 3));
        std::int64_t value = 0;
        const auto [end, failure] =
            std::from_chars(number.data(), number.data() + number.size(), value);
        const bool isSymbol = name.size() > 1 && (name[0] == 's' || name[0] == 'u')
            && name.find_first_not_of("0123456789", 1) == std::string_view::npos;
        if (isSymbol && failure == std::errc() && end == number.data() + number.size())
            shapes.setHint(name, value);
    }
}

// The same graph with what the script knows of its inputs.
Graph withInputs(const Graph& graph, const std::vector<ScriptInput>& inputs, ProblemList& problems)
{
    Graph known;
    known.name = graph.name;
    known.attributes = graph.attributes;
    known.subgraphs = graph.subgraphs;
    std::size_t position = 0;
    for (const NodeId id : graph.order())
    {
        Node node = graph[id];
        if (node.op == NodeOp::Placeholder)
        {
            const auto named =
                std::find_if(inputs.begin(), inputs.end(),
                             [&node](const ScriptInput& i) { return i.name == node.name; });
            if (named != inputs.end())
                node.meta.value = named->value;
            else if (position < inputs.size() && inputs[position].name.empty())
                node.meta.value = inputs[position].value;
            ++position;
        }
        known.append(std::move(node));
    }
    if (!inputs.empty() && inputs.size() != position)
        problems.add(inputs.front().span,
                     "the script gives " + std::to_string(inputs.size())
                         + " inputs, and its graph takes " + std::to_string(position));
    return known;
}

void addAttributes(Graph& graph, const std::vector<Attribute>& attributes,
                   const std::vector<DocumentGraph>& all, ProblemList& problems)
{
    for (const Attribute& attribute : attributes)
    {
        const auto body = std::find_if(all.begin(), all.end(), [&](const DocumentGraph& other) {
            return !attribute.className.empty() && other.graph->name == attribute.className;
        });
        if (body != all.end() && body->graph->name != graph.name)
            graph.subgraphs[attribute.name] = body->graph;
        else if (attribute.className == "<lambda>")
            problems.add(attribute.offset, "the body of this subgraph is not in the script",
                         "The fx_graph_readable.py beside it has it.");
        else if (const MetaValue meta = attribute.className.empty()
                     ? constantMeta(problems, attribute.offset)
                     : MetaValue{};
                 meta.isKnown())
            graph.attributes[attribute.name] = meta;
    }
}

// get_attr nodes show what __init__ made.
Graph withConstants(const Graph& graph)
{
    Graph known;
    known.name = graph.name;
    known.attributes = graph.attributes;
    known.subgraphs = graph.subgraphs;
    for (const NodeId id : graph.order())
    {
        Node node = graph[id];
        const auto constant = graph.attributes.find(node.target.str());
        if (node.op == NodeOp::GetAttr && constant != graph.attributes.end())
            node.meta.value = constant->second;
        known.append(std::move(node));
    }
    return known;
}

const std::vector<Attribute>* attributesOf(const ScriptParts& parts, const std::string& name)
{
    const auto found = std::find_if(parts.classes.begin(), parts.classes.end(),
                                    [&name](const auto& entry) { return entry.first == name; });
    return found == parts.classes.end() ? nullptr : &found->second;
}

} // namespace

bool isRunnableScript(std::string_view text)
{
    const auto holds = [text](std::string_view part) { return holdsText(text, part); };
    return holds("def forward(")
        && (holds("class Repro(") || holds("def load_args(reader)") || holds("rand_strided"));
}

Result<Document> readRunnableScript(std::shared_ptr<const SourceText> text,
                                    const RunControl& control)
{
    const ScriptParts parts = partsOf(*text);
    const std::shared_ptr<const SourceText> code =
        parts.classLines.empty() ? text : joinLines(text, parts.classLines);
    REINSPECT_TRY(Document document, readReadableCode(code, control));
    document.source = text;
    document.format = DocumentFormat::Runnable;
    ProblemList problems(*text);
    readSymbols(*text, document.shapes);
    const std::vector<ScriptInput> inputs = scriptInputs(problems);
    document.facts = scriptKernels(problems);

    // The class that is run is the last; those before it are bodies.
    const std::shared_ptr<const Graph> main = document.graphs.back().graph;
    const Stage stage = document.graphs.back().stage;
    Graph graph = withInputs(*main, inputs, problems);
    if (const std::vector<Attribute>* attributes = attributesOf(parts, graph.name))
        addAttributes(graph, *attributes, document.graphs, problems);
    graph = withConstants(graph);
    document.graphs = {{std::make_shared<const Graph>(std::move(graph)), stage}};
    if (text->text().find("ERROR: Repro will not work as intended") != std::string_view::npos)
        problems.add(text->text().find("ERROR: Repro will not work as intended"),
                     "PyTorch could not write all of this script");
    std::vector<Problem> own = problems.take();
    document.problems.insert(document.problems.end(), own.begin(), own.end());
    return document;
}

} // namespace reinspect
