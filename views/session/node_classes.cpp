// SPDX-License-Identifier: MIT
#include "views/session/node_classes.h"

#include "core/ir/op_facts.h"
#include "core/layout/node_label.h"
#include "views/session/qt_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>

namespace reinspect
{

namespace
{

constexpr std::size_t kMostClasses = 9; // one more for the others

struct ClassWords
{
    ClassBy by;
    const char* key;
    const char* name;
};

constexpr ClassWords kWords[] = {
    {ClassBy::Nothing, "pass", "What the Pass Decides"},
    {ClassBy::OperatorKind, "operator", "Operator Kind"},
    {ClassBy::DType, "dtype", "Element Type"},
    {ClassBy::Device, "device", "Device"},
    {ClassBy::Storage, "storage", "Memory"},
    {ClassBy::Module, "module", "Module"},
    {ClassBy::Bytes, "bytes", "Size"},
    {ClassBy::LiveBytes, "live", "Memory in Use"},
    {ClassBy::Verdict, "verdict", "Final Verdict"},
    {ClassBy::Time, "time", "Time of the Run"},
    {ClassBy::Rules, "rules", "My Rules"},
};

const ClassWords& wordsOf(ClassBy by)
{
    return kWords[static_cast<std::size_t>(by)];
}

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names)
{
    return std::ranges::find(names, name) != names.end();
}

} // namespace

std::string operatorKind(const Node& node)
{
    if (node.op == NodeOp::Placeholder || node.op == NodeOp::GetAttr)
        return "input or constant";
    if (node.op == NodeOp::Output)
        return "output";
    const std::string name = shortOperator(node.target);
    const OpFacts* facts = node.target.facts();
    if (name.starts_with("triton") || node.target.view().find("triton_kernel") != std::string::npos)
        return "Triton kernel";
    if (node.target.starts_with("higher_order"))
        return "higher-order operator";
    if (isOneOf(name,
                {"mm", "bmm", "addmm", "baddbmm", "addbmm", "matmul", "linear", "convolution",
                 "_scaled_mm"})
        || name.find("attention") != std::string::npos)
        return "matrix product";
    if (name.find("scatter") != std::string::npos
        || isOneOf(name,
                   {"index_put", "index_put_", "_unsafe_index_put", "index", "gather",
                    "index_select", "embedding", "_unsafe_index", "masked_fill"}))
        return "gather or scatter";
    if (name == "copy_" || name == "clone" || name == "copy" || name == "_to_copy")
        return "copy";
    if (facts && facts->isView)
        return "view";
    if (isOneOf(name,
                {"sum",
                 "mean",
                 "amax",
                 "amin",
                 "max",
                 "min",
                 "prod",
                 "var",
                 "var_mean",
                 "std",
                 "argmax",
                 "argmin",
                 "any",
                 "all",
                 "cumsum",
                 "logsumexp",
                 "_softmax",
                 "_log_softmax",
                 "native_layer_norm",
                 "topk",
                 "sort"}))
        return "reduction";
    if (node.target.starts_with("aten.") || node.target.starts_with("prims."))
        return "elementwise or other aten";
    return node.target.starts_with("operator.") ? "getitem and arithmetic" : "custom operator";
}

namespace
{

std::string moduleOf(const NodeMeta& meta)
{
    if (!meta.modules || meta.modules->empty())
        return {};
    return meta.modules->size() > 1 ? (*meta.modules)[1].path : meta.modules->front().path;
}

std::string verdictOf(const PassTrace& trace, NodeId node)
{
    std::string verdict;
    for (const Decision& decision : trace.decisions)
    {
        if (decision.node == node)
            verdict = decision.verdict == Verdict::Kept || verdict == "kept: clone" ? "kept: clone"
                                                                                    : "in place";
    }
    return verdict;
}

std::string storageOf(const PassTrace& trace, NodeId node)
{
    const StorageId storage = trace.storages.storageOf(node);
    if (!storage)
        return {};
    const std::span<const NodeId> nodes = trace.storages.nodesOf(storage);
    return nodes.size() < 2 ? std::string() : "memory of " + trace.nameOf(nodes.front());
}

std::string labelOf(const PassTrace& trace, ClassBy by, NodeId node)
{
    const Node& content = trace.result->node(node);
    const TensorMeta* tensor = content.meta.value.tensor();
    switch (by)
    {
    case ClassBy::OperatorKind: return operatorKind(content);
    case ClassBy::DType: return tensor ? std::string(dtypeName(tensor->dtype)) : std::string();
    case ClassBy::Device: return tensor ? tensor->device : std::string();
    case ClassBy::Storage: return storageOf(trace, node);
    case ClassBy::Module: return moduleOf(content.meta);
    case ClassBy::Verdict: return verdictOf(trace, node);
    default: return {};
    }
}

NodeClasses byLabel(const PassTrace& trace, ClassBy by)
{
    const std::size_t count = trace.result->slotCount();
    std::vector<std::string> labels(count);
    std::map<std::string, std::size_t> counts;
    for (std::size_t slot = 0; slot < count; ++slot)
    {
        labels[slot] = labelOf(trace, by, NodeId(slot));
        if (!labels[slot].empty())
            ++counts[labels[slot]];
    }
    std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
    std::ranges::stable_sort(sorted,
                             [](const auto& a, const auto& b) { return a.second > b.second; });
    const std::size_t own = sorted.size() <= kMostClasses + 1 ? sorted.size() : kMostClasses;
    NodeClasses classes;
    std::map<std::string, std::uint8_t> numberOf;
    for (std::size_t i = 0; i < sorted.size(); ++i)
    {
        numberOf[sorted[i].first] = static_cast<std::uint8_t>(std::min(i, own));
        if (i < own)
            classes.labels.push_back(
                QStringLiteral("%1 (%L2)").arg(toQString(sorted[i].first)).arg(sorted[i].second));
    }
    if (own < sorted.size())
        classes.labels.push_back(
            QCoreApplication::translate("NodeClasses", "%L1 others").arg(sorted.size() - own));
    for (const std::string& label : labels)
        classes.classOf.push_back(label.empty() ? kNoClass : numberOf[label]);
    return classes;
}

QString amount(double bytes)
{
    constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    for (; bytes >= 1024 && unit < 4; ++unit)
        bytes /= 1024;
    return QStringLiteral("%1 %2").arg(bytes, 0, 'g', 3).arg(QLatin1String(kUnits[unit]));
}

double bytesOf(const MetaValue& meta)
{
    if (const TensorMeta* tensor = meta.tensor())
        return static_cast<double>(byteCount(*tensor).constant().value_or(0));
    double sum = 0;
    if (const SequenceMeta* sequence = meta.sequence())
    {
        for (const MetaValue& item : sequence->items)
            sum += bytesOf(item);
    }
    return sum;
}

std::vector<double> bytesOfAll(const PassTrace& trace)
{
    std::vector<double> values;
    for (std::size_t slot = 0; slot < trace.result->slotCount(); ++slot)
        values.push_back(bytesOf(trace.result->node(NodeId(slot)).meta.value));
    return values;
}

} // namespace

