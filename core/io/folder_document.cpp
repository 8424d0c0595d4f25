// SPDX-License-Identifier: MIT
#include "core/io/folder_document.h"

#include "core/io/section.h"
#include "core/io/text_check.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

namespace reinspect
{
namespace
{

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 20'000;

// Files that a compiler run leaves beside its graphs.
bool isPassedOver(const std::string& name)
{
    constexpr std::array<std::string_view, 9> kOthers = {
        "output_code",  "ir_pre_fusion", "ir_post_fusion", "debug.log",          "node_mappings",
        "stack_traces", "metadata",      "index.html",     "compilation_metrics"};
    return std::any_of(kOthers.begin(), kOthers.end(), [&name](std::string_view part) {
        return name.find(part) != std::string::npos;
    });
}

bool mayHoldGraphs(const fs::path& path)
{
    constexpr std::array<std::string_view, 8> kExtensions = {".py",  ".txt", ".log", ".json",
                                                             ".dot", ".gv",  ".fx",  ".html"};
    const std::string extension = path.extension().string();
    return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end()
        && !isPassedOver(path.filename().string());
}

// "aot_forward_graph_12.txt" comes behind "..._3.txt": names are compared with their numbers as numbers.
std::vector<std::pair<std::string, std::uint64_t>> partsOf(const std::string& name)
{
    std::vector<std::pair<std::string, std::uint64_t>> parts(1);
    for (std::size_t at = 0; at < name.size();)
    {
        std::uint64_t number = 0;
        const auto [end, failure] =
            std::from_chars(name.data() + at, name.data() + name.size(), number);
        if (failure == std::errc())
        {
            parts.back().second = number;
            parts.emplace_back();
            at = static_cast<std::size_t>(end - name.data());
        }
        else
            parts.back().first += name[at++];
    }
    return parts;
}

Result<std::vector<std::string>> filesOf(const std::string& folder)
{
    std::vector<std::string> files;
    std::error_code failure;
    fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied,
                                        failure);
    if (failure)
        return Error{.message = "cannot be listed: " + failure.message(), .file = folder};
    for (; !failure && it != fs::recursive_directory_iterator(); it.increment(failure))
    {
        std::error_code unknown;
        if (files.size() < kMostFiles && it->is_regular_file(unknown) && mayHoldGraphs(it->path()))
            files.push_back(fs::relative(it->path(), folder, unknown).generic_string());
    }
    std::sort(files.begin(), files.end(),
              [](const std::string& a, const std::string& b) { return partsOf(a) < partsOf(b); });
    return files;
}

// The parts of "-_0_0_0" or "!0_0_0_0": compiled autograd id, frame, compilation, attempt.
std::string compileIdOfFolder(const std::string& name)
{
    std::vector<std::string> parts(1);
    for (const char c : name)
    {
        if (c == '_')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    const bool fits =
        parts.size() == 4
        && std::all_of(parts.begin() + 1, parts.end(), [](const std::string& part) {
               return !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
           });
    if (!fits)
        return {};
    std::string id =
        parts[0] == "-" ? "" : "!" + parts[0].substr(parts[0].starts_with('!') ? 1 : 0) + "/";
    id += parts[1] + "/" + parts[2];
    return parts[3] == "0" ? id : id + "_" + parts[3];
}

// What is read of one file goes into the document of the folder.
class FolderReader
{
public:
    FolderReader(std::string folder, const RunControl& control, const GraphFound& found)
        : m_folder(std::move(folder))
        , m_control(control)
        , m_found(found)
    {
        m_document.wrapping = Wrapping::Folder;
    }

    void file(const std::string& relative);
    Result<std::shared_ptr<const Document>> finish(std::size_t files);

private:
    void take(const Document& part, const std::string& relative);

    std::string m_folder;
    const RunControl& m_control;
    const GraphFound& m_found;
    Document m_document;
    std::optional<Error> m_firstError;
};

void FolderReader::file(const std::string& relative)
{
    const auto part =
        loadDocument((fs::path(m_folder) / relative).string(), {.stop = m_control.stop});
    if (part)
        return take(**part, relative);
    if (!m_firstError)
        m_firstError = part.error();
    // Any text may lie in a folder; only one that is named like a dump is missed.
    if (stageOfArtifact(originOfFile(relative).artifact) != Stage::Unknown)
        m_document.problems.push_back(
            {part.error().span, part.error().message, part.error().hint, relative});
}

void FolderReader::take(const Document& part, const std::string& relative)
{
    const GraphOrigin origin = originOfFile(relative);
    if (m_document.graphs.empty())
    {
        m_document.format = part.format;
        m_document.producer = part.producer;
    }
    for (DocumentGraph graph : part.graphs)
    {
        graph.source = part.source;
        graph.origin.file = relative;
        if (graph.origin.title.empty())
            graph.origin.title = origin.title;
        if (graph.origin.artifact.empty())
            graph.origin.artifact = origin.artifact;
        if (graph.origin.compileId.empty())
            graph.origin.compileId = origin.compileId;
        m_document.graphs.push_back(std::move(graph));
        if (m_found)
            m_found(m_document.graphs.back());
    }
    for (Problem problem : part.problems)
    {
        problem.file = relative;
        m_document.problems.push_back(std::move(problem));
    }
    m_document.passLog.insert(m_document.passLog.end(), part.passLog.begin(), part.passLog.end());
    for (const auto& [symbol, facts] : part.shapes.symbols())
        if (facts.hint)
            m_document.shapes.setHint(symbol, *facts.hint);
    if (m_document.facts.kernels.empty() && m_document.facts.operators.empty())
        m_document.facts = part.facts;
}

Result<std::shared_ptr<const Document>> FolderReader::finish(std::size_t files)
{
    if (m_document.graphs.empty())
        return Error{.message = files == 0 ? "this folder holds no dump"
                                           : "no file of this folder holds a graph",
                     .hint = m_firstError ? "The first of them: " + m_firstError->message
                                          : std::string(kKnownForms),
                     .file = m_folder};
    std::string contents;
    for (const DocumentGraph& graph : m_document.graphs)
        contents += graph.origin.file + ":" + std::to_string(graph.origin.line) + " "
            + graph.graph->name + " (" + std::string(stageName(graph.stage)) + ", "
            + std::to_string(graph.graph->size()) + " nodes)\n";
    m_document.source = std::make_shared<const SourceText>(m_folder, std::move(contents));
    return std::make_shared<const Document>(std::move(m_document));
}

} // namespace

GraphOrigin originOfFile(const std::string& relativePath)
{
    const fs::path path(relativePath);
    const std::string stem = path.stem().string();
    const std::string folder = path.parent_path().filename().string();
    GraphOrigin origin;
    origin.file = relativePath;
    origin.compileId = compileIdOfFolder(folder);
    // tlparse numbers its files; the number is no part of the artifact's name.
    const std::size_t digits = stem.find_last_not_of("0123456789") + 1;
    const bool numbered = digits < stem.size() && digits > 1 && stem[digits - 1] == '_';
    origin.artifact = numbered && !origin.compileId.empty() ? stem.substr(0, digits - 1) : stem;
    origin.title = folder.empty() || !origin.compileId.empty() ? origin.artifact
                                                               : folder + " " + origin.artifact;
    return origin;
}

Result<std::shared_ptr<const Document>>
loadFolder(const std::string& path, const RunControl& control, const GraphFound& found)
{
    REINSPECT_TRY(const std::vector<std::string> files, filesOf(path));
    FolderReader reader(path, control, found);
    for (std::size_t i = 0; i < files.size(); ++i)
    {
        if (control.stopRequested())
            return Error{.message = "reading was stopped"};
        reader.file(files[i]);
        control.report(static_cast<double>(i + 1) / static_cast<double>(files.size()));
    }
    return reader.finish(files.size());
}

} // namespace reinspect
