// SPDX-License-Identifier: MIT
// Operators that call others: auto_functionalized in both forms, with_effects, and the bodies of higher-order
// operators.
#include "core/exec/clones.h"
#include "core/exec/kernel_registry.h"

#include <algorithm>

namespace reinspect::exec
{
namespace
{

constexpr std::int64_t kMostRounds = 1 << 20;

Result<Value> callTarget(const KernelCall& outer, const std::string& target,
                         std::vector<Value> args, DictValue kwargs)
{
    KernelCall call;
    call.node = outer.node;
    call.context = outer.context;
    return callOperator(std::move(call), target, std::move(args), std::move(kwargs));
}

struct CarriedOperator
{
    std::string target;
    std::shared_ptr<const KernelSchema> schema;
};

Result<CarriedOperator> carriedOperator(const KernelCall& call)
{
    const ConstantArgument* named =
        call.values.empty() ? nullptr : call.values[0].as<ConstantArgument>();
    if (!named || named->kind != ConstantArgument::Kind::Operator)
        return call.error("the first argument is no operator");
    CarriedOperator carried{named->text, resolveKernel(named->text).schema};
    const CustomOperator* custom =
        call.context->facts ? call.context->facts->customOperator(named->text) : nullptr;
    if (!carried.schema && custom && !custom->schema.empty())
        carried.schema = KernelSchema::read(custom->schema);
    if (!carried.schema)
        return call.unsupported("the schema of " + named->text + " is not in the file");
    return carried;
}

bool isToBeCloned(const KernelCall& call, const Argument& name)
{
    return !call.onlyClone || std::ranges::find(*call.onlyClone, name) != call.onlyClone->end();
}

Result<Value> clonedValue(const KernelCall& call, const Value& value)
{
    if (const Tensor* tensor = value.tensor())
    {
        REINSPECT_TRY(Tensor copy, cloneKeepingStrides(call, *tensor));
        return Value(std::move(copy));
    }
    const std::vector<Value>* items = value.items();
    if (!items)
        return value;
    ListValue copies;
    for (const Value& item : *items)
    {
        REINSPECT_TRY(Value copy, clonedValue(call, item));
        copies.items.push_back(std::move(copy));
    }
    return Value(std::move(copies));
}

// What the operator returned, then what it wrote.
Value wrapperResult(const CarriedOperator& carried, const Value& returned,
                    std::vector<Value> written)
{
    ListValue all;
    const std::size_t count = schemaReturnCount(carried.schema->text);
    if (count > 1 && returned.items())
        all.items = *returned.items();
    else
        all.items.push_back(count == 0 ? Value() : returned);
    for (Value& value : written)
        all.items.push_back(std::move(value));
    return Value(std::move(all));
}

Result<Value> autoFunctionalized(const KernelCall& call)
{
    REINSPECT_TRY(const CarriedOperator carried, carriedOperator(call));
    DictValue kwargs = call.keywords;
    std::vector<Value> written;
    for (const SchemaArgument& argument : carried.schema->arguments)
    {
        if (!argument.isMutable)
            continue;
        const auto at = std::ranges::find(kwargs.keys, argument.name);
        if (at == kwargs.keys.end())
        {
            written.emplace_back();
            continue;
        }
        Value& value = kwargs.items[static_cast<std::size_t>(at - kwargs.keys.begin())];
        if (isToBeCloned(call, {std::string(argument.name)}))
        {
            REINSPECT_TRY(value, clonedValue(call, value));
        }
        written.push_back(value);
    }
    REINSPECT_TRY(const Value returned, callTarget(call, carried.target, {}, std::move(kwargs)));
    return wrapperResult(carried, returned, std::move(written));
}

// One argument of the second form, a view of a base: what `_x_base_index` and its kin say.
Result<Value> viewOfBase(const KernelCall& call, const std::string& prefix,
                         const std::vector<Value>& bases)
{
    const auto given = [&](const char* suffix) { return call.keywords.find(prefix + suffix); };
    const Value* index = given("_base_index");
    const auto number = index ? index->integer() : std::nullopt;
    if (!number || *number < 0 || static_cast<std::size_t>(*number) >= bases.size())
        return Value();
    const Value& base = bases[static_cast<std::size_t>(*number)];
    if (!base.tensor())
        return base;
    if (given("_alias"))
        return base;
    if (given("_size") && given("_stride") && given("_storage_offset"))
        return callKernel(call, "aten.as_strided.default",
                          {base, *given("_size"), *given("_stride"), *given("_storage_offset")});
    if (given("_slice_dim") && given("_slice_start") && given("_slice_end"))
        return callKernel(
            call, "aten.slice.Tensor",
            {base, *given("_slice_dim"), *given("_slice_start"), *given("_slice_end")});
    return base;
}

Result<Value> viewsOfBases(const KernelCall& call, const std::string& name,
                           const std::vector<Value>& bases)
{
    const Value* length = call.keywords.find("_" + name + "_length");
    if (!length)
        return viewOfBase(call, "_" + name, bases);
    if (!length->integer())
        return Value();
    ListValue members;
    for (std::int64_t i = 0; i < *length->integer() && i < kMostRounds; ++i)
    {
        REINSPECT_TRY(Value member, viewOfBase(call, "_" + name + "_" + std::to_string(i), bases));
        members.items.push_back(std::move(member));
    }
    return Value(std::move(members));
}

Result<Value> autoFunctionalizedV2(const KernelCall& call)
{
    REINSPECT_TRY(const CarriedOperator carried, carriedOperator(call));
    std::vector<Value> bases;
    const Value* given = call.keywords.find("_all_bases");
    for (std::size_t i = 0; given && given->items() && i < given->items()->size(); ++i)
    {
        Value base = (*given->items())[i];
        if (isToBeCloned(call, {static_cast<std::int64_t>(i)}))
        {
            REINSPECT_TRY(base, clonedValue(call, base));
        }
        bases.push_back(std::move(base));
    }
    DictValue kwargs;
    for (const SchemaArgument& argument : carried.schema->arguments)
    {
        const std::string name(argument.name);
        const Value* plain = call.keywords.find(name);
        if (!plain && !argument.isMutable)
            continue;
        Value value = plain ? *plain : Value();
        if (argument.isMutable)
        {
            REINSPECT_TRY(value, viewsOfBases(call, name, bases));
        }
        kwargs.keys.push_back(name);
        kwargs.items.push_back(std::move(value));
    }
    REINSPECT_TRY(const Value returned, callTarget(call, carried.target, {}, std::move(kwargs)));
    return wrapperResult(carried, returned, std::move(bases));
}

// (token, op, ...): a new token, then what the operator returns.
Result<Value> withEffects(const KernelCall& call)
{
    const ConstantArgument* named =
        call.values.size() > 1 ? call.values[1].as<ConstantArgument>() : nullptr;
    if (!named)
        return call.error("the second argument is no operator");
    std::vector<Value> args(call.values.begin() + 2, call.values.end());
    REINSPECT_TRY(const Value returned,
                  callTarget(call, named->text, std::move(args), call.keywords));
    ListValue all{{call.values[0]}};
    if (returned.items())
        all.items.insert(all.items.end(), returned.items()->begin(), returned.items()->end());
    else
        all.items.push_back(returned);
    return Value(std::move(all));
}

Result<Value> makeToken(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor token, call.scratch(DType::Float32, {0}));
    return Value(token);
}

Result<const Graph*> bodyAt(const KernelCall& call, std::size_t place)
{
    const GraphPtr* body = place < call.values.size() ? call.values[place].as<GraphPtr>() : nullptr;
    if (!body || !*body)
        return call.unsupported("the body of this operator is not in the file");
    return body->get();
}

std::vector<Value> listAt(const KernelCall& call, std::size_t place)
{
    const std::vector<Value>* items =
        place < call.values.size() ? call.values[place].items() : nullptr;
    return items ? *items : std::vector<Value>();
}

Result<bool> isTrue(const KernelCall& call, const Value& value)
{
    if (const auto number = value.number())
        return *number != 0;
    REINSPECT_TRY(const Value number, callKernel(call, "aten.item.default", {value}));
    return number.number().value_or(0) != 0;
}

Result<Value> conditional(const KernelCall& call)
{
    if (call.values.size() < 3)
        return call.error("takes a predicate, two bodies and their operands");
    REINSPECT_TRY(const bool holds, isTrue(call, call.values[0]));
    REINSPECT_TRY(const Graph* body, bodyAt(call, holds ? 1 : 2));
    REINSPECT_TRY(std::vector<Value> results, call.context->runBody(*body, listAt(call, 3)));
    return listOf(std::move(results));
}

Result<Value> whileLoop(const KernelCall& call)
{
    REINSPECT_TRY(const Graph* test, bodyAt(call, 0));
    REINSPECT_TRY(const Graph* body, bodyAt(call, 1));
    std::vector<Value> carried = listAt(call, 2);
    const std::vector<Value> fixed = listAt(call, 3);
    for (std::int64_t round = 0; round < kMostRounds; ++round)
    {
        std::vector<Value> inputs = carried;
        inputs.insert(inputs.end(), fixed.begin(), fixed.end());
        REINSPECT_TRY(const std::vector<Value> verdict, call.context->runBody(*test, inputs));
        REINSPECT_TRY(const bool goesOn,
                      isTrue(call, verdict.empty() ? Value(false) : verdict.front()));
        if (!goesOn)
            return listOf(std::move(carried));
        REINSPECT_TRY(carried, call.context->runBody(*body, std::move(inputs)));
    }
    return call.unsupported("the loop ran " + std::to_string(kMostRounds)
                            + " rounds without an end");
}

// (body, identifier, operands...)
Result<Value> invokeSubgraph(const KernelCall& call)
{
    REINSPECT_TRY(const Graph* body, bodyAt(call, 0));
    std::vector<Value> operands;
    for (std::size_t i = 2; i < call.values.size(); ++i)
        if (const std::vector<Value>* items = call.values[i].items())
            operands.insert(operands.end(), items->begin(), items->end());
        else
            operands.push_back(call.values[i]);
    REINSPECT_TRY(std::vector<Value> results, call.context->runBody(*body, std::move(operands)));
    return listOf(std::move(results));
}

// (additional dependencies, body, operands...)
Result<Value> controlDeps(const KernelCall& call)
{
    REINSPECT_TRY(const Graph* body, bodyAt(call, 1));
    std::vector<Value> operands(call.values.begin() + 2, call.values.end());
    REINSPECT_TRY(std::vector<Value> results, call.context->runBody(*body, std::move(operands)));
    return results.size() == 1 ? results.front() : listOf(std::move(results));
}

const KernelRow table[] = {
    {"higher_order.auto_functionalized", autoFunctionalized, "*"},
    {"higher_order.auto_functionalized_v2", autoFunctionalizedV2, "*"},
    {"higher_order.with_effects", withEffects, "*"},
    {"higher_order.cond", conditional, "*"},
    {"higher_order.while_loop", whileLoop, "*"},
    {"higher_order.invoke_subgraph", invokeSubgraph, "*"},
    {"higher_order.control_deps", controlDeps, "*"},
    {"prims._make_token.default", makeToken, "*"},
};

} // namespace

std::span<const KernelRow> callKernels()
{
    return table;
}

} // namespace reinspect::exec
