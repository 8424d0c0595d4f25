// SPDX-License-Identifier: MIT
#include "app/compare_sources.h"

#include "core/passes/lowering.h"
#include "core/passes/reinplace_pass.h"
#include "views/session/qt_text.h"

#include <QCoreApplication>

namespace reinspect
{

static QString tr(const char* text)
{
    return QCoreApplication::translate("CompareWindow", text);
}

std::vector<CompareSource> stagesOf(std::shared_ptr<const Document> document, std::size_t graph,
                                    const QString& title, const ReinplacePolicy& policy)
{
    using At = CompareSource::At;
    std::vector<CompareSource> sources;
    for (const auto& [at, name] :
         {std::pair(At::Loaded, tr("as loaded")),
          std::pair(At::Canonical, tr("scatters made canonical")),
          std::pair(At::Decided, tr("after the decisions")),
          std::pair(At::Finished, tr("after the pass")),
          std::pair(At::Final, tr("final: copies are nodes")),
          std::pair(At::Baseline, tr("baseline: final, nothing in place"))})
        sources.push_back({QStringLiteral("%1, %2").arg(title, name), document, graph, at, policy});
    return sources;
}

std::size_t editsAt(const PassTrace& trace, CompareSource::At at)
{
    switch (at)
    {
    case CompareSource::At::Loaded:
    case CompareSource::At::Final:
    case CompareSource::At::Baseline: return 0;
    case CompareSource::At::Canonical: return trace.canonicalEdits;
    case CompareSource::At::Decided: return trace.coreEdits;
    case CompareSource::At::Finished: return trace.edits.size();
    }
    return 0;
}

// The first event for a graph as it was loaded, before anything was decided; else the last one with no
// more edits.
EventIndex eventAt(const PassTrace& trace, CompareSource::At at)
{
    if (trace.events.empty())
        return {};
    EventIndex found(0);
    const bool isFirst = at != CompareSource::At::Canonical && at != CompareSource::At::Decided
        && at != CompareSource::At::Finished;
    for (std::size_t i = 0; !isFirst && i < trace.events.size(); ++i)
    {
        if (trace.events[i].editCount <= editsAt(trace, at))
            found = EventIndex(i);
    }
    return found;
}

Result<LoweredDocument> loweredDocument(const CompareSource& source, const RunControl& control)
{
    const bool isFinal = source.at == CompareSource::At::Final;
    const Document& whole = *source.document;
    REINSPECT_TRY(const std::shared_ptr<const PassTrace> trace,
                  runReinplace({whole.graphs[source.graph].graph, whole.facts, whole.shapes},
                               source.policy, control));
    REINSPECT_TRY(StageGraph stage,
                  stageOf(*trace, isFinal ? PassStage::Final : PassStage::Baseline, whole.facts));
    auto document = std::make_shared<Document>(whole);
    DocumentGraph only = whole.graphs[source.graph];
    only.graph = std::make_shared<const Graph>(std::move(stage.graph));
    only.stage = isFinal ? Stage::Final : Stage::Baseline;
    document->graphs = {std::move(only)};
    LoweredDocument lowered{std::move(document), {}};
    for (const std::string& sentence : stage.assumptions)
        lowered.assumptions.append(toQString(sentence));
    return lowered;
}

} // namespace reinspect
