// SPDX-License-Identifier: MIT
// Runs of the session's graph, before the pass and after it: what they are run on, the run under way, and what
// the last one found. Everything runs on a lane. A graph that is changed drops the result; another policy or
// other inputs leave it there, stale. Lives on the GUI thread.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QObject>

#include "core/gpu/gpu_module.h"
#include "core/proof/bisect.h"
#include "core/proof/decision_proof.h"
#include "core/proof/node_values.h"
#include "views/session/remote_run.h"

#include <functional>
#include <map>
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
    QString host;                 // "gpu1"; empty: this machine, or not known
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
    // Numbers of symbols that the capture gives none: "s0=8, s1=16".
    const QString& symbolsText() const { return m_symbols; }
    void setSymbolsText(const QString& text);
    QStringList symbolsToAsk() const; // those without a number of their own

    // Where a run is made. Values of nodes and the search for a decision stay on this machine's CPU.
    RunPlace place() const { return m_place; }
    void setPlace(RunPlace place);
    // Looks for a GPU, once; placeChanged() when it is known whether there is one.
    void askGpu();
    const std::optional<Result<gpu::Gpu>>& gpu() const { return m_gpu; } // nothing: not known yet
    // Products of float32 matrices on a GPU, here or there.
    bool allowsTf32() const { return m_allowsTf32; }
    void setTf32(bool allowed);
    bool isOnGpu() const; // the next run
    const RemoteHost& remoteHost() const { return m_host; }
    void setRemoteHost(const RemoteHost& host);

    bool canRun() const;
    bool canFindDecision() const;                          // results differ, and are not old
    bool isBusy() const;                                   // a run or a search for the decision
    const QString& activity() const { return m_activity; } // "Running the graph after the pass"
    double progress() const { return m_progress; }         // 0 to 1
    void run();
    // The results of a run made elsewhere, `reinspect-cli run --compare --json`: shown as if it were made now. One that
    // is of another graph or policy is a failure that says so.
    void openResults(const QString& path);
    void findDecision(); // the one that changes the results
    // Whether this one decision changes results: its write alone, the others forbidden.
    void prove(DecisionIndex decision);
    void cancel(); // what was there before stays

    const std::shared_ptr<const RunResult>& result() const { return m_result; } // null: no run yet
    bool isStale() const;      // of another policy, or of other inputs than those set
    QString staleText() const; // why
    const std::optional<proof::BisectResult>& bisect() const { return m_bisect; } // of result()
    // Of the session's trace and the inputs set; null: not proved.
    const proof::DecisionProof* proofOf(DecisionIndex decision) const;
    DecisionIndex lastProven() const { return m_lastProven; } // invalid: none of these inputs
    DecisionIndex provingNow() const;                         // invalid: none

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
    void resultChanged(); // or it became stale, or a decision was found or proved
    void valuesChanged();

private:
    struct Job;

    std::shared_ptr<Job> job() const;
    void drop();
    void chooseInputs();
    void report(std::uint64_t ticket, const QString& activity, double progress);
    void takeResult(std::shared_ptr<const RunResult> result);
    void takeBisect(Result<proof::BisectResult> result);
    void connectRemote();
    void runRemote(std::shared_ptr<RunResult> start);
    void takeAnswer(const QByteArray& json);
    void readAnswer(const QByteArray& json);
    void takeRemoteFailure(const Error& error);
    void takeProof(DecisionIndex decision, Result<proof::DecisionProof> result);
    void dropProofs();
    std::function<void(const QString&, double)> teller();

    Session* m_session;
    std::uint64_t m_seed = 0;
    QString m_inputsPath;
    QString m_symbols;
    bool m_isInputChosen = false; // by the reader, not by what lies beside the capture
    QString m_activity;
    double m_progress = 0;
    std::uint64_t m_ticket = 0;
    RunPlace m_place = RunPlace::Cpu;
    std::optional<Result<gpu::Gpu>> m_gpu;
    bool m_allowsTf32 = false;
    RemoteHost m_host;
    RemoteRun* m_remote;
    std::shared_ptr<RunResult> m_remoteResult; // of the run under way there
    std::shared_ptr<const RunResult> m_result;
    std::optional<proof::BisectResult> m_bisect;
    std::map<std::size_t, proof::DecisionProof> m_proofs; // by decision of the session's trace
    DecisionIndex m_lastProven;
    DecisionIndex m_proving;
    std::shared_ptr<const proof::NodeValues> m_values;
    QString m_valuesProblem;
    struct Lanes;
    std::unique_ptr<Lanes> m_lanes;
};

} // namespace reinspect
