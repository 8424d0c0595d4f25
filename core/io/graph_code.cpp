// SPDX-License-Identifier: MIT
#include "core/io/graph_code.h"

#include "core/io/readable_code.h"

#include <algorithm>
#include <cctype>

namespace reinspect
{
namespace
{

constexpr std::string_view kHeader = "    def forward(self";
constexpr std::string_view kBody = "        ";

// The text with a line break after each comma of forward's parameter list, but not inside brackets
// or quotes.
std::string withParametersOnLines(const std::string& code)
{
    const std::size_t header = code.find(kHeader);
    if (header == std::string::npos)
        return code;
    const std::size_t end = std::min(code.find('\n', header), code.size());
    std::string text = code.substr(0, header);
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = header; i < end; ++i)
    {
        const char c = code[i];
        text += c;
        quoted = quoted != (c == '"');
        depth += quoted ? 0 : (c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0);
        if (c != ',' || quoted || depth != 1)
            continue;
        text += '\n';
        text += kBody;
        text += "    ";
        ++i; // the space after the comma
    }
    return text + code.substr(end);
}

bool isNameLetter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string_view firstWord(std::string_view text)
{
    std::size_t length = 0;
    while (length < text.size() && isNameLetter(text[length]))
        ++length;
    return text.substr(0, length);
}

// The node that a line of the body defines. "x[0] = y;  setitem = x" defines setitem.
NodeId nodeOfStatement(const Graph& graph, std::string_view statement)
{
    const std::string_view word = firstWord(statement);
    const std::string_view rest = statement.substr(word.size());
    if (word == "return" && rest.starts_with(' '))
        return graph.output();
    if (rest.starts_with(": \"") || rest.starts_with(" = "))
        return graph.find(word);
    const std::size_t second = statement.find(";  ");
    return second == std::string_view::npos ? NodeId{}
                                            : graph.find(firstWord(statement.substr(second + 3)));
}

NodeId nodeOfParameter(const Graph& graph, std::string_view parameter)
{
    parameter.remove_prefix(std::min(parameter.find_first_not_of('*'), parameter.size()));
    return graph.find(firstWord(parameter));
}

// Lines of the outermost class only: those of subgraphs stand deeper.
NodeId nodeOfLine(const Graph& graph, std::string_view line)
{
    if (!line.starts_with(kBody))
        return {};
    const std::string_view statement = line.substr(kBody.size());
    if (statement.starts_with("    "))
        return nodeOfParameter(graph, statement.substr(4));
    return nodeOfStatement(graph, statement);
}

} // namespace

GraphCode graphCode(const Graph& graph)
{
    GraphCode code{withParametersOnLines(writeReadableCode(graph)),
                   std::vector<std::uint32_t>(graph.slotCount(), 0)};
    const std::string_view text = code.text;
    std::uint32_t number = 0;
    for (std::size_t at = 0; at < text.size();)
    {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        ++number;
        if (number > 1 && line.find("class ") == 4)
            break; // the first subgraph
        const NodeId node = nodeOfLine(graph, line);
        if (node && code.lineOf[node.index()] == 0)
            code.lineOf[node.index()] = number;
        at = end + 1;
    }
    return code;
}

} // namespace reinspect
