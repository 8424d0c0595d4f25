// SPDX-License-Identifier: MIT
#include "core/io/safetensors.h"

#include "core/base/checked_math.h"

#include <nlohmann/json.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>

namespace reinspect
{
namespace
{

using Json = nlohmann::json;

DType dtypeNamed(std::string_view name)
{
    static constexpr std::pair<std::string_view, DType> names[] = {
        {"F64", DType::Float64},       {"F32", DType::Float32},   {"F16", DType::Float16},
        {"BF16", DType::BFloat16},     {"I64", DType::Int64},     {"I32", DType::Int32},
        {"I16", DType::Int16},         {"I8", DType::Int8},       {"U8", DType::UInt8},
        {"U16", DType::UInt16},        {"U32", DType::UInt32},    {"U64", DType::UInt64},
        {"BOOL", DType::Bool},         {"C64", DType::Complex64}, {"F8_E4M3", DType::Float8E4M3FN},
        {"F8_E5M2", DType::Float8E5M2}};
    for (const auto& [spelling, dtype] : names)
        if (spelling == name)
            return dtype;
    return DType::Unknown;
}

std::optional<std::vector<std::int64_t>> numbersOf(const Json& entry, const char* key)
{
    const auto at = entry.find(key);
    if (at == entry.end() || !at->is_array())
        return {};
    std::vector<std::int64_t> list;
    for (const Json& item : *at)
    {
        if (!item.is_number_integer())
            return {};
        list.push_back(item.get<std::int64_t>());
    }
    return list;
}

Result<StoredTensor> entryOf(const std::string& name, const Json& entry, std::size_t start,
                             std::size_t size)
{
    const Error refusal{"the header's entry for '" + name + "' is not one of safetensors"};
    if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string())
        return refusal;
    const std::string spelled = entry["dtype"].get<std::string>();
    StoredTensor tensor;
    tensor.dtype = dtypeNamed(spelled);
    if (tensor.dtype == DType::Unknown)
        return Error{"'" + name + "' has the dtype " + spelled + ", which is not known here"};
    const auto sizes = numbersOf(entry, "shape");
    const auto places = numbersOf(entry, "data_offsets");
    if (!sizes || !places || places->size() != 2)
        return refusal;
    std::optional<std::int64_t> bytes = dtypeBytes(tensor.dtype);
    for (const std::int64_t length : *sizes)
        bytes = bytes && length >= 0 ? checkedMultiply(*bytes, length) : std::nullopt;
    const auto room = static_cast<std::int64_t>(size - start);
    const auto [begin, end] = std::pair((*places)[0], (*places)[1]);
    if (!bytes || begin < 0 || end < begin || end > room || end - begin != *bytes)
        return Error{"'" + name + "' says that it lies at bytes " + std::to_string(begin) + " to "
                     + std::to_string(end) + " of " + std::to_string(room)
                     + ", which does not fit its shape"};
    tensor.sizes = *sizes;
    tensor.begin = start + static_cast<std::size_t>(begin);
    tensor.end = start + static_cast<std::size_t>(end);
    return tensor;
}

} // namespace

const StoredTensor* TensorFile::find(std::string_view wanted) const
{
    const auto at = tensors.find(wanted);
    return at == tensors.end() ? nullptr : &at->second;
}

Result<TensorFile> parseSafetensors(std::vector<std::byte> content, std::string name)
{
    const auto refusal = [&](std::string message) {
        return Error{.message = std::move(message), .file = name};
    };
    std::uint64_t length = 0;
    if (content.size() < sizeof(length))
        return refusal("too short for a safetensors file");
    std::memcpy(&length, content.data(), sizeof(length));
    if (length > content.size() - sizeof(length))
        return refusal("not a safetensors file, or cut: its header would be "
                       + std::to_string(length) + " bytes");
    const char* text = reinterpret_cast<const char*>(content.data()) + sizeof(length);
    const Json header = Json::parse(text, text + length, nullptr, false);
    if (!header.is_object())
        return refusal("the header is not JSON");
    TensorFile file{name, std::move(content), {}};
    for (const auto& [key, entry] : header.items())
    {
        if (key == "__metadata__")
            continue;
        auto tensor = entryOf(key, entry, sizeof(length) + length, file.bytes.size());
        if (!tensor.ok())
            return refusal(tensor.error().message);
        file.tensors.emplace(key, std::move(*tensor));
    }
    return file;
}

Result<TensorFile> readSafetensors(const std::string& path)
{
    std::error_code failed;
    const auto size = std::filesystem::file_size(path, failed);
    std::ifstream stream(path, std::ios::binary);
    if (failed || !stream)
        return Error{.message = "cannot be read", .file = path};
    std::vector<std::byte> content(size);
    stream.read(reinterpret_cast<char*>(content.data()), static_cast<std::streamsize>(size));
    if (!stream)
        return Error{.message = "cannot be read to its end", .file = path};
    return parseSafetensors(std::move(content), path);
}

} // namespace reinspect
