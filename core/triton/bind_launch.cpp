// SPDX-License-Identifier: MIT
#include "core/triton/bind_launch.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace reinspect::triton
{
namespace
{

constexpr auto kTypeNames = std::to_array<std::pair<DType, std::string_view>>({
    {DType::Float64, "fp64"},
    {DType::Float32, "fp32"},
    {DType::Float16, "fp16"},
    {DType::BFloat16, "bf16"},
    {DType::Float8E4M3FN, "fp8e4nv"},
    {DType::Float8E5M2, "fp8e5"},
    {DType::Float8E4M3FNUZ, "fp8e4b8"},
    {DType::Float8E5M2FNUZ, "fp8e5b16"},
    {DType::Int64, "i64"},
    {DType::Int32, "i32"},
    {DType::Int16, "i16"},
    {DType::Int8, "i8"},
    {DType::UInt64, "u64"},
    {DType::UInt32, "u32"},
    {DType::UInt16, "u16"},
    {DType::UInt8, "u8"},
    {DType::Bool, "i1"},
});

const LaunchValue* find(const LaunchValues& given, std::string_view name)
{
    const auto found = std::ranges::find(given, name, &std::pair<std::string, LaunchValue>::first);
    return found == given.end() ? nullptr : &found->second;
}

const TritonValue* constantAt(const TritonVariant& variant, const std::vector<std::size_t>& place)
{
    for (const auto& [at, value] : variant.constants)
        if (at == place)
            return &value;
    return nullptr;
}

bool equals(const LaunchValue& given, const TritonValue& constant)
{
    switch (constant.kind)
    {
    case TritonValue::Kind::None: return std::holds_alternative<std::monostate>(given.value);
    case TritonValue::Kind::Integer:
        if (const auto* real = std::get_if<double>(&given.value))
            return *real == static_cast<double>(constant.integer);
        return std::holds_alternative<std::int64_t>(given.value)
            && std::get<std::int64_t>(given.value) == constant.integer;
    case TritonValue::Kind::Real:
        return std::holds_alternative<double>(given.value)
            && std::get<double>(given.value) == constant.real;
    case TritonValue::Kind::Text: return true; // spellings differ; Triton's own key had them equal
    case TritonValue::Kind::Tuple: break;
    }
    const auto* items = std::get_if<std::vector<LaunchValue>>(&given.value);
    return items && std::ranges::equal(*items, constant.items, equals);
}

// "i32" holds what Triton passes so: integers of 32 bits; larger ones are "i64", then "u64".
bool fitsInteger(std::int64_t value, std::string_view type)
{
    if (type == "i32")
        return value >= std::numeric_limits<std::int32_t>::min()
            && value <= std::numeric_limits<std::int32_t>::max();
    if (type == "i1" || type == "u1")
        return value == 0 || value == 1;
    return type == "i64" || type == "u64" || type == "u32" || type == "i16" || type == "i8";
}

bool isFloatType(std::string_view type)
{
    return type.starts_with("fp") || type == "bf16" || type == "f32" || type == "f64";
}

bool fitsType(const LaunchValue& given, const TritonType& type)
{
    if (!type.items.empty())
    {
        const auto* items = std::get_if<std::vector<LaunchValue>>(&given.value);
        return items && items->size() == type.items.size();
    }
    if (const auto* tensor = std::get_if<LaunchTensor>(&given.value))
    {
        std::string_view name = type.name;
        if (name.starts_with("*k")) // of a constant pointer
            name.remove_prefix(1);
        return name.starts_with('*') && name.substr(1) == tensor->type;
    }
    if (const auto* integer = std::get_if<std::int64_t>(&given.value))
        return fitsInteger(*integer, type.name) || isFloatType(type.name);
    return std::holds_alternative<double>(given.value) && isFloatType(type.name);
}

// Whether a value can be this parameter, or the parameter's items the value's.
bool fits(const TritonVariant& variant, const LaunchValue& given, const TritonType& type,
          std::vector<std::size_t> place)
{
    if (type.name == "constexpr")
    {
        const TritonValue* constant = constantAt(variant, place);
        return !constant || equals(given, *constant);
    }
    if (!fitsType(given, type))
        return false;
    for (std::size_t i = 0; i < type.items.size(); ++i)
    {
        std::vector<std::size_t> inner = place;
        inner.push_back(i);
        if (!fits(variant, std::get<std::vector<LaunchValue>>(given.value)[i], type.items[i],
                  inner))
            return false;
    }
    return true;
}

// The place of the first parameter that does not fit; none: all do.
std::optional<std::size_t> misfit(const TritonVariant& variant, const LaunchValues& given)
{
    for (std::size_t i = 0; i < variant.signature.size(); ++i)
    {
        const auto& [name, type] = variant.signature[i];
        const LaunchValue* value = find(given, name);
        if (!value && type.name == "constexpr") // a default of Python's
            continue;
        if (!value || !fits(variant, *value, type, {i}))
            return i;
    }
    return std::nullopt;
}

// The assumed multiples that hold, or -1 when one does not.
std::int64_t multiplesThatHold(const TritonVariant& variant, const LaunchValues& given)
{
    std::int64_t count = 0;
    for (const std::size_t place : variant.multiplesOf16)
    {
        if (place >= variant.signature.size())
            continue;
        const LaunchValue* value = find(given, variant.signature[place].first);
        const auto* integer = value ? std::get_if<std::int64_t>(&value->value) : nullptr;
        if (integer && *integer % 16 != 0)
            return -1;
        ++count;
    }
    return count;
}

// Appends what the parameter's type takes from the value; constants take nothing.
Result<void> append(const LaunchValue& given, const TritonType& type, const std::string& name,
                    std::vector<LaunchArgument>& arguments)
{
    if (type.name == "constexpr")
        return {};
    if (!fitsType(given, type))
        return Error{.message = "parameter '" + name + "' is " + type.name
                         + " in the compiled kernel, and something else was given"};
    for (std::size_t i = 0; i < type.items.size(); ++i)
        REINSPECT_CHECK(append(std::get<std::vector<LaunchValue>>(given.value)[i], type.items[i],
                               name, arguments));
    if (!type.items.empty())
        return {};
    if (const auto* tensor = std::get_if<LaunchTensor>(&given.value))
        arguments.emplace_back(tensor->memory);
    else if (const auto* integer = std::get_if<std::int64_t>(&given.value))
        arguments.emplace_back(*integer);
    else
        arguments.emplace_back(std::get<double>(given.value));
    return {};
}

} // namespace

LaunchValue launchValue(const TritonValue& constant)
{
    switch (constant.kind)
    {
    case TritonValue::Kind::None: return {};
    case TritonValue::Kind::Integer: return {constant.integer};
    case TritonValue::Kind::Real: return {constant.real};
    case TritonValue::Kind::Text: return {constant.text};
    case TritonValue::Kind::Tuple: break;
    }
    std::vector<LaunchValue> items;
    for (const TritonValue& item : constant.items)
        items.push_back(launchValue(item));
    return {std::move(items)};
}

std::string_view tritonTypeName(DType dtype)
{
    for (const auto& [type, name] : kTypeNames)
        if (type == dtype)
            return name;
    return {};
}

Result<std::size_t> chooseVariant(const TritonKernel& kernel, const LaunchValues& given)
{
    Error error{.message = "kernel " + kernel.name + " has no compiled variant in the capture",
                .kind = ErrorKind::CannotRunHere};
    std::optional<std::size_t> best;
    std::int64_t most = -2;
    std::size_t furthest = 0; // the variant that nearly fits tells most
    for (std::size_t i = 0; i < kernel.variants.size(); ++i)
    {
        const TritonVariant& variant = kernel.variants[i];
        if (const std::optional<std::size_t> place = misfit(variant, given))
        {
            if (*place >= furthest)
                error.message = "no compiled variant of kernel " + kernel.name
                    + " in the capture fits this launch: see parameter '"
                    + variant.signature[*place].first + "'";
            furthest = std::max(furthest, *place);
            continue;
        }
        const std::int64_t holding = multiplesThatHold(variant, given);
        if (holding > most)
            best = i;
        most = std::max(most, holding);
    }
    if (!best)
        return error;
    return *best;
}

Result<std::vector<LaunchArgument>> bindLaunch(const TritonVariant& variant, const Kernel& kernel,
                                               const LaunchValues& given)
{
    std::vector<LaunchArgument> arguments;
    for (const auto& [name, type] : variant.signature)
    {
        if (type.name == "constexpr")
            continue;
        const LaunchValue* value = find(given, name);
        if (!value)
            return Error{.message = "parameter '" + name + "' of kernel " + kernel.name()
                             + " was not given"};
        REINSPECT_CHECK(append(*value, type, name, arguments));
    }
    if (arguments.size() != kernel.function().parameters.size())
        return Error{.message = "the TTIR of kernel " + kernel.name() + " has "
                         + std::to_string(kernel.function().parameters.size())
                         + " parameters, the capture's signature "
                         + std::to_string(arguments.size())};
    return arguments;
}

Result<Kernel> loadVariant(const CaptureFacts& facts, const TritonKernel& kernel,
                           std::size_t variant)
{
    const std::filesystem::path name(kernel.variants[variant].ttirFile);
    const auto cannot = [&](const std::string& why) {
        return Error{.message = "kernel " + kernel.name + ": " + why,
                     .kind = ErrorKind::CannotRunHere};
    };
    if (name.empty())
        return cannot("the capture names no TTIR file");
    if (facts.folder.empty())
        return cannot("its TTIR lies beside the capture's file, and this capture was in no file");
    // A capture names files beside it; anything else would let a file read others.
    if (name.is_absolute() || std::ranges::find(name, "..") != name.end())
        return cannot("'" + name.string() + "' is not beside the capture");
    const std::filesystem::path path = std::filesystem::path(facts.folder) / name;
    std::error_code failure;
    if (!std::filesystem::is_regular_file(path, failure))
        return cannot("there is no file " + path.string());
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file)
        return cannot(path.string() + " could not be read");
    Result<Kernel> read = readTtir(std::move(text).str());
    if (!read.ok())
        read.error().file = path.string();
    return read;
}

} // namespace reinspect::triton
