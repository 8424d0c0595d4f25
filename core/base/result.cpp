// SPDX-License-Identifier: MIT
#include "core/base/result.h"

#include <algorithm>

namespace reinspect
{
namespace
{

constexpr std::size_t kExcerptWidth = 120;

// The excerpt with a caret line under it. A long line is cut to a window around the place, so that
// the caret stays on the screen.
std::string excerptWithCaret(const Error& error)
{
    const std::size_t column = error.span.column > 0 ? error.span.column - 1 : 0;
    const std::size_t begin = column > kExcerptWidth * 3 / 4 ? column - kExcerptWidth / 2 : 0;
    if (begin > error.excerpt.size())
        return {};
    std::string line = error.excerpt.substr(begin, kExcerptWidth);
    std::replace(line.begin(), line.end(), '\t', ' ');
    const std::size_t caretAt = column - begin;
    if (caretAt > line.size())
        return "    " + line + "\n";
    const std::size_t width =
        std::max<std::size_t>(1, std::min<std::size_t>(error.span.length, line.size() - caretAt));
    return "    " + line + "\n    " + std::string(caretAt, ' ') + std::string(width, '^') + "\n";
}

} // namespace

std::string toText(const Error& error)
{
    std::string text;
    if (!error.file.empty())
    {
        text += error.file;
        if (error.span.line > 0)
            text += ":" + std::to_string(error.span.line) + ":"
                + std::to_string(std::max(1u, error.span.column));
        text += ": ";
    }
    text += error.message + "\n";
    if (!error.excerpt.empty())
        text += excerptWithCaret(error);
    if (!error.hint.empty())
        text += error.hint + "\n";
    return text;
}

} // namespace reinspect
