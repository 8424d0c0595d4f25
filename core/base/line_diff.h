// SPDX-License-Identifier: MIT
// The difference of two texts by lines: the fewest lines removed and added (Myers, "An O(ND)
// Difference Algorithm and Its Variations"). Equal beginnings and ends cost nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reinspect
{

enum class LineSide : std::uint8_t
{
    Both,
    Before, // removed
    After,  // added
};

struct DiffLine
{
    LineSide side = LineSide::Both;
    std::uint32_t before = 0; // from 1; 0: not there
    std::uint32_t after = 0;
    std::string text;
};

// Every line of both texts. Very different long texts are answered as all removed, then all added.
std::vector<DiffLine> diffLines(std::string_view before, std::string_view after);

} // namespace reinspect
