// SPDX-License-Identifier: MIT
#include "core/io/dot_parser.h"

#include "core/io/lexer.h"

#include <algorithm>
#include <unordered_map>

namespace reinspect
{
namespace
{

enum class DotTokenKind
{
    Id,
    Arrow, // -> or --
    Symbol,
    End,
};

struct DotToken
{
    DotTokenKind kind = DotTokenKind::End;
    std::string text;
    std::size_t offset = 0;
    bool quoted = false;

    bool is(char c) const { return kind == DotTokenKind::Symbol && text[0] == c; }
    bool isWord(std::string_view word) const
    {
        return kind == DotTokenKind::Id && !quoted && text.size() == word.size()
            && std::equal(word.begin(), word.end(), text.begin(), [](char a, char b) {
                   return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b + 32) : b);
               });
    }
};

class DotLexer
{
public:
    explicit DotLexer(std::string_view text)
        : m_text(text)
    {}

    DotToken next();

private:
    void skipBlanks();
    DotToken quotedId();
    DotToken htmlId();
    char at(std::size_t index) const { return index < m_text.size() ? m_text[index] : '\0'; }

    std::string_view m_text;
    std::size_t m_at = 0;
};

void DotLexer::skipBlanks()
{
    while (m_at < m_text.size())
    {
        const char c = m_text[m_at];
        const bool lineStart = m_at == 0 || m_text[m_at - 1] == '\n';
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
            ++m_at;
        else if ((c == '/' && at(m_at + 1) == '/') || (c == '#' && lineStart))
            m_at = nextLineStart(m_text, m_at);
        else if (c == '/' && at(m_at + 1) == '*')
            m_at = std::min(m_text.find("*/", m_at + 2), m_text.size() - 2) + 2;
        else
            return;
    }
}

// A backslash keeps its meaning for labels, except in front of a quote or a line break.
DotToken DotLexer::quotedId()
{
    DotToken token{DotTokenKind::Id, {}, m_at, true};
    ++m_at;
    while (m_at < m_text.size())
    {
        const std::size_t special = std::min(m_text.find_first_of("\"\\", m_at), m_text.size());
        token.text.append(m_text, m_at, special - m_at);
        m_at = special;
        if (at(m_at) != '\\')
            break;
        const char following = at(m_at + 1);
        if (following == '"' || following == '\n')
        {
            if (following == '"')
                token.text += '"';
            ++m_at;
        }
        else
        {
            token.text += '\\';
            if (following == '\\')
                token.text += m_text[++m_at];
        }
        ++m_at;
    }
    m_at = std::min(m_at + 1, m_text.size());
    // "a" + "b" is one string.
    const std::size_t end = m_at;
    skipBlanks();
    if (at(m_at) != '+')
    {
        m_at = end;
        return token;
    }
    ++m_at;
    skipBlanks();
    if (at(m_at) == '"')
        token.text += quotedId().text;
    return token;
}

DotToken DotLexer::htmlId()
{
    DotToken token{DotTokenKind::Id, {}, m_at, true};
    std::size_t depth = 0;
    do
    {
        depth += m_text[m_at] == '<' ? 1u : 0u;
        depth -= m_text[m_at] == '>' ? 1u : 0u;
        token.text += m_text[m_at++];
    } while (depth > 0 && m_at < m_text.size());
    return token;
}

DotToken DotLexer::next()
{
    skipBlanks();
    if (m_at >= m_text.size())
        return {DotTokenKind::End, {}, m_text.size(), false};
    const char c = m_text[m_at];
    if (c == '"')
        return quotedId();
    if (c == '<')
        return htmlId();
    if (c == '-' && (at(m_at + 1) == '>' || at(m_at + 1) == '-'))
    {
        m_at += 2;
        return {DotTokenKind::Arrow, "->", m_at - 2, false};
    }
    DotToken token{DotTokenKind::Id, {}, m_at, false};
    while (m_at < m_text.size()
           && (isNameCharacter(m_text[m_at]) || m_text[m_at] == '.'
               || (m_text[m_at] == '-' && token.text.empty())))
        token.text += m_text[m_at++];
    if (token.text.empty())
    {
        token.kind = DotTokenKind::Symbol;
        token.text = m_text[m_at++];
    }
    return token;
}

class DotParser
{
public:
    DotParser(ProblemList& problems, const RunControl& control)
        : m_problems(problems)
        , m_control(control)
        , m_lexer(problems.source().text())
        , m_token(m_lexer.next())
    {}

    DotGraph parse();

private:
    using Nodes = std::vector<std::size_t>;
    using Attributes = std::map<std::string, std::string, std::less<>>;

    DotToken take() { return std::exchange(m_token, m_lexer.next()); }
    bool takeIf(char symbol);
    void statements();
    void statement();
    bool takeDefaults();
    void assignment(const DotToken& key, std::size_t node);
    bool edges(Nodes left);
    void unexpected();
    std::optional<Nodes> operand();
    Attributes attributes();
    std::size_t nodeNamed(const DotToken& token);

    static constexpr std::size_t kDepthLimit = 100;

    ProblemList& m_problems;
    const RunControl& m_control;
    DotLexer m_lexer;
    DotToken m_token;
    DotGraph m_graph;
    std::unordered_map<std::string, std::size_t> m_byName;
    std::size_t m_depth = 0;
};

