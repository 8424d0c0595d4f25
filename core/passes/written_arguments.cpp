// SPDX-License-Identifier: MIT
#include "core/passes/written_arguments.h"

#include <algorithm>
#include <array>

namespace reinspect
{
namespace
{

constexpr std::string_view kWrapper = "higher_order.auto_functionalized";
constexpr int kImpossible = -1000;
constexpr std::size_t kMostCalls = 32; // compared; more would not change the answer

// The results of one call that the graph reads, by index.
struct Call
{
    const Node* node = nullptr;
    NodeId id;
    std::vector<NodeId> results; // invalid where the result is not read
};

const ConstantArgument* carriedOperator(const Node& node)
{
    return node.target == kWrapper && !node.args.empty() ? node.args[0].as<ConstantArgument>()
                                                         : nullptr;
}

Call callOf(const Graph& graph, NodeId id)
{
    constexpr std::int64_t kMostResults = 256;
    Call call{&graph[id], id, {}};
    for (const NodeId user : graph.users(id))
    {
        const Node& getitem = graph[user];
        if (getitem.target != "operator.getitem" || getitem.args.size() != 2)
            continue;
        const std::optional<std::int64_t> index = getitem.args[1].integer();
        if (!index || *index < 0 || *index >= kMostResults)
            continue;
        const auto at = static_cast<std::size_t>(*index);
        call.results.resize(std::max(call.results.size(), at + 1));
        call.results[at] = user;
    }
    return call;
}

// All that is known of one operator.
struct Family
{
    const Graph& graph;
    std::vector<Call> calls; // never empty
    std::vector<std::uint32_t> positions;
};

// Calls of the same operator with the same keyword arguments.
std::vector<Call> similarCalls(const Graph& graph, NodeId id)
{
    const Node& wanted = graph[id];
    const ConstantArgument* op = carriedOperator(wanted);
    std::vector<Call> calls;
    for (const NodeId other : graph.order())
    {
        const ConstantArgument* otherOp = carriedOperator(graph[other]);
        const bool same = op && otherOp && op->text == otherOp->text
            && std::equal(wanted.kwargs.begin(), wanted.kwargs.end(), graph[other].kwargs.begin(),
                          graph[other].kwargs.end(),
                          [](const NamedArgument& a, const NamedArgument& b) {
                              return a.name == b.name;
                          });
        if (same && (calls.size() < kMostCalls || other == id))
            calls.push_back(callOf(graph, other));
    }
    return calls;
}

bool isCopyInto(const Graph& graph, NodeId copy, NodeId destination)
{
    const Node& node = graph[copy];
    return node.target == "aten.copy_.default" && node.args.size() >= 2
        && node.args[0].node() == destination;
}

bool isAllocation(std::string_view target)
{
    constexpr std::array<std::string_view, 10> kNames = {
        "aten.empty",     "aten.zeros",    "aten.full",       "aten.ones",       "aten.new_empty",
        "aten.new_zeros", "aten.new_full", "aten.empty_like", "aten.zeros_like", "aten.clone"};
    return std::any_of(kNames.begin(), kNames.end(),
                       [target](std::string_view name) {
                           return target.starts_with(name) && target[name.size()] == '.';
                       })
        || target.starts_with("aten.empty_strided.") || target.starts_with("aten.full_like.");
}

bool soundsWritten(std::string_view name)
{
    constexpr std::array<std::string_view, 12> kWords = {
        "out",  "output", "result", "residual", "cache",     "dst",
        "dest", "buf",    "buffer", "state",    "workspace", "mutable"};
    return name.ends_with('_')
        || std::any_of(kWords.begin(), kWords.end(), [name](std::string_view word) {
               return name.find(word) != std::string_view::npos;
           });
}

// True unless both are known and differ.
bool mayBeSameTensor(const MetaValue& a, const MetaValue& b)
{
    const TensorMeta* one = a.tensor();
    const TensorMeta* other = b.tensor();
    return !one || !other
        || (one->dtype == other->dtype && one->sizes == other->sizes
            && (!one->strides || !other->strides || one->strides == other->strides));
}

// Reads of `argument` behind the call, and what is copied into it.
struct Uses
{
    bool copied = false;
    bool copiedFromResult = false;
    bool readLater = false;
};

Uses usesOf(const Graph& graph, const std::vector<std::uint32_t>& positions, const Call& call,
            NodeId argument, NodeId result)
{
    Uses uses;
    for (const NodeId user : graph.users(argument))
    {
        if (isCopyInto(graph, user, argument))
        {
            uses.copied = true;
            uses.copiedFromResult |= result && graph[user].args[1].node() == result;
        }
        else if (positions[user.index()] > positions[call.id.index()])
            uses.readLater = true;
    }
    return uses;
}

// How much the graph speaks for this argument being written in this call.
int evidenceFor(const Graph& graph, const std::vector<std::uint32_t>& positions, const Call& call,
                NodeId argument, NodeId result)
{
    const Node& node = graph[argument];
    if (result && !mayBeSameTensor(node.meta.value, graph[result].meta.value))
        return kImpossible;
    const Uses uses = usesOf(graph, positions, call, argument, result);
    const bool isInput = node.op == NodeOp::Placeholder || node.op == NodeOp::GetAttr;
    int points = (uses.copiedFromResult ? 16 : 0) + (uses.readLater ? 0 : 2);
    // Functionalization ends every write into an input with a copy into it.
    if (isInput)
        points += uses.copied ? 6 : -20;
    else if (isAllocation(node.target))
        points += 8;
    return points;
}

int evidenceFor(const Family& family, std::size_t keyword, std::size_t index)
{
    int points = soundsWritten(family.calls.front().node->kwargs[keyword].name) ? 5 : 0;
    for (const Call& call : family.calls)
    {
        const NamedArgument& argument = call.node->kwargs[keyword];
        const NodeId result = index < call.results.size() ? call.results[index] : NodeId{};
        if (const NodeId node = argument.value.node())
            points += evidenceFor(family.graph, family.positions, call, node, result);
        else if (!argument.value.isNone() && !argument.value.sequence())
            return kImpossible;
        else if (argument.value.isNone() && result)
            return kImpossible;
    }
    return points;
}

// Result `first + i` is the i-th written argument: the increasing choice with the most evidence.
class Assignment
{
public:
    Assignment(const Family& family, std::size_t first, std::size_t end)
        : m_count(end - first)
        , m_keywords(family.calls.front().node->kwargs.size())
        , m_best((m_count + 1) * (m_keywords + 1), 0)
        , m_taken(m_best.size(), false)
    {
        // best(i, k): results i... from keywords k...
        for (std::size_t i = 0; i < m_count; ++i)
            at(i, m_keywords) = kImpossible * 1000;
        for (std::size_t k = m_keywords; k-- > 0;)
            for (std::size_t i = m_count; i-- > 0;)
            {
                const int taken = evidenceFor(family, k, first + i) + at(i + 1, k + 1);
                m_taken[i * (m_keywords + 1) + k] = taken >= at(i, k + 1);
                at(i, k) = std::max(at(i, k + 1), taken);
            }
    }

