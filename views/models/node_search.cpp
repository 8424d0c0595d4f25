// SPDX-License-Identifier: MIT
#include "views/models/node_search.h"

#include "core/ir/op_facts.h"
#include "core/layout/node_label.h"
#include "views/session/union_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reinspect
{

namespace
{

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// What the pass was given, or made: the content of a node when it came into the graph.
const Node& firstContent(const PassTrace& trace, NodeId node)
{
    return node.index() < trace.initial->slotCount() ? trace.initial->node(node)
                                                     : trace.result->node(node);
}

std::string opText(const PassTrace& trace, NodeId node)
{
    const Node& first = firstContent(trace, node);
    const Node& last = trace.result->node(node);
    std::string text = first.target.str() + ' ' + operationOf(first, first.target);
    if (last.target != first.target)
        text += ' ' + last.target.str() + ' ' + operationOf(last, last.target);
    return text;
}

std::string kindText(const PassTrace& trace, NodeId node)
{
    const Node& content = firstContent(trace, node);
    switch (content.op)
    {
    case NodeOp::Placeholder: return "input placeholder";
    case NodeOp::GetAttr: return "constant get_attr";
    case NodeOp::Output: return "output";
    case NodeOp::CallFunction:
    case NodeOp::CallMethod:
    case NodeOp::CallModule: break;
    }
    std::string text = "call ";
    text += nodeOpName(content.op);
    const OpFacts* facts = content.target.facts();
    if (facts && facts->isView)
        text += " view";
    if (content.target.starts_with("aten.copy_"))
        text += " copy";
    return text;
}

std::string moduleText(const NodeMeta& meta)
{
    std::string text;
    if (meta.modules)
    {
        for (const ModuleScope& scope : *meta.modules)
            text += scope.path + ' ' + scope.type + ' ';
    }
    return text;
}

std::string plainText(const PassTrace& trace, QueryKey key, NodeId node)
{
    const Node& content = trace.result->node(node);
    const TensorMeta* tensor = content.meta.value.tensor();
    switch (key)
    {
    case QueryKey::Any: return content.name + ' ' + opText(trace, node);
    case QueryKey::Name: return content.name;
    case QueryKey::Op: return opText(trace, node);
    case QueryKey::Kind: return kindText(trace, node);
    case QueryKey::Module: return moduleText(content.meta);
    case QueryKey::Source: return content.meta.sourceFile.str() + ' ' + content.meta.source.str();
    case QueryKey::Device: return tensor ? tensor->device : std::string();
    case QueryKey::DType:
        return tensor ? std::string(dtypeAbbreviation(tensor->dtype)) + ' '
                + std::string(dtypeName(tensor->dtype))
                      : std::string();
    case QueryKey::Shape:
    {
        std::string text = shapeText(content.meta.value);
        std::erase(text, ' ');
        return text;
    }
    default: return {};
    }
}

void addStorageNames(const PassTrace& trace, std::vector<std::string>& texts)
{
    for (std::size_t i = 0; i < trace.storages.storageCount(); ++i)
    {
        std::string names;
        for (const NodeId node : trace.storages.nodesOf(StorageId(i)))
            names += trace.nameOf(node) + ' ';
        for (const NodeId node : trace.storages.nodesOf(StorageId(i)))
            texts[node.index()] = lowered(names);
    }
}

// What was decided about the node; the kernels it calls are part of its operator.
void addDecisions(const PassTrace& trace, QueryKey key, std::vector<std::string>& texts)
{
    for (const Decision& decision : trace.decisions)
    {
        std::string& text = texts[decision.node.index()];
        if (key == QueryKey::Verdict)
            text += " " + std::string(verdictName(decision.verdict))
                + (decision.verdict == Verdict::Kept ? " refused" : " inplace")
                + (decision.missed ? " missed" : "") + " "
                + std::string(certaintyName(decision.certainty));
        else if (key == QueryKey::Reason && decision.reason)
            text += ' ' + lowered(reasonName(*decision.reason));
        else if ((key == QueryKey::Op || key == QueryKey::Any) && !decision.operatorName.empty())
            text += ' ' + lowered(decision.operatorName);
    }
}

double bytesOf(const MetaValue& meta)
{
    if (const TensorMeta* tensor = meta.tensor())
    {
        const std::optional<std::int64_t> bytes = byteCount(*tensor).constant();
        return bytes ? static_cast<double>(*bytes) : kUnknown;
    }
    const SequenceMeta* sequence = meta.sequence();
    if (!sequence)
        return kUnknown;
    double sum = 0;
    for (const MetaValue& item : sequence->items)
        sum += item.tensor() ? bytesOf(item) : 0;
    return sum;
}

double numberOf(const PassTrace& trace, QueryKey key, NodeId node)
{
    const bool isFirst = trace.initial->contains(node);
    const Graph& graph = isFirst ? *trace.initial : *trace.result;
    switch (key)
    {
    case QueryKey::Bytes: return bytesOf(graph.node(node).meta.value);
    case QueryKey::Users: return static_cast<double>(graph.users(node).size());
    case QueryKey::Inputs: return static_cast<double>(graph.inputs(node).size());
    case QueryKey::Line:
    {
        const auto line = graph.node(node).meta.span.line;
        return line > 0 ? static_cast<double>(line) : kUnknown;
    }
    default: return kUnknown;
    }
}

bool isNumberKey(QueryKey key)
{
    return std::ranges::any_of(queryKeys(), [key](const QueryKeyWords& words) {
        return words.key == key && words.isNumber;
    });
}

bool holds(const QueryTerm& term, double value)
{
    switch (term.test)
    {
    case QueryTest::Contains:
    case QueryTest::Equals: return value == term.number;
    case QueryTest::Less: return value < term.number;
    case QueryTest::LessOrEqual: return value <= term.number;
    case QueryTest::Greater: return value > term.number;
    case QueryTest::GreaterOrEqual: return value >= term.number;
    }
    return false;
}

// Whole: the text itself or one of its words.
bool isWord(const std::string& text, const std::string& word)
{
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    {
        const std::size_t end = at + word.size();
        if ((at == 0 || text[at - 1] == ' ') && (end == text.size() || text[end] == ' '))
            return true;
    }
    return false;
}

bool holds(const QueryTerm& term, const std::string& text)
{
    return std::ranges::any_of(term.texts, [&](const std::string& wanted) {
        return term.test == QueryTest::Equals ? isWord(text, wanted)
                                              : text.find(wanted) != std::string::npos;
    });
}

} // namespace

NodeSearch::NodeSearch(std::shared_ptr<const PassTrace> trace)
    : m_trace(std::move(trace))
{
    if (!m_trace)
        return;
    for (const UnionGraph::Node& node : unionGraph(*m_trace).nodes)
        m_order.push_back(node.id);
}

const NodeSearch::Texts& NodeSearch::texts(QueryKey key) const
{
    std::optional<Texts>& known = m_texts[static_cast<std::size_t>(key)];
    if (known)
        return *known;
    known.emplace(m_trace->result->slotCount());
    if (key == QueryKey::Storage)
        addStorageNames(*m_trace, *known);
    else
    {
        for (const NodeId node : m_order)
            (*known)[node.index()] = lowered(plainText(*m_trace, key, node));
    }
    addDecisions(*m_trace, key, *known);
    return *known;
}

const NodeSearch::Numbers& NodeSearch::numbers(QueryKey key) const
{
    std::optional<Numbers>& known = m_numbers[static_cast<std::size_t>(key)];
    if (known)
        return *known;
    known.emplace(m_trace->result->slotCount(), kUnknown);
    for (const NodeId node : m_order)
        (*known)[node.index()] = numberOf(*m_trace, key, node);
    return *known;
}

void NodeSearch::prepare() const
{
    texts(QueryKey::Any);
    for (const QueryKeyWords& key : queryKeys())
    {
        if (key.isNumber)
            numbers(key.key);
        else
            texts(key.key);
    }
}

void NodeSearch::keepMatching(std::vector<NodeId>& nodes, const QueryTerm& term) const
{
    if (isNumberKey(term.key))
    {
        const Numbers& values = numbers(term.key);
        std::erase_if(nodes, [&](NodeId node) {
            return holds(term, values[node.index()]) == term.isNegated;
        });
        return;
    }
    QueryTerm wanted = term;
    if (term.key == QueryKey::Shape)
    {
        for (std::string& text : wanted.texts)
            std::erase(text, ' ');
    }
    const Texts& values = texts(term.key);
    std::erase_if(nodes, [&](NodeId node) {
        return holds(wanted, values[node.index()]) == wanted.isNegated;
    });
}

std::vector<NodeId> NodeSearch::find(const std::vector<QueryTerm>& terms) const
{
    std::vector<NodeId> nodes = m_order;
    for (const QueryTerm& term : terms)
        keepMatching(nodes, term);
    return nodes;
}

} // namespace reinspect
