// SPDX-License-Identifier: MIT
// Collects what was odd about a text while it is read. A badly damaged file would fill any list, so
// after a number of lines it only counts.
#pragma once

#include "core/io/document.h"

#include <set>

namespace reinspect
{

// Text of the file in a message: in quotes, and cut where it is long.
std::string quotedExcerpt(std::string_view text);

class ProblemList
{
public:
    explicit ProblemList(const SourceText& source)
        : m_source(source)
    {}

    void add(std::size_t offset, std::string text, std::string hint = {});
    void add(TextSpan span, std::string text, std::string hint = {});
    // For what may be said of many nodes, e.g. an unknown element type: the same sentence once.
    void addOnce(std::size_t offset, const std::string& text, std::string hint = {});

    // Further problems are only counted: their hints need not be looked for.
    bool isFull() const { return m_problems.size() >= kListed; }
    // What was added behind a mark is forgotten when the same text is read again.
    std::size_t mark() const { return m_problems.size(); }
    void rewind(std::size_t mark);

    const SourceText& source() const { return m_source; }
    // Sorted by place; the last line says how many more there were.
    std::vector<Problem> take();

private:
    static constexpr std::size_t kListed = 200;

    const SourceText& m_source;
    std::vector<Problem> m_problems;
    std::set<std::string> m_said;
    std::size_t m_unlisted = 0;
};

} // namespace reinspect
