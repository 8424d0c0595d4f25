// SPDX-License-Identifier: MIT
#include "core/ir/graph.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <unordered_set>

namespace reinspect
{
namespace
{

constexpr std::array<std::string_view, 6> kOpNames = {"placeholder", "get_attr",    "call_function",
                                                      "call_method", "call_module", "output"};

template<typename Visit>
void forEachNodeOf(const Node& node, const Visit& visit)
{
    for (const Argument& argument : node.args)
        forEachNode(argument, visit);
    for (const NamedArgument& argument : node.kwargs)
        forEachNode(argument.value, visit);
}

} // namespace

std::string_view nodeOpName(NodeOp op)
{
    return kOpNames[static_cast<std::size_t>(op)];
}

std::optional<NodeOp> nodeOpFromName(std::string_view name)
{
    const auto found = std::find(kOpNames.begin(), kOpNames.end(), name);
    if (found == kOpNames.end())
        return {};
    return static_cast<NodeOp>(found - kOpNames.begin());
}

bool operator==(const NodeMeta& a, const NodeMeta& b)
{
    const bool sameModules =
        a.modules == b.modules || (a.modules && b.modules && *a.modules == *b.modules);
    return sameModules && a.value == b.value && a.source == b.source && a.sourceFile == b.sourceFile
        && a.originalAten == b.originalAten && a.onlyCloneTheseTensors == b.onlyCloneTheseTensors
        && a.partitionerTag == b.partitionerTag;
}

const Argument* Node::kwarg(std::string_view key) const
{
    const auto found =
        std::find_if(kwargs.begin(), kwargs.end(),
                     [key](const NamedArgument& argument) { return argument.name == key; });
    return found == kwargs.end() ? nullptr : &found->value;
}

NodeId Graph::slotNamed(std::string_view wanted) const
{
    return m_names->find(wanted, [this](NodeId id) -> const std::string& { return node(id).name; });
}

NodeId Graph::append(Node node)
{
    const NodeId id(m_slots.size());
    node.args.shrink_to_fit();
    addSlot(std::make_shared<const Node>(std::move(node)));
    linkBefore(id, {});
    addUses(id);
    return id;
}

NodeId Graph::find(std::string_view wanted) const
{
    const NodeId found = slotNamed(wanted);
    return found && contains(found) ? found : NodeId{};
}

NodeId Graph::output() const
{
    return m_last && node(m_last).op == NodeOp::Output ? m_last : NodeId{};
}

std::vector<NodeId> Graph::inputs(NodeId id) const
{
    constexpr std::size_t kFew = 16; // an output may return thousands
    std::vector<NodeId> found;
    std::unordered_set<NodeId> seen;
    forEachNodeOf(node(id), [&](NodeId input) {
        if (found.size() == kFew && seen.empty())
            seen.insert(found.begin(), found.end());
        const bool isNew = seen.empty()
            ? std::find(found.begin(), found.end(), input) == found.end()
            : seen.insert(input).second;
        if (isNew)
            found.push_back(input);
    });
    return found;
}

std::vector<std::uint32_t> Graph::positions() const
{
    std::vector<std::uint32_t> position(m_slots.size(), std::numeric_limits<std::uint32_t>::max());
    std::uint32_t at = 0;
    for (const NodeId id : order())
        position[id.index()] = at++;
    return position;
}

std::string Graph::uniqueName(std::string_view candidate) const
{
    return m_names->unused(candidate,
                           [this](NodeId id) -> const std::string& { return node(id).name; });
}

void Graph::addSlot(NodePtr node)
{
    assert(!slotNamed(node->name));
    if (m_names.use_count() > 1)
        m_names = std::make_shared<NameIndex>(*m_names);
    m_names->add(node->name, NodeId(m_slots.size()));
    const NodeId id(m_slots.size());
    m_slots.emplace_back();
    setContent(id, std::move(node));
}

void Graph::setContent(NodeId id, NodePtr node)
{
    Slot& slot = m_slots[id.index()];
    const OpFacts* facts = node->target.facts();
    slot.row =
        facts ? static_cast<std::uint16_t>(facts - allOpFacts().data() + 1) : std::uint16_t{0};
    slot.op = node->op;
    slot.node = std::move(node);
}

void Graph::linkBefore(NodeId id, NodeId before)
{
    Slot& slot = m_slots[id.index()];
    assert(!slot.linked);
    slot.next = before;
    slot.previous = before ? m_slots[before.index()].previous : m_last;
    (slot.previous ? m_slots[slot.previous.index()].next : m_first) = id;
    (slot.next ? m_slots[slot.next.index()].previous : m_last) = id;
    slot.linked = true;
    ++m_size;
}

void Graph::unlink(NodeId id)
{
    Slot& slot = m_slots[id.index()];
    assert(slot.linked);
    (slot.previous ? m_slots[slot.previous.index()].next : m_first) = slot.next;
    (slot.next ? m_slots[slot.next.index()].previous : m_last) = slot.previous;
    slot.previous = slot.next = NodeId{};
    slot.linked = false;
    --m_size;
}

void Graph::addUses(NodeId user)
{
    forEachNodeOf(node(user), [this, user](NodeId used) {
        assert(used.index() < m_slots.size());
        Few<NodeId>& users = m_slots[used.index()].users;
        const std::span<const NodeId> known = users.items();
        // Users are kept by id: readers append, so the common case is the end.
        const auto at = known.empty() || known.back() < user
            ? known.end()
            : std::ranges::lower_bound(known, user);
        if (at == known.end() || *at != user)
            users.insert(static_cast<std::size_t>(at - known.begin()), user);
    });
}

void Graph::removeUses(NodeId user)
{
    forEachNodeOf(node(user), [this, user](NodeId used) {
        Few<NodeId>& users = m_slots[used.index()].users;
        const std::span<const NodeId> known = users.items();
        const auto at = std::ranges::lower_bound(known, user);
        if (at != known.end() && *at == user)
            users.erase(static_cast<std::size_t>(at - known.begin()));
    });
}

namespace
{

// Ids differ between two graphs of the same content: arguments compare by the names they refer to.
bool sameArguments(const Graph& a, NodeId nodeA, const Graph& b, NodeId nodeB)
{
    std::vector<std::string_view> namesA;
    std::vector<std::string_view> namesB;
    forEachNodeOf(a[nodeA], [&](NodeId used) { namesA.push_back(a[used].name); });
    forEachNodeOf(b[nodeB], [&](NodeId used) { namesB.push_back(b[used].name); });
    if (namesA != namesB)
        return false;
    Node copy = b[nodeB];
    std::vector<NodeId> idsA;
    forEachNodeOf(a[nodeA], [&](NodeId used) { idsA.push_back(used); });
    std::size_t at = 0;
    const auto renumber = [&](Argument& argument) {
        renumberNodes(argument, [&](NodeId) { return idsA[at++]; });
    };
    for (Argument& argument : copy.args)
        renumber(argument);
    for (NamedArgument& argument : copy.kwargs)
        renumber(argument.value);
    return copy.args == a[nodeA].args && copy.kwargs == a[nodeA].kwargs;
}

} // namespace

bool sameGraph(const Graph& a, const Graph& b)
{
    if (a.size() != b.size() || a.attributes != b.attributes
        || a.subgraphs.size() != b.subgraphs.size())
        return false;
    NodeId idB = b.first();
    for (const NodeId idA : a.order())
    {
        const Node& nodeA = a[idA];
        const Node& nodeB = b[idB];
        if (nodeA.name != nodeB.name || nodeA.op != nodeB.op || nodeA.target != nodeB.target
            || nodeA.meta != nodeB.meta || !sameArguments(a, idA, b, idB))
            return false;
        idB = b.next(idB);
    }
    return std::equal(a.subgraphs.begin(), a.subgraphs.end(), b.subgraphs.begin(),
                      [](const auto& x, const auto& y) {
                          return x.first == y.first
                              && (x.second == y.second || sameGraph(*x.second, *y.second));
                      });
}

std::size_t outputCount(const Graph& graph)
{
    const NodeId output = graph.output();
    if (!output || graph[output].args.empty())
        return 0;
    const std::vector<Argument>* items = graph[output].args.front().sequence();
    return items ? items->size() : 1;
}

} // namespace reinspect
