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
    std::string report;     // likewise the HTML report
    int width = 1600;
    int height = 1000;
    std::string theme;  // "light", "dark" or empty: as preferred
    std::string step;   // a number from 1, "start", "end", "next-decision", "next-refusal" or empty
    std::string select; // a node's name
    std::string policy; // a preset's name or empty: as preferred
    // "verdicts", "compare", "policy", "run", "timeline", "memory", "values", "captures" or empty
    std::string panel;
    std::string results; // of a run elsewhere, in place of one: a file of reinspect-cli run --json
    std::string where;   // of the run that a panel shows: "cuda", or the CPU
    std::string find;    // a query for the find bar
    std::vector<std::string> actions = {}; // ids of commands to run one after the other
    bool bench = false;                    // measure the canvas, print the rows
    bool json = false;                     // as JSON; with bench only
    bool help = false;
    bool version = false;
};

// One that makes something without a window that anybody sees.
inline bool isPictureAsked(const WindowOptions& options)
{
    return !options.screenshot.empty() || !options.report.empty();
}

// Arguments without the program's name. What is wrong is BadUsage and names the argument.
Result<WindowOptions> parseWindowOptions(const std::vector<std::string>& arguments);
std::string windowUsage();

} // namespace reinspect
