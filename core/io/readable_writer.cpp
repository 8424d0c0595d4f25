// SPDX-License-Identifier: MIT
// writeReadableCode: the code generator of torch/fx/graph.py, `_gen_python_code`, in its verbose
// form.
#include "core/io/operator_names.h"
#include "core/io/python_names.h"
#include "core/io/readable_code.h"

#include <algorithm>

namespace reinspect
{
namespace
{

std::string oneLine(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return text;
}

std::string className(const std::string& name)
{
    std::string printed = oneLine(name.empty() ? "<lambda>" : name);
    std::replace_if(
        printed.begin(), printed.end(), [](char c) { return c == '(' || c == ':'; }, '_');
    return printed;
}

// Tensors, symbolic numbers and tensor subclasses have one; tuples and Python objects have none.
std::string annotation(const MetaValue& value)
{
    const MetaValue meta = asPrinted(value);
    const auto* opaque = std::get_if<OpaqueMeta>(&meta.value);
    const bool isSubclass = opaque && opaque->repr.find_first_of("\"'\n") == std::string::npos
        && opaque->repr.ends_with(')')
        && isPythonIdentifier(opaque->repr.substr(0, opaque->repr.find('(')));
    const bool isTensorLike = opaque && !isSubclass
        && opaque->repr.find_first_of("\"'{\n") == std::string::npos
        && opaque->repr.find('[') != std::string::npos;
    if (!meta.tensor() && !std::holds_alternative<SymScalarMeta>(meta.value) && !isSubclass
        && !isTensorLike)
        return {};
    return ": \"" + toText(meta) + "\"";
}

class ReadableWriter
{
public:
    ReadableWriter(const Graph& graph, std::size_t indentation)
        : m_graph(graph)
        , m_indentation(indentation, ' ')
        , m_body(indentation + 8, ' ')
    {}

    std::string write(const std::string& name)
    {
        findLastUses();
        m_text += m_indentation + "class " + className(name) + "(torch.nn.Module):\n";
        writeHeader();
        for (const NodeId id : m_graph.order())
            writeNode(id);
        if (m_graph.empty())
            m_text += m_body + "pass\n";
        for (const auto& [key, body] : m_graph.subgraphs)
            m_text += "\n" + ReadableWriter(*body, m_indentation.size() + 4).write(key);
        return std::move(m_text);
    }

private:
    void findLastUses();
    void writeHeader();
    void writeNode(NodeId id);
    void writeComment(const NodeMeta& meta);
    std::string statement(const Node& node) const;
    std::string call(const Node& node, std::size_t firstArgument) const;
    std::string functionCall(const Node& node) const;
    std::string deletions(NodeId id) const;
    std::string text(const Argument& argument) const { return toText(m_graph, argument); }

