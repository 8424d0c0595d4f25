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

void forEachNodeOf(const Node& node, const std::function<void(NodeId)>& visit)
{
    for (const Argument& argument : node.args)
        forEachNode(argument, visit);
    for (const NamedArgument& argument : node.kwargs)
        forEachNode(argument.value, visit);
}

// "slice_12" is slice and 12; a name without a number has 0.
std::pair<std::string, std::size_t> numberedName(std::string_view name)
{
    const std::size_t last = name.find_last_not_of("0123456789");
    if (last == std::string_view::npos || last + 1 == name.size() || name[last] != '_'
        || name.size() - last >= 10)
        return {std::string(name), 0};
    return {std::string(name.substr(0, last)), std::stoul(std::string(name.substr(last + 1)))};
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

template<typename Map>
const typename Map::mapped_type* Graph::lookUp(Map Names::*map, const std::string& key) const
{
    for (const Names* layer = m_names.get(); layer; layer = layer->below.get())
        if (const auto found = (layer->*map).find(key); found != (layer->*map).end())
            return &found->second;
    return nullptr;
}

NodeId Graph::append(Node node)
{
    const NodeId id(m_slots.size());
    addSlot(std::make_shared<const Node>(std::move(node)));
    linkBefore(id, {});
    addUses(id);
    return id;
}

NodeId Graph::find(std::string_view wanted) const
{
    const NodeId* found = lookUp(&Names::byName, std::string(wanted));
    return found && contains(*found) ? *found : NodeId{};
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
    if (!lookUp(&Names::byName, std::string(candidate)))
        return std::string(candidate);
    // PyTorch counts on from the number given last: slice_1 is followed by slice_2.
    auto [base, number] = numberedName(candidate);
    if (const std::size_t* last = lookUp(&Names::lastNumber, base))
        number = std::max(number, *last);
    std::string numbered;
    do
        numbered = base + "_" + std::to_string(++number);
    while (lookUp(&Names::byName, numbered));
    return numbered;
}

void Graph::addSlot(NodePtr node)
{
    assert(!lookUp(&Names::byName, node->name));
    if (m_names.use_count() > 1)
        m_names = std::make_shared<Names>(Names{m_names, {}, {}});
    const NodeId id(m_slots.size());
    m_names->byName.emplace(node->name, id);
    auto [base, number] = numberedName(node->name);
    m_names->lastNumber.insert_or_assign(std::move(base), number);
    m_slots.push_back({std::move(node), {}, {}, {}, false});
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
        std::vector<NodeId>& users = m_slots[used.index()].users;
        // Users are kept by id: readers append, so the common case is the end.
        const auto at = users.empty() || users.back() < user
            ? users.end()
            : std::lower_bound(users.begin(), users.end(), user);
        if (at == users.end() || *at != user)
            users.insert(at, user);
    });
}

void Graph::removeUses(NodeId user)
{
    forEachNodeOf(node(user), [this, user](NodeId used) {
        std::vector<NodeId>& users = m_slots[used.index()].users;
        const auto at = std::lower_bound(users.begin(), users.end(), user);
        if (at != users.end() && *at == user)
            users.erase(at);
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
