// SPDX-License-Identifier: MIT
// One `def forward`: its parameters and statements become the nodes of one graph. A statement that
// cannot be read leaves a node with target "unreadable" that uses every node the line names, so
// that later lines find their names and no use of memory is lost.
#pragma once

#include "core/io/expression_reader.h"

#include <unordered_map>
#include <unordered_set>

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
    // The name that the last error could not find; empty for other errors.
    std::string_view unknownName() const { return m_tools.values.unknownNode(); }
    // A line is missing (or comes later): a node with target "unreadable" stands for it, so that
    // the lines that use it are kept. In a body without a header the name is an input.
    void addMissing(std::string_view name, std::size_t offset);
    // Where the part of the statement begins that failed: "a; b" has two.
    std::size_t partBegin() const { return m_partBegin; }
    // A body without "def forward": what it uses without defining it are its inputs.
    void setHeaderless() { m_headerless = true; }
    bool isHeaderless() const { return m_headerless; }
    const std::vector<std::string_view>& inputs() const { return m_inputs; }
    void addInput(std::string_view name, std::size_t offset);
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
    bool takeCutDeletion();
    Result<void> tupleAssignment(std::optional<Target> first);
    bool takeBoxing();
    bool takeProfiling();
    Result<void> readParameter(const Target& target);
    void replaceParameters(const std::vector<Target>& names);
    Result<Argument> returnedValue();
    Result<void> appendNode(const Target& target, NodeExpression expression);
    void appendOutput(Argument returned, TextSpan span);
    // The name of the node: that of the text, unless another node has it.
    std::string newName(const Token& name, NodeId id);
    TextSpan spanFrom(std::size_t begin) const;

    ReadingTools& m_tools;
    Graph m_graph;
    NameTable m_names;
    std::map<std::string_view, MetaValue>
        m_bareAnnotations;                   // "a: "f32[2]"; b: ..." of pytree forms
    std::vector<std::string_view> m_inputs;  // of a headerless body, in order of use
    std::unordered_set<std::string> m_taken; // names given instead of repeated ones
    std::unordered_map<std::string, int> m_lastNumbers;
    bool m_headerless = false;
    std::size_t m_partBegin = 0;
    std::vector<Parameter> m_parameters;     // not yet nodes: the first lines may rename them
    std::optional<NodeExpression> m_unnamed; // "x += 1;" waits for "iadd = x"
    SharedText m_sourceFile;
    SharedText m_source;
};

} // namespace reinspect
