// SPDX-License-Identifier: MIT
// Runs of the session's graph, before the pass and after it: what they are run on, the run under way, and what
// the last one found. Everything runs on a lane. A graph that is changed drops the result; another policy or
// other inputs leave it there, stale. Lives on the GUI thread.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QObject>

#include "core/proof/bisect.h"
#include "core/proof/node_values.h"
#include "views/session/remote_run.h"

#include <memory>
#include <optional>

namespace reinspect
{

class Session;

enum class RunPlace
{
    Cpu,
    Cuda, // of this machine
    Remote,
};

// What was run, and what came out.
struct RunResult
{
    std::shared_ptr<const PassTrace> trace;
    proof::Equivalence proof;
    QString inputs; // "seed 7", "data.safetensors"
    QString policy;
    QString place;                // "gpu1 (CUDA)"; empty: the CPU of this machine
    DecisionIndex asked;          // the decision whose proof was asked for; invalid: none
    std::optional<Error> failure; // of the inputs: nothing was run
};

class RunService : public QObject
{
    Q_OBJECT

public:
    explicit RunService(Session* session, QObject* parent = nullptr);
    ~RunService() override;

    Session* session() const { return m_session; }

    // What a run starts from.
    std::uint64_t seed() const { return m_seed; }
    const QString& inputsPath() const { return m_inputsPath; } // empty: drawn from the seed
    QString inputsBeside() const; // "data.safetensors" beside the capture; empty: there is none
    QString inputsText() const;
    void setSeed(std::uint64_t seed);
    void setInputsPath(const QString& path);

    // Where a run is made. Values of nodes and the search for a decision stay on this machine's CPU.
    RunPlace place() const { return m_place; }
    void setPlace(RunPlace place);
    const RemoteHost& remoteHost() const { return m_host; }
    void setRemoteHost(const RemoteHost& host);

    bool canRun() const;
    bool canFindDecision() const;                          // results differ, and are not old
    bool isBusy() const;                                   // a run or a search for the decision
    const QString& activity() const { return m_activity; } // "Running the graph after the pass"
    double progress() const { return m_progress; }         // 0 to 1
    void run(DecisionIndex asked = {});
    void findDecision(); // the one that changes the results
    void cancel();       // what was there before stays

    const std::shared_ptr<const RunResult>& result() const { return m_result; } // null: no run yet
    bool isStale() const;      // of another policy, or of other inputs than those set
    QString staleText() const; // why
    const std::optional<proof::BisectResult>& bisect() const { return m_bisect; } // of result()

    // The values of one node; the last asked for wins.
    void askValues(const QString& node);
    void dropValues();
    bool isAsking() const;
    const std::shared_ptr<const proof::NodeValues>& values() const { return m_values; }
    const QString& valuesProblem() const { return m_valuesProblem; }

signals:
    void inputsChanged();
    void placeChanged(); // or what is known of a place
    void busyChanged();
    void progressChanged();
    void resultChanged(); // or it became stale, or the decision was found
    void valuesChanged();

private:
    struct Job;

    std::shared_ptr<const Job> job() const;
    void drop();
    void chooseInputs();
    void report(std::uint64_t ticket, const QString& activity, double progress);
    void takeResult(std::shared_ptr<const RunResult> result);
    void takeBisect(Result<proof::BisectResult> result);
    std::shared_ptr<RunResult> newResult(DecisionIndex asked) const;
    void connectRemote();
    void runRemote(std::shared_ptr<RunResult> start);
    void takeAnswer(const QByteArray& json);
    void takeRemoteFailure(const Error& error);

    Session* m_session;
    std::uint64_t m_seed = 0;
    QString m_inputsPath;
    bool m_isInputChosen = false; // by the reader, not by what lies beside the capture
    QString m_activity;
    double m_progress = 0;
    std::uint64_t m_ticket = 0;
    RunPlace m_place = RunPlace::Cpu;
    RemoteHost m_host;
    RemoteRun* m_remote;
    std::shared_ptr<RunResult> m_remoteResult; // of the run under way there
    std::shared_ptr<const RunResult> m_result;
    std::optional<proof::BisectResult> m_bisect;
    std::shared_ptr<const proof::NodeValues> m_values;
    QString m_valuesProblem;
    struct Lanes;
    std::unique_ptr<Lanes> m_lanes;
};

} // namespace reinspect
