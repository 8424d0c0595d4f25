// SPDX-License-Identifier: MIT
// ForwardReader: parameters, and what goes into the graph.
#include "core/io/forward_reader.h"

#include <algorithm>

namespace reinspect
{

Result<void> ForwardReader::header()
{
    TokenStream& tokens = m_tools.tokens;
    m_tools.values.beginStatement();
    m_tools.values.setNames(&m_names);
    if (!tokens.takeIf("("))
        return m_tools.values.unexpected("'(' behind forward");
    if (tokens.current().isName("self"))
    {
        tokens.take();
        tokens.takeIf(",");
    }
    while (!tokens.takeIf(")"))
    {
        REINSPECT_CHECK(parameter());
        if (!tokens.takeIf(",") && !tokens.current().is(")"))
            return m_tools.values.unexpected("',' or ')'");
    }
    // The type of the result may follow: "-> torch.Tensor".
    while (!tokens.current().is(":") && !tokens.current().endsStatement())
        tokens.take();
    if (!tokens.takeIf(":"))
        return m_tools.values.unexpected("':'");
    return {};
}

Result<void> ForwardReader::parameter()
{
    TokenStream& tokens = m_tools.tokens;
    Parameter read;
    if (tokens.current().is("*") || tokens.current().is("**"))
        read.target = tokens.take().text;
    if (tokens.current().kind != TokenKind::Name)
        return m_tools.values.unexpected("a parameter");
    const Token name = tokens.take();
    read.target += name.text;
    read.name = name.text;
    if (tokens.takeIf(":"))
    {
        REINSPECT_TRY(read.value, annotation(true));
    }
    if (tokens.takeIf("="))
    {
        REINSPECT_TRY(read.defaultValue, m_tools.values.value());
    }
    read.span = m_tools.problems.source().spanAt(name.offset, name.text.size());
    const std::string unique = newName(name, NodeId(m_parameters.size()));
    if (unique != read.name)
        read.name = read.target = unique;
    m_parameters.push_back(std::move(read));
    return {};
}

void ForwardReader::appendParameters()
{
    for (Parameter& parameter : m_parameters)
    {
        Node node;
        node.name = std::move(parameter.name);
        node.op = NodeOp::Placeholder;
        node.target = std::move(parameter.target);
        if (parameter.defaultValue)
            node.args.push_back(std::move(*parameter.defaultValue));
        node.meta.value = std::move(parameter.value);
        node.meta.span = parameter.span;
        m_graph.append(std::move(node));
    }
    m_parameters.clear();
}

// Python text can use a name again; a graph cannot. From here on the text means the newer node.
std::string ForwardReader::newName(const Token& name, NodeId id)
{
    const NodeId earlier = m_names.find(name.text);
    m_names.set(name.text, id);
    std::string unique(name.text);
    if (!earlier && (m_taken.empty() || !m_taken.contains(unique)))
        return unique;
    int& number = m_lastNumbers[unique];
    do
        unique = std::string(name.text) + "_" + std::to_string(++number);
    while (m_names.find(unique) || m_taken.contains(unique));
    m_taken.insert(unique);
    std::string hint = "Names are unique in a graph.";
    if (earlier)
    {
        const std::size_t first = earlier.index();
        const TextSpan span =
            m_parameters.empty() ? m_graph[NodeId(first)].meta.span : m_parameters[first].span;
        hint = "The first is in line " + std::to_string(span.line) + ". " + hint;
    }
    m_tools.problems.add(m_tools.problems.source().spanAt(name.offset, name.text.size()),
                         "the name '" + std::string(name.text)
                             + "' is used twice; this node is shown as '" + unique + "'",
                         std::move(hint));
    return unique;
}

TextSpan ForwardReader::spanFrom(std::size_t begin) const
{
    const std::size_t end = std::max(begin + 1, m_tools.tokens.previousEnd());
    return m_tools.problems.source().spanAt(begin, end - begin);
}

Result<void> ForwardReader::appendNode(const Target& target, NodeExpression expression)
{
    appendParameters();
    Node node;
    node.name = newName(target.name, NodeId(m_graph.slotCount()));
    node.op = expression.op;
    node.target = std::move(expression.target);
    node.args = std::move(expression.args);
    node.kwargs = std::move(expression.kwargs);
    node.meta.value = target.value;
    node.meta.source = m_source;
    node.meta.sourceFile = m_sourceFile;
    node.meta.span = spanFrom(target.name.offset);
    m_graph.append(std::move(node));
    return {};
}

void ForwardReader::appendOutput(Argument returned, TextSpan span)
{
    appendParameters();
    Node node;
    node.name = m_graph.uniqueName("output");
    node.op = NodeOp::Output;
    node.target = "output";
    node.args.push_back(std::move(returned));
    node.meta.span = span;
    m_graph.append(std::move(node));
}

void ForwardReader::keepUnreadable(std::size_t begin, std::size_t end, bool cut)
{
    const std::string_view line = m_tools.tokens.text(begin, end);
    Lexer lexer(line);
    const Token first = lexer.next();
    const Token second = lexer.next();
    const bool isReturn = first.isName("return");
    const bool named = first.kind == TokenKind::Name && (second.is(":") || second.is("="));
    // A cut assignment may be half of anything, and nothing after it needs its name.
    m_unnamed.reset();
    if (!isReturn && (cut || !named || m_names.find(first.text)))
        return;
    NodeExpression expression;
    expression.target = kUnreadableTarget;
    for (Token token = second; token.kind != TokenKind::End; token = lexer.next())
    {
        // The last name of a cut text may be half of another.
        const bool complete = !cut || begin + token.end() < m_tools.tokens.text().size();
        if (const NodeId used =
                token.kind == TokenKind::Name && complete ? m_names.find(token.text) : NodeId{})
            expression.args.push_back({used});
    }
    if (isReturn)
        return appendOutput(Argument{TupleArgument{std::move(expression.args)}},
                            m_tools.problems.source().spanAt(begin, line.size()));
    const Token name{TokenKind::Name, begin + first.offset,
                     m_tools.tokens.text(begin, begin + first.text.size())};
    // Cannot fail: the name was looked up above.
    [[maybe_unused]] const Result<void> added = appendNode({name, {}}, std::move(expression));
}

// PATH:LINE in FUNC and TEXT of "# File: PATH:LINE in FUNC, code: TEXT". Newer printers put other
// remarks before "File:"; captures have only the code.
void ForwardReader::comment(std::string_view text)
{
    constexpr std::string_view kFile = "File: ";
    constexpr std::string_view kCode = ", code: ";
    text.remove_prefix(std::min(text.find_first_not_of("# "), text.size()));
    if (text.ends_with('\r'))
        text.remove_suffix(1);
    if (text.starts_with("No stacktrace found"))
        m_sourceFile = m_source = SharedText();
    if (text.starts_with(kCode.substr(2)))
    {
        m_sourceFile = SharedText();
        m_source = text.substr(kCode.size() - 2);
        return;
    }
    const std::size_t code = text.find(kCode);
    if (code == std::string_view::npos)
        return;
    // Other remarks stand in front, with a blank or a comma behind them.
    std::size_t file = text.substr(0, code).find(kFile);
    while (file != std::string_view::npos && file > 0 && text[file - 1] != ' '
           && text[file - 1] != ',')
        file = text.substr(0, code).find(kFile, file + 1);
    if (file == std::string_view::npos)
        return;
    m_sourceFile = text.substr(file + kFile.size(), code - file - kFile.size());
    m_source = text.substr(code + kCode.size());
}

Graph ForwardReader::takeGraph()
{
    appendParameters();
    return std::move(m_graph);
}

// Up to 2.1 a body was printed under the name of its class, "GraphModule", and not of the attribute:
// the bodies then belong to the attributes in their order.
void ForwardReader::addSubgraph(const std::string& name, Graph body)
{
    std::string key = name;
    const auto isFree = [this](const OpTarget& target) {
        return m_graph.subgraphs.find(target.str()) == m_graph.subgraphs.end();
    };
    bool isRead = false;
    std::string firstFree;
    for (const NodeId id : m_graph.order())
    {
        const Node& node = m_graph[id];
        if (node.op != NodeOp::GetAttr)
            continue;
        isRead = isRead || node.target == name;
        if (firstFree.empty() && isFree(node.target) && !node.meta.value.isKnown())
            firstFree = node.target.str();
    }
    const bool isClassName = name == "GraphModule" || name == "<lambda>" || name.empty();
    if (isClassName && !isRead && !firstFree.empty())
        key = firstFree;
    for (int number = 1; !isFree(key); ++number)
        key = name + "_" + std::to_string(number);
    m_graph.subgraphs[key] = std::make_shared<const Graph>(std::move(body));
}

} // namespace reinspect
