// SPDX-License-Identifier: MIT
#include "views/session/session.h"

#include "core/passes/explain.h"
#include "core/passes/reinplace_pass.h"
#include "views/session/lane.h"
#include "views/session/place.h"
#include "views/session/qt_text.h"
#include "views/session/read_document.h"

#include <algorithm>

namespace reinspect
{

using DocumentResult = Result<std::shared_ptr<const Document>>;

struct Session::Lanes
{
    Lane reading;
    Lane pass;
};

Session::Session(QObject* parent)
    : QObject(parent)
    , m_lanes(std::make_unique<Lanes>())
{}

Session::~Session() = default;

bool Session::isBusy() const
{
    return m_lanes->reading.isBusy() || m_lanes->pass.isBusy();
}

void Session::open(const QString& path)
{
    m_lanes->reading.run(
        [path](std::stop_token stop) { return readDocument(path, {.stop = std::move(stop)}); },
        [this, path](DocumentResult result) { takeDocument(path, std::move(result)); });
    emit busyChanged();
}

void Session::stopWork()
{
    if (!isBusy())
        return;
    m_lanes->reading.cancel();
    m_lanes->pass.cancel();
    setMessage(m_document && !m_trace ? tr("The pass was stopped. Opening the graph again runs it.")
                                      : tr("Reading was stopped."));
    emit busyChanged();
}

void Session::openText(const QString& name, const QString& text)
{
    m_lanes->reading.run(
        [name = toStdString(name), text = toStdString(text)](std::stop_token stop) {
            return loadDocument(SourceText(name, text), {.stop = std::move(stop)});
        },
        [this, name](DocumentResult result) {
            takeDocument(QStringLiteral(":/") + name, std::move(result));
        });
    emit busyChanged();
}

// What a reader should know about a document before trusting the steps.
static QString remarkOn(const Document& document, std::size_t graphIndex)
{
    switch (document.graphs[graphIndex].stage)
    {
    case Stage::CoreAfter:
    case Stage::AfterPass:
    case Stage::Final:
    case Stage::Baseline:
        return Session::tr("This graph was taken after the pass. "
                           "The steps show what the pass would do with it a second time.");
    case Stage::Dynamo:
    case Stage::PreGrad:
    case Stage::Joint:
    case Stage::Fragment:
    {
        const std::string_view advice = stageAdvice(document.graphs[graphIndex].stage);
        return QString::fromUtf8(advice.data(), static_cast<qsizetype>(advice.size()));
    }
    case Stage::Unknown:
    case Stage::BeforePass:
    case Stage::Canonical: break;
    }
    if (document.problems.empty())
        return {};
    // The last is where a cut text ends; the Source panel lists all.
    const Problem& problem = document.problems.back();
    const QString text = stripText({.message = problem.text,
                                    .hint = problem.hint,
                                    .file = document.fileName(),
                                    .span = problem.span});
    const auto others = static_cast<qsizetype>(document.problems.size()) - 1;
    return others == 0 ? text
                       : Session::tr("%1 The Source panel lists %2 more.").arg(text).arg(others);
}

void Session::takeDocument(const QString& path, DocumentResult result)
{
    if (!result)
    {
        setMessage(stripText(result.error()));
        emit busyChanged();
        return;
    }
    setDocument(*result);
    emit opened(path);
    emit busyChanged();
}

// A file may hold the same graph at several stages; the pass's input is the one to look at.
static std::size_t openingGraph(const Document& document)
{
    const auto isInput = [](const DocumentGraph& graph) {
        return graph.stage == Stage::BeforePass;
    };
    const auto found = std::find_if(document.graphs.begin(), document.graphs.end(), isInput);
    return found == document.graphs.end()
        ? 0
        : static_cast<std::size_t>(found - document.graphs.begin());
}

void Session::setDocument(std::shared_ptr<const Document> document)
{
    if (document == m_document)
        return;
    emit documentAboutToChange();
    m_document = std::move(document);
    m_graphIndex = m_document ? openingGraph(*m_document) : 0;
    dropTrace();
    takePolicyOfCapture();
    emit documentChanged();
    setMessage(m_document ? remarkOn(*m_document, m_graphIndex) : QString());
    runPass();
}

void Session::setGraphIndex(std::size_t index)
{
    if (!m_document || index == m_graphIndex || index >= m_document->graphs.size())
        return;
    emit documentAboutToChange();
    m_graphIndex = index;
    dropTrace();
    emit documentChanged();
    setMessage(remarkOn(*m_document, m_graphIndex));
    runPass();
}

void Session::dropTrace()
{
    m_lanes->pass.cancel();
    m_trace.reset();
    m_cursor.reset();
    setSelection({});
}

void Session::runPass()
{
    if (!m_document)
        return;
    PassInput input{m_document->graphs[m_graphIndex].graph, m_document->facts, m_document->shapes};
    m_lanes->pass.run(
        [input = std::move(input), policy = m_policy](std::stop_token stop) {
            return runReinplace(input, policy, {.stop = std::move(stop)});
        },
        [this](Result<std::shared_ptr<const PassTrace>> result) {
            if (result)
                takeTrace(*result);
            else
                setMessage(stripText(result.error()));
            emit busyChanged();
        });
    emit busyChanged();
}

// The chosen nodes in another run over the same graph, where they may have other ids; nothing when
// one of them is not there.
Selection Session::translated(const PassTrace& trace) const
{
    Selection selection;
    for (const NodeId node : m_selection.nodes)
    {
        const NodeId there = findNode(trace, m_trace->nameOf(node));
        if (!there)
            return {};
        selection.nodes.push_back(there);
    }
    if (m_selection.storage && !selection.nodes.empty())
        selection.storage = trace.storages.storageOf(selection.nodes.front());
    return selection;
}

// Views hear of the trace when cursor and selection already speak of it.
void Session::takeTrace(std::shared_ptr<const PassTrace> trace)
{
    const std::optional<Place> place =
        event() ? std::optional(placeOf(*m_trace, event())) : std::nullopt;
    const Selection before = std::exchange(m_selection, m_trace ? translated(*trace) : Selection{});
    m_trace = std::move(trace);
    m_cursor.emplace(m_trace);
    const EventIndex kept = place ? findPlace(*m_trace, *place) : EventIndex{};
    if (const EventIndex opening = kept ? kept : openingEvent(*m_trace))
        m_cursor->goTo(opening);
    emit traceChanged();
    if (m_selection.nodes.empty())
        selectSubject();
    if (m_selection != before)
        emit selectionChanged();
    if (place && !kept && !place->node.empty())
        sayInPassing(tr("With %1, \"%2\" is no candidate.")
                         .arg(toQString(describe(m_trace->policy)), toQString(place->node)));
}

void Session::goTo(EventIndex event)
{
    if (!m_cursor || !event || event == m_cursor->event()
        || event.index() >= m_trace->events.size())
        return;
    m_cursor->goTo(event);
    if (m_isInPassing)
        setMessage({});
    emit eventChanged();
    selectSubject();
}

// The selection follows the steps, so that every view shows what the sentence speaks of.
void Session::selectSubject()
{
    if (!m_cursor->event())
        return;
    const std::vector<Witness> named = witnesses(*m_trace, m_cursor->event());
    if (!named.empty())
        setSelection({.nodes = {named.front().node}, .storage = {}});
}

static QString nowhere(Move move)
{
    switch (move)
    {
    case Move::Into:
    case Move::ToEnd: return Session::tr("This is the last step.");
    case Move::Over: return Session::tr("There is no further step at this depth.");
    case Move::Out: return Session::tr("There is no further step outside of this one.");
    case Move::BackInto:
    case Move::ToStart: return Session::tr("This is the first step.");
    case Move::BackOver: return Session::tr("There is no earlier step at this depth.");
    case Move::NextDecision: return Session::tr("There is no later decision.");
    case Move::PreviousDecision: return Session::tr("There is no earlier decision.");
    case Move::NextRefusal: return Session::tr("There is no later refusal.");
    case Move::PreviousRefusal: return Session::tr("There is no earlier refusal.");
    }
    return {};
}

void Session::step(Move move)
{
    if (!m_cursor)
        return;
    if (const std::optional<EventIndex> to = destination(*m_trace, m_cursor->event(), move))
        return goTo(*to);
    sayInPassing(nowhere(move));
}

void Session::setSelection(Selection selection)
{
    if (selection == m_selection)
        return;
    m_selection = std::move(selection);
    emit selectionChanged();
}

void Session::sayInPassing(const QString& message)
{
    setMessage(message);
    m_isInPassing = true;
}

void Session::setMessage(const QString& message)
{
    m_isInPassing = false;
    if (message == m_message)
        return;
    m_message = message;
    emit messageChanged();
}

} // namespace reinspect
