// SPDX-License-Identifier: MIT
#include "core/ir/graph_edit.h"

#include <algorithm>
#include <cassert>
#include <ranges>

namespace reinspect
{

// The one place that changes a graph: keeps links and users in step with the arguments.
class GraphEditor
{
public:
    explicit GraphEditor(Graph& graph)
        : m_graph(graph)
    {}

    // Content with the same arguments.
    void change(NodeId id, const NodePtr& content) { m_graph.setContent(id, content); }

    void changeArguments(NodeId id, const NodePtr& content)
    {
        m_graph.removeUses(id);
        change(id, content);
        m_graph.addUses(id);
    }

    // As changeArguments one by one, but linear for a node with very many users: users are kept by id,
    // so they leave from the last to the first and come back from the first to the last.
    void changeArguments(std::span<const SetArguments> edits)
    {
        for (const SetArguments& edit : std::views::reverse(edits))
            m_graph.removeUses(edit.node);
        for (const SetArguments& edit : edits)
        {
            change(edit.node, edit.after);
            m_graph.addUses(edit.node);
        }
    }

    void insert(NodeId id, NodeId before, const NodePtr& content)
    {
        // A slot that is there already is being replayed: later edits were reverted, so it holds `content`.
        if (id.index() == m_graph.m_slots.size())
            m_graph.addSlot(content);
        m_graph.linkBefore(id, before);
        m_graph.addUses(id);
    }

    void remove(NodeId id)
    {
        assert(m_graph.users(id).empty());
        m_graph.removeUses(id);
        m_graph.unlink(id);
    }

    void restore(NodeId id, NodeId before)
    {
        m_graph.linkBefore(id, before);
        m_graph.addUses(id);
    }

private:
    Graph& m_graph;
};

namespace
{

struct Apply
{
    GraphEditor editor;
    void operator()(const SetTarget& edit) { editor.change(edit.node, edit.after); }
    void operator()(const SetArguments& edit) { editor.changeArguments(edit.node, edit.after); }
    void operator()(const SetMeta& edit) { editor.change(edit.node, edit.after); }
    void operator()(const InsertNode& edit) { editor.insert(edit.node, edit.before, edit.content); }
    void operator()(const EraseNode& edit) { editor.remove(edit.node); }
};

struct Revert
{
    GraphEditor editor;
    void operator()(const SetTarget& edit) { editor.change(edit.node, edit.before); }
    void operator()(const SetArguments& edit) { editor.changeArguments(edit.node, edit.before); }
    void operator()(const SetMeta& edit) { editor.change(edit.node, edit.before); }
    void operator()(const InsertNode& edit) { editor.remove(edit.node); }
    void operator()(const EraseNode& edit) { editor.restore(edit.node, edit.before); }
};

} // namespace

void applyEdit(Graph& graph, const GraphEdit& edit)
{
    std::visit(Apply{GraphEditor(graph)}, edit);
}

void revertEdit(Graph& graph, const GraphEdit& edit)
{
    std::visit(Revert{GraphEditor(graph)}, edit);
}

NodeId editedNode(const GraphEdit& edit)
{
    return std::visit([](const auto& body) { return body.node; }, edit);
}

void EditRecorder::record(GraphEdit edit)
{
    applyEdit(m_graph, edit);
    if (m_edits)
        m_edits->push_back(std::move(edit));
}

namespace
{

// `change` of a copy of the node's content, as an edit of the given kind.
template<typename Edit, typename Change>
Edit changed(const Graph& graph, NodeId id, const Change& change)
{
    auto after = std::make_shared<Node>(graph[id]);
    change(*after);
    return {{id, graph.shared(id), std::move(after)}};
}

} // namespace

void EditRecorder::setTarget(NodeId node, OpTarget target)
{
    record(changed<SetTarget>(m_graph, node, [&](Node& now) { now.target = std::move(target); }));
}

void EditRecorder::setArguments(NodeId node, std::vector<Argument> args,
                                std::vector<NamedArgument> kwargs)
{
    record(changed<SetArguments>(m_graph, node, [&](Node& now) {
        now.args = std::move(args);
        now.kwargs = std::move(kwargs);
    }));
}

void EditRecorder::setMeta(NodeId node, NodeMeta meta)
{
    record(changed<SetMeta>(m_graph, node, [&](Node& now) { now.meta = std::move(meta); }));
}

NodeId EditRecorder::insertBefore(NodeId before, Node content)
{
    const NodeId id(m_graph.slotCount());
    content.name = m_graph.uniqueName(content.name);
    record(InsertNode{id, before, std::make_shared<const Node>(std::move(content))});
    return id;
}

void EditRecorder::erase(NodeId node)
{
    record(EraseNode{node, m_graph.next(node)});
}

void EditRecorder::replaceUses(NodeId from, NodeId to)
{
    replaceUses({{from, Argument{to}}});
}

void EditRecorder::replaceUses(const std::unordered_map<NodeId, Argument>& values)
{
    std::vector<NodeId> users;
    for (const auto& [from, value] : values)
        users.insert(users.end(), m_graph.users(from).begin(), m_graph.users(from).end());
    std::ranges::sort(users);
    users.erase(std::unique(users.begin(), users.end()), users.end());
    std::vector<SetArguments> edits;
    for (const NodeId user : users)
        edits.push_back(changed<SetArguments>(m_graph, user, [&values](Node& now) {
            for (Argument& argument : now.args)
                replaceNodes(argument, values);
            for (NamedArgument& argument : now.kwargs)
                replaceNodes(argument.value, values);
        }));
    GraphEditor(m_graph).changeArguments(edits);
    if (m_edits)
        std::ranges::move(edits, std::back_inserter(*m_edits));
}

} // namespace reinspect
