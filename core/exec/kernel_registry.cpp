// SPDX-License-Identifier: MIT
#include "core/exec/kernel_registry.h"

#include "core/exec/device.h"
#include "core/exec/elements.h"

#include <algorithm>
#include <unordered_map>

namespace reinspect::exec
{
namespace
{

struct KnownRow
{
    const KernelRow* row = nullptr;
    RunsOn runsOn = RunsOn::Host;
};
using RowMap = std::unordered_map<std::string_view, KnownRow>;
using Tables = std::initializer_list<std::span<const KernelRow> (*)()>;

void add(RowMap& map, const Tables& tables, RunsOn runsOn)
{
    for (const auto table : tables)
        for (const KernelRow& row : table())
            map.emplace(row.name,
                        KnownRow{&row, row.runsOn == RunsOn::Table ? runsOn : row.runsOn});
}

const RowMap& rows()
{
    static const RowMap map = [] {
        RowMap made;
        add(made,
            {viewKernels, partKernels, unaryKernels, binaryKernels, choiceKernels, copyKernels,
             factoryKernels, symbolicKernels, callKernels, collectiveKernels, tritonKernels,
             nameKernels},
            RunsOn::Anywhere);
        add(made,
            {randomKernels,
             indexKernels,
             gatherKernels,
             reduceKernels,
             extremeKernels,
             productKernels,
             convolutionKernels,
             softmaxKernels,
             poolKernels,
             normKernels,
             batchNormKernels,
             attentionKernels,
             attentionBackwardKernels,
             orderKernels,
             scatterKernels,
             rearrangeKernels,
             padKernels,
             resampleKernels,
             lossKernels,
             specialKernels,
             activationKernels},
            RunsOn::Host);
        return made;
    }();
    return map;
}

// The same values under another operator's schema, by name; the first argument by position.
KernelCall rebound(const KernelCall& call, const ResolvedKernel& kernel)
{
    KernelCall inner = call;
    inner.schema = kernel.rowSchema;
    inner.values = kernel.rowSchema->defaults;
    for (std::size_t i = 0; i < inner.values.size(); ++i)
    {
        const std::string_view name = inner.schema->arguments[i].name;
        if (const Value* value = call.given(name))
            inner.values[i] = *value;
        else if (i < call.values.size() && i < 1)
            inner.values[i] = call.values[i];
    }
    return inner;
}

Result<Value> runInto(const ResolvedKernel& kernel, const KernelCall& call,
                      const Value& destination)
{
    KernelCall inner = rebound(call, kernel);
    inner.expected = nullptr;
    const ScratchScope scope(*call.context);
    REINSPECT_TRY(const Value computed, runRow(*kernel.row, inner));
    if (!computed.tensor() || !destination.tensor())
        return call.unsupported(
            "only operators with one tensor as result have an in-place form here");
    if (const auto copied = copyElements(*destination.tensor(), *computed.tensor()); !copied.ok())
        return call.error(copied.error().message);
    return destination;
}

// The call for element i of every list.
KernelCall elementCall(const KernelCall& call, const ResolvedKernel& kernel, std::size_t i)
{
    KernelCall inner = call;
    inner.schema = kernel.rowSchema;
    inner.values = kernel.rowSchema->defaults;
    inner.expected = nullptr;
    for (std::size_t k = 0; k < inner.values.size() && k < call.values.size(); ++k)
    {
        const std::vector<Value>* items = call.values[k].items();
        if (items && i < items->size())
            inner.values[k] = (*items)[i];
        else if (!items && !call.values[k].isNone())
            inner.values[k] = call.values[k];
    }
    return inner;
}

Result<Value> runForeach(const ResolvedKernel& kernel, const KernelCall& call)
{
    const std::vector<Value>* first = call.values.empty() ? nullptr : call.values[0].items();
    if (!first)
        return call.error("the first argument is not a list");
    for (const Value& value : call.values)
        if (value.items() && value.items()->size() != first->size())
            return call.error("lists of different lengths");
    ListValue results;
    const bool writes = kernel.form == KernelForm::ForeachInPlace;
    for (std::size_t i = 0; i < first->size(); ++i)
    {
        KernelCall inner = elementCall(call, kernel, i);
        if (!writes)
        {
            // The parts' own metadata, for the layout.
            MetaValue part;
            if (const TensorMeta* meta = call.expectedTensor(i))
                part.value = *meta;
            inner.expected = part.isKnown() ? &part : nullptr;
            REINSPECT_TRY(Value made, runRow(*kernel.row, inner));
            results.items.push_back(std::move(made));
            continue;
        }
        const ScratchScope scope(*call.context);
        REINSPECT_TRY(const Value made, runRow(*kernel.row, inner));
        const Tensor* target = (*first)[i].tensor();
        if (!made.tensor() || !target)
            return call.error("a member of the list is not a tensor");
        if (const auto copied = copyElements(*target, *made.tensor()); !copied.ok())
            return call.error(copied.error().message);
        results.items.push_back((*first)[i]);
    }
    return Value(std::move(results));
}

std::string argumentNamed(const KernelSchema& schema, std::string_view name)
{
    for (const SchemaArgument& argument : schema.arguments)
        if (argument.name == name)
            return std::string(argument.name);
    return {};
}

} // namespace

const KernelRow* findKernel(std::string_view name)
{
    const auto at = rows().find(name);
    return at == rows().end() ? nullptr : at->second.row;
}

RunsOn runsOn(const KernelRow& row)
{
    const auto at = rows().find(row.name);
    return at == rows().end() ? RunsOn::Host : at->second.runsOn;
}

std::vector<const KernelRow*> allKernels()
{
    std::vector<const KernelRow*> list;
    for (const auto& [name, known] : rows())
        list.push_back(known.row);
    std::ranges::sort(list, {}, [](const KernelRow* row) { return row->name; });
    return list;
}

Result<void> bindArguments(KernelCall& call, std::vector<Value> args, DictValue kwargs)
{
    const auto& arguments = call.schema->arguments;
    if (call.schema->text == "*")
    {
        call.values = std::move(args);
        call.keywords = std::move(kwargs);
        return {};
    }
    call.values = call.schema->defaults;
    if (args.size() > arguments.size())
        return call.error("takes " + std::to_string(arguments.size()) + " arguments, and "
                          + std::to_string(args.size()) + " are given");
    for (std::size_t i = 0; i < args.size(); ++i)
        call.values[i] = std::move(args[i]);
    for (std::size_t i = 0; i < kwargs.keys.size(); ++i)
    {
        const auto at =
            std::ranges::find(arguments, std::string_view(kwargs.keys[i]), &SchemaArgument::name);
        if (at == arguments.end())
            return call.error("has no argument '" + kwargs.keys[i] + "'");
        call.values[static_cast<std::size_t>(at - arguments.begin())] = std::move(kwargs.items[i]);
    }
    return {};
}

Result<Value> runKernel(const ResolvedKernel& kernel, const KernelCall& call)
{
    switch (kernel.form)
    {
    case KernelForm::Direct: break;
    case KernelForm::InPlace:
        return runInto(kernel, call, call.values.empty() ? Value() : call.values[0]);
    case KernelForm::Out:
    {
        const Value* out = call.given(argumentNamed(*call.schema, "out"));
        return runInto(kernel, call, out ? *out : Value());
    }
    case KernelForm::Foreach:
    case KernelForm::ForeachInPlace: return runForeach(kernel, call);
    }
    return runRow(*kernel.row, call);
}

namespace
{

const CustomOperator* customOperator(const RunContext& context, std::string_view target)
{
    return context.facts ? context.facts->customOperator(target) : nullptr;
}

// More elements than the memory limit has room for, as only an expanded view can have.
Result<void> refuseEndless(const KernelCall& call)
{
    const OpFacts* facts = findOpFacts(call.target);
    bool isBeyond = false;
    for (const Value& value : call.values)
        forEachTensor(value, [&](const Tensor& tensor) {
            isBeyond = isBeyond || tensor.count() > call.context->tracker->limit() / 8;
        });
    if (isBeyond && !(facts && facts->isView))
        return call.error("an operand has more elements than the memory limit has room for",
                          ErrorKind::CannotRunHere);
    return {};
}

Result<Value> runCustom(const KernelCall& call, const CustomOperator& custom)
{
    REINSPECT_TRY(std::vector<Value> results, call.context->runBody(*custom.body, call.values));
    if (results.empty())
        return Value();
    return results.size() == 1 ? results.front() : listOf(std::move(results));
}

} // namespace

Result<Value> callOperator(KernelCall call, std::string_view target, std::vector<Value> args,
                           DictValue kwargs)
{
    const ResolvedKernel& kernel = resolveKernel(target);
    const CustomOperator* custom = customOperator(*call.context, target);
    call.target = target;
    call.schema = kernel.schema;
    if (!call.schema && custom && !custom->schema.empty())
        call.schema = KernelSchema::read(custom->schema);
    const ForeignOperators* foreign = call.context->foreign;
    const bool isForeign = foreign && foreign->contains(target);
    const bool hasBody = custom && custom->body;
    if (!call.schema || !(kernel.row || isForeign || hasBody))
        return call.unsupported(custom ? "the capture has no body of this operator"
                                       : "no implementation of this operator is known");
    REINSPECT_CHECK(bindArguments(call, std::move(args), std::move(kwargs)));
    REINSPECT_CHECK(refuseEndless(call));
    if (isForeign)
        return foreign->find(target)->second(call);
    return kernel.row ? runKernel(kernel, call) : runCustom(call, *custom);
}

Result<Value> callKernel(const KernelCall& outer, std::string_view target, std::vector<Value> args,
                         DictValue kwargs)
{
    const ResolvedKernel& kernel = resolveKernel(target);
    if (!kernel.row)
        return outer.unsupported("the operator " + std::string(target) + " is not known");
    KernelCall call;
    call.node = outer.node;
    call.target = target;
    call.schema = kernel.schema;
    call.context = outer.context;
    REINSPECT_CHECK(bindArguments(call, std::move(args), std::move(kwargs)));
    return runKernel(kernel, call);
}

} // namespace reinspect::exec
