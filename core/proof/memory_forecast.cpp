// SPDX-License-Identifier: MIT
#include "core/proof/memory_forecast.h"

#include "core/alias/storage_map.h"
#include "core/exec/graph_runner.h"
#include "core/exec/view_math.h"
#include "core/ir/meta_rules.h"
#include "core/ir/op_facts.h"

#include <algorithm>
#include <deque>
#include <limits>

namespace reinspect::proof
{
namespace
{

using exec::Sizes;

// The books: what is live, and who allocated it when.
struct Ledger
{
    struct Life
    {
        NodeId node;
        std::int64_t bytes = 0;
        std::size_t born = 0;
        std::size_t died = std::numeric_limits<std::size_t>::max();
    };
    MemoryForecast forecast;
    std::int64_t live = 0;
    std::int64_t high = 0; // since the last node
    NodeId node;           // of the outermost graph that runs
    std::vector<Life> lives;
    std::deque<TensorMeta> inferred; // where a body has no metadata: stable addresses
    std::size_t moment = 0;          // counts births and deaths
    std::size_t peakMoment = 0;

    std::size_t step() const { return forecast.liveBytes.size(); }

    void endNode()
    {
        forecast.liveBytes.push_back(live);
        forecast.highBytes.push_back(high);
        high = live;
    }

    void listHolders()
    {
        for (const Life& life : lives)
            if (life.born <= peakMoment && life.died > peakMoment)
                forecast.atPeak.push_back({life.node, life.bytes});
        std::ranges::stable_sort(forecast.atPeak, std::ranges::greater{},
                                 &MemoryForecast::Holder::bytes);
    }
};

class Shadow
{
public:
    Shadow(Ledger& ledger, std::int64_t bytes, bool isCounted)
        : exact(bytes)
        , m_ledger(ledger)
        , m_bytes(isCounted ? exec::roundedBytes(bytes) : 0)
        , m_life(ledger.lives.size())
    {
        if (m_bytes == 0)
            return;
        ledger.live += m_bytes;
        ledger.forecast.totalBytes += m_bytes;
        ++ledger.forecast.allocations;
        ledger.lives.push_back({ledger.node, m_bytes, ++ledger.moment});
        ledger.forecast.lives.push_back(
            {ledger.node, m_bytes, ledger.step(), std::numeric_limits<std::size_t>::max()});
        ledger.high = std::max(ledger.high, ledger.live);
        if (ledger.live <= ledger.forecast.peakBytes)
            return;
        ledger.forecast.peakBytes = ledger.live;
        ledger.forecast.peakNode = ledger.node;
        ledger.peakMoment = ledger.moment;
    }
    Shadow(const Shadow&) = delete;
    Shadow& operator=(const Shadow&) = delete;
    ~Shadow()
    {
        if (m_bytes == 0)
            return;
        m_ledger.live -= m_bytes;
        m_ledger.lives[m_life].died = ++m_ledger.moment;
        m_ledger.forecast.lives[m_life].died = m_ledger.step();
    }

    const std::int64_t exact;

private:
    Ledger& m_ledger;
    std::int64_t m_bytes;
    std::size_t m_life;
};

struct ShadowValue
{
    std::shared_ptr<Shadow> storage;
    const TensorMeta* meta = nullptr;
    std::vector<std::pair<std::string, ShadowValue>> items; // of a tuple or dict
    bool isSequence = false;
};

class Forecaster
{
public:
    Forecaster(Ledger& ledger, const CaptureFacts& facts, const SymbolValues& symbols,
               std::string device, int depth)
        : m_ledger(ledger)
        , m_facts(facts)
        , m_symbols(symbols)
        , m_device(std::move(device))
        , m_depth(depth)
    {}

    std::vector<ShadowValue> run(const Graph& graph, std::vector<ShadowValue> inputs)
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
                    value.meta =
                        node.meta.value.tensor() ? node.meta.value.tensor() : inferred(node);
                m_values[id.index()] = std::move(value);
            }
            for (const NodeId dead : dropAfter[id.index()])
                m_values[dead.index()] = {};
            if (m_depth == 0)
                m_ledger.endNode();
        }
        return results;
    }

