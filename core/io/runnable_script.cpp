// SPDX-License-Identifier: MIT
#include "core/io/runnable_script.h"

#include "core/io/readable_code.h"
#include "core/io/script_inputs.h"
#include "core/io/script_kernels.h"
#include "core/io/text_lines.h"
#include "core/ir/graph_edit.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

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
    for (std::size_t at = 1; at <= text.lineCount(); ++at)
    {
        const std::string_view line = text.line(at);
        if (isModuleClass(line))
            break;
        const std::size_t equals = line.find(" = ");
        if (equals == std::string_view::npos || indentationOf(line) != 0)
            continue;
        const std::string_view name = line.substr(0, equals);
        const std::string_view number = trimmedLine(line.substr(equals + 3));
        std::int64_t value = 0;
        const auto [end, failure] =
            std::from_chars(number.data(), number.data() + number.size(), value);
        const bool isSymbol = name.size() > 1 && (name[0] == 's' || name[0] == 'u')
            && name.find_first_not_of("0123456789", 1) == std::string_view::npos;
        if (isSymbol && failure == std::errc() && end == number.data() + number.size())
            shapes.setHint(name, value);
    }
}

void setValue(EditRecorder& edits, const Graph& graph, NodeId id, const MetaValue& value)
{
    NodeMeta meta = graph[id].meta;
    meta.value = value;
    edits.setMeta(id, std::move(meta));
}

// Inputs are named in the comments behind them, or come in the order of the placeholders.
void setInputs(Graph& graph, const std::vector<ScriptInput>& inputs, ProblemList& problems)
{
    std::unordered_map<std::string_view, const ScriptInput*> byName;
    for (const ScriptInput& input : inputs)
        byName.emplace(input.name, &input);
    EditRecorder edits(graph);
    std::size_t position = 0;
    for (const NodeId id : graph.order())
    {
        if (graph[id].op != NodeOp::Placeholder)
            continue;
        const auto named = byName.find(graph[id].name);
        if (named != byName.end())
            setValue(edits, graph, id, named->second->value);
        else if (position < inputs.size() && inputs[position].name.empty())
            setValue(edits, graph, id, inputs[position].value);
        ++position;
    }
    if (!inputs.empty() && inputs.size() != position)
        problems.add(inputs.front().span,
                     "the script gives " + std::to_string(inputs.size())
                         + " inputs, and its graph takes " + std::to_string(position));
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
void setConstants(Graph& graph)
{
    EditRecorder edits(graph);
    for (const NodeId id : graph.order())
    {
        const auto constant = graph[id].op == NodeOp::GetAttr
            ? graph.attributes.find(graph[id].target.str())
            : graph.attributes.end();
        if (constant != graph.attributes.end())
            setValue(edits, graph, id, constant->second);
    }
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
    Graph graph = *document.graphs.back().graph;
    const Stage stage = document.graphs.back().stage;
    setInputs(graph, inputs, problems);
    if (const std::vector<Attribute>* attributes = attributesOf(parts, graph.name))
        addAttributes(graph, *attributes, document.graphs, problems);
    setConstants(graph);
    document.graphs = {{std::make_shared<const Graph>(std::move(graph)), stage}};
    if (text->text().find("ERROR: Repro will not work as intended") != std::string_view::npos)
        problems.add(text->text().find("ERROR: Repro will not work as intended"),
                     "PyTorch could not write all of this script");
    std::vector<Problem> own = problems.take();
    document.problems.insert(document.problems.end(), own.begin(), own.end());
    return document;
}

} // namespace reinspect
