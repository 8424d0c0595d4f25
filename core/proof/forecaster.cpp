// SPDX-License-Identifier: MIT
#include "core/proof/forecaster.h"

#include "core/alias/storage_map.h"
#include "core/exec/graph_runner.h"
#include "core/exec/view_math.h"
#include "core/ir/meta_rules.h"

namespace reinspect::proof
{

std::vector<ShadowValue> Forecaster::run(const Graph& graph, std::vector<ShadowValue> inputs)
{
    m_graph = &graph;
    m_values.assign(graph.slotCount(), {});
    std::vector<std::vector<NodeId>> dropAfter(graph.slotCount());
    const auto positions = graph.positions();
    for (const NodeId id : graph.order())
    {
        NodeId last = id;
        for (const NodeId user : graph.users(id))
            last = positions[user.index()] > positions[last.index()] ? user : last;
        if (last != id || m_depth > 0) // see GraphRunner
            dropAfter[last.index()].push_back(id);
    }
    std::size_t next = 0;
    std::vector<ShadowValue> results;
    for (const NodeId id : graph.order())
    {
        const Node& node = graph[id];
        if (m_depth == 0)
            m_ledger.node = id;
        if (node.op == NodeOp::Placeholder)
            m_values[id.index()] = next < inputs.size() ? inputs[next++] : input(node);
        else if (node.op == NodeOp::GetAttr)
            m_values[id.index()] = input(node);
        else if (node.op == NodeOp::Output)
            results = outputs(node);
        else
        {
            m_isCounted = m_depth == 0 || !exec::wasInPlace(graph, id);
            ShadowValue value = call(node);
            m_isCounted = true;
            if (!value.meta)
                value.meta = node.meta.value.tensor() ? node.meta.value.tensor() : inferred(node);
            m_values[id.index()] = std::move(value);
        }
        for (const NodeId dead : dropAfter[id.index()])
            m_values[dead.index()] = {};
        if (m_depth == 0)
            m_ledger.endNode();
    }
    return results;
}

std::optional<std::int64_t> Forecaster::number(const SymExpr& expr) const
{
    return expr.evaluate([&](std::string_view name) -> std::optional<std::int64_t> {
        const auto at = m_symbols.find(name);
        return at == m_symbols.end() ? std::nullopt : std::optional(at->second);
    });
}

std::optional<exec::Sizes> Forecaster::numbers(const std::vector<SymExpr>& list) const
{
    Sizes sizes;
    for (const SymExpr& expr : list)
    {
        const auto value = number(expr);
        if (!value)
            return {};
        sizes.push_back(*value);
    }
    return sizes;
}

std::optional<std::int64_t> Forecaster::spanOf(const TensorMeta& meta) const
{
    const auto sizes = numbers(meta.sizes);
    const auto strides = meta.strides ? numbers(*meta.strides)
        : sizes                       ? std::optional(exec::contiguousStrides(*sizes))
                                      : std::nullopt;
    const auto length = sizes && strides ? exec::extent(*sizes, *strides) : std::nullopt;
    return length ? std::optional(*length * dtypeBytes(meta.dtype)) : std::nullopt;
}

void Forecaster::cannotTell(const Node& node)
{
    m_ledger.forecast.unknown.push_back("'" + node.name + "' (" + node.target
                                        + "): its memory cannot be told from metadata");
}

ShadowValue Forecaster::fresh(const Node& node, const TensorMeta& meta,
                              std::optional<std::int64_t> bytes)
{
    if (!bytes)
        bytes = spanOf(meta);
    if (!bytes)
    {
        cannotTell(node);
        return {};
    }
    const bool isOnHost = meta.device == "cpu" && !m_device.empty() && m_device != "cpu";
    ShadowValue value;
    value.storage = std::make_shared<Shadow>(m_ledger, *bytes, !isOnHost && m_isCounted);
    value.meta = &meta;
    return value;
}

ShadowValue Forecaster::input(const Node& node)
{
    ShadowValue value;
    value.meta = node.meta.value.tensor();
    const auto bytes = value.meta && value.meta->storageBytes ? number(*value.meta->storageBytes)
        : value.meta                                          ? spanOf(*value.meta)
                                                              : std::nullopt;
    value.storage = std::make_shared<Shadow>(m_ledger, bytes.value_or(0), false);
    return value;
}

ShadowValue Forecaster::valueOf(const Argument* argument) const
{
    if (!argument)
        return {};
    if (const NodeId id = argument->node())
        return m_values[id.index()];
    ShadowValue list;
    if (const std::vector<Argument>* items = argument->sequence())
    {
        list.isSequence = true;
        for (const Argument& item : *items)
            list.items.emplace_back("", valueOf(&item));
    }
    return list;
}

std::vector<ShadowValue> Forecaster::outputs(const Node& node) const
{
    if (node.args.empty())
        return {};
    ShadowValue all = valueOf(&node.args.front());
    std::vector<ShadowValue> list;
    if (!all.isSequence)
        return {all};
    for (auto& [key, item] : all.items)
        list.push_back(std::move(item));
    return list;
}

const Argument* Forecaster::argumentNamed(const Node& node,
                                          const std::vector<SchemaArgument>& schema,
                                          std::size_t index) const
{
    if (index < node.args.size())
        return &node.args[index];
    return index < schema.size() ? node.kwarg(schema[index].name) : nullptr;
}

ShadowValue Forecaster::call(const Node& node)
{
    if (node.target == "operator.getitem")
        return getitem(node);
    if (node.target.starts_with("higher_order."))
        return wrapper(node);
    if (node.target == kInplaceGeneralizedScatter)
        return aliased(node, valueOf(&node.args.front()));
    const OpFacts* facts = findOpFacts(node.target);
    if (!facts)
        if (const CustomOperator* custom = m_facts.customOperator(node.target))
        {
            std::vector<ShadowValue> given;
            const auto schema = schemaArguments(custom->schema);
            for (std::size_t i = 0; i < schema.size(); ++i)
                given.push_back(valueOf(argumentNamed(node, schema, i)));
            return customResult(node, *custom, std::move(given));
        }
    if (!facts)
        return results(node);
    return known(node, *facts);
}

ShadowValue Forecaster::known(const Node& node, const OpFacts& facts)
{
    const std::vector<SchemaArgument> schema = schemaArguments(facts.schema);
    const bool waits = node.target == "_c10d_functional.wait_tensor.default";
    int place = waits || node.target == "aten._unsafe_view.default" ? 0 : facts.aliasedArgument;
    if (place < 0 && facts.isMutable
        && (facts.isForeach || node.target.view().find("_.") != std::string::npos))
        place = 0;
    if (node.target == "aten.reshape.default" && !isReshapedView(node))
        place = -1;
    if (place >= 0)
        return aliased(node, valueOf(argumentNamed(node, schema, static_cast<std::size_t>(place))));
    if (copiesWholeStorage(node.target))
    {
        const ShadowValue base = valueOf(argumentNamed(node, schema, 0));
        const TensorMeta* meta = node.meta.value.tensor();
        if (base.storage && meta)
            return fresh(node, *meta,
                         overlapsItself(base.meta) ? std::nullopt
                                                   : std::optional(base.storage->exact));
    }
    return results(node);
}

bool Forecaster::copiesWholeStorage(std::string_view target)
{
    return target == "aten.slice_scatter.default" || target == "aten.select_scatter.default"
        || target == "aten.diagonal_scatter.default" || target == "aten.as_strided_scatter.default"
        || target == "aten.copy.default";
}

bool Forecaster::overlapsItself(const TensorMeta* meta) const
{
    const auto sizes = meta ? numbers(meta->sizes) : std::nullopt;
    const auto strides = meta && meta->strides ? numbers(*meta->strides) : std::nullopt;
    for (std::size_t i = 0; sizes && strides && i < sizes->size() && i < strides->size(); ++i)
        if ((*sizes)[i] > 1 && (*strides)[i] == 0)
            return true;
    return false;
}

bool Forecaster::isReshapedView(const Node& node) const
{
    const ShadowValue base = valueOf(&node.args.front());
    const TensorMeta* meta = node.meta.value.tensor();
    const auto sizes = base.meta ? numbers(base.meta->sizes) : std::nullopt;
    const auto strides =
        base.meta && base.meta->strides ? numbers(*base.meta->strides) : std::nullopt;
    const auto wanted = meta ? numbers(meta->sizes) : std::nullopt;
    if (!sizes || !strides || !wanted)
        return true;
    exec::Tensor tensor;
    tensor.sizes = *sizes;
    tensor.strides = *strides;
    return exec::reshapedView(tensor, *wanted).has_value();
}

ShadowValue Forecaster::aliased(const Node& node, ShadowValue base) const
{
    const SequenceMeta* parts = node.meta.value.sequence();
    if (base.isSequence || !parts)
    {
        if (const TensorMeta* meta = node.meta.value.tensor())
            base.meta = meta;
        return base;
    }
    ShadowValue list;
    list.isSequence = true;
    for (const MetaValue& part : parts->items)
    {
        ShadowValue item = base;
        item.meta = part.tensor();
        list.items.emplace_back("", std::move(item));
    }
    return list;
}

ShadowValue Forecaster::results(const Node& node)
{
    if (const TensorMeta* meta = node.meta.value.tensor())
        return fresh(node, *meta);
    if (const TensorMeta* meta = inferred(node))
        return fresh(node, *meta);
    ShadowValue list;
    const SequenceMeta* parts = node.meta.value.sequence();
    if (!parts && !node.meta.value.isKnown() && schemaGivesTensor(node))
        cannotTell(node);
    list.isSequence = parts != nullptr;
    for (std::size_t i = 0; parts && i < parts->items.size(); ++i)
    {
        const TensorMeta* meta = parts->items[i].tensor();
        list.items.emplace_back("", meta ? fresh(node, *meta) : ShadowValue{});
    }
    return list;
}

const TensorMeta* Forecaster::inferred(const Node& node)
{
    if (node.meta.value.isKnown())
        return nullptr;
    const auto tensors = [&](NodeId id) { return m_values[id.index()].meta; };
    // Numbers that the body was given: which ones does not matter to sizes of elementwise results.
    const auto sizes = [&](NodeId id) {
        const ShadowValue& value = m_values[id.index()];
        const bool isNumber = !value.meta && !value.isSequence && m_depth > 0;
        return isNumber ? std::optional(SymExpr(1)) : std::nullopt;
    };
    auto meta = resultMeta(*m_graph, m_graph->find(node.name), tensors, sizes);
    if (!meta || meta->dtype == DType::Unknown)
        return nullptr;
    return &m_ledger.inferred.emplace_back(std::move(*meta));
}

bool Forecaster::schemaGivesTensor(const Node& node)
{
    const OpFacts* facts = findOpFacts(node.target);
    return facts && schemaReturnCount(facts->schema) > 0;
}

ShadowValue Forecaster::getitem(const Node& node) const
{
    const ShadowValue list = valueOf(&node.args.front());
    if (node.args.size() < 2)
        return {};
    if (const std::string* key = node.args[1].as<std::string>())
        for (const auto& [name, item] : list.items)
            if (name == *key)
                return item;
    const auto index = node.args[1].integer();
    if (index && *index >= 0 && static_cast<std::size_t>(*index) < list.items.size())
        return list.items[static_cast<std::size_t>(*index)].second;
    return {};
}

} // namespace reinspect::proof
