// SPDX-License-Identifier: MIT
// What can stand on a side of the compare window: the stages of a graph, from the text that was loaded
// to what later passes make of the decisions.
#pragma once

#include "core/base/run_control.h"
#include "core/io/document.h"
#include "core/passes/pass_trace.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace reinspect
{

struct CompareSource
{
    enum class At
    {
        Loaded,
        Canonical,
        Decided,
        Finished,
        Final,    // lowered: copies and mutating calls are nodes
        Baseline, // likewise, with nothing written in place
    };

    QString title;
    std::shared_ptr<const Document> document;
    std::size_t graph = 0;
    At at = At::Loaded;
    ReinplacePolicy policy = {};

    // Its graph is no state of the pass's run but a graph of its own.
    bool isLowered() const { return at == At::Final || at == At::Baseline; }
};

// The stages of one graph of a document.
std::vector<CompareSource> stagesOf(std::shared_ptr<const Document> document, std::size_t graph,
                                    const QString& title, const ReinplacePolicy& policy = {});
inline constexpr std::size_t kFinishedStage = 3; // of stagesOf()

// How much of the trace has happened at a stage that is a state of it.
std::size_t editsAt(const PassTrace& trace, CompareSource::At at);
EventIndex eventAt(const PassTrace& trace, CompareSource::At at);

struct LoweredDocument
{
    std::shared_ptr<const Document> document; // of the lowered graph alone
    QStringList assumptions;                  // sentences: what the capture did not say
};

// Runs the pass.
Result<LoweredDocument> loweredDocument(const CompareSource& source,
                                        const RunControl& control = {});

} // namespace reinspect
