// SPDX-License-Identifier: MIT
#include "views/models/node_facts.h"

#include "core/alias/view_chain.h"
#include "core/ir/op_facts.h"
#include "views/models/node_history.h"
#include "views/models/tensor_words.h"
#include "views/session/qt_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace reinspect
{

static QString say(const char* text)
{
    return QCoreApplication::translate("NodeFacts", text);
}

// At the event where the node exists, else as it was when it last did.
static const Node& nodeOf(const NodeQuestion& q)
{
    return q.graph.contains(q.node) ? q.graph[q.node] : q.trace.result->node(q.node);
}

static QString nameOf(const NodeQuestion& q, NodeId node)
{
    return toQString(q.trace.nameOf(node));
}

static QString schemaText(const NodeQuestion& q, const Node& node)
{
    if (const OpFacts* known = node.target.facts())
        return toQString(known->schema);
    const CustomOperator* custom = q.facts.customOperator(node.target);
    return custom ? toQString(custom->schema) : QString();
}

static const TritonKernel* kernelOf(const NodeQuestion& q, const Node& node)
{
    const Argument* index = node.kwarg("kernel_idx");
    return index && index->integer() ? q.facts.kernel(*index->integer()) : nullptr;
}

static QString kernelText(const TritonKernel& kernel)
{
    QStringList parameters;
    for (const TritonParameter& parameter : kernel.parameters)
        parameters.append(toQString(parameter.name));
    return QStringLiteral("%1(%2)").arg(toQString(kernel.name),
                                        parameters.join(QStringLiteral(", ")));
}

static bool isMadeLater(const NodeQuestion& q)
{
    const std::size_t applied = q.event ? q.trace.event(q.event).editCount : 0;
    for (std::size_t i = applied; i < q.trace.edits.size(); ++i)
    {
        const InsertNode* insertion = std::get_if<InsertNode>(&q.trace.edits[i]);
        if (insertion && insertion->node == q.node)
            return true;
    }
    return false;
}

static QString presenceText(const NodeQuestion& q)
{
    if (q.graph.contains(q.node))
        return {};
    return isMadeLater(q) ? say("Made by a later step") : say("Removed by an earlier step");
}

namespace
{

class Group
{
public:
    explicit Group(QString title) { m_group.title = std::move(title); }

    void add(const QString& name, const QString& value, NodeId link = {})
    {
        if (!value.isEmpty())
            m_group.facts.push_back({name, value, link});
    }
    void add(const QString& name, const QString& value, Badge badge)
    {
        m_group.facts.push_back({name, value, {}, badge});
    }
    void appendTo(std::vector<NodeFactGroup>& groups)
    {
        if (!m_group.facts.empty())
            groups.push_back(std::move(m_group));
    }

private:
    NodeFactGroup m_group;
};

} // namespace

static void appendNode(const NodeQuestion& q, std::vector<NodeFactGroup>& groups)
{
    const Node& node = nodeOf(q);
    Group group(say("Node"));
    group.add(say("Name"), toQString(node.name));
    group.add(say("State"), presenceText(q));
    group.add(say("Operation"), toQString(nodeOpName(node.op)));
    if (node.target != node.name)
        group.add(say("Target"), toQString(node.target));
    if (const TritonKernel* kernel = kernelOf(q, node))
        group.add(say("Kernel"), kernelText(*kernel));
    group.add(say("Schema"), schemaText(q, node));
    if (q.graph.contains(q.node))
        group.add(say("Code"), toQString(toText(q.graph, q.node)));
    group.appendTo(groups);
}

// Rows whose kernel and capture disagree are marked: the one writes what the other does not clone, or
// clones what is never written.
static void appendKernel(const NodeQuestion& q, std::vector<NodeFactGroup>& groups)
{
    if (!q.kernel)
        return;
    Group group(say("What the kernel does"));
    for (const triton::EffectRow& row : q.kernel->rows)
    {
        const QString value = toQString(proof::effectSentence(row));
        if (row.verdict == triton::CloneVerdict::Agrees && row.isCertain)
            group.add(toQString(row.parameter), value);
        else
            group.add(toQString(row.parameter), value,
                      row.verdict == triton::CloneVerdict::WrittenOnly ? Badge::Hazard
                                                                       : Badge::Assumed);
    }
    if (!q.kernel->problem.empty())
        group.add(say("Not known"), toQString(q.kernel->problem));
    for (const std::string& reason : q.kernel->reasons)
        group.add(say("Assumed"), toQString(reason));
    group.appendTo(groups);
}

// Said only of a node to which the pass did something.
static void appendHistory(const NodeQuestion& q, std::vector<NodeFactGroup>& groups)
{
    const std::vector<NodeStage> stages = nodeHistory(q.trace, q.node);
    const bool isUntouched = std::all_of(stages.begin(), stages.end(), [](const NodeStage& stage) {
        return stage.state == NodeState::Unchanged;
    });
    if (isUntouched)
        return;
    Group group(say("Through the stages"));
    for (const NodeStage& stage : stages)
        group.add(stage.stage, stage.text);
    group.appendTo(groups);
}

// What the dump does not print and the operators tell.
static QString marked(const QString& text, bool isInferred)
{
    return isInferred && !text.isEmpty() ? say("%1 (inferred)").arg(text) : text;
}

static void appendTensor(const TensorMeta& meta, Group& group)
{
    const bool whole = meta.isInferred;
    group.add(say("Shape"), marked(listText(meta.sizes), whole));
    group.add(say("Strides"),
              meta.strides ? marked(listText(*meta.strides), whole || meta.hasInferredStrides)
                           : say("not in this dump"));
    if (meta.offset)
        group.add(say("Offset"), toQString(toText(*meta.offset)));
    group.add(say("Type"), marked(toQString(dtypeName(meta.dtype)), whole));
    group.add(say("Device"), marked(toQString(meta.device), whole || meta.hasInferredDevice));
    group.add(say("Bytes"), bytesText(byteCount(meta)));
}

static void appendValue(const NodeQuestion& q, std::vector<NodeFactGroup>& groups)
{
    const MetaValue& value = nodeOf(q).meta.value;
    Group group(say("Value"));
    if (const TensorMeta* tensor = value.tensor())
        appendTensor(*tensor, group);
    else if (value.isKnown())
        group.add(say("Value"), toQString(toText(value)));
    group.appendTo(groups);
}

// Storages are those that the core phase saw; nodes that it made itself are in none.
static void appendMemory(const NodeQuestion& q, std::vector<NodeFactGroup>& groups)
{
    Group group(say("Memory"));
    const StorageId storage = q.trace.storages.storageOf(q.node);
    if (!storage)
        return;
    const NodeId input = q.trace.storages.inputOf(*q.trace.result, storage);
    const std::span<const NodeId> members = q.trace.storages.nodesOf(storage);
    group.add(say("Storage"), input ? say("of an input") : say("made in the graph"));
    const std::vector<NodeId> chain =
        q.graph.contains(q.node) ? viewChain(q.graph, q.node, q.facts) : std::vector<NodeId>{};
    for (std::size_t i = 0; i + 1 < chain.size(); ++i)
        group.add(i == 0 ? say("View of") : say("through"), nameOf(q, chain[i]), chain[i]);
    for (const NodeId member : members)
    {
        if (member != q.node)
            group.add(say("Shared with"), nameOf(q, member), member);
    }
    if (q.trace.storages.isDerived())
        group.add(say("Known from"), say("view operators; this dump names no storages"));
    group.appendTo(groups);
}

static void appendNeighbours(const NodeQuestion& q, std::vector<NodeFactGroup>& groups)
{
    if (!q.graph.contains(q.node))
        return;
    Group inputs(say("Inputs"));
    for (const NodeId input : q.graph.inputs(q.node))
        inputs.add(say("Reads"), nameOf(q, input), input);
    inputs.appendTo(groups);
    Group users(say("Users"));
    for (const NodeId user : q.graph.users(q.node))
        users.add(say("Read by"), nameOf(q, user), user);
    users.appendTo(groups);
}

static void appendOrigin(const NodeQuestion& q, std::vector<NodeFactGroup>& groups)
{
    const NodeMeta& meta = nodeOf(q).meta;
    Group group(say("Origin"));
    group.add(say("Source"), toQString(meta.source.str()));
    group.add(say("File"), toQString(meta.sourceFile.str()));
    QStringList modules;
    if (meta.modules)
    {
        for (const ModuleScope& scope : *meta.modules)
            modules.append(
                QStringLiteral("%1 (%2)").arg(toQString(scope.path), toQString(scope.type)));
    }
    group.add(say("Module"), modules.isEmpty() ? QString() : modules.last());
    group.add(say("Operator"), toQString(meta.originalAten.str()));
    group.appendTo(groups);
}

std::vector<NodeFactGroup> nodeFacts(const NodeQuestion& question)
{
    std::vector<NodeFactGroup> groups = decisionFacts(question);
    appendNode(question, groups);
    appendKernel(question, groups);
    appendHistory(question, groups);
    appendValue(question, groups);
    appendMemory(question, groups);
    appendNeighbours(question, groups);
    appendOrigin(question, groups);
    return groups;
}

} // namespace reinspect
