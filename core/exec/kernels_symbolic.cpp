// SPDX-License-Identifier: MIT
// Python's own operators on numbers, sizes of tensors as numbers, and getitem.
#include "core/base/checked_math.h"
#include "core/exec/elements.h"
#include "core/exec/kernel_registry.h"

#include <algorithm>
#include <cmath>

namespace reinspect::exec
{
namespace
{

Result<Value> getitem(const KernelCall& call)
{
    if (call.values.size() != 2)
        return call.error("takes two arguments");
    if (const DictValue* dict = call.values[0].as<DictValue>())
    {
        const std::string* key = call.values[1].as<std::string>();
        const Value* found = key ? dict->find(*key) : nullptr;
        return found ? Result<Value>(*found) : call.error("no such key");
    }
    const std::vector<Value>* items = call.values[0].items();
    const auto index = call.values[1].integer();
    if (!items || !index)
        return call.error("indexes " + kindText(call.values[0]) + " with "
                          + kindText(call.values[1]));
    const auto size = static_cast<std::int64_t>(items->size());
    const std::int64_t at = *index < 0 ? *index + size : *index;
    if (at < 0 || at >= size)
        return call.error("index " + std::to_string(*index) + " of " + std::to_string(size)
                          + " values");
    return (*items)[static_cast<std::size_t>(at)];
}

Result<Value> symSize(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    return self.rank() ? Result<Value>(Value(self.sizes[dim])) : call.error("has no dimensions");
}

Result<Value> symStride(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", self));
    return self.rank() ? Result<Value>(Value(self.strides[dim])) : call.error("has no dimensions");
}

Result<Value> symNumel(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    return Value(self.count());
}

Result<Value> symOffset(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    return Value(self.offset);
}

// A number out of a tensor with one element.
Result<Value> item(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    if (self.count() != 1)
        return call.error("needs exactly one element");
    if (computeKind(self.dtype) == ComputeKind::Integer)
    {
        const std::int64_t value = readAll<std::int64_t>(self).front();
        return self.dtype == DType::Bool ? Value(value != 0) : Value(value);
    }
    return Value(readAll<double>(self).front());
}

using WholeFunction = std::optional<std::int64_t> (*)(std::int64_t, std::int64_t);
using RealFunction = double (*)(double, double);

// Tensors go to the operator of the same meaning; whole numbers stay whole.
Result<Value> arithmetic(const KernelCall& call, const char* onTensors, WholeFunction whole,
                         RealFunction real)
{
    if (call.values.size() != 2)
        return call.error("takes two arguments");
    const Value& a = call.values[0];
    const Value& b = call.values[1];
    if (a.tensor() || b.tensor())
        return callKernel(call, onTensors, {a, b});
    const bool isWhole = !a.as<double>() && !b.as<double>();
    if (const auto x = a.integer(), y = b.integer(); isWhole && whole && x && y)
    {
        const auto result = whole(*x, *y);
        return result ? Result<Value>(Value(*result))
                      : call.error("the result does not exist or does not fit");
    }
    const auto x = a.number();
    const auto y = b.number();
    if (!x || !y)
        return call.error("needs numbers, and has " + kindText(a) + " and " + kindText(b));
    return Value(real(*x, *y));
}

Result<Value> add(const KernelCall& call)
{
    return arithmetic(call, "aten.add.Tensor", checkedAdd,
                      [](double a, double b) { return a + b; });
}
Result<Value> subtract(const KernelCall& call)
{
    return arithmetic(call, "aten.sub.Tensor", checkedSubtract,
                      [](double a, double b) { return a - b; });
}
Result<Value> multiply(const KernelCall& call)
{
    return arithmetic(call, "aten.mul.Tensor", checkedMultiply,
                      [](double a, double b) { return a * b; });
}
Result<Value> floorDivide(const KernelCall& call)
{
    return arithmetic(call, "aten.floor_divide.default", checkedFloorDivide,
                      [](double a, double b) { return std::floor(a / b); });
}
Result<Value> trueDivide(const KernelCall& call)
{
    return arithmetic(call, "aten.div.Tensor", nullptr, [](double a, double b) { return a / b; });
}
Result<Value> modulo(const KernelCall& call)
{
    return arithmetic(call, "aten.remainder.Tensor", checkedModulo, [](double a, double b) {
        const double rest = std::fmod(a, b);
        return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    });
}
Result<Value> power(const KernelCall& call)
{
    return arithmetic(call, "aten.pow.Tensor_Tensor", checkedPower,
                      [](double a, double b) { return std::pow(a, b); });
}
Result<Value> larger(const KernelCall& call)
{
    return arithmetic(
        call, "aten.maximum.default",
        [](std::int64_t a, std::int64_t b) { return std::optional(std::max(a, b)); },
        [](double a, double b) { return std::max(a, b); });
}
Result<Value> smaller(const KernelCall& call)
{
    return arithmetic(
        call, "aten.minimum.default",
        [](std::int64_t a, std::int64_t b) { return std::optional(std::min(a, b)); },
        [](double a, double b) { return std::min(a, b); });
}

template<typename Compare>
Result<Value> comparison(const KernelCall& call, const char* onTensors, Compare&& compare)
{
    if (call.values.size() != 2)
        return call.error("takes two arguments");
    const Value& a = call.values[0];
    const Value& b = call.values[1];
    if (a.tensor() || b.tensor())
        return callKernel(call, onTensors, {a, b});
    if (const auto x = a.integer(), y = b.integer(); x && y)
        return Value(static_cast<bool>(compare(*x, *y)));
    if (const auto x = a.number(), y = b.number(); x && y)
        return Value(static_cast<bool>(compare(*x, *y)));
    return call.error("needs numbers, and has " + kindText(a) + " and " + kindText(b));
}

#define REINSPECT_PYTHON_COMPARISON(name, target, operation)                                       \
    Result<Value> name(const KernelCall& call)                                                     \
    {                                                                                              \
        return comparison(call, target, [](auto a, auto b) { return a operation b; });             \
    }
REINSPECT_PYTHON_COMPARISON(equal, "aten.eq.Tensor", ==)
REINSPECT_PYTHON_COMPARISON(notEqual, "aten.ne.Tensor", !=)
REINSPECT_PYTHON_COMPARISON(less, "aten.lt.Tensor", <)
REINSPECT_PYTHON_COMPARISON(lessEqual, "aten.le.Tensor", <=)
REINSPECT_PYTHON_COMPARISON(greater, "aten.gt.Tensor", >)
REINSPECT_PYTHON_COMPARISON(greaterEqual, "aten.ge.Tensor", >=)

Result<Value> logicalNot(const KernelCall& call)
{
    const auto number = call.values.empty() ? std::nullopt : call.values[0].number();
    return number ? Result<Value>(Value(*number == 0)) : call.error("needs a number");
}

Result<Value> negative(const KernelCall& call)
{
    if (call.values.size() == 1 && call.values[0].tensor())
        return callKernel(call, "aten.neg.default", {call.values[0]});
    if (call.values.size() == 1 && !call.values[0].as<double>())
        if (const auto whole = call.values[0].integer())
            if (const auto result = checkedSubtract(0, *whole))
                return Value(*result);
    const auto number = call.values.empty() ? std::nullopt : call.values[0].number();
    return number ? Result<Value>(Value(-*number)) : call.error("needs a number");
}

Result<Value> toFloatNumber(const KernelCall& call)
{
    const auto number = call.values.empty() ? std::nullopt : call.values[0].number();
    return number ? Result<Value>(Value(*number)) : call.error("needs a number");
}

Result<Value> toWholeNumber(const KernelCall& call)
{
    const auto number = call.values.empty() ? std::nullopt : call.values[0].number();
    if (!number || std::abs(*number) > 9e18)
        return call.error("needs a number");
    return call.values[0].as<double>() ? Value(static_cast<std::int64_t>(*number)) : call.values[0];
}

Result<Value> ceilNumber(const KernelCall& call)
{
    const auto number = call.values.empty() ? std::nullopt : call.values[0].number();
    if (!number || std::abs(*number) > 9e18)
        return call.error("needs a number");
    return Value(static_cast<std::int64_t>(std::ceil(*number)));
}

Result<Value> symSum(const KernelCall& call)
{
    std::optional<std::int64_t> sum = 0;
    const std::vector<Value>* items = call.values.empty() ? nullptr : call.values[0].items();
    for (std::size_t i = 0; items && i < items->size() && sum; ++i)
    {
        const auto number = (*items)[i].integer();
        sum = number ? checkedAdd(*sum, *number) : std::nullopt;
    }
    return items && sum ? Result<Value>(Value(*sum)) : call.error("needs a list of integers");
}

// Checks of sizes that the traced program made; true here or the run would mean something else.
Result<Value> assertNumber(const KernelCall& call)
{
    const Value* value = call.values.empty() ? nullptr : &call.values[0];
    bool holds = true;
    if (value && value->tensor() && value->tensor()->count() == 1)
        holds = readAll<double>(*value->tensor()).front() != 0;
    else if (value && value->number())
        holds = *value->number() != 0;
    return holds ? Result<Value>(Value())
                 : call.error("the assertion does not hold for these inputs");
}

Result<Value> nothing(const KernelCall&)
{
    return Value();
}

#define REINSPECT_ANY(target, function)                                                            \
    {                                                                                              \
        target, function, "*"                                                                      \
    }
const KernelRow table[] = {
    REINSPECT_ANY("operator.getitem", getitem),
    {"aten.sym_size.int", symSize},
    {"aten.sym_stride.int", symStride},
    {"aten.sym_numel.default", symNumel},
    {"aten.sym_storage_offset.default", symOffset},
    {"aten.item.default", item},
    {"aten._local_scalar_dense.default", item},
    REINSPECT_ANY("operator.add", add),
    REINSPECT_ANY("operator.sub", subtract),
    REINSPECT_ANY("operator.mul", multiply),
    REINSPECT_ANY("operator.floordiv", floorDivide),
    REINSPECT_ANY("operator.truediv", trueDivide),
    REINSPECT_ANY("operator.mod", modulo),
    REINSPECT_ANY("operator.pow", power),
    REINSPECT_ANY("operator.neg", negative),
    REINSPECT_ANY("operator.not_", logicalNot),
    REINSPECT_ANY("operator.eq", equal),
    REINSPECT_ANY("operator.ne", notEqual),
    REINSPECT_ANY("operator.lt", less),
    REINSPECT_ANY("operator.le", lessEqual),
    REINSPECT_ANY("operator.gt", greater),
    REINSPECT_ANY("operator.ge", greaterEqual),
    REINSPECT_ANY("torch.sym_max", larger),
    REINSPECT_ANY("torch.sym_min", smaller),
    REINSPECT_ANY("torch.sym_float", toFloatNumber),
    REINSPECT_ANY("torch.sym_int", toWholeNumber),
    REINSPECT_ANY("torch.sym_not", logicalNot),
    REINSPECT_ANY("torch.sym_sum", symSum),
    REINSPECT_ANY("math.ceil", ceilNumber),
    REINSPECT_ANY("math.trunc", toWholeNumber),
    REINSPECT_ANY("aten._assert_scalar.default", assertNumber),
    REINSPECT_ANY("aten._assert_async.msg", assertNumber),
    REINSPECT_ANY("aten._assert_async.default", assertNumber),
    REINSPECT_ANY("aten._assert_tensor_metadata.default", nothing),
    REINSPECT_ANY("aten.sym_constrain_range_for_size.default", nothing),
    REINSPECT_ANY("aten.sym_constrain_range.default", nothing),
    REINSPECT_ANY("torch._check", nothing),
};

} // namespace

std::span<const KernelRow> symbolicKernels()
{
    return table;
}

} // namespace reinspect::exec
