// SPDX-License-Identifier: MIT
#include "core/io/problem_list.h"

#include <algorithm>

namespace reinspect
{

std::string quotedExcerpt(std::string_view text)
{
    constexpr std::size_t kLongest = 60;
    if (text.size() <= kLongest)
        return "'" + std::string(text) + "'";
    std::size_t end = kLongest;
    // Not in the middle of a character.
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u)
        --end;
    return "'" + std::string(text.substr(0, end)) + "...'";
}

void ProblemList::add(std::size_t offset, std::string text, std::string hint)
{
    add(m_source.spanAt(offset), std::move(text), std::move(hint));
}

void ProblemList::add(TextSpan span, std::string text, std::string hint)
{
    if (m_problems.size() < kListed)
        m_problems.push_back({span, std::move(text), std::move(hint)});
    else
        ++m_unlisted;
}

void ProblemList::addOnce(std::size_t offset, const std::string& text, std::string hint)
{
    if (m_said.size() < kListed && m_said.insert(text).second)
        add(offset, text, std::move(hint));
}

void ProblemList::rewind(std::size_t mark)
{
    m_problems.resize(std::min(mark, m_problems.size()));
    m_said.clear();
}

std::vector<Problem> ProblemList::take()
{
    std::stable_sort(m_problems.begin(), m_problems.end(), [](const Problem& a, const Problem& b) {
        return a.span.line != b.span.line ? a.span.line < b.span.line
                                          : a.span.column < b.span.column;
    });
    if (m_unlisted > 0)
        m_problems.push_back({{}, "and " + std::to_string(m_unlisted) + " more problems", {}});
    return std::move(m_problems);
}

} // namespace reinspect
