// SPDX-License-Identifier: MIT
#include "core/exec/kernel_call.h"

#include "core/exec/device.h"

#include "core/base/checked_math.h"

#include <algorithm>
#include <charconv>

namespace reinspect::exec
{
namespace
{

Value numberFrom(std::string_view text)
{
    std::int64_t whole = 0;
    const char* end = text.data() + text.size();
    if (const auto read = std::from_chars(text.data(), end, whole);
        read.ec == std::errc{} && read.ptr == end)
        return Value(whole);
    double real = 0;
    if (const auto read = std::from_chars(text.data(), end, real);
        read.ec == std::errc{} && read.ptr == end)
        return Value(real);
    return Value(std::string(text));
}

// "None", "False", "1", "1e-5", "[0, 1]", "\"mean\"", "contiguous_format"
Value defaultFrom(std::string_view text, std::string_view type)
{
    if (text.empty() || text == "None")
        return {};
    if (text == "True" || text == "False")
        return Value(text == "True");
    if (text.front() == '[')
    {
        ListValue list;
        std::string_view rest = text.substr(1, text.size() - 2);
        while (!rest.empty())
        {
            const std::size_t comma = std::min(rest.find(','), rest.size());
            list.items.push_back(defaultFrom(rest.substr(0, comma), type));
            rest.remove_prefix(std::min(comma + 1, rest.size()));
            while (rest.starts_with(' '))
                rest.remove_prefix(1);
        }
        return Value(std::move(list));
    }
    if (text.front() == '"' || text.front() == '\'')
        return Value(std::string(text.substr(1, text.size() - 2)));
    if (type.starts_with("int[") || type.starts_with("SymInt["))
        return Value(ListValue{{numberFrom(text)}});
    if (text == "Mean" || text == "Sum") // at::Reduction
        return Value(std::int64_t{text == "Mean" ? 1 : 2});
    return numberFrom(text);
}

} // namespace

std::shared_ptr<const KernelSchema> KernelSchema::read(std::string_view schemaText)
{
    auto schema = std::make_shared<KernelSchema>();
    schema->text = schemaText;
    schema->arguments = schemaArguments(schema->text); // points into the text, which stays
    for (const SchemaArgument& argument : schema->arguments)
        schema->defaults.push_back(defaultFrom(argument.defaultText, argument.type));
    return schema;
}

Error KernelCall::error(std::string message, ErrorKind kind) const
{
    return Error{.message = "node '" + node + "' (" + target + "): " + std::move(message),
                 .kind = kind};
}

Error KernelCall::outOfRange(std::int64_t index, std::size_t dim, std::int64_t size) const
{
    return error("index " + std::to_string(index) + " is out of range for dimension "
                 + std::to_string(dim) + " of size " + std::to_string(size));
}

Error KernelCall::unsupported(std::string what) const
{
    return error("cannot run: " + std::move(what), ErrorKind::CannotRunHere);
}

const Value* KernelCall::given(std::string_view name) const
{
    for (std::size_t i = 0; i < values.size(); ++i)
        if (schema->arguments[i].name == name)
            return values[i].isNone() ? nullptr : &values[i];
    return nullptr;
}

Result<Tensor> KernelCall::tensor(std::string_view name) const
{
    const Value* value = given(name);
    if (!value)
        return error("argument '" + std::string(name) + "' is missing");
    if (const Tensor* found = value->tensor())
        return *found;
    return error("argument '" + std::string(name) + "' is " + kindText(*value) + ", not a tensor");
}

std::optional<Tensor> KernelCall::optionalTensor(std::string_view name) const
{
    const Value* value = given(name);
    const Tensor* found = value ? value->tensor() : nullptr;
    return found ? std::optional(*found) : std::nullopt;
}

Result<std::vector<Tensor>> KernelCall::tensors(std::string_view name) const
{
    const Value* value = given(name);
    std::vector<Tensor> list;
    if (!value || !value->items())
        return error("argument '" + std::string(name) + "' is not a list of tensors");
    for (const Value& item : *value->items())
    {
        if (!item.tensor())
            return error("argument '" + std::string(name) + "' holds " + kindText(item)
                         + ", not a tensor");
        list.push_back(*item.tensor());
    }
    return list;
}

std::optional<std::int64_t> KernelCall::optionalInteger(std::string_view name) const
{
    const Value* value = given(name);
    return value ? value->integer() : std::nullopt;
}

Result<std::int64_t> KernelCall::integer(std::string_view name) const
{
    if (const auto value = optionalInteger(name))
        return *value;
    return error("argument '" + std::string(name) + "' is not an integer");
}

Result<Sizes> KernelCall::integers(std::string_view name) const
{
    const Value* value = given(name);
    if (!value)
        return error("argument '" + std::string(name) + "' is missing");
    if (const auto one = value->integer())
        return Sizes{*one};
    Sizes list;
    const std::vector<Value>* items = value->items();
    for (std::size_t i = 0; items && i < items->size(); ++i)
    {
        const auto number = (*items)[i].integer();
        if (!number)
            return error("argument '" + std::string(name) + "' holds " + kindText((*items)[i])
                         + ", not an integer");
        list.push_back(*number);
    }
    if (!items)
        return error("argument '" + std::string(name) + "' is not a list of integers");
    return list;
}

std::optional<double> KernelCall::optionalNumber(std::string_view name) const
{
    const Value* value = given(name);
    return value ? value->number() : std::nullopt;
}

Result<double> KernelCall::number(std::string_view name) const
{
    if (const auto value = optionalNumber(name))
        return *value;
    return error("argument '" + std::string(name) + "' is not a number");
}

bool KernelCall::flag(std::string_view name) const
{
    const Value* value = given(name);
    return value && value->integer().value_or(0) != 0;
}

std::string KernelCall::text(std::string_view name) const
{
    const Value* value = given(name);
    const std::string* found = value ? value->as<std::string>() : nullptr;
    return found ? *found : std::string();
}

DType KernelCall::dtype(DType otherwise, std::string_view name) const
{
    const Value* value = given(name);
    const ConstantArgument* found = value ? value->as<ConstantArgument>() : nullptr;
    return found ? dtypeFromName(found->text) : otherwise;
}

std::string_view KernelCall::constant(std::string_view name) const
{
    const Value* value = given(name);
    const ConstantArgument* found = value ? value->as<ConstantArgument>() : nullptr;
    return found ? std::string_view(found->text) : std::string_view();
}

Result<std::size_t> KernelCall::dimension(std::int64_t dim, std::size_t rank) const
{
    if (const auto at = dimensionAt(dim, rank))
        return *at;
    return error("dimension " + std::to_string(dim) + " is out of range for a tensor of "
                 + std::to_string(rank) + " dimensions");
}

Result<std::size_t> KernelCall::dimension(std::string_view name, const Tensor& of) const
{
    REINSPECT_TRY(const std::int64_t dim, integer(name));
    return dimension(dim, of.rank());
}

Result<std::vector<std::size_t>> KernelCall::dimensions(std::string_view name,
                                                        const Tensor& of) const
{
    std::vector<std::size_t> result;
    Sizes list;
    if (has(name))
    {
        REINSPECT_TRY(list, integers(name));
    }
    if (list.empty())
        for (std::size_t i = 0; i < of.rank(); ++i)
            result.push_back(i);
    for (const std::int64_t dim : list)
    {
        REINSPECT_TRY(const std::size_t at, dimension(dim, of.rank()));
        if (of.rank() > 0)
            result.push_back(at);
    }
    return result;
}

const TensorMeta* KernelCall::expectedTensor(std::size_t index) const
{
    if (!expected)
        return nullptr;
    if (const SequenceMeta* parts = expected->sequence())
        return index < parts->items.size() ? parts->items[index].tensor() : nullptr;
    return index == 0 ? expected->tensor() : nullptr;
}

bool KernelCall::resultIsOnHost(std::size_t index) const
{
    const TensorMeta* meta = expectedTensor(index);
    if (meta && !meta->device.empty())
        return meta->device == "cpu" && !context->device.empty() && context->device != "cpu";
    bool any = false;
    bool all = true;
    for (const Value& value : values)
        forEachTensor(value, [&](const Tensor& tensor) {
            any = true;
            all = all && tensor.isOnHost;
        });
    return any && all;
}

Result<Tensor> KernelCall::allocateOn(bool isOnHost, DType dtype, Sizes sizes, Sizes strides,
                                      StorageRole role) const
{
    const auto elements = extent(sizes, strides);
    const auto bytes = elements && elementCount(sizes)
        ? checkedMultiply(*elements, dtypeBytes(dtype))
        : std::nullopt;
    if (!bytes)
        return error("a result of sizes " + sizesText(sizes) + " does not fit into memory",
                     ErrorKind::CannotRunHere);
    if (dtypeBytes(dtype) == 0)
        return unsupported("the dtype of the result is not known");
    const bool counts = role == StorageRole::Node && context->scratchDepth == 0 && !isOnHost;
    const StorageRole counted = counts ? StorageRole::Node : StorageRole::Scratch;
    auto storage = context->accelerator && !isOnHost
        ? context->tracker->allocateOn(*context->accelerator, *bytes, counted)
        : context->tracker->allocate(*bytes, dtype, counted);
    if (!storage.ok())
    {
        storage.error().message = error(storage.error().message).message;
        return std::move(storage.error());
    }
    return Tensor{dtype, std::move(sizes), std::move(strides), 0, std::move(*storage), isOnHost};
}

Result<Tensor> KernelCall::allocate(DType dtype, Sizes sizes, std::optional<Sizes> strides) const
{
    Sizes layout = strides ? std::move(*strides) : contiguousStrides(sizes);
    return allocateOn(resultIsOnHost(0), dtype, std::move(sizes), std::move(layout),
                      StorageRole::Node);
}

Result<void> KernelCall::poison(const Tensor& tensor) const
{
    if (!tensor.storage->isOnDevice())
        return {};
    return context->accelerator->poison(*tensor.storage, tensor.dtype);
}

Result<Tensor> KernelCall::scratch(DType dtype, Sizes sizes) const
{
    Sizes layout = contiguousStrides(sizes);
    return allocateOn(false, dtype, std::move(sizes), std::move(layout), StorageRole::Scratch);
}

Result<Tensor> KernelCall::result(DType dtype, Sizes sizes, std::size_t index,
                                  std::optional<Sizes> strides) const
{
    const auto known = [&](const SymExpr& expr) {
        return expr.evaluate([&](std::string_view name) -> std::optional<std::int64_t> {
            const auto at = context->symbols.find(name);
            return at == context->symbols.end() ? std::nullopt : std::optional(at->second);
        });
    };
    const TensorMeta* meta = expectedTensor(index);
    Sizes layout = strides ? std::move(*strides) : contiguousStrides(sizes);
    if (meta && meta->dtype == dtype && meta->strides && !meta->isInferred
        && meta->sizes.size() == sizes.size())
    {
        Sizes captured;
        bool same = true;
        for (std::size_t i = 0; i < sizes.size() && same; ++i)
        {
            const auto stride = known((*meta->strides)[i]);
            same = stride && *stride >= 0 && known(meta->sizes[i]) == sizes[i]
                && (*stride > 0 || sizes[i] <= 1);
            captured.push_back(stride.value_or(0));
        }
        if (same)
            layout = std::move(captured);
    }
    return allocateOn(resultIsOnHost(index), dtype, std::move(sizes), std::move(layout),
                      StorageRole::Node);
}

} // namespace reinspect::exec
