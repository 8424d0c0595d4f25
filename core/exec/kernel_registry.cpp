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

std::shared_ptr<const KernelSchema> schemaOf(std::string_view target, const KernelRow* row)
{
    if (row && !row->schema.empty())
        return KernelSchema::read(row->schema);
    const OpFacts* facts = findOpFacts(target);
    return facts ? KernelSchema::read(facts->schema) : nullptr;
}

// Functional names by the name of the form that writes the first argument.
std::string functionalOf(std::string_view inplace)
{
    static const auto map = [] {
        std::unordered_map<std::string_view, std::string_view> made;
        for (const OpFacts& facts : allOpFacts())
            if (!facts.inplaceTwin.empty())
                made.emplace(facts.inplaceTwin, facts.name);
        return made;
    }();
    const auto at = map.find(inplace);
    if (at != map.end())
        return std::string(at->second);
    // "aten.name_.overload"
    const std::size_t dot = inplace.rfind('.');
    if (dot == std::string_view::npos || dot == 0 || inplace[dot - 1] != '_')
        return {};
    return std::string(inplace.substr(0, dot - 1)) + std::string(inplace.substr(dot));
}

// "aten.add.out" -> "aten.add.Tensor", "aten.sum.IntList_out" -> "aten.sum.dim_IntList"
std::string functionalOfOut(std::string_view target)
{
    const std::size_t dot = target.rfind('.');
    if (dot == std::string_view::npos || !target.ends_with("out"))
        return {};
    const std::string packet(target.substr(0, dot + 1));
    std::string overload(target.substr(dot + 1));
    if (overload.ends_with("_out"))
        return packet + overload.substr(0, overload.size() - 4);
    for (const char* guess : {"default", "Tensor", "self"})
        if (rows().contains(packet + guess))
            return packet + guess;
    return {};
}

// "aten._foreach_add_.List" -> "aten.add.Tensor"
std::string functionalOfForeach(std::string_view target)
{
    constexpr std::string_view prefix = "aten._foreach_";
    if (!target.starts_with(prefix))
        return {};
    std::string rest(target.substr(prefix.size()));
    const std::size_t dot = rest.find('.');
    if (dot == std::string::npos)
        return {};
    std::string packet = rest.substr(0, dot);
    std::string overload = rest.substr(dot + 1);
    if (packet.ends_with('_'))
        packet.pop_back();
    const bool isPower = packet == "pow";
    if (overload == "List")
        overload = isPower ? "Tensor_Tensor" : "Tensor";
    else if (overload == "Scalar" || overload == "ScalarList")
        overload = isPower ? "Tensor_Scalar" : "Scalar";
    else if (overload == "ScalarAndTensor")
        overload = "Scalar_Tensor";
    packet = packet == "maximum" || packet == "minimum" ? packet : packet;
    for (const std::string& name : {overload, std::string("Tensor"), std::string("default")})
        if (rows().contains("aten." + packet + "." + name))
            return "aten." + packet + "." + name;
    return {};
}

ResolvedKernel resolve(std::string_view target)
{
    ResolvedKernel found;
    found.row = findKernel(target);
    found.schema = schemaOf(target, found.row);
    const auto take = [&](const std::string& name, KernelForm form) {
        const KernelRow* row = name.empty() ? nullptr : findKernel(name);
        if (found.row || !row)
            return;
        found.row = row;
        found.form = form;
    };
    const bool writes = target.find("_.") != std::string_view::npos;
    if (!found.row && target.ends_with(".default") == false && findOpFacts(target))
        take(std::string(findOpFacts(target)->name), KernelForm::Direct); // "aten.clone"
    take(functionalOfForeach(target), writes ? KernelForm::ForeachInPlace : KernelForm::Foreach);
    take(functionalOf(target), KernelForm::InPlace);
    take(functionalOfOut(target), KernelForm::Out);
    if (found.row)
        found.rowSchema =
            found.form == KernelForm::Direct ? found.schema : schemaOf(found.row->name, found.row);
    if (!found.schema || !found.rowSchema)
        found.row = nullptr;
    return found;
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

const ResolvedKernel& resolveKernel(std::string_view target)
{
    thread_local std::map<std::string, ResolvedKernel, std::less<>> known;
    const auto at = known.find(target);
    return at != known.end() ? at->second
                             : known.emplace(std::string(target), resolve(target)).first->second;
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
