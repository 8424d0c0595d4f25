// SPDX-License-Identifier: MIT
#include "core/exec/value.h"

#include <cmath>

namespace reinspect::exec
{

const Value* DictValue::find(std::string_view key) const
{
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (keys[i] == key)
            return &items[i];
    return nullptr;
}

const std::vector<Value>* Value::items() const
{
    const ListValue* list = as<ListValue>();
    return list ? &list->items : nullptr;
}

std::optional<std::int64_t> Value::integer() const
{
    if (const bool* flag = as<bool>())
        return *flag;
    if (const std::int64_t* whole = as<std::int64_t>())
        return *whole;
    if (const double* real = as<double>())
        if (std::floor(*real) == *real && std::abs(*real) < 9e15)
            return static_cast<std::int64_t>(*real);
    return {};
}

std::optional<double> Value::number() const
{
    if (const double* real = as<double>())
        return *real;
    if (const std::int64_t* whole = as<std::int64_t>())
        return static_cast<double>(*whole);
    if (const bool* flag = as<bool>())
        return *flag ? 1.0 : 0.0;
    return {};
}

Value listOf(std::vector<Value> items)
{
    return Value(ListValue{std::move(items)});
}

Value listOf(std::vector<Tensor> tensors)
{
    ListValue list;
    for (Tensor& tensor : tensors)
        list.items.emplace_back(std::move(tensor));
    return Value(std::move(list));
}

void forEachTensor(const Value& value, const std::function<void(const Tensor&)>& visit)
{
    if (const Tensor* tensor = value.tensor())
        visit(*tensor);
    if (const std::vector<Value>* items = value.items())
        for (const Value& item : *items)
            forEachTensor(item, visit);
    if (const DictValue* dict = value.as<DictValue>())
        for (const Value& item : dict->items)
            forEachTensor(item, visit);
}

std::string kindText(const Value& value)
{
    static constexpr const char* names[] = {
        "None",   "a bool", "an integer", "a float", "a complex number", "a text", "a tensor",
        "a list", "a dict", "a constant", "a view",  "an opaque value",  "a graph"};
    return names[value.value.index()];
}

} // namespace reinspect::exec
