// SPDX-License-Identifier: MIT
#include "tests/support/tiny_interpreter.h"

#include "core/alias/storage_map.h"
#include "core/ir/op_facts.h"

#include "tests/support/tiny_tensor.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>

namespace reinspect
{
namespace
{

using tiny::Failed;
using tiny::integerOf;
using tiny::mixed;
using tiny::Number;
using tiny::Sizes;
using tiny::Tensor;
using tiny::textNumber;
using tiny::viewOf;

class Interpreter : tiny::Memory
{
public:
    Interpreter(const Graph& graph, const CaptureFacts& facts, const InPlaceChoices& choices)
        : m_graph(graph)
        , m_facts(facts)
        , m_choices(choices)
    {}

    TinyResult run()
    {
        TinyResult result;
        try
        {
            for (const NodeId id : m_graph.order())
                step(id);
            collect(result);
        }
        catch (const Failed& failed)
        {
            result.failure = failed.why;
        }
        return result;
    }

private:
    // A new tensor laid out as the node's metadata says.
    Tensor allocateFor(const TensorMeta& meta)
    {
        Sizes sizes;
        Sizes strides;
        for (std::size_t i = 0; i < meta.sizes.size(); ++i)
        {
            sizes.push_back(*meta.sizes[i].constant());
            strides.push_back(*(*meta.strides)[i].constant());
        }
        return allocate(std::move(sizes), std::move(strides));
    }

    bool isInPlace(NodeId node, const std::string& label) const
    {
        return m_choices.written.contains({node, label});
    }

    const Tensor& tensor(const Argument& argument) const { return tensor(argument.node()); }
    const Tensor& tensor(NodeId node) const
    {
        const auto found = m_tensors.find(node);
        if (found == m_tensors.end())
            throw Failed{"no tensor " + m_graph[node].name};
        return found->second;
    }

    void step(NodeId id);
    void elementwise(NodeId id);
    void indexPut(NodeId id);
    void scatter(NodeId id);
    void foreachCall(NodeId id);
    void allReduce(NodeId id);
    void triton(NodeId id);
    void autoFunctionalized(NodeId id);
    void autoFunctionalizedV2(NodeId id);
    Tensor written(NodeId id, const std::string& label, const Tensor& argument)
    {
        return isInPlace(id, label) ? argument : strideKeepingClone(argument);
    }
    // What the operator itself returns: four numbers made of all that it read.
    void returnHash(NodeId id, Number state)
    {
        Tensor returned = allocate({4}, {1});
        for (std::int64_t i = 0; i < 4; ++i)
            write(returned, i, mixed(state, static_cast<Number>(i)));
        m_items[{id, "0"}] = returned;
    }
    Number kernel(std::span<const Tensor> operands, const std::vector<bool>& writes, Number seed);
    void collect(TinyResult& result) const;

