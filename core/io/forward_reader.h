// SPDX-License-Identifier: MIT
// One `def forward`: its parameters and statements become the nodes of one graph. A statement that
// cannot be read leaves a node with target "unreadable" that uses every node the line names, so
// that later lines find their names and no use of memory is lost.
#pragma once

#include "core/io/expression_reader.h"

namespace reinspect
{

// What the readers of one text share.
struct ReadingTools
{
    explicit ReadingTools(ProblemList& problemList)
        : problems(problemList)
        , tokens(problemList.source().text())
        , annotations(problemList)
        , values(tokens, annotations, problemList)
        , expressions(tokens, values)
    {}

    ProblemList& problems;
    TokenStream tokens;
    AnnotationReader annotations;
    ValueReader values;
    ExpressionReader expressions;
};

inline constexpr std::string_view kUnreadableTarget = "unreadable";

class ForwardReader
{
public:
    ForwardReader(ReadingTools& tools, std::string name)
        : m_tools(tools)
    {
        m_graph.name = std::move(name);
    }

    // From the parenthesis behind "def forward" up to the colon.
    Result<void> header();
    // "# File: ..." holds for the statements that follow.
    void comment(std::string_view text);
    Result<void> statement();
    // The last error is about names (unknown, used twice): the text is wrong, not just hard to
    // read.
    bool lastErrorIsAboutNames() const { return m_duplicate || m_tools.values.metUnknownName(); }
    // After an error: keeps what the first line of the statement tells. `cut`: the text ends in it.
    void keepUnreadable(std::size_t begin, std::size_t end, bool cut);

    bool returned() const { return m_graph.output().isValid(); }
    Graph takeGraph();
    void addSubgraph(const std::string& name, Graph body);

private:
    struct Parameter
    {
        std::string target;
        std::string name; // differs from the target when the body begins with "name = target"
        MetaValue value;
        std::optional<Argument> defaultValue;
        TextSpan span;
    };
    // The left side of an assignment.
    struct Target
    {
        Token name;
        MetaValue value;
    };

    Result<void> parameter();
    void appendParameters();
    Result<MetaValue> annotation(bool inParameter);
    Result<void> returnStatement();
    Result<void> statementPart();
    Result<void> assignment();
    Result<void> assignedValue(const Target& target, Expression expression);
    Result<void> inPlaceOperation();
    bool takeDeletion();
    Result<void> appendNode(const Target& target, NodeExpression expression);
    void appendOutput(Argument returned, TextSpan span);
    Result<void> addName(const Token& name, NodeId id);
    TextSpan spanFrom(std::size_t begin) const;

    ReadingTools& m_tools;
    Graph m_graph;
    NameTable m_names;
    std::vector<Parameter> m_parameters;     // not yet nodes: the first lines may rename them
    std::optional<NodeExpression> m_unnamed; // "x += 1;" waits for "iadd = x"
    std::string_view m_sourceFile;
    std::string_view m_source;
    bool m_duplicate = false;
};

} // namespace reinspect
