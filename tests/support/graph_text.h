// SPDX-License-Identifier: MIT
// Graphs for tests from the text that a person would paste. A fixture that does not read is a
// mistake in the test, so it ends the program and shows where the text is wrong.
#pragma once

#include "core/io/document.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace reinspect
{

// The text without the indentation that all its lines share, and without the blank beginning and
// end that a raw string has.
inline std::string dedented(std::string_view text)
{
    std::size_t margin = std::string_view::npos;
    for (std::size_t at = 0; at < text.size();)
    {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        const std::size_t indentation = line.find_first_not_of(' ');
        if (indentation != std::string_view::npos)
            margin = std::min(margin, indentation);
        at = end + 1;
    }
    std::string result;
    for (std::size_t at = 0; at < text.size();)
    {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        if (at > 0 || line.find_first_not_of(' ') != std::string_view::npos)
            (result += line.substr(std::min(margin, line.size()))) += '\n';
        at = end + 1;
    }
    if (result.ends_with("\n\n"))
        result.pop_back();
    return result;
}

inline std::shared_ptr<const Document> documentFrom(std::string_view text)
{
    Result<std::shared_ptr<const Document>> document =
        loadDocument(SourceText("fixture", dedented(text)));
    if (!document)
    {
        std::fputs(toText(document.error()).c_str(), stderr);
        std::abort();
    }
    return *document;
}

// The only graph of print_readable code without oddities.
inline Graph graphFrom(std::string_view readableCode)
{
    const std::shared_ptr<const Document> document = documentFrom(readableCode);
    for (const Problem& problem : document->problems)
        std::fprintf(stderr, "fixture:%u: %s\n", problem.span.line, problem.text.c_str());
    if (!document->problems.empty() || document->graphs.size() != 1)
        std::abort();
    return *document->graphs.front().graph;
}

} // namespace reinspect
