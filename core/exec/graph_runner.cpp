// SPDX-License-Identifier: MIT
#include "core/exec/graph_runner.h"

#include "core/exec/device.h"

#include <chrono>
#include <limits>

namespace reinspect::exec
{
namespace
{

void learn(const SymExpr& expr, std::int64_t value, RunContext& context)
{
    const std::vector<std::string> names = expr.symbols();
    if (names.size() == 1 && expr == SymExpr::symbol(names.front()))
        context.symbols.insert_or_assign(names.front(), value);
}

// Of nodes for which the device has no code.
std::size_t callsOnHost(const RunContext& context)
{
    std::size_t calls = 0;
    for (const auto& [target, runs] : context.hostRuns)
        calls += runs.calls;
    return calls;
}

double secondsSince(std::chrono::steady_clock::time_point begin)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

void learnSymbols(const Graph& graph, const std::vector<Value>& placeholders, RunContext& context)
{
    std::size_t next = 0;
    for (const NodeId id : graph.order())
    {
        const Node& node = graph.node(id);
        if (node.op != NodeOp::Placeholder || next >= placeholders.size())
            continue;
        const Value& value = placeholders[next++];
        const TensorMeta* meta = node.meta.value.tensor();
        const Tensor* tensor = value.tensor();
        if (const auto* scalar = std::get_if<SymScalarMeta>(&node.meta.value.value))
            if (const auto number = value.integer();
                number && scalar->kind == SymScalarMeta::Kind::Int)
                learn(scalar->expr, *number, context);
        for (std::size_t i = 0; meta && tensor && i < tensor->rank() && i < meta->sizes.size(); ++i)
        {
            learn(meta->sizes[i], tensor->sizes[i], context);
            if (meta->strides && i < meta->strides->size())
                learn((*meta->strides)[i], tensor->strides[i], context);
        }
    }
}

bool wasInPlace(const Graph& body, NodeId id)
{
    const Node& node = body.node(id);
    const OpFacts* facts = findOpFacts(node.target);
    if (!facts || !facts->isPointwise || body.users(id).size() != 1)
        return false;
    const Node& user = body.node(body.users(id).front());
    if (user.target != "aten.copy_.default" || user.args.size() < 2 || user.args[1].node() != id)
        return false;
    const NodeId destination = user.args[0].node();
    return destination && !node.args.empty() && node.args.front().node() == destination;
}

GraphRunner::GraphRunner(const Graph& graph, RunContext& context, const RunControl& control,
                         bool isBody)
    : m_graph(graph)
    , m_context(context)
    , m_control(control)
    , m_isBody(isBody)
    , m_values(graph.slotCount())
    , m_dropAfter(graph.slotCount())
{
    findLastUses();
}

void GraphRunner::findLastUses()
{
    const std::vector<std::uint32_t> positions = m_graph.positions();
    for (const NodeId id : m_graph.order())
    {
        NodeId last = id;
        for (const NodeId user : m_graph.users(id))
            if (positions[user.index()] > positions[last.index()])
                last = user;
        // torch.fx.Interpreter drops a value when it was used for the last time: never, when it is not used.
        if (last != id || m_isBody)
            m_dropAfter[last.index()].push_back(id);
    }
}

Error GraphRunner::errorAt(const Node& node, std::string message) const
{
    return Error{.message =
                     "node '" + node.name + "' (" + node.target + "): " + std::move(message)};
}

Result<std::vector<Value>> GraphRunner::run(const RunInputs& inputs)
{
    const auto total = static_cast<double>(m_graph.size());
    std::vector<Value> outputs;
    for (const NodeId id : m_graph.order())
    {
        m_failed = id;
        if (m_control.stopRequested())
            return Error{.message = "stopped", .kind = ErrorKind::CannotRunHere};
        if (isOutermost && m_context.accelerator)
            m_context.accelerator->beginNode(m_graph.node(id).name);
        const std::size_t onHost = times ? callsOnHost(m_context) : 0;
        const auto begin = std::chrono::steady_clock::now();
        REINSPECT_TRY(Value value, [&] {
            if (!m_isBody || !wasInPlace(m_graph, id))
                return compute(id, inputs);
            const ScratchScope inPlace(m_context);
            return compute(id, inputs);
        }());
        if (times)
            times->push_back(
                {id, secondsSince(begin), bytesMoved(id, value), callsOnHost(m_context) > onHost});
        if (observe)
            observe(id, value);
        if (m_graph.node(id).op == NodeOp::Output)
            outputs = value.items() ? *value.items() : std::vector<Value>{value};
        else
            m_values[id.index()] = std::move(value);
        value = Value();
        for (const NodeId dead : m_dropAfter[id.index()])
            m_values[dead.index()] = Value();
        const std::int64_t high = m_context.tracker->takeHigh();
        if (steps)
        {
            steps->push_back({id, m_context.tracker->liveBytes(), high});
            m_context.tracker->setStep(steps->size());
        }
        m_control.report(static_cast<double>(++m_count) / total);
    }
    m_failed = {};
    return outputs;
}

std::int64_t GraphRunner::bytesMoved(NodeId id, const Value& value) const
{
    const Node& node = m_graph.node(id);
    const OpFacts* facts = node.target.facts();
    if (node.op != NodeOp::CallFunction || (facts && facts->isView)
        || node.target == "operator.getitem")
        return 0;
    std::set<std::pair<const Storage*, std::int64_t>> known;
    std::int64_t bytes = 0;
    const auto count = [&](const Tensor& tensor) {
        if (known.emplace(tensor.storage.get(), tensor.offset).second)
            bytes += tensor.count() * tensor.elementBytes();
    };
    for (const NodeId input : m_graph.inputs(id))
        forEachTensor(m_values[input.index()], count);
    forEachTensor(value, count);
    return bytes;
}

Result<Value> GraphRunner::compute(NodeId id, const RunInputs& inputs)
{
    const Node& node = m_graph.node(id);
    switch (node.op)
    {
    case NodeOp::Placeholder: return placeholder(node, inputs);
    case NodeOp::GetAttr: return attribute(node, id, inputs);
    case NodeOp::Output:
    {
        if (node.args.empty())
            return Value(ListValue{});
        REINSPECT_TRY(Value value, valueOf(node.args.front()));
        return value.items() ? value : listOf(std::vector<Value>{value});
    }
    case NodeOp::CallFunction: break;
    case NodeOp::CallMethod:
    case NodeOp::CallModule:
        return Error{.message = "node '" + node.name + "' (" + node.target
                         + "): calls of methods and modules cannot run",
                     .kind = ErrorKind::CannotRunHere};
    }
    return call(node);
}

Result<Value> GraphRunner::placeholder(const Node& node, const RunInputs& inputs)
{
    if (m_nextInput >= inputs.placeholders.size())
        return errorAt(node, "no value was given for this input");
    return inputs.placeholders[m_nextInput++];
}

Result<Value> GraphRunner::attribute(const Node& node, NodeId id, const RunInputs& inputs)
{
    const auto body = m_graph.subgraphs.find(node.target.str());
    if (body != m_graph.subgraphs.end())
        return Value(GraphPtr(body->second));
    const auto given = inputs.attributes.find(node.target.str());
    if (given != inputs.attributes.end())
        return given->second;
    if (m_graph.users(id).empty())
        return Value();
    return errorAt(node, "no value was given for this attribute");
}

Result<ListValue> GraphRunner::valuesOf(const std::vector<Argument>& arguments) const
{
    ListValue list;
    list.items.reserve(arguments.size());
    for (const Argument& argument : arguments)
    {
        REINSPECT_TRY(Value value, valueOf(argument));
        list.items.push_back(std::move(value));
    }
    return list;
}

Result<DictValue> GraphRunner::keywordsOf(const std::vector<NamedArgument>& arguments) const
{
    DictValue dict;
    for (const NamedArgument& argument : arguments)
    {
        REINSPECT_TRY(Value value, valueOf(argument.value));
        dict.keys.push_back(argument.name);
        dict.items.push_back(std::move(value));
    }
    return dict;
}

Result<Value> GraphRunner::valueOf(const Argument& argument) const
{
    if (const NodeId node = argument.node())
        return m_values[node.index()];
    if (const std::vector<Argument>* items = argument.sequence())
    {
        REINSPECT_TRY(ListValue list, valuesOf(*items));
        return Value(std::move(list));
    }
    if (const SliceArgument* slice = argument.as<SliceArgument>())
    {
        REINSPECT_TRY(ListValue list, valuesOf(slice->items));
        return Value(std::move(list));
    }
    if (const SymArgument* symbolic = argument.as<SymArgument>())
    {
        const auto number =
            symbolic->expr.evaluate([&](std::string_view name) -> std::optional<std::int64_t> {
                const auto at = m_context.symbols.find(name);
                return at == m_context.symbols.end() ? std::nullopt : std::optional(at->second);
            });
        if (number)
            return Value(*number);
        return Error{"no value is known for the size " + reinspect::toText(symbolic->expr)};
    }
    if (const DictArgument* dict = argument.as<DictArgument>())
    {
        DictValue made;
        for (const auto& [key, item] : dict->items)
        {
            REINSPECT_TRY(Value value, valueOf(item));
            const std::string* name = key.as<std::string>();
            made.keys.push_back(name ? *name : reinspect::toText(m_graph, key));
            made.items.push_back(std::move(value));
        }
        return Value(std::move(made));
    }
    if (const ViewArgument* view = argument.as<ViewArgument>())
    {
        REINSPECT_TRY(ListValue args, valuesOf(view->args));
        REINSPECT_TRY(DictValue kwargs, keywordsOf(view->kwargs));
        return Value(ViewStep{view->target, std::move(args.items), std::move(kwargs)});
    }
    if (const OpaqueArgument* opaque = argument.as<OpaqueArgument>())
        return Value(*opaque);
    if (const bool* flag = argument.as<bool>())
        return Value(*flag);
    if (const auto* whole = argument.as<std::int64_t>())
        return Value(*whole);
    if (const auto* real = argument.as<double>())
        return Value(*real);
    if (const auto* pair = argument.as<std::complex<double>>())
        return Value(*pair);
    if (const auto* text = argument.as<std::string>())
        return Value(*text);
    if (const auto* constant = argument.as<ConstantArgument>())
        return Value(*constant);
    return Value();
}

Result<Value> GraphRunner::call(const Node& node)
{
    auto args = valuesOf(node.args);
    auto kwargs = keywordsOf(node.kwargs);
    if (!args.ok())
        return errorAt(node, args.error().message);
    if (!kwargs.ok())
        return errorAt(node, kwargs.error().message);
    KernelCall bound;
    bound.node = node.name;
    bound.expected = &node.meta.value;
    if (node.meta.onlyCloneTheseTensors)
        bound.onlyClone = &*node.meta.onlyCloneTheseTensors;
    bound.context = &m_context;
    return callOperator(std::move(bound), node.target, std::move(args->items), std::move(*kwargs));
}

} // namespace reinspect::exec
