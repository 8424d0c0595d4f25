// SPDX-License-Identifier: MIT
#include "core/io/json_document.h"

#include "core/io/json_graph.h"
#include "core/io/json_triton.h"

#include <filesystem>

namespace reinspect
{
namespace
{

constexpr std::int64_t kVersion = 1;
constexpr std::string_view kFormat = "reinspect-graph";

Error errorAt(const JsonTree& tree, JsonValue value, std::string message, std::string hint)
{
    return tree.source().errorAt(value.offset(), std::move(message), std::move(hint));
}

Result<void> checkHeader(const JsonTree& tree)
{
    const JsonValue root = tree.root();
    const JsonValue format = root["format"];
    const bool isProvenance = root["preToPost"].isObject() || root["cppCodeToPost"].isObject();
    if (isProvenance && !format.present())
        return errorAt(tree, root, "this is a table of which nodes became which, without a graph",
                       "The fx_graph_readable.py beside it has the graph.");
    if (!root.isObject() || format.string() != kFormat)
        return errorAt(tree, format.present() ? format : root,
                       "this JSON is not a Reinspect capture",
                       "A capture is an object that begins with {\"format\": \"reinspect-graph\", "
                       "\"version\": 1, ...}.");
    const JsonValue version = root["version"];
    const std::optional<std::int64_t> number = version.integer();
    if (!number || *number < 1)
        return errorAt(tree, version.present() ? version : root,
                       "the capture has no \"version\" number", {});
    if (*number > kVersion)
        return errorAt(tree, version,
                       "this capture has version " + std::to_string(*number)
                           + ", and this program reads version " + std::to_string(kVersion),
                       "Update Reinspect to read it.");
    if (!root["graph"].isObject())
        return errorAt(tree, root["graph"].present() ? root["graph"] : root,
                       "the capture has no \"graph\"", {});
    return {};
}

std::string producerText(JsonValue producer)
{
    if (producer.isString())
        return std::string(producer.string());
    std::string text;
    const Result<void> walked =
        producer.forEachPair([&text](JsonValue key, JsonValue value) -> Result<void> {
            text += (text.empty() ? "" : ", ") + std::string(key.string()) + " ";
            text += value.isString() ? value.string() : value.raw();
            return {};
        });
    return walked.ok() ? text : std::string();
}

// Where the files that a capture names are; empty for a text that is in no file.
std::string folderOf(const std::string& file)
{
    if (file.empty() || file == "-")
        return {};
    const std::string folder = std::filesystem::path(file).parent_path().string();
    return folder.empty() ? "." : folder;
}

Result<std::vector<CustomOperator>> customOperators(JsonValue operators, JsonGraphReader& graphs)
{
    std::vector<CustomOperator> read;
    REINSPECT_CHECK(operators.forEachPair([&](JsonValue key, JsonValue value) -> Result<void> {
        CustomOperator custom{std::string(key.string()), std::string(value["schema"].string()),
                              nullptr};
        if (const JsonValue body = value["body"]; body.isObject())
        {
            REINSPECT_TRY(Graph graph, graphs.graph(body));
            custom.body = std::make_shared<const Graph>(std::move(graph));
        }
        read.push_back(std::move(custom));
        return {};
    }));
    return read;
}

} // namespace

Result<Document> readJsonDocument(std::shared_ptr<const SourceText> text, const RunControl& control)
{
    REINSPECT_TRY(const std::shared_ptr<const JsonTree> tree, JsonTree::parse(text));
    REINSPECT_CHECK(checkHeader(*tree));
    const JsonValue root = tree->root();

    Document document;
    document.source = std::move(text);
    document.format = DocumentFormat::Capture;
    document.caseName = root["case"].string();
    document.producer = producerText(root["producer"]);
    document.facts.producerJson = root["producer"].raw();
    document.facts.tritonJson = root["triton"].raw();
    document.facts.kernels = readTritonKernels(root["triton"]);
    document.facts.tritonConstants = readTritonConstants(root["triton"]);
    document.facts.folder = folderOf(document.source->fileName());

    ProblemList problems(*document.source);
    JsonGraphReader graphs(document.shapes, problems, control);
    REINSPECT_TRY(document.facts.operators, customOperators(root["operators"], graphs));
    REINSPECT_TRY(Graph graph, graphs.graph(root["graph"]));
    if (!graph.output())
        problems.add(root["graph"].offset(), "the graph has no output node",
                     "What it returns is not known.");
    document.graphs.push_back(
        {std::make_shared<const Graph>(std::move(graph)), stageFromName(root["stage"].string())});
    document.problems = problems.take();
    return document;
}

} // namespace reinspect