private:
    std::optional<std::int64_t> number(const SymExpr& expr) const
    {
        return expr.evaluate([&](std::string_view name) -> std::optional<std::int64_t> {
            const auto at = m_symbols.find(name);
            return at == m_symbols.end() ? std::nullopt : std::optional(at->second);
        });
    }

    std::optional<Sizes> numbers(const std::vector<SymExpr>& list) const
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

    // The memory that the tensor spans from its first element on.
    std::optional<std::int64_t> spanOf(const TensorMeta& meta) const
    {
        const auto sizes = numbers(meta.sizes);
        const auto strides = meta.strides ? numbers(*meta.strides)
            : sizes                       ? std::optional(exec::contiguousStrides(*sizes))
                                          : std::nullopt;
        const auto length = sizes && strides ? exec::extent(*sizes, *strides) : std::nullopt;
        return length ? std::optional(*length * dtypeBytes(meta.dtype)) : std::nullopt;
    }

    void cannotTell(const Node& node)
    {
        m_ledger.forecast.unknown.push_back("'" + node.name + "' (" + node.target
                                            + "): its memory cannot be told from metadata");
    }

    ShadowValue fresh(const Node& node, const TensorMeta& meta,
                      std::optional<std::int64_t> bytes = {})
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

    ShadowValue input(const Node& node)
    {
        ShadowValue value;
        value.meta = node.meta.value.tensor();
        const auto bytes = value.meta && value.meta->storageBytes
            ? number(*value.meta->storageBytes)
            : value.meta ? spanOf(*value.meta)
                         : std::nullopt;
        value.storage = std::make_shared<Shadow>(m_ledger, bytes.value_or(0), false);
        return value;
    }

    ShadowValue valueOf(const Argument* argument) const
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

    std::vector<ShadowValue> outputs(const Node& node) const
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

    const Argument* argumentNamed(const Node& node, const std::vector<SchemaArgument>& schema,
                                  std::size_t index) const
    {
        if (index < node.args.size())
            return &node.args[index];
        return index < schema.size() ? node.kwarg(schema[index].name) : nullptr;
    }

    ShadowValue call(const Node& node)
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

    ShadowValue known(const Node& node, const OpFacts& facts)
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
            return aliased(node,
                           valueOf(argumentNamed(node, schema, static_cast<std::size_t>(place))));
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

    static bool copiesWholeStorage(std::string_view target)
    {
        return target == "aten.slice_scatter.default" || target == "aten.select_scatter.default"
            || target == "aten.diagonal_scatter.default"
            || target == "aten.as_strided_scatter.default" || target == "aten.copy.default";
    }

    bool overlapsItself(const TensorMeta* meta) const
    {
        const auto sizes = meta ? numbers(meta->sizes) : std::nullopt;
        const auto strides = meta && meta->strides ? numbers(*meta->strides) : std::nullopt;
        for (std::size_t i = 0; sizes && strides && i < sizes->size() && i < strides->size(); ++i)
            if ((*sizes)[i] > 1 && (*strides)[i] == 0)
                return true;
        return false;
    }

    bool isReshapedView(const Node& node) const
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

    // The same storage; parts of a list for operators that give several.
    ShadowValue aliased(const Node& node, ShadowValue base) const
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

    // New memory for every tensor of the metadata.
    ShadowValue results(const Node& node)
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

    // From the operands' metadata, where the node has none.
    const TensorMeta* inferred(const Node& node)
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

    static bool schemaGivesTensor(const Node& node)
    {
        const OpFacts* facts = findOpFacts(node.target);
        return facts && schemaReturnCount(facts->schema) > 0;
    }

    ShadowValue getitem(const Node& node) const
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

    ShadowValue clone(const Node& node, const ShadowValue& value)
    {
        if (value.isSequence)
        {
            ShadowValue copy = value;
            for (auto& [key, item] : copy.items)
                item = clone(node, item);
            return copy;
        }
        if (!value.storage || !value.meta)
            return value;
        const auto span = spanOf(*value.meta);
        const auto offset =
            value.meta->offset ? number(*value.meta->offset) : std::optional(std::int64_t{0});
        const bool isEmpty = span && *span == 0;
        if (!span || !offset || isEmpty)
            return fresh(node, *value.meta);
        return fresh(node, *value.meta, *span + *offset * dtypeBytes(value.meta->dtype));
    }

    ShadowValue wrapper(const Node& node)
    {
        if (node.target == "higher_order.triton_kernel_wrapper_mutation")
            return {};
        if (node.target == "higher_order.triton_kernel_wrapper_functional")
            return tritonWrapper(node);
        if (node.target == "higher_order.auto_functionalized"
            || node.target == "higher_order.auto_functionalized_v2")
            return autoFunctionalized(node);
        cannotTell(node);
        return results(node);
    }

    ShadowValue tritonWrapper(const Node& node)
    {
        ShadowValue dict;
        dict.isSequence = true;
        const Argument* kwargs = node.kwarg("kwargs");
        const Argument* names = node.kwarg("tensors_to_clone");
        const std::vector<Argument>* list = names ? names->sequence() : nullptr;
        for (std::size_t i = 0; kwargs && list && i < list->size(); ++i)
        {
            const std::string* name = (*list)[i].as<std::string>();
            const Argument* given = name ? findKey(*kwargs, *name) : nullptr;
            if (given)
                dict.items.emplace_back(*name, clone(node, valueOf(given)));
        }
        return dict;
    }

    static bool isToBeCloned(const Node& node, const Argument& name)
    {
        const auto& only = node.meta.onlyCloneTheseTensors;
        return !only || std::ranges::find(*only, name) != only->end();
    }

    ShadowValue autoFunctionalized(const Node& node)
    {
        const ConstantArgument* named =
            node.args.empty() ? nullptr : node.args.front().as<ConstantArgument>();
        const CustomOperator* custom = named ? m_facts.customOperator(named->text) : nullptr;
        const OpFacts* facts = named ? findOpFacts(named->text) : nullptr;
        if (!custom && !facts)
        {
            cannotTell(node);
            return {};
        }
        const std::string schemaText(custom ? std::string_view(custom->schema) : facts->schema);
        const std::vector<SchemaArgument> schema = schemaArguments(schemaText);
        const bool isSecond = node.target.ends_with("_v2");
        std::vector<ShadowValue> written;
        if (const Argument* bases = isSecond ? node.kwarg("_all_bases") : nullptr;
            bases && bases->sequence())
            for (const Argument& base : *bases->sequence())
            {
                const Argument number{static_cast<std::int64_t>(written.size())};
                const ShadowValue value = valueOf(&base);
                written.push_back(isToBeCloned(node, number) ? clone(node, value) : value);
            }
        std::vector<ShadowValue> given;
        for (const SchemaArgument& argument : schema)
        {
            const std::string name(argument.name);
            const Argument* plain = node.kwarg(name);
            ShadowValue value = valueOf(plain);
            if (isSecond && argument.isMutable)
                value = viewsOfBases(node, "_" + name, written);
            else if (argument.isMutable)
            {
                if (plain && isToBeCloned(node, {name}))
                    value = clone(node, value);
                written.push_back(value);
            }
            given.push_back(std::move(value));
        }
        ShadowValue returned =
            custom ? customResult(node, *custom, std::move(given), true) : ShadowValue{};
        ShadowValue all;
        all.isSequence = true;
        if (schemaReturnCount(schemaText) > 1 && returned.isSequence)
            all.items = std::move(returned.items);
        else
            all.items.emplace_back("", std::move(returned));
        for (ShadowValue& value : written)
            all.items.emplace_back("", std::move(value));
        return all;
    }

    ShadowValue viewsOfBases(const Node& node, const std::string& prefix,
                             const std::vector<ShadowValue>& bases) const
    {
        const auto one = [&](const std::string& name) {
            const Argument* index = node.kwarg(name + "_base_index");
            const auto number = index ? index->integer() : std::nullopt;
            if (!number || *number < 0 || static_cast<std::size_t>(*number) >= bases.size())
                return ShadowValue{};
            return bases[static_cast<std::size_t>(*number)];
        };
        const Argument* length = node.kwarg(prefix + "_length");
        if (!length)
            return one(prefix);
        ShadowValue list;
        list.isSequence = true;
        for (std::int64_t i = 0; i < length->integer().value_or(0) && i < 4096; ++i)
            list.items.emplace_back("", one(prefix + "_" + std::to_string(i)));
        return list;
    }

    ShadowValue customResult(const Node& node, const CustomOperator& custom,
                             std::vector<ShadowValue> given, bool isCarried = false)
    {
        if (!custom.body || m_depth > 16)
        {
            if (isCarried || !node.meta.value.isKnown())
                cannotTell(node);
            return isCarried ? ShadowValue{} : results(node);
        }
        Forecaster inner(m_ledger, m_facts, m_symbols, m_device, m_depth + 1);
        std::vector<ShadowValue> returned = inner.run(*custom.body, std::move(given));
        if (returned.size() == 1 && !node.meta.value.sequence())
            return returned.front();
        if (returned.size() == 1 && isCarried)
            return returned.front();
        ShadowValue list;
        list.isSequence = true;
        for (ShadowValue& value : returned)
            list.items.emplace_back("", std::move(value));
        return list;
    }

    Ledger& m_ledger;
    const CaptureFacts& m_facts;
    const SymbolValues& m_symbols;
    std::string m_device;
    int m_depth;
    const Graph* m_graph = nullptr;
    bool m_isCounted = true;
    std::vector<ShadowValue> m_values;
};

std::string deviceOf(const Graph& graph)
{
    for (const NodeId id : graph.order())
        if (const TensorMeta* meta = graph[id].meta.value.tensor())
            if (!meta->device.empty() && meta->device != "cpu")
                return meta->device;
    return "cpu";
}

} // namespace

MemoryForecast forecastMemory(const Graph& graph, const CaptureFacts& facts,
                              const SymbolValues& symbols)
{
    Ledger ledger;
    {
        Forecaster forecaster(ledger, facts, symbols, deviceOf(graph), 0);
        const auto kept = forecaster.run(graph, {});
    }
    ledger.listHolders();
    return std::move(ledger.forecast);
}

} // namespace reinspect::proof
