// SPDX-License-Identifier: MIT
// What is being looked at: document and its chosen graph, policy, trace, place in the trace,
// selection. The only state that views share. Setters compare first and signal only a difference,
// so a view that caused a change is not told about it twice. Lives on the GUI thread; the pass runs
// on a lane.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QObject>

#include "core/io/document.h"
#include "core/passes/breakpoints.h"

#include <memory>
#include <optional>

namespace reinspect
{

// What is chosen: nodes (the first is the one the inspector shows) and, when a storage was picked,
// that too.
struct Selection
{
    std::vector<NodeId> nodes;
    StorageId storage;

    NodeId primary() const { return nodes.empty() ? NodeId{} : nodes.front(); }
    friend bool operator==(const Selection&, const Selection&) = default;
};

// What the user says about one decision in the pass's place.
enum class Overrule
{
    None,
    Force,
    Forbid,
};

class Session : public QObject
{
    Q_OBJECT

public:
    explicit Session(QObject* parent = nullptr);
    ~Session() override;

    const std::shared_ptr<const Document>& document() const { return m_document; }
    std::size_t graphIndex() const { return m_graphIndex; }
    const ReinplacePolicy& policy() const { return m_policy; }
    const std::shared_ptr<const PassTrace>& trace() const
    {
        return m_trace;
    } // null until the pass has run
    const TraceCursor* cursor() const
    {
        return m_cursor ? &*m_cursor : nullptr;
    } // null until the pass has run
    EventIndex event() const { return m_cursor ? m_cursor->event() : EventIndex{}; }
    const Selection& selection() const { return m_selection; }
    const std::vector<Breakpoint>& breakpoints() const { return m_breakpoints; }
    // The decision that is looked at: the chosen node's, else that of the current event.
    DecisionIndex decision() const;
    const QString& message() const { return m_message; } // the strip's text; empty: nothing to say
    bool isBusy() const; // a file is being read or the pass is running

    // Reads the file on a lane. On failure the open document stays and message() says what was
    // wrong. Paths that begin with ":/" are resources of the program.
    void open(const QString& path);
    // The same for a text, such as one that was pasted; opened() says ":/" and this name.
    void openText(const QString& name, const QString& text);
    void
    stopWork(); // reading and the pass; what is open stays, without a trace when it was the pass
    void
    setDocument(std::shared_ptr<const Document> document); // message() says what is odd about it
    void setGraphIndex(std::size_t index);
    void setPolicy(ReinplacePolicy policy); // the place is kept where the new run has it, too
    // Documents are decided by the rules of the PyTorch that made them, where they say so: this one and those to come,
    // until setPolicy() takes another preset.
    void followCapture();
    bool followsCapture() const { return m_followsCapture; }
    void overrule(DecisionIndex decision, Overrule word); // by setPolicy
    void goTo(EventIndex event); // also chooses the node that the event is about
    void goToDecision(DecisionIndex decision);
    void step(Move move); // goTo(destination(...)); says so in message() when there is none
    void setSelection(Selection selection);
    void setBreakpoints(std::vector<Breakpoint> breakpoints);
    void toggleBreakpoint(NodeId node);           // "node:name"; says so where nothing stops there
    void runToBreakpoint(bool backwards = false); // says so in message() when there is none
    void setMessage(const QString& message);

signals:
    void documentAboutToChange(); // everything still stands as it was
    void documentChanged();       // another document or another graph of it; the trace is gone
    void traceChanged();          // a trace is there; the cursor stands on its opening event
    void eventChanged();          // the cursor moved; the graph of cursor() may have changed
    void selectionChanged();
    void policyChanged(); // the run with it follows, with traceChanged()
    void breakpointsChanged();
    void messageChanged();
    void busyChanged();
    void opened(const QString& path); // the file was read and is the document now

private:
    void takePolicyOfCapture();
    void takeDocument(const QString& path, Result<std::shared_ptr<const Document>> result);
    void takeTrace(std::shared_ptr<const PassTrace> trace);
    void dropTrace();
    void runPass();
    void selectSubject();
    Selection translated(const PassTrace& trace) const;
    void sayInPassing(const QString& message); // until the next step that leads somewhere

    std::shared_ptr<const Document> m_document;
    std::size_t m_graphIndex = 0;
    ReinplacePolicy m_policy;
    bool m_followsCapture = false;
    std::shared_ptr<const PassTrace> m_trace;
    std::optional<TraceCursor> m_cursor;
    Selection m_selection;
    std::vector<Breakpoint> m_breakpoints;
    QString m_message;
    bool m_isInPassing = false; // the next step takes the message away
    struct Lanes;               // reading and pass lanes, see lane.h
    std::unique_ptr<Lanes> m_lanes;
};

} // namespace reinspect