    const Graph& m_graph;
    std::string m_indentation;
    std::string m_body;
    std::string m_text;
    std::vector<std::vector<NodeId>> m_lastUses; // by user: the nodes that nothing after it needs
    const NodeMeta* m_commented = nullptr;       // whose comment holds; null: none was written
};

void ReadableWriter::findLastUses()
{
    m_lastUses.resize(m_graph.slotCount());
    std::vector<char> seen(m_graph.slotCount(), 0);
    for (NodeId user = m_graph.last(); user; user = m_graph.previous(user))
    {
        for (const NodeId used : m_graph.inputs(user))
        {
            if (seen[used.index()] == 0)
                m_lastUses[user.index()].push_back(used);
            seen[used.index()] = 1;
        }
    }
}

void ReadableWriter::writeHeader()
{
    m_text += m_indentation + "    def forward(self";
    std::string renamed;
    for (const NodeId id : m_graph.order())
    {
        const Node& node = m_graph[id];
        if (node.op != NodeOp::Placeholder)
            continue;
        m_text += ", " + node.target.str() + annotation(node.meta.value);
        if (!node.args.empty())
            m_text += " = " + text(node.args.front());
        const std::string_view stars = node.target;
        const std::string_view plain =
            stars.substr(std::min(stars.find_first_not_of('*'), stars.size()));
        if (plain != node.name)
            renamed += m_body + node.name + " = " + std::string(plain) + "\n";
    }
    m_text += "):\n" + renamed;
}

void ReadableWriter::writeNode(NodeId id)
{
    const Node& node = m_graph[id];
    if (node.op == NodeOp::Placeholder)
        return;
    if (node.op == NodeOp::Output)
    {
        m_text +=
            m_body + "return " + (node.args.empty() ? "None" : text(node.args.front())) + "\n";
        return;
    }
    writeComment(node.meta);
    m_text += m_body + statement(node) + deletions(id) + "\n";
}

// Once for all nodes in a row that come from the same line.
void ReadableWriter::writeComment(const NodeMeta& meta)
{
    const bool same = m_commented
        ? m_commented->source == meta.source && m_commented->sourceFile == meta.sourceFile
        : meta.source.empty() && meta.sourceFile.empty();
    if (same)
        return;
    const std::string separator = m_text.ends_with("):\n") ? "" : "\n";
    m_commented = &meta;
    m_text += separator + m_body;
    if (meta.source.empty() && meta.sourceFile.empty())
        m_text += "# No stacktrace found for following nodes\n";
    else if (meta.sourceFile.empty())
        m_text += "# code: " + oneLine(meta.source.str()) + "\n";
    else
        m_text += "# File: " + oneLine(meta.sourceFile.str())
            + ", code: " + oneLine(meta.source.str()) + "\n";
}

std::string ReadableWriter::statement(const Node& node) const
{
    const std::string left = node.name + annotation(node.meta.value) + " = ";
    switch (node.op)
    {
    case NodeOp::GetAttr: return left + attributePath("self", node.target);
    case NodeOp::CallModule: return left + attributePath("self", node.target) + call(node, 0);
    case NodeOp::CallMethod:
        return left + (node.args.empty() ? "" : text(node.args.front())) + "." + node.target
            + call(node, 1);
    case NodeOp::CallFunction:
    case NodeOp::Placeholder:
    case NodeOp::Output: break;
    }
    if (node.target == "operator.setitem" && node.args.size() == 3)
        return text(node.args[0]) + "[" + text(node.args[1]) + "] = " + text(node.args[2]) + ";  "
            + left + text(node.args[0]);
    const OperatorSpelling spelling = operatorSpelling(node.target);
    if (spelling.form == OperatorForm::InPlace && node.args.size() == 2)
        return text(node.args[0]) + " " + std::string(spelling.symbol) + " " + text(node.args[1])
            + ";  " + left + text(node.args[0]);
    return left + functionCall(node);
}

std::string ReadableWriter::functionCall(const Node& node) const
{
    const OperatorSpelling spelling = operatorSpelling(node.target);
    const std::size_t operands = node.kwargs.empty() ? node.args.size() : 0;
    if (operands == 2 && node.target == "operator.getitem")
        return text(node.args[0]) + "[" + text(node.args[1]) + "]";
    if (operands == 2 && spelling.form == OperatorForm::Infix && !spelling.symbol.empty())
        return text(node.args[0]) + " " + std::string(spelling.symbol) + " " + text(node.args[1]);
    if (operands == 1 && spelling.form == OperatorForm::Prefix)
        return std::string(spelling.symbol) + text(node.args[0]);
    const std::string* attribute = operands == 2 ? node.args[1].as<std::string>() : nullptr;
    if (node.target == "builtins.getattr" && attribute && isPythonIdentifier(*attribute)
        && node.args[0].node())
        return text(node.args[0]) + "." + *attribute;
    return printedTarget(node.target) + call(node, 0);
}

std::string ReadableWriter::call(const Node& node, std::size_t firstArgument) const
{
    std::string inside;
    for (std::size_t i = firstArgument; i < node.args.size(); ++i)
        inside += (inside.empty() ? "" : ", ") + text(node.args[i]);
    for (const NamedArgument& argument : node.kwargs)
        inside += (inside.empty() ? "" : ", ") + argument.name + " = " + text(argument.value);
    return "(" + inside + ")";
}

// ";  a = b = None": what nothing after this node needs, and the node itself when nobody uses it.
std::string ReadableWriter::deletions(NodeId id) const
{
    std::string chain;
    for (const NodeId used : m_lastUses[id.index()])
        chain += m_graph[used].name + " = ";
    if (m_graph.users(id).empty())
        chain += m_graph[id].name + " = ";
    return chain.empty() ? std::string() : ";  " + chain + "None";
}

} // namespace

std::string writeReadableCode(const Graph& graph)
{
    return ReadableWriter(graph, 0).write(graph.name);
}

} // namespace reinspect