    int points() { return m_count == 0 ? 0 : at(0, 0); }
    std::vector<std::size_t> keywords()
    {
        std::vector<std::size_t> chosen;
        for (std::size_t i = 0, k = 0; i < m_count && k < m_keywords; ++k)
            if (m_taken[i * (m_keywords + 1) + k])
            {
                chosen.push_back(k);
                ++i;
            }
        return chosen;
    }

private:
    int& at(std::size_t i, std::size_t k) { return m_best[i * (m_keywords + 1) + k]; }

    std::size_t m_count;
    std::size_t m_keywords;
    std::vector<int> m_best;
    std::vector<bool> m_taken; // of equals, the earlier
};

// Behind the last result that is read only names and allocations speak.
std::vector<std::size_t> unreadWrites(const Family& family, std::size_t firstKeyword)
{
    constexpr int kConvincing = 13;
    constexpr std::size_t kNoResult = static_cast<std::size_t>(-1);
    std::vector<std::size_t> found;
    for (std::size_t k = firstKeyword; k < family.calls.front().node->kwargs.size(); ++k)
        if (family.calls.front().node->kwargs[k].value.node()
            && evidenceFor(family, k, kNoResult) >= kConvincing)
            found.push_back(k);
    return found;
}

// "demo.scale_.default" writes its first tensor.
std::optional<std::size_t> writtenByName(const Call& call)
{
    const std::string& op = carriedOperator(*call.node)->text;
    if (!op.substr(0, op.rfind('.')).ends_with('_'))
        return {};
    for (std::size_t k = 0; k < call.node->kwargs.size(); ++k)
        if (call.node->kwargs[k].value.node())
            return k;
    return {};
}

std::vector<std::size_t> writtenKeywords(const Family& family)
{
    std::size_t end = 1;
    for (const Call& call : family.calls)
        end = std::max(end, call.results.size());
    // Without returns and with one, the written arguments begin at 1; with more, later.
    for (std::size_t first = 1; first <= end; ++first)
    {
        Assignment assignment(family, first, end);
        if (assignment.points() <= kImpossible / 2)
            continue;
        std::vector<std::size_t> chosen = assignment.keywords();
        const std::vector<std::size_t> unread =
            unreadWrites(family, chosen.empty() ? 0 : chosen.back() + 1);
        chosen.insert(chosen.end(), unread.begin(), unread.end());
        const std::optional<std::size_t> named = writtenByName(family.calls.front());
        if (chosen.empty() && named)
            chosen.push_back(*named);
        return chosen;
    }
    return {};
}

} // namespace

const std::vector<std::string>& WrittenArguments::of(const Graph& graph, NodeId id)
{
    const ConstantArgument* op = carriedOperator(graph[id]);
    std::string key = op ? op->text : std::string();
    for (const NamedArgument& argument : graph[id].kwargs)
        key += "," + argument.name;
    const auto [at, isNew] = m_known.try_emplace(std::move(key));
    if (!isNew)
        return at->second;
    const Family family{graph, similarCalls(graph, id), graph.positions()};
    if (!family.calls.empty())
        for (const std::size_t keyword : writtenKeywords(family))
            at->second.push_back(graph[id].kwargs[keyword].name);
    return at->second;
}

} // namespace reinspect