// Seven steps from the least to the most; by powers when they lie far apart.
NodeClasses classifyAmounts(const std::vector<double>& values, QString (*text)(double))
{
    constexpr int kSteps = 7;
    double least = 0;
    double most = 0;
    for (const double value : values)
    {
        if (value > 0)
            least = least == 0 ? value : std::min(least, value);
        most = std::max(most, value);
    }
    NodeClasses classes;
    classes.isScale = true;
    if (most <= 0)
        return classes;
    const bool isLog = most / least > 50;
    const auto bound = [&](int step) {
        const double part = static_cast<double>(step) / kSteps;
        return isLog ? least * std::pow(most / least, part) : least + (most - least) * part;
    };
    for (int step = 0; step < kSteps; ++step)
        classes.labels.push_back(QStringLiteral("%1 %2").arg(
            step == 0 ? QStringLiteral("\u2264") : QStringLiteral("to"), text(bound(step + 1))));
    for (const double value : values)
    {
        int step = 0;
        while (step + 1 < kSteps && value > bound(step + 1) * (1 + 1e-9))
            ++step;
        classes.classOf.push_back(value > 0 ? static_cast<std::uint8_t>(step) : kNoClass);
    }
    return classes;
}

std::vector<double> liveBytes(const PassTrace& trace)
{
    const Graph& graph = *trace.initial;
    const std::vector<std::uint32_t> positions = graph.positions();
    std::vector<double> change(graph.size() + 1, 0); // at each position
    for (std::size_t i = 0; i < trace.storages.storageCount(); ++i)
    {
        double bytes = 0;
        std::size_t first = graph.size();
        std::size_t last = 0;
        bool isInput = false;
        for (const NodeId node : trace.storages.nodesOf(StorageId(i)))
        {
            if (!graph.contains(node))
                continue;
            const NodeOp op = graph[node].op;
            isInput = isInput || op == NodeOp::Placeholder || op == NodeOp::GetAttr;
            bytes = std::max(bytes, bytesOf(graph[node].meta.value));
            first = std::min<std::size_t>(first, positions[node.index()]);
            last = std::max<std::size_t>(last, positions[node.index()]);
            for (const NodeId user : graph.users(node))
                last = std::max<std::size_t>(last, positions[user.index()]);
        }
        if (first == graph.size())
            continue;
        change[isInput ? 0 : first] += bytes;
        change[isInput ? graph.size() : last + 1] -= bytes;
    }
    std::vector<double> live(trace.result->slotCount(), 0);
    double now = 0;
    std::size_t position = 0;
    for (const NodeId node : graph.order())
    {
        now += change[position++];
        live[node.index()] = now;
    }
    return live;
}

NodeClasses classify(const PassTrace& trace, ClassBy by)
{
    NodeClasses classes;
    switch (by)
    {
    case ClassBy::Nothing:
    case ClassBy::Time:
    case ClassBy::Rules: return classes;
    case ClassBy::Bytes: classes = classifyAmounts(bytesOfAll(trace), amount); break;
    case ClassBy::LiveBytes: classes = classifyAmounts(liveBytes(trace), amount); break;
    case ClassBy::OperatorKind:
    case ClassBy::DType:
    case ClassBy::Device:
    case ClassBy::Storage:
    case ClassBy::Module:
    case ClassBy::Verdict: classes = byLabel(trace, by); break;
    }
    classes.title = classByName(by);
    return classes;
}

std::span<const ClassBy> allClassBys()
{
    static constexpr ClassBy kAll[] = {ClassBy::Nothing, ClassBy::OperatorKind, ClassBy::DType,
                                       ClassBy::Device,  ClassBy::Storage,      ClassBy::Module,
                                       ClassBy::Bytes,   ClassBy::LiveBytes,    ClassBy::Verdict,
                                       ClassBy::Time,    ClassBy::Rules};
    return kAll;
}

QString classByName(ClassBy by)
{
    return QCoreApplication::translate("NodeClasses", wordsOf(by).name);
}

QString classByKey(ClassBy by)
{
    return QLatin1String(wordsOf(by).key);
}

ClassBy classByNamed(const QString& key)
{
    for (const ClassBy by : allClassBys())
    {
        if (key == classByKey(by))
            return by;
    }
    return ClassBy::Nothing;
}

} // namespace reinspect
