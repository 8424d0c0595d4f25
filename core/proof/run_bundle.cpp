// SPDX-License-Identifier: MIT
#include "core/proof/run_bundle.h"

#include "core/io/json_document.h"
#include "core/proof/graph_inputs.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace reinspect::proof
{
namespace
{

namespace fs = std::filesystem;

// As loadVariant: a capture names files beside it, and nothing else is to be sent.
bool isBeside(const fs::path& name)
{
    return !name.empty() && !name.is_absolute() && std::ranges::find(name, "..") == name.end();
}

void addFile(RunBundle& bundle, std::string name, const fs::path& path)
{
    std::error_code failure;
    const auto bytes = fs::file_size(path, failure);
    if (!failure && fs::is_regular_file(path, failure))
        bundle.files.push_back(
            {std::move(name), {}, path.string(), static_cast<std::int64_t>(bytes)});
}

void addKernels(RunBundle& bundle, const CaptureFacts& facts)
{
    std::set<std::string> names;
    for (const TritonKernel& kernel : facts.kernels)
        for (const TritonVariant& variant : kernel.variants)
            for (const std::string& name : {variant.ttirFile, variant.ptxFile})
                if (isBeside(name) && !facts.folder.empty())
                    names.insert(name);
    for (const std::string& name : names)
        addFile(bundle, fs::path(name).generic_string(), fs::path(facts.folder) / name);
}

} // namespace

std::int64_t RunBundle::bytes() const
{
    std::int64_t sum = 0;
    for (const BundleFile& file : files)
        sum += file.bytes;
    return sum;
}

std::vector<std::string> policyArguments(const ReinplacePolicy& policy)
{
    std::vector<std::string> arguments{"--policy", policy.name};
    const auto preset = policyNamed(policy.name);
    for (const PolicySwitch& row : policySwitches())
        if (preset.ok() && policy.*row.value != (*preset).*row.value)
        {
            arguments.push_back("--set");
            arguments.push_back(std::string(row.name) + (policy.*row.value ? "=on" : "=off"));
        }
    for (const DecisionOverride& word : policy.overrides)
    {
        arguments.push_back(word.force ? "--force" : "--forbid");
        arguments.push_back(word.node + (word.argument.empty() ? "" : ":" + word.argument));
    }
    return arguments;
}

Result<RunBundle> bundleRun(const Document& document, const BundleOptions& options)
{
    const DocumentGraph& graph = document.graphs[options.graph];
    RunBundle bundle;
    bundle.captureFile = "capture.json";
    std::string text = writeJsonDocument(document, *graph.graph, graph.stage);
    const auto bytes = static_cast<std::int64_t>(text.size());
    bundle.files.push_back({bundle.captureFile, std::move(text), {}, bytes});
    addKernels(bundle, document.facts);
    bundle.options = {"--compare",     "--json", "--backend",
                      options.backend, "--seed", std::to_string(options.seed)};
    std::ranges::move(policyArguments(options.policy), std::back_inserter(bundle.options));
    REINSPECT_TRY(const SymbolNumbers symbols, symbolNumbers(options.symbols));
    for (const auto& [name, number] : symbols)
    {
        bundle.options.push_back("--symbol");
        bundle.options.push_back(name + "=" + std::to_string(number));
    }
    bundle.options.push_back("--times");
    if (options.backend == "cuda" && options.tf32)
        bundle.options.push_back("--tf32");
    if (options.inputsPath.empty())
        return bundle;
    const std::size_t before = bundle.files.size();
    bundle.inputsFile = "inputs.safetensors";
    addFile(bundle, bundle.inputsFile, options.inputsPath);
    if (bundle.files.size() == before)
        return Error{.message = "the inputs cannot be read", .file = options.inputsPath};
    return bundle;
}

} // namespace reinspect::proof
