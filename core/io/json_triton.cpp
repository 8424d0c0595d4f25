// SPDX-License-Identifier: MIT
#include "core/io/json_triton.h"

#include <charconv>
#include <limits>

namespace reinspect
{
namespace
{

constexpr int kTupleDepth = 8;

// {"$tuple": [...]}, {"$float": "inf"}, {"$dtype": "float32"}.
TritonValue taggedValue(JsonValue value, int depth);

TritonValue valueOf(JsonValue value, int depth)
{
    TritonValue result;
    switch (value.kind())
    {
    case JsonKind::Null: return result;
    case JsonKind::False:
    case JsonKind::True:
        result.kind = TritonValue::Kind::Integer;
        result.integer = value.kind() == JsonKind::True ? 1 : 0;
        return result;
    case JsonKind::Number:
        result.kind = value.integer() ? TritonValue::Kind::Integer : TritonValue::Kind::Real;
        result.integer = value.integer().value_or(0);
        result.real = value.number().value_or(0);
        return result;
    case JsonKind::String:
        result.kind = TritonValue::Kind::Text;
        result.text = value.string();
        return result;
    case JsonKind::Array:
        result.kind = TritonValue::Kind::Tuple;
        for (const JsonValue item : value)
            if (depth < kTupleDepth)
                result.items.push_back(valueOf(item, depth + 1));
        return result;
    case JsonKind::Object: return taggedValue(value, depth);
    }
    return result;
}

TritonValue taggedValue(JsonValue value, int depth)
{
    if (value["$tuple"].isArray())
        return valueOf(value["$tuple"], depth);
    TritonValue result;
    if (const JsonValue number = value["$float"]; number.isString())
    {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        result.kind = TritonValue::Kind::Real;
        result.real = number.string() == "inf" ? infinity
            : number.string() == "-inf"        ? -infinity
                                               : std::numeric_limits<double>::quiet_NaN();
        return result;
    }
    result.kind = TritonValue::Kind::Text;
    result.text = value.raw();
    return result;
}

TritonType typeOf(JsonValue value, int depth)
{
    TritonType type;
    type.name = value.string();
    const JsonValue items = value["$tuple"].isArray() ? value["$tuple"] : value;
    if (items.isArray() && depth < kTupleDepth)
        for (const JsonValue item : items)
            type.items.push_back(typeOf(item, depth + 1));
    return type;
}

// "(4,)", "(3, 1)".
std::vector<std::size_t> placeOf(std::string_view text)
{
    std::vector<std::size_t> place;
    const char* const end = text.data() + text.size();
    for (const char* at = text.data(); at < end;)
    {
        std::size_t number = 0;
        const auto [behind, failure] = std::from_chars(at, end, number);
        if (failure == std::errc())
            place.push_back(number);
        at = failure == std::errc() ? behind : at + 1;
    }
    return place;
}

TritonVariant variantOf(JsonValue value)
{
    TritonVariant variant;
    variant.ttirFile = value["asm"]["ttir"].string();
    variant.ptxFile = value["asm"]["ptx"].string();
    variant.numWarps = value["metadata"]["num_warps"].integer().value_or(0);
    variant.sharedBytes = value["metadata"]["shared"].integer().value_or(0);
    variant.globalScratchBytes = value["metadata"]["global_scratch_size"].integer().value_or(0);
    variant.profileScratchBytes = value["metadata"]["profile_scratch_size"].integer().value_or(0);
    const auto visited = [](const Result<void>&) {}; // the visitors below never fail
    visited(value["signature"].forEachPair([&](JsonValue key, JsonValue type) -> Result<void> {
        variant.signature.emplace_back(std::string(key.string()), typeOf(type, 0));
        return {};
    }));
    visited(value["constants"].forEachPair([&](JsonValue key, JsonValue constant) -> Result<void> {
        variant.constants.emplace_back(placeOf(key.string()), valueOf(constant, 0));
        return {};
    }));
    visited(value["attrs"].forEachPair([&](JsonValue key, JsonValue attribute) -> Result<void> {
        const std::vector<std::size_t> place = placeOf(key.string());
        if (place.size() == 1 && attribute.string().find("tt.divisibility") != std::string::npos)
            variant.multiplesOf16.push_back(place[0]);
        return {};
    }));
    return variant;
}

} // namespace

std::vector<TritonKernel> readTritonKernels(JsonValue triton)
{
    std::vector<TritonKernel> kernels;
    for (const JsonValue value : triton["kernels"])
    {
        TritonKernel kernel;
        kernel.index =
            value["kernel_idx"].integer().value_or(static_cast<std::int64_t>(kernels.size()));
        kernel.name = value["name"].string();
        kernel.source = value["source"].string();
        for (const JsonValue parameter : value["params"])
            kernel.parameters.push_back({std::string(parameter["name"].string()),
                                         parameter["constexpr"].boolean().value_or(false)});
        for (const JsonValue variant : value["variants"])
            kernel.variants.push_back(variantOf(variant));
        kernels.push_back(std::move(kernel));
    }
    return kernels;
}

std::vector<TritonConstants> readTritonConstants(JsonValue triton)
{
    std::vector<TritonConstants> all;
    const Result<void> visited =
        triton["constant_args"].forEachPair([&](JsonValue key, JsonValue values) -> Result<void> {
            TritonConstants constants;
            const std::vector<std::size_t> index = placeOf(key.string());
            constants.index = index.empty() ? 0 : static_cast<std::int64_t>(index[0]);
            REINSPECT_CHECK(
                values.forEachPair([&](JsonValue name, JsonValue value) -> Result<void> {
                    constants.values.emplace_back(std::string(name.string()), valueOf(value, 0));
                    return {};
                }));
            all.push_back(std::move(constants));
            return {};
        });
    return visited.ok() ? all : std::vector<TritonConstants>();
}

} // namespace reinspect
