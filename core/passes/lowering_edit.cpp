// SPDX-License-Identifier: MIT
#include "core/passes/lowering_edit.h"

#include "core/passes/new_nodes.h"
#include "core/passes/size_nodes.h"

#include <algorithm>

namespace reinspect
{
namespace
{

StorageId lastStorage(const Graph& graph)
{
    StorageId last;
    for (const NodeId id : graph.order())
        if (const TensorMeta* meta = graph[id].meta.value.tensor())
            if (meta->storage && (!last || last < meta->storage))
                last = meta->storage;
    return last;
}

ShapeEnv inputHints(const Graph& graph)
{
    ShapeEnv shapes;
    for (const NodeId id : graph.order())
    {
        if (graph[id].op != NodeOp::Placeholder)
            continue;
        const auto* scalar = std::get_if<SymScalarMeta>(&graph[id].meta.value.value);
        const auto hint = scalar && scalar->hint ? scalar->hint->integer() : std::nullopt;
        if (hint && scalar->expr.symbols() == std::vector<std::string>{scalar->text})
            shapes.setHint(scalar->text, *hint);
    }
    return shapes;
}

Error cannotLower(const Graph& graph, NodeId wrapper, const std::string& why)
{
    return {.message = "'" + graph[wrapper].name + "' cannot be lowered: " + why,
            .hint = "Stage 'after' shows what the pass decided about it.",
            .kind = ErrorKind::CannotRunHere};
}

} // namespace

LoweringEdit::LoweringEdit(Graph graph, const CaptureFacts& facts)
    : m_graph(std::move(graph))
    , m_recorder(m_graph)
    , m_facts(facts)
    , m_position(m_graph.positions())
    , m_geometry(m_graph, facts)
    , m_shapes(inputHints(m_graph))
    , m_lastStorage(lastStorage(m_graph))
{}

StorageId LoweringEdit::newStorage()
{
    if (m_lastStorage)
        m_lastStorage = StorageId(m_lastStorage.index() + 1);
    return m_lastStorage;
}

void LoweringEdit::assume(std::string sentence)
{
    if (std::ranges::find(m_assumptions, sentence) == m_assumptions.end())
        m_assumptions.push_back(std::move(sentence));
}

NodeId LoweringEdit::insert(NodeId wrapper, Node content)
{
    const NodeMeta& from = m_graph[wrapper].meta;
    content.meta.source = from.source;
    content.meta.sourceFile = from.sourceFile;
    content.meta.modules = from.modules;
    content.meta.partitionerTag = from.partitionerTag;
    if (!content.target.starts_with("higher_order.") && !content.target.starts_with("operator.")
        && !content.target.starts_with("aten.sym_"))
        content.meta.originalAten = content.target.view();
    return m_recorder.insertBefore(wrapper, std::move(content));
}

NodeId LoweringEdit::cloneKeepingStrides(NodeId wrapper, NodeId tensor)
{
    const ResolvedMeta* known = m_geometry.of(tensor);
    if (!known || known->meta.strides->size() != known->meta.sizes.size())
    {
        assume("no sizes are known of '" + m_graph[tensor].name
               + "': its copy is written without the views that keep its strides");
        return insert(wrapper, newCall("aten.clone.default", {{tensor}}));
    }
    TensorMeta meta = known->meta;
    if (!meta.offset || !known->assumed.empty())
        assume("'" + m_graph[tensor].name + "': " + std::string(known->assumed));
    meta.offset = meta.offset.value_or(0);
    SizeNodes sizes(tensor, meta, m_shapes,
                    [&](Node node) { return insert(wrapper, std::move(node)); });
    const SizedValue length = sizes.requiredLength();

    TensorMeta flat = meta;
    flat.sizes = {length.expr};
    flat.strides = {{1}};
    flat.offset = 0;
    const NodeId whole = insert(wrapper,
                                newCall("aten.as_strided.default",
                                        {{tensor},
                                         {ListArgument{{length.argument}}},
                                         {ListArgument{{{std::int64_t{1}}}}},
                                         {std::int64_t{0}}},
                                        {flat}));
    flat.storage = newStorage();
    flat.storageBytes = byteCount(flat);
    const NodeId copy = insert(wrapper, newCall("aten.clone.default", {{whole}}, {flat}));
    meta.storage = flat.storage;
    meta.storageBytes = flat.storageBytes;
    std::vector<Argument> args{{copy}, {sizes.sizes()}, {sizes.strides()}, sizes.offset().argument};
    return insert(wrapper, newCall("aten.as_strided.default", std::move(args), {meta}));
}

// A list of results is read by getitem once more; whatever else reads it gets the list.
void LoweringEdit::assign(NodeId node, const Argument& value)
{
    m_retired.push_back(node);
    m_values.insert_or_assign(node, value);
    const std::vector<Argument>* items = value.sequence();
    if (!items)
        return;
    for (const NodeId user : m_graph.users(node))
        if (const std::vector<Argument>& args = m_graph[user].args;
            m_graph[user].target == "operator.getitem" && args.size() > 1)
        {
            const std::int64_t index = args[1].integer().value_or(-1);
            if (index >= 0 && static_cast<std::size_t>(index) < items->size())
                assign(user, (*items)[static_cast<std::size_t>(index)]);
        }
}

Result<void> LoweringEdit::retire(NodeId wrapper, const Results& results)
{
    for (const NodeId user : m_graph.users(wrapper))
    {
        const Node& getitem = m_graph[user];
        if (getitem.target != "operator.getitem" || getitem.args.size() < 2)
            return cannotLower(m_graph, wrapper,
                               "'" + getitem.name + "' uses all its results at once");
        const std::optional<Argument> value = results(getitem.args[1]);
        if (!value)
            return cannotLower(m_graph, wrapper,
                               "what '" + getitem.name + "' reads of it is not known");
        assign(user, *value);
    }
    m_retired.push_back(wrapper);
    return {};
}

Graph LoweringEdit::finish()
{
    std::ranges::sort(m_retired, {}, [this](NodeId id) { return m_position[id.index()]; });
    // A result may stand for an earlier one, which by then has its final value.
    for (const NodeId id : m_retired)
        if (const auto value = m_values.find(id); value != m_values.end())
        {
            Argument final = value->second;
            replaceNodes(final, m_values);
            value->second = std::move(final);
        }
    m_recorder.replaceUses(m_values);
    std::for_each(m_retired.rbegin(), m_retired.rend(),
                  [this](NodeId id) { m_recorder.erase(id); });
    return std::move(m_graph);
}

} // namespace reinspect
