// SPDX-License-Identifier: MIT
// Live bytes over program order of one graph before the pass, after it, lowered, and without the pass: as
// predicted from metadata, and as measured where a run was made. All stages share one axis: the nodes of all of
// them in an order that agrees with each.
#pragma once

#include <QString>
#include <QStringList>

#include "core/proof/equivalence.h"

#include <unordered_map>

namespace reinspect
{

struct MemoryBand // one allocation
{
    std::string node; // that made it
    std::int64_t bytes = 0;
    std::size_t born = 0; // places on the axis; dies before `died`
    std::size_t died = 0;
};

// Bytes by node of the stage's graph: the most while it ran, and after it.
struct MemoryLine
{
    std::vector<std::int64_t> high;
    std::vector<std::int64_t> live;
    std::int64_t peakBytes = 0;
    std::string peakNode;

    bool isThere() const { return !live.empty(); }
};

struct MemoryCurve
{
    std::string stage;               // "before", "after", "final", "baseline"
    std::vector<std::size_t> places; // on the axis, by node of the stage's graph
    MemoryLine predicted;
    MemoryLine measured; // not there without a run
    std::size_t allocations = 0;
    std::vector<MemoryBand> bands;  // predicted, by birth
    std::vector<MemoryBand> atPeak; // who is alive there, largest first
    QStringList unknown;            // what could not be predicted
    QString problem;                // why there is no curve, or why it stops

    const MemoryLine& best() const { return measured.isThere() ? measured : predicted; }
    // Bytes of a line at a place of the axis: those of the last node at or before it.
    std::int64_t at(const MemoryLine& line, std::size_t place) const;
};

struct MemoryCurves
{
    std::shared_ptr<const PassTrace> trace;
    std::vector<std::string> axis; // names of nodes
    std::unordered_map<std::string, std::size_t> placeOf;
    std::vector<MemoryCurve> curves;
    proof::SymbolValues symbols; // what they were made with

    bool isMeasured() const;
};

// `proof`: of the same trace; null without a run.
MemoryCurves makeMemoryCurves(std::shared_ptr<const PassTrace> trace, const CaptureFacts& facts,
                              const ShapeEnv& shapes, const proof::Equivalence* proof);

} // namespace reinspect
