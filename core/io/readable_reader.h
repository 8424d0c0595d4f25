// SPDX-License-Identifier: MIT
// The frame of print_readable code: classes, their forwards, and which graph is the body of which.
// Statements are read by ForwardReader; this decides where each belongs and goes on after a bad
// one.
#pragma once

#include "core/io/forward_reader.h"

namespace reinspect
{

class ReadableReader
{
public:
    ReadableReader(ProblemList& problems, const RunControl& control)
        : m_tools(problems)
        , m_problems(problems)
        , m_control(control)
        , m_headerless(problems.source().text().find("def forward(") == std::string_view::npos)
    {}

    // At least one graph, in the order of the text; subgraphs are inside their parents.
    Result<std::vector<Graph>> graphs();

private:
    static constexpr std::size_t kDepthLimit = 100;  // classes in classes
    static constexpr std::size_t kMissingLimit = 64; // unknown names in one statement

    // A class, from its header until a line that stands no deeper.
    struct Frame
    {
        std::size_t column;
        std::string name;
        std::size_t offset;
        std::optional<ForwardReader> forward; // none before "def forward"
    };

    Result<void> line();
    Result<void> openClass();
    Result<void> openFunction();
    Result<void> bodyLine(ForwardReader& forward);
    void addMissing(ForwardReader& forward, std::string_view name, const Error& error);
    bool namesNode(std::size_t begin, std::string_view name, std::size_t end) const;
    bool isCutAt(std::size_t lineEnd) const;
    Error withDefinitionPlace(Error error, std::string_view name, std::size_t offset) const;
    void outsideLine(std::size_t offset);
    bool beginsStatement() const;
    Result<void> openBody();
    void closeFrames(std::size_t column);
    void closeFrame();
    void skipLine();
    std::size_t columnOf(std::size_t offset) const;

    ReadingTools m_tools;
    ProblemList& m_problems;
    const RunControl& m_control;
    std::vector<Frame> m_frames;
    std::vector<Graph> m_graphs;
    std::size_t m_outside = 0; // lines that belong to no forward
    std::size_t m_firstOutside = 0;
    std::optional<Error> m_headerError; // the first header that could not be read
    bool m_headerless = false;          // the text has no "def forward": a body alone
    bool m_readsAgain = false;          // a body alone, now with its inputs
    std::size_t m_bodyProblems = 0;     // those from before it
    std::vector<std::string_view> m_bodyInputs;
};

} // namespace reinspect
