// SPDX-License-Identifier: MIT
// Nodes sorted into a few classes for colouring: by operator kind, element type, memory and so on.
// No colours here; the picture gives each class one (views/canvas/class_colors.h).
#pragma once

#include <QString>

#include "core/passes/pass_trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace reinspect
{

enum class ClassBy : std::uint8_t
{
    Nothing, // colours say what the pass decided
    OperatorKind,
    DType,
    Device,
    Storage,
    Module,
    Bytes,
    LiveBytes,
    Verdict,
    Time,  // of a run, see time_classes.h
    Rules, // the reader's own, see views/models/rule_classes.h
};

constexpr std::uint8_t kNoClass = 255;

struct NodeClasses
{
    QString title;
    std::vector<QString> labels;
    std::vector<std::uint8_t> classOf; // by slot; kNoClass: none
    bool isScale = false;              // labels go from little to much

    bool isEmpty() const { return labels.empty(); }
    std::uint8_t of(NodeId node) const
    {
        return node && node.index() < classOf.size() ? classOf[node.index()] : kNoClass;
    }
};

// "matrix product", "copy", "view": what ClassBy::OperatorKind sorts by.
std::string operatorKind(const Node& node);

// Rules and Time give nothing here. The most frequent classes have their own entry, the others share one.
NodeClasses classify(const PassTrace& trace, ClassBy by);

// Seven steps from the least to the most amount, 0 being none; `text` writes one.
NodeClasses classifyAmounts(const std::vector<double>& bySlot, QString (*text)(double));

std::span<const ClassBy> allClassBys();
QString classByName(ClassBy by); // "Operator Kind": menus
QString classByKey(ClassBy by);  // "operator": settings, session files
ClassBy classByNamed(const QString& key);

// Bytes of the storages that are in use at each node (by slot) when the graph runs node by node: each
// from the node that makes it to its last reader, inputs all along. Symbolic sizes count 0.
std::vector<double> liveBytes(const PassTrace& trace);

} // namespace reinspect
