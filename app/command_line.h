// SPDX-License-Identifier: MIT
// The command line of reinspect-cli: arguments to options, and the usage texts. What an option may
// be given with is in one table, so a misplaced option is named and never ignored.
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reinspect
{

enum class Command
{
    Info,
    Explain,
    Decide,
    Apply,
    Run,
    Convert,
    Policies,
    Bench,
    Help,
    Version,
};

struct CommandLine
{
    Command command = Command::Help;
    std::vector<std::string> files = {}; // "-" is standard input
    bool json = false;
    std::optional<std::size_t> graph =
        {}; // counts from 0; nothing: every graph, or the first where only one makes sense
    std::string policy = {};              // empty: the default
    std::string against = {};             // of decide: a second policy to compare with
    std::vector<std::string> set = {};    // "overlap-test=off"
    std::vector<std::string> force = {};  // "node" or "node:argument"
    std::vector<std::string> forbid = {}; // likewise
    std::string stage = {};               // of apply
    std::string to = {};                  // of apply and convert
    std::string output = {};              // empty: standard output
    std::string inputs = {};              // the rest is for run
    std::string backend = "cpu";
    std::optional<std::int64_t> device = {}; // number of the GPU
    bool times = false;                      // of each node
    bool tf32 = false;                       // allowed, on a GPU
    bool cudaGraph = false;                  // timed as one, too
    bool againstCpu = false;                 // a run on a GPU
    std::optional<std::int64_t> repeat = {}; // further runs, for their time
    std::optional<std::uint64_t> seed = {};
    bool compare = false;
    bool bisect = false;
    bool progress = false;                        // told on stderr, for programs
    std::vector<std::string> prove = {};          // "node" or "node:argument"
    std::vector<std::string> symbols = {};        // "s0=8"
    std::optional<std::int64_t> memoryLimit = {}; // bytes
    std::optional<Command> topic = {};            // of help
};

// Without the program's name. Mistakes are BadUsage and say what is known.
Result<CommandLine> parseCommandLine(const std::vector<std::string>& arguments);

std::string usageText();                // all commands
std::string usageText(Command command); // one

} // namespace reinspect
