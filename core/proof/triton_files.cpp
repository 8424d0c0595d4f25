// SPDX-License-Identifier: MIT
#include "core/proof/triton_files.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace reinspect::proof
{
namespace
{

using Json = nlohmann::json;

exec::Value valueFrom(const Json& json)
{
    if (json.is_boolean())
        return exec::Value(json.get<bool>());
    if (json.is_number_integer())
        return exec::Value(json.get<std::int64_t>());
    if (json.is_number())
        return exec::Value(json.get<double>());
    if (json.is_string())
        return exec::Value(json.get<std::string>());
    return {};
}

const Json* memberOf(const Json& json, const char* key)
{
    const auto at = json.is_object() ? json.find(key) : json.end();
    return json.is_object() && at != json.end() ? &*at : nullptr;
}

std::string textOf(const Json& json, const char* key)
{
    const Json* member = memberOf(json, key);
    return member && member->is_string() ? member->get<std::string>() : std::string();
}

// "(4,)" -> 4
std::optional<std::size_t> positionFrom(const std::string& key)
{
    std::size_t position = 0;
    const std::size_t start = key.find_first_of("0123456789");
    if (start == std::string::npos)
        return {};
    const auto read = std::from_chars(key.data() + start, key.data() + key.size(), position);
    return read.ec == std::errc{} ? std::optional(position) : std::nullopt;
}

void readText(exec::TritonVariant& variant, const Json& json, const std::filesystem::path& folder)
{
    const Json* files = memberOf(json, "asm");
    const std::string name = files ? textOf(*files, "ttir") : std::string();
    // Names of the capture stay in its folder.
    const std::filesystem::path relative(name);
    if (name.empty() || relative.is_absolute() || name.find("..") != std::string::npos)
    {
        variant.problem = "the capture has no TTIR of this kernel";
        return;
    }
    std::ifstream stream(folder / relative, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    if (!stream)
    {
        variant.problem = "the file " + name + " with the kernel's TTIR cannot be read";
        return;
    }
    auto kernel = triton::readTtir(text.str());
    if (kernel.ok())
        variant.kernel = std::make_shared<const triton::Kernel>(std::move(*kernel));
    else
        variant.problem = name + ": " + kernel.error().message;
}

exec::TritonVariant variantFrom(const Json& json, const std::vector<std::string>& names,
                                const std::filesystem::path& folder)
{
    exec::TritonVariant variant;
    const Json* signature = memberOf(json, "signature");
    for (const std::string& name : names)
        if (signature && textOf(*signature, name.c_str()) != "constexpr")
            variant.parameters.push_back(name);
    if (const Json* constants = memberOf(json, "constants"); constants && constants->is_object())
        for (const auto& [key, value] : constants->items())
            if (const auto position = positionFrom(key); position && *position < names.size())
                variant.constants[names[*position]] = valueFrom(value);
    readText(variant, json, folder);
    return variant;
}

void addKernel(exec::TritonLibrary& library, const Json& json, const std::filesystem::path& folder)
{
    const Json* index = memberOf(json, "kernel_idx");
    const Json* variants = memberOf(json, "variants");
    const Json* parameters = memberOf(json, "params");
    if (!index || !index->is_number_integer() || !variants || !variants->is_array())
        return;
    std::vector<std::string> names;
    if (parameters && parameters->is_array())
        for (const Json& parameter : *parameters)
            names.push_back(textOf(parameter, "name"));
    for (const Json& variant : *variants)
        library.variants[index->get<std::int64_t>()].push_back(variantFrom(variant, names, folder));
}

void addConstants(exec::TritonLibrary& library, const Json& all)
{
    for (const auto& [key, entry] : all.items())
    {
        const auto number = positionFrom(key);
        if (!number || !entry.is_object())
            continue;
        for (const auto& [name, value] : entry.items())
            library.constants[static_cast<std::int64_t>(*number)][name] = valueFrom(value);
    }
}

} // namespace

std::shared_ptr<const exec::TritonLibrary> readTritonLibrary(const CaptureFacts& facts,
                                                             const std::string& capturePath)
{
    auto library = std::make_shared<exec::TritonLibrary>();
    const Json json = Json::parse(facts.tritonJson, nullptr, false);
    const std::filesystem::path folder = std::filesystem::path(capturePath).parent_path();
    if (const Json* kernels = memberOf(json, "kernels"); kernels && kernels->is_array())
        for (const Json& kernel : *kernels)
            addKernel(*library, kernel, folder);
    if (const Json* constants = memberOf(json, "constant_args");
        constants && constants->is_object())
        addConstants(*library, *constants);
    return library;
}

} // namespace reinspect::proof
