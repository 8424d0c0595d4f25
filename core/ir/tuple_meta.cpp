// SPDX-License-Identifier: MIT
// One result of several: parts of a split, and what a wrapper of writing operators hands back.
#include "core/ir/fresh_rules.h"
#include "core/ir/meta_families.h"
#include "core/ir/view_rules.h"

#include <algorithm>

namespace reinspect
{
namespace
{

constexpr std::size_t kMostParts = 1024; // each part adds up the lengths before it

std::optional<TensorMeta> slicePart(const TensorMeta& base, std::size_t dim, const SymExpr& start,
                                    const SymExpr& length)
{
    TensorMeta part = base;
    if (part.offset)
        part.offset = *part.offset + start * (*base.strides)[dim];
    part.sizes[dim] = length;
    return part;
}

std::optional<TensorMeta> splitEvenly(const TensorMeta& base, std::size_t dim, const SymExpr& step,
                                      std::size_t index)
{
    const SymExpr start = step * static_cast<std::int64_t>(index);
    const SymExpr left = base.sizes[dim] - start;
    const auto leftNumber = left.constant();
    const auto stepNumber = step.constant();
    if ((stepNumber && *stepNumber <= 0) || (leftNumber && *leftNumber <= 0))
        return {};
    const bool isNumber = leftNumber && stepNumber;
    return slicePart(base, dim, start,
                     isNumber ? SymExpr(std::min(*leftNumber, *stepNumber))
                              : SymExpr::min(step, left));
}

std::optional<TensorMeta> splitBySizes(const RuleCall& call, const TensorMeta& base,
                                       std::size_t dim, std::size_t index)
{
    const auto sizes = call.sizes("split_sizes");
    if (!sizes || index >= sizes->size() || sizes->size() > kMostParts)
        return {};
    SymExpr start = 0;
    for (std::size_t i = 0; i < index; ++i)
        start = start + (*sizes)[i];
    return slicePart(base, dim, start, (*sizes)[index]);
}

std::optional<TensorMeta> splitPart(const RuleCall& call, std::size_t index)
{
    const TensorMeta* self = call.tensor("self");
    const auto dim = self ? call.dimension("dim", 0, self->sizes.size()) : std::nullopt;
    if (!dim)
        return {};
    const std::string_view target = call.target();
    if (target == "aten.split_with_sizes.default")
        return splitBySizes(call, *self, *dim, index);
    if (target == "aten.split.Tensor")
    {
        const auto step = call.size(call.given("split_size"));
        return step ? splitEvenly(*self, *dim, *step, index) : std::nullopt;
    }
    if (target == "aten.chunk.default")
    {
        const auto chunks = call.number("chunks", 1);
        if (!chunks || *chunks < 1)
            return {};
        return splitEvenly(*self, *dim,
                           SymExpr::floorDiv(self->sizes[*dim] + (*chunks - 1), *chunks), index);
    }
    if (target != "aten.unbind.int")
        return {};
    const auto at = static_cast<std::int64_t>(index);
    return viewResult("aten.select.int", *self,
                      std::vector<Argument>{{static_cast<std::int64_t>(*dim)}, {at}}, {});
}

std::optional<TensorMeta> copyOfTensor(const RuleCall& call, const Argument* argument)
{
    // Mirrors clone_preserve_strides: even what overlaps itself keeps its strides.
    const TensorMeta* meta = call.tensor(argument);
    if (!meta)
        return {};
    TensorMeta copy = *meta;
    copy.offset = 0;
    return copy;
}

std::string_view wrappedSchema(const RuleCall& call)
{
    const auto& args = call.node().args;
    const ConstantArgument* op = args.empty() ? nullptr : args.front().as<ConstantArgument>();
    const OpFacts* facts = op ? findOpFacts(op->text) : nullptr;
    return facts ? facts->schema : std::string_view();
}

// After the operator's own results, of which there is always a place for one, come the bases.
std::optional<TensorMeta> basePart(const RuleCall& call, std::size_t index)
{
    const std::size_t own = std::max<std::size_t>(1, schemaReturnCount(wrappedSchema(call)));
    const Argument* bases = call.node().kwarg("_all_bases");
    const std::vector<Argument>* items = bases ? bases->sequence() : nullptr;
    if (!items || index < own || index - own >= items->size())
        return {};
    return copyOfTensor(call, &(*items)[index - own]);
}

// The written arguments by the schema, or the only tensor there is.
std::optional<TensorMeta> writtenPart(const RuleCall& call, std::size_t index)
{
    const std::string_view schema = wrappedSchema(call);
    const std::size_t own = std::max<std::size_t>(1, schemaReturnCount(schema));
    if (index < own)
        return {};
    std::vector<const Argument*> written;
    for (const SchemaArgument& argument : schemaArguments(schema))
        if (argument.isMutable)
            written.push_back(call.node().kwarg(argument.name));
    if (schema.empty())
        for (const NamedArgument& argument : call.node().kwargs)
            if (argument.value.node() || argument.value.sequence())
                written.push_back(&argument.value);
    if (schema.empty() && written.size() != 1)
        return {};
    return index - own < written.size() ? copyOfTensor(call, written[index - own]) : std::nullopt;
}

// _foreach_add(xs, ys)[i] lies as xs[i] does.
std::optional<TensorMeta> listedPart(const RuleCall& call, std::size_t index)
{
    const bool isForeach = call.facts() && call.facts()->isForeach;
    const bool isReduced = call.target().starts_with("_c10d_functional.all_reduce_coalesced.");
    if (!isForeach && !isReduced)
        return {};
    const Argument* list = call.given(isForeach ? "self" : "inputs");
    const std::vector<Argument>* items = list ? list->sequence() : nullptr;
    const TensorMeta* item =
        items && index < items->size() ? call.tensor(&(*items)[index]) : nullptr;
    return item ? std::optional(cloneResult(*item)) : std::nullopt;
}

} // namespace

std::optional<TensorMeta> partMeta(const RuleCall& call, std::size_t index)
{
    if (call.target() == "higher_order.auto_functionalized_v2")
        return basePart(call, index);
    if (call.target() == "higher_order.auto_functionalized")
        return writtenPart(call, index);
    if (auto part = splitPart(call, index))
        return part;
    if (auto part = listedPart(call, index))
        return part;
    for (const auto family : {windowPartMeta, attentionPartMeta, normalizationPartMeta})
        if (auto part = family(call, index))
            return part;
    return reductionPartMeta(call, index);
}

std::optional<TensorMeta> kernelArgumentMeta(const RuleCall& wrapper, std::string_view key)
{
    if (wrapper.target() != "higher_order.triton_kernel_wrapper_functional")
        return {};
    const Argument* kwargs = wrapper.node().kwarg("kwargs");
    return copyOfTensor(wrapper, kwargs ? findKey(*kwargs, key) : nullptr);
}

} // namespace reinspect
