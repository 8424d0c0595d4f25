// SPDX-License-Identifier: MIT
#include "core/ir/tensor_meta.h"

#include "core/ir/graph.h" // for the spelling of arguments

#include <algorithm>

namespace reinspect
{
namespace
{

std::string bracketed(const std::vector<SymExpr>& numbers)
{
    std::string text = "[";
    for (const SymExpr& number : numbers)
        text += (text.size() == 1 ? "" : ", ") + toText(number);
    return text + "]";
}

// What a size counts for in the strides of the dimensions before it. A size of 0 counts as 1.
// Backed sizes are never 0; of a size that only the data decides we do not know.
SymExpr strideFactor(const SymExpr& size)
{
    const std::optional<std::int64_t> number = size.constant();
    if (number)
        return std::max<std::int64_t>(*number, 1);
    const bool mayBeZero = std::ranges::any_of(size.symbols(), isUnbackedSymbol);
    return mayBeZero ? SymExpr::max(1, size) : size;
}

struct MetaPrinter
{
    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(const TensorMeta& meta) const { return toText(meta); }
    std::string operator()(const SymScalarMeta& meta) const { return "Sym(" + meta.text + ")"; }
    std::string operator()(const ScalarMeta& meta) const { return toText(Graph{}, meta.value); }
    std::string operator()(const OpaqueMeta& meta) const { return meta.repr; }
    std::string operator()(const std::shared_ptr<const SequenceMeta>& sequence) const
    {
        if (!sequence)
            return {};
        std::string text;
        for (const MetaValue& item : sequence->items)
            text += (text.empty() ? "" : ", ") + (item.isKnown() ? toText(item) : "?");
        if (!sequence->isTuple)
            return "[" + text + "]";
        return "(" + text + (sequence->items.size() == 1 ? ",)" : ")");
    }
};

} // namespace

const SequenceMeta* MetaValue::sequence() const
{
    const auto* shared = std::get_if<std::shared_ptr<const SequenceMeta>>(&value);
    return shared ? shared->get() : nullptr;
}

bool operator==(const MetaValue& a, const MetaValue& b)
{
    // Sequences are shared, and equal when their items are.
    if (a.sequence() && b.sequence())
        return a.sequence() == b.sequence() || *a.sequence() == *b.sequence();
    return a.value == b.value;
}

// A sequence within a sequence is not made by any rule, and not looked into.
bool isInferred(const MetaValue& meta)
{
    if (const TensorMeta* tensor = meta.tensor())
        return tensor->isInferred || tensor->hasInferredStrides;
    const SequenceMeta* sequence = meta.sequence();
    return sequence && std::ranges::any_of(sequence->items, [](const MetaValue& item) {
               return item.tensor() && item.tensor()->isInferred;
           });
}

std::string inferredText(const MetaValue& meta)
{
    const TensorMeta* tensor = meta.tensor();
    if (tensor ? tensor->isInferred : isInferred(meta))
        return "inferred";
    if (!tensor || (!tensor->hasInferredStrides && !tensor->hasInferredDevice))
        return {};
    const std::string first = tensor->hasInferredStrides ? "strides" : "device";
    return first
        + (tensor->hasInferredStrides && tensor->hasInferredDevice ? " and device inferred"
                                                                   : " inferred");
}

MetaValue asPrinted(const MetaValue& meta)
{
    MetaValue printed = meta;
    TensorMeta* const tensor = printed.tensor();
    if (tensor ? tensor->isInferred : isInferred(meta))
        return {};
    if (tensor)
    {
        if (std::exchange(tensor->hasInferredStrides, false))
            tensor->strides.reset();
        if (std::exchange(tensor->hasInferredDevice, false))
            tensor->device.clear();
    }
    return printed;
}

SymExpr elementCount(const TensorMeta& meta)
{
    SymExpr count = 1;
    for (const SymExpr& size : meta.sizes)
        count = count * size;
    return count;
}

SymExpr byteCount(const TensorMeta& meta)
{
    return dtypeBytes(meta.dtype) * elementCount(meta);
}

std::vector<SymExpr> contiguousStrides(const std::vector<SymExpr>& sizes)
{
    std::vector<SymExpr> strides(sizes.size());
    SymExpr stride = 1;
    for (std::size_t i = sizes.size(); i-- > 0;)
    {
        strides[i] = stride;
        stride = stride * strideFactor(sizes[i]);
    }
    return strides;
}

bool isContiguous(const TensorMeta& meta)
{
    if (!meta.strides || meta.strides->size() != meta.sizes.size())
        return false;
    if (std::ranges::any_of(meta.sizes, [](const SymExpr& size) { return size.constant() == 0; }))
        return true; // no elements: every layout is contiguous
    // Strides over a data-dependent size are printed with or without the guard against 0.
    SymExpr plain = 1;
    SymExpr guarded = 1;
    for (std::size_t i = meta.sizes.size(); i-- > 0;)
    {
        const SymExpr& size = meta.sizes[i];
        if (size.constant() == 1)
            continue; // never stepped along, so its stride may be anything
        const SymExpr& stride = (*meta.strides)[i];
        if (!(stride == plain) && !(stride == guarded))
            return false;
        plain = plain * size;
        guarded = guarded * strideFactor(size);
    }
    return true;
}

std::string toText(const TensorMeta& meta)
{
    std::string text(dtypeAbbreviation(meta.dtype));
    text += bracketed(meta.sizes);
    if (meta.strides)
        text += bracketed(*meta.strides);
    return text + meta.device;
}

std::string toText(const MetaValue& meta)
{
    return std::visit(MetaPrinter{}, meta.value);
}

} // namespace reinspect
