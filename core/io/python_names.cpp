// SPDX-License-Identifier: MIT
#include "core/io/python_names.h"

#include "core/io/lexer.h"

#include <algorithm>

namespace reinspect
{

bool isPythonIdentifier(std::string_view text)
{
    return !text.empty() && isNameStart(text.front())
        && std::all_of(text.begin(), text.end(), isNameCharacter);
}

std::string attributePath(std::string base, std::string_view path)
{
    while (true)
    {
        const std::size_t dot = path.find('.');
        const std::string part(path.substr(0, dot));
        base = isPythonIdentifier(part) ? base + "." + part
                                        : "getattr(" + base + ", \"" + part + "\")";
        if (dot == std::string_view::npos)
            return base;
        path.remove_prefix(dot + 1);
    }
}

} // namespace reinspect
