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
    {}

    // At least one graph, in the order of the text; subgraphs are inside their parents.
    Result<std::vector<Graph>> graphs();

private:
    static constexpr std::size_t kDepthLimit = 100; // classes in classes

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
    Error withDefinitionPlace(Error error) const;
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
};

} // namespace reinspect
