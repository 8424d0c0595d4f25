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

    void setTarget(NodeId id, const std::string& target) { node(id).target = target; }
    void setMeta(NodeId id, const NodeMeta& meta) { node(id).meta = meta; }

    void setArguments(NodeId id, const SetArguments::Lists& lists)
    {
        m_graph.removeUses(id);
        node(id).args = lists.args;
        node(id).kwargs = lists.kwargs;
        m_graph.addUses(id);
    }

    // As setArguments one by one, but linear for a node with very many users: users are kept by id, so
    // they leave from the last to the first and come back from the first to the last.
    void setArguments(std::span<const SetArguments> edits)
    {
        for (const SetArguments& edit : std::views::reverse(edits))
            m_graph.removeUses(edit.node);
        for (const SetArguments& edit : edits)
        {
            node(edit.node).args = edit.after.args;
            node(edit.node).kwargs = edit.after.kwargs;
            m_graph.addUses(edit.node);
        }
    }

    void insert(NodeId id, NodeId before, const Node& content)
    {
        if (id.index() == m_graph.m_slots.size())
        {
            assert(!m_graph.m_byName.contains(content.name));
            m_graph.m_byName.emplace(content.name, id);
            m_graph.noteName(content.name);
            m_graph.m_slots.push_back({content, {}, {}, {}, false});
        }
        // A slot that is there already is being replayed: later edits were reverted, so it holds `content`.
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
    Node& node(NodeId id) { return m_graph.m_slots[id.index()].node; }

    Graph& m_graph;
};

namespace
{

struct Apply
{
    GraphEditor editor;
    void operator()(const SetTarget& edit) { editor.setTarget(edit.node, edit.after); }
    void operator()(const SetArguments& edit) { editor.setArguments(edit.node, edit.after); }
    void operator()(const SetMeta& edit) { editor.setMeta(edit.node, edit.after); }
    void operator()(const InsertNode& edit) { editor.insert(edit.node, edit.before, edit.content); }
    void operator()(const EraseNode& edit) { editor.remove(edit.node); }
};

struct Revert
{
    GraphEditor editor;
    void operator()(const SetTarget& edit) { editor.setTarget(edit.node, edit.before); }
    void operator()(const SetArguments& edit) { editor.setArguments(edit.node, edit.before); }
    void operator()(const SetMeta& edit) { editor.setMeta(edit.node, edit.before); }
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
    m_edits.push_back(std::move(edit));
}

void EditRecorder::setTarget(NodeId node, std::string target)
{
    record(SetTarget{node, m_graph[node].target, std::move(target)});
}

void EditRecorder::setArguments(NodeId node, std::vector<Argument> args,
                                std::vector<NamedArgument> kwargs)
{
    const Node& now = m_graph[node];
    record(SetArguments{node, {now.args, now.kwargs}, {std::move(args), std::move(kwargs)}});
}

void EditRecorder::setMeta(NodeId node, NodeMeta meta)
{
    record(SetMeta{node, m_graph[node].meta, std::move(meta)});
}

NodeId EditRecorder::insertBefore(NodeId before, Node content)
{
    const NodeId id(m_graph.slotCount());
    content.name = m_graph.uniqueName(content.name);
    record(InsertNode{id, before, std::move(content)});
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
    {
        const SetArguments::Lists before{m_graph[user].args, m_graph[user].kwargs};
        SetArguments::Lists after = before;
        for (Argument& argument : after.args)
            replaceNodes(argument, values);
        for (NamedArgument& argument : after.kwargs)
            replaceNodes(argument.value, values);
        edits.push_back({user, before, std::move(after)});
    }
    GraphEditor(m_graph).setArguments(edits);
    std::ranges::move(edits, std::back_inserter(m_edits));
}

} // namespace reinspect
