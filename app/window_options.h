// SPDX-License-Identifier: MIT
// What the window program was asked to do: its arguments as a value.
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <vector>

namespace reinspect
{

struct WindowOptions
{
    std::string file;       // empty: the opening sample
    std::string screenshot; // empty: show the window
    int width = 1600;
    int height = 1000;
    std::string theme;  // "light", "dark" or empty: as preferred
    std::string step;   // a number from 1, "start", "end", "next-decision", "next-refusal" or empty
    std::string select; // a node's name
    std::string policy; // a preset's name or empty: as preferred
    std::string panel;  // "verdicts", "compare", "policy", "run", "memory", "values",
                        // "captures" or empty
    bool bench = false; // measure the canvas, print the rows
    bool json = false;  // as JSON; with bench only
    bool help = false;
    bool version = false;
};

// Arguments without the program's name. What is wrong is BadUsage and names the argument.
Result<WindowOptions> parseWindowOptions(const std::vector<std::string>& arguments);
std::string windowUsage();

} // namespace reinspect
