// SPDX-License-Identifier: MIT
// What a node computes: a tensor, a number, a list of such, or something that only some operators understand.
// The run-time twin of Argument (core/ir/argument.h): nodes are replaced by what they computed, symbols by
// numbers.
#pragma once

#include "core/exec/tensor.h"
#include "core/ir/graph.h"

namespace reinspect::exec
{

struct Value;
using GraphPtr = std::shared_ptr<const Graph>; // the body of a higher-order operator

struct ListValue // a list or a tuple
{
    std::vector<Value> items;
};

struct DictValue
{
    std::vector<std::string> keys;
    std::vector<Value> items;

    const Value* find(std::string_view key) const; // null when absent
};

// A view inside a generalized scatter: the operator and its arguments after the tensor.
struct ViewStep
{
    std::string target;
    std::vector<Value> args;
    DictValue kwargs;
};

struct Value
{
    // ConstantArgument: a dtype, device, layout, memory format or operator. OpaqueArgument: a text.
    std::variant<None, bool, std::int64_t, double, std::complex<double>, std::string, Tensor,
                 ListValue, DictValue, ConstantArgument, ViewStep, OpaqueArgument, GraphPtr>
        value;

    Value() = default;
    template<typename T>
    requires(!std::is_same_v<std::remove_cvref_t<T>, Value>) Value(T&& given)
        : value(std::forward<T>(given))
    {}

    template<typename T>
    const T* as() const
    {
        return std::get_if<T>(&value);
    }
    bool isNone() const { return as<None>() != nullptr; }
    const Tensor* tensor() const { return as<Tensor>(); }
    const std::vector<Value>* items() const; // of a list; null for anything else
    // A number of Python: bool counts as 0 or 1; a double only when it is whole.
    std::optional<std::int64_t> integer() const;
    std::optional<double> number() const; // bool, integer or double
};

Value listOf(std::vector<Value> items);
Value listOf(std::vector<Tensor> tensors);

// Every tensor inside, in order.
void forEachTensor(const Value& value, const std::function<void(const Tensor&)>& visit);
std::string kindText(const Value& value); // "a tensor", "None", for messages

} // namespace reinspect::exec