DotGraph DotParser::parse()
{
    if (m_token.isWord("strict"))
        take();
    take(); // digraph or graph
    if (m_token.kind == DotTokenKind::Id)
        m_graph.name = take().text;
    if (!takeIf('{'))
        unexpected();
    statements();
    if (!takeIf('}'))
        m_problems.add(m_token.offset, "the text ends before the graph does",
                       "Copy the drawing again to have it all.");
    return std::move(m_graph);
}

bool DotParser::takeIf(char symbol)
{
    if (!m_token.is(symbol))
        return false;
    take();
    return true;
}

void DotParser::unexpected()
{
    m_problems.add(m_token.offset, "this is not understood in a DOT statement");
    if (m_token.kind != DotTokenKind::End && !m_token.is('}'))
        take();
}

void DotParser::statements()
{
    while (m_token.kind != DotTokenKind::End && !m_token.is('}') && !m_control.stopRequested())
        if (!takeIf(';') && !takeIf(','))
            statement();
}

// "node [..]", "edge [..]", "graph [..]"
bool DotParser::takeDefaults()
{
    for (const std::string_view word : {"node", "edge", "graph"})
        if (m_token.isWord(word))
        {
            take();
            const Attributes read = attributes();
            if (word == "graph")
                m_graph.attributes.insert(read.begin(), read.end());
            return true;
        }
    return false;
}

// "rankdir=TB": the name was no node; it is taken back where nothing else mentions it.
void DotParser::assignment(const DotToken& key, std::size_t node)
{
    take();
    if (m_token.kind == DotTokenKind::Id && m_depth == 0)
        m_graph.attributes.emplace(key.text, m_token.text);
    if (node + 1 == m_graph.nodes.size() && m_graph.nodes.back().offset == key.offset)
    {
        m_byName.erase(m_graph.nodes.back().name);
        m_graph.nodes.pop_back();
    }
    if (m_token.kind == DotTokenKind::Id)
        take();
}

// "-> b -> {c d}": false when what follows an arrow is no node.
bool DotParser::edges(Nodes left)
{
    constexpr std::size_t kMostEdges = 1'000'000;
    while (m_token.kind == DotTokenKind::Arrow)
    {
        take();
        std::optional<Nodes> right = operand();
        if (!right)
            return false;
        for (const std::size_t from : left)
            for (const std::size_t to : *right)
                if (m_graph.edges.size() < kMostEdges)
                    m_graph.edges.push_back({from, to});
        left = std::move(*right);
    }
    return true;
}

// node [..], a -> b -> {c d} [..], key = value, node/edge/graph [..], subgraph name {..}
void DotParser::statement()
{
    if (takeDefaults())
        return;
    const DotToken first = m_token;
    const std::optional<Nodes> left = operand();
    if (!left)
        return unexpected();
    if (m_token.is('=') && left->size() == 1)
        return assignment(first, left->front());
    const bool isEdge = m_token.kind == DotTokenKind::Arrow;
    if (isEdge && !edges(*left))
        return unexpected();
    const Attributes read = attributes();
    if (!isEdge && left->size() == 1)
        for (const auto& [key, value] : read)
            m_graph.nodes[left->front()].attributes[key] = value;
}

// A node, or the nodes of a subgraph.
std::optional<DotParser::Nodes> DotParser::operand()
{
    if (m_token.isWord("subgraph") || m_token.is('{'))
    {
        if (m_token.isWord("subgraph"))
        {
            take();
            if (m_token.kind == DotTokenKind::Id)
                take();
        }
        if (m_depth >= kDepthLimit || !takeIf('{'))
            return {};
        const std::size_t before = m_graph.nodes.size();
        ++m_depth;
        statements();
        --m_depth;
        takeIf('}');
        Nodes nodes;
        for (std::size_t i = before; i < m_graph.nodes.size(); ++i)
            nodes.push_back(i);
        return nodes;
    }
    if (m_token.kind != DotTokenKind::Id)
        return {};
    const Nodes node{nodeNamed(take())};
    // A port: "a:p:n".
    for (int i = 0; i < 2 && takeIf(':'); ++i)
        if (m_token.kind == DotTokenKind::Id)
            take();
    return node;
}

DotParser::Attributes DotParser::attributes()
{
    Attributes read;
    while (takeIf('['))
    {
        while (m_token.kind != DotTokenKind::End && !takeIf(']'))
        {
            if (m_token.kind != DotTokenKind::Id)
            {
                take();
                continue;
            }
            const std::string key = take().text;
            std::string value = "true";
            if (takeIf('=') && m_token.kind == DotTokenKind::Id)
                value = take().text;
            read[key] = std::move(value);
        }
    }
    return read;
}

std::size_t DotParser::nodeNamed(const DotToken& token)
{
    const auto [found, isNew] = m_byName.emplace(token.text, m_graph.nodes.size());
    if (isNew)
        m_graph.nodes.push_back({token.text, {}, token.offset});
    return found->second;
}

} // namespace

DotGraph parseDot(ProblemList& problems, const RunControl& control)
{
    return DotParser(problems, control).parse();
}

} // namespace reinspect