    const Graph& m_graph;
    const CaptureFacts& m_facts;
    const InPlaceChoices& m_choices;
    std::map<NodeId, Tensor> m_tensors;
    std::map<std::pair<NodeId, std::string>, Tensor> m_items; // of tuples and dicts
};

void Interpreter::step(NodeId id)
{
    const Node& node = m_graph[id];
    if (node.op == NodeOp::Output)
        return;
    if (node.op == NodeOp::Placeholder)
    {
        const Tensor input = allocateFor(*node.meta.value.tensor());
        for (std::size_t i = 0; i < m_buffers[input.buffer].size(); ++i)
            m_buffers[input.buffer][i] = mixed(textNumber(node.name), i);
        m_tensors[id] = input;
        return;
    }
    const OpTarget& target = node.target;
    if (target == "operator.getitem")
    {
        const std::string* name = node.args[1].as<std::string>();
        const std::string key = name ? *name : std::to_string(integerOf(node.args[1]));
        const auto found = m_items.find({node.args[0].node(), key});
        if (found == m_items.end())
            throw Failed{"no item " + key};
        m_tensors[id] = found->second;
    }
    else if (target == "aten.copy_.default")
    {
        if (!m_choices.droppedCopies.contains(id))
            copy(tensor(node.args[0]), tensor(node.args[1]));
        m_tensors[id] = tensor(node.args[0]);
    }
    else if (target == "_c10d_functional.wait_tensor.default")
        m_tensors[id] = tensor(node.args[0]);
    else if (target == "_c10d_functional.all_reduce.default")
        allReduce(id);
    else if (isViewTarget(target))
        m_tensors[id] = viewOf(target, tensor(node.args[0]), std::span(node.args).subspan(1));
    else if (target == "aten.index_put.default")
        indexPut(id);
    else if (target == kGeneralizedScatter)
        scatter(id);
    else if (target.starts_with("aten._foreach_"))
        foreachCall(id);
    else if (target == "higher_order.triton_kernel_wrapper_functional")
        triton(id);
    else if (target == "higher_order.auto_functionalized")
        autoFunctionalized(id);
    else if (target == "higher_order.auto_functionalized_v2")
        autoFunctionalizedV2(id);
    else
        elementwise(id);
}

void Interpreter::elementwise(NodeId id)
{
    const Node& node = m_graph[id];
    const Tensor result = allocateFor(*node.meta.value.tensor());
    for (std::int64_t i = 0; i < result.count(); ++i)
    {
        Number value = textNumber(node.target);
        for (const Argument& argument : node.args)
            if (argument.node())
                value = mixed(value, read(tensor(argument), i));
        write(result, i, value);
    }
    m_tensors[id] = result;
}

void Interpreter::allReduce(NodeId id)
{
    const Tensor input = tensor(m_graph[id].args[0]);
    const Tensor result =
        isInPlace(id, "0") ? input : allocateFor(*m_graph[id].meta.value.tensor());
    for (std::int64_t i = 0; i < result.count(); ++i)
        write(result, i, mixed(11, read(input, i)));
    m_tensors[id] = result;
}

void Interpreter::indexPut(NodeId id)
{
    const Node& node = m_graph[id];
    Tensor result = tensor(node.args[0]);
    if (!isInPlace(id, "0"))
    {
        result = allocateFor(*node.meta.value.tensor());
        copy(result, tensor(node.args[0]));
    }
    const Tensor index = tensor((*node.args[1].sequence())[0]);
    const Tensor values = tensor(node.args[2]);
    const std::int64_t rows = result.sizes[0];
    const std::int64_t row = rows == 0 ? 0 : result.count() / rows;
    for (std::int64_t i = 0; i < index.count(); ++i)
    {
        for (std::int64_t k = 0; k < row; ++k)
        {
            const auto to = static_cast<std::int64_t>(read(index, i) % static_cast<Number>(rows));
            write(result, to * row + k, read(values, i * row + k));
        }
    }
    m_tensors[id] = result;
}

void Interpreter::scatter(NodeId id)
{
    const Node& node = m_graph[id];
    Tensor result = tensor(node.args[0]);
    if (!isInPlace(id, "0"))
    {
        result = allocateFor(*node.meta.value.tensor());
        copy(result, tensor(node.args[0]));
    }
    Tensor view = result;
    // as_strided names positions of the storage, which a clone does not share.
    for (const Argument& argument : *node.args[2].sequence())
    {
        const ViewArgument& one = *argument.as<ViewArgument>();
        view = viewOf(one.target, view, one.args);
    }
    copy(view, tensor(node.args[1]));
    m_tensors[id] = result;
}

void Interpreter::foreachCall(NodeId id)
{
    const Node& node = m_graph[id];
    const std::vector<Argument>& list = *node.args[0].sequence();
    const std::vector<Argument>* other = node.args[1].sequence();
    const SequenceMeta* metas = node.meta.value.sequence();
    for (std::size_t k = 0; k < list.size(); ++k)
    {
        const Tensor self = tensor(list[k]);
        const Tensor result = isInPlace(id, "0") ? self : allocateFor(*metas->items[k].tensor());
        for (std::int64_t i = 0; i < self.count(); ++i)
        {
            const Number second = other ? read(tensor((*other)[k]), i) : 5;
            write(result, i, mixed(mixed(textNumber(node.target), read(self, i)), second));
        }
        m_items[{id, std::to_string(k)}] = result;
    }
}

// Two sweeps, forwards and backwards: each step reads one element of every operand and writes one
// of each that is written.
Number Interpreter::kernel(std::span<const Tensor> operands, const std::vector<bool>& writes,
                           Number seed)
{
    std::int64_t steps = 0;
    for (const Tensor& t : operands)
        steps = std::max(steps, t.count());
    Number state = seed;
    for (std::int64_t step = 0; step < 2 * steps; ++step)
    {
        const std::int64_t at = step < steps ? step : 2 * steps - 1 - step;
        for (std::size_t i = 0; i < operands.size(); ++i)
        {
            if (operands[i].count() == 0)
                continue;
            state = mixed(state, read(operands[i], at % operands[i].count()));
            if (writes[i])
                write(operands[i], at % operands[i].count(), mixed(state, i));
        }
    }
    return state;
}

void Interpreter::triton(NodeId id)
{
    const Node& node = m_graph[id];
    const DictArgument& kwargs = *node.kwarg("kwargs")->as<DictArgument>();
    std::vector<std::string> names;
    for (const Argument& name : *node.kwarg("tensors_to_clone")->sequence())
        names.push_back(*name.as<std::string>());
    std::vector<Tensor> operands;
    std::vector<bool> writes;
    for (const auto& [key, value] : kwargs.items)
    {
        const std::string& name = *key.as<std::string>();
        writes.push_back(std::ranges::find(names, name) != names.end());
        operands.push_back(writes.back() ? written(id, name, tensor(value)) : tensor(value));
        if (writes.back())
            m_items[{id, name}] = operands.back();
    }
    kernel(operands, writes, 3);
}

void Interpreter::autoFunctionalized(NodeId id)
{
    const Node& node = m_graph[id];
    const CustomOperator& op = *m_facts.customOperator(node.args[0].as<ConstantArgument>()->text);
    std::vector<Tensor> operands;
    std::vector<bool> writes;
    std::size_t item = std::max<std::size_t>(1, schemaReturnCount(op.schema));
    for (const SchemaArgument& argument : schemaArguments(op.schema))
    {
        const Argument* value = node.kwarg(argument.name);
        const std::size_t number = argument.isMutable ? item++ : 0;
        if (!value || !value->node())
            continue;
        const std::string name(argument.name);
        writes.push_back(argument.isMutable);
        operands.push_back(argument.isMutable ? written(id, name, tensor(*value)) : tensor(*value));
        if (argument.isMutable)
            m_items[{id, std::to_string(number)}] = operands.back();
    }
    const Number state = kernel(operands, writes, textNumber(op.target));
    returnHash(id, state);
}

void Interpreter::autoFunctionalizedV2(NodeId id)
{
    const Node& node = m_graph[id];
    const CustomOperator& op = *m_facts.customOperator(node.args[0].as<ConstantArgument>()->text);
    std::vector<Tensor> bases;
    for (const Argument& base : *node.kwarg("_all_bases")->sequence())
        bases.push_back(written(id, std::to_string(bases.size()), tensor(base)));
    const std::size_t returns = std::max<std::size_t>(1, schemaReturnCount(op.schema));
    for (std::size_t i = 0; i < bases.size(); ++i)
        m_items[{id, std::to_string(returns + i)}] = bases[i];
    std::vector<Tensor> operands;
    std::vector<bool> writes;
    for (const SchemaArgument& argument : schemaArguments(op.schema))
    {
        const std::string name(argument.name);
        const Argument* plain = node.kwarg(name);
        const Argument* base = node.kwarg("_" + name + "_base_index");
        if (!argument.isMutable && plain && plain->node())
        {
            operands.push_back(tensor(*plain));
            writes.push_back(false);
        }
        if (!argument.isMutable || !base || base->isNone())
            continue;
        Tensor view = bases[static_cast<std::size_t>(integerOf(*base))];
        if (const Argument* dim = node.kwarg("_" + name + "_slice_dim"))
            view = viewOf("aten.slice.Tensor", view,
                          std::vector<Argument>{*dim, *node.kwarg("_" + name + "_slice_start"),
                                                *node.kwarg("_" + name + "_slice_end")});
        else if (const Argument* size = node.kwarg("_" + name + "_size"))
            view = viewOf("aten.as_strided.default", view,
                          std::vector<Argument>{*size, *node.kwarg("_" + name + "_stride"),
                                                *node.kwarg("_" + name + "_storage_offset")});
        operands.push_back(view);
        writes.push_back(true);
    }
    const Number state = kernel(operands, writes, textNumber(op.target));
    returnHash(id, state);
}

void Interpreter::collect(TinyResult& result) const
{
    std::vector<std::set<std::pair<std::size_t, std::int64_t>>> places;
    const auto elements = [&](NodeId id) {
        const Tensor& t = tensor(id);
        std::vector<Number> values;
        places.emplace_back();
        for (std::int64_t i = 0; i < t.count(); ++i)
        {
            values.push_back(read(t, i));
            places.back().insert({t.buffer, t.place(i)});
        }
        return values;
    };
    forEachNode(m_graph[m_graph.output()].args[0],
                [&](NodeId id) { result.outputs.push_back(elements(id)); });
    for (const NodeId id : m_graph.order())
        if (m_graph[id].op == NodeOp::Placeholder)
            result.inputs.push_back(elements(id));
    for (std::size_t i = 0; i < places.size(); ++i)
        for (std::size_t j = i + 1; j < places.size(); ++j)
            if (std::ranges::any_of(places[i],
                                    [&](const auto& p) { return places[j].contains(p); }))
                result.aliases.insert({i, j});
}

} // namespace

TinyResult runTiny(const Graph& graph, const CaptureFacts& facts, const InPlaceChoices& choices)
{
    return Interpreter(graph, facts, choices).run();
}

} // namespace reinspect
