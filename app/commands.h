// SPDX-License-Identifier: MIT
// What reinspect-cli does: one function a command. They write what was asked for to `out` and
// remarks to `err`; an Error is shown once, by runCommandLine.
#pragma once

#include "app/command_line.h"
#include "core/io/document.h"

#include <iosfwd>

namespace reinspect
{

struct Streams
{
    std::ostream& out;
    std::ostream& err;
};

// The whole program but main(): parses, runs, and answers the exit code (0 done, 1 the answer is no, 2 bad usage, 3 bad
// input, 4 cannot run here).
int runCommandLine(const std::vector<std::string>& arguments, const Streams& streams);

Result<void> runInfo(const CommandLine& line, const Streams& streams);
Result<void> runExplain(const CommandLine& line, const Streams& streams);
Result<void> runDecide(const CommandLine& line, const Streams& streams);
Result<void> runApply(const CommandLine& line, const Streams& streams);
Result<void> runConvert(const CommandLine& line, const Streams& streams);
// False: --compare found a difference.
Result<bool> runRun(const CommandLine& line, const Streams& streams);

using SharedDocument = std::shared_ptr<const Document>;

// Loads the file of the command and tells its problems on `err`.
Result<SharedDocument> loadForCommand(const CommandLine& line, const Streams& streams);
// The graphs that the command is about: that of --graph, or all.
Result<std::vector<DocumentGraph>> chosenGraphs(const CommandLine& line, const Document& document);
// "json", "readable", "ir", "dot" or "svg".
Result<std::string> writeAs(const std::string& form, const Document& document, const Graph& graph,
                            Stage stage);
// To the file of -o, or to `out`.
Result<void> writeOutput(const CommandLine& line, const Streams& streams, const std::string& text);
// "file:line:col: text"
std::string problemLine(const Document& document, const Problem& problem);

} // namespace reinspect
