// SPDX-License-Identifier: MIT
#include "app/commands.h"

#include "app/policy_commands.h"

#include "app/bench_cli.h"
#include "core/io/graph_writers.h"
#include "core/io/json_document.h"
#include "core/io/readable_code.h"
#include "core/layout/svg_writer.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

namespace reinspect
{
namespace
{

int exitCode(ErrorKind kind)
{
    switch (kind)
    {
    case ErrorKind::BadUsage: return 2;
    case ErrorKind::BadInput: return 3;
    case ErrorKind::CannotRunHere: break;
    }
    return 4;
}

Result<void> runHelp(const CommandLine& line, const Streams& streams)
{
    streams.out << (line.topic ? usageText(*line.topic) : usageText()) << '\n';
    return {};
}

Result<void> dispatch(const CommandLine& line, const Streams& streams)
{
    switch (line.command)
    {
    case Command::Info: return runInfo(line, streams);
    case Command::Explain: return runExplain(line, streams);
    case Command::Decide: return runDecide(line, streams);
    case Command::Apply: return runApply(line, streams);
    case Command::Convert: return runConvert(line, streams);
    case Command::Policies: return runPolicies(line, streams);
    case Command::Help: return runHelp(line, streams);
    case Command::Version: streams.out << "reinspect-cli " REINSPECT_VERSION "\n"; return {};
    case Command::Bench: // answered by runCommandLine
    case Command::Run: break;
    }
    return {};
}

} // namespace

int runCommandLine(const std::vector<std::string>& arguments, const Streams& streams)
{
    const Result<CommandLine> line = parseCommandLine(arguments);
    if (line && line->command == Command::Bench)
        return runBench(line->files, line->json);
    bool isYes = true;
    Result<void> done = line ? dispatch(*line, streams) : Result<void>(line.error());
    if (line && line->command == Command::Run)
    {
        const Result<bool> answer = runRun(*line, streams);
        isYes = !answer || *answer;
        done = answer ? Result<void>() : Result<void>(answer.error());
    }
    if (!done)
    {
        streams.err << toText(done.error());
        return exitCode(done.error().kind);
    }
    streams.out.flush();
    if (!streams.out)
    {
        streams.err << "standard output cannot be written\n";
        return exitCode(ErrorKind::CannotRunHere);
    }
    return isYes ? 0 : 1;
}

std::string problemLine(const Document& document, const Problem& problem)
{
    std::string text = document.fileName() + (problem.file.empty() ? "" : "/" + problem.file) + ":";
    if (problem.span.line > 0)
        text += std::to_string(problem.span.line) + ":" + std::to_string(problem.span.column) + ":";
    text += " " + problem.text + "\n";
    return problem.hint.empty() ? text : text + "    " + problem.hint + "\n";
}

Result<SharedDocument> loadForCommand(const CommandLine& line, const Streams& streams)
{
    REINSPECT_TRY(SharedDocument document, loadDocument(line.files.front()));
    for (const Problem& problem : document->problems)
        streams.err << problemLine(*document, problem);
    return document;
}

Result<std::vector<DocumentGraph>> chosenGraphs(const CommandLine& line, const Document& document)
{
    if (!line.graph)
        return document.graphs;
    if (*line.graph < document.graphs.size())
        return std::vector<DocumentGraph>{document.graphs[*line.graph]};
    const std::size_t last = document.graphs.size() - 1;
    return Error{.message = "there is no graph " + std::to_string(*line.graph) + " in "
                     + document.fileName(),
                 .hint = last == 0 ? "It holds one graph, number 0."
                                   : "Its graphs are numbered 0 to " + std::to_string(last) + ".",
                 .kind = ErrorKind::BadUsage};
}

Result<std::string> writeAs(const std::string& form, const Document& document, const Graph& graph,
                            Stage stage)
{
    if (form == "json")
        return writeJsonDocument(document, graph, stage);
    if (form == "ir")
        return writeIrText(graph);
    if (form == "dot")
        return writeDot(graph);
    if (form == "svg")
        return writeSvg(graph);
    return writeReadableCode(graph);
}

Result<void> writeOutput(const CommandLine& line, const Streams& streams, const std::string& text)
{
    if (line.output.empty() || line.output == "-")
    {
        streams.out << text;
        return {};
    }
    std::ofstream file(line.output, std::ios::binary);
    file << text;
    file.close();
    if (!file)
        return Error{.message = std::string("cannot be written: ") + std::strerror(errno),
                     .file = line.output,
                     .kind = ErrorKind::CannotRunHere};
    return {};
}

Result<void> runConvert(const CommandLine& line, const Streams& streams)
{
    REINSPECT_TRY(const SharedDocument document, loadForCommand(line, streams));
    REINSPECT_TRY(const std::vector<DocumentGraph> graphs, chosenGraphs(line, *document));
    if (graphs.size() > 1)
        streams.err << document->fileName() << ": graph 0 of " << graphs.size()
                    << "; --graph N chooses another\n";
    REINSPECT_TRY(const std::string text,
                  writeAs(line.to, *document, *graphs.front().graph, graphs.front().stage));
    return writeOutput(line, streams, text);
}

} // namespace reinspect
