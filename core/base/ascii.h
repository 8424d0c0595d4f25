// SPDX-License-Identifier: MIT
// Texts compared without regard to case, as in what a reader looks for. Letters of ASCII only; the
// bytes of all others stay.
#pragma once

#include <string>
#include <string_view>

namespace reinspect
{

inline std::string lowered(std::string_view text)
{
    std::string low(text);
    for (char& c : low)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return low;
}

} // namespace reinspect
