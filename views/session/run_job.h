// SPDX-License-Identifier: MIT
// What a run takes to its thread and tells back from there. For run_service.cpp and run_decisions.cpp.
#pragma once

#include "views/session/run_service.h"

#include "core/io/document.h"
#include "core/proof/input_file.h"
#include "core/proof/triton_files.h"
#include "views/session/lane.h"

#include <utility>

namespace reinspect
{

class Reporter;

struct RunService::Lanes
{
    Lane run;
    Lane values;
    Lane gpu; // looks for one
};

// All that a run needs, for another thread.
struct RunService::Job
{
    std::shared_ptr<const Document> document;
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const PassTrace> trace;
    std::uint64_t seed = 0;
    std::string path;                     // empty: drawn from the seed
    std::string symbols;                  // "s0=8"
    std::shared_ptr<exec::Device> device; // null: the host
    bool wantsGpu = false;                // prove() looks for it
    bool tf32 = false;                    // allowed there

    PassInput input() const { return {graph, document->facts, document->shapes}; }

    // `file` owns what the source points to.
    Result<proof::InputSource> source(std::shared_ptr<const TensorFile>& file) const
    {
        if (!path.empty())
        {
            REINSPECT_TRY(file, proof::readInputFile(path));
        }
        proof::InputSource made{file.get(), seed, 0, proof::readTritonLibrary(document->facts)};
        REINSPECT_TRY(made.symbols, proof::symbolNumbers(symbols));
        made.device = device;
        return made;
    }

    Result<void> prove(RunResult& result, Reporter& reporter, std::stop_token stop);
};

// Tells the service how far a run is, from its thread; no more often than can be seen.
class Reporter
{
public:
    explicit Reporter(std::function<void(const QString&, double)> tell)
        : m_tell(std::move(tell))
    {}

    void begin(const QString& activity)
    {
        m_activity = activity;
        m_percent = 0;
        m_tell(m_activity, 0);
    }
    void report(double done)
    {
        const int percent = static_cast<int>(done * 100);
        if (std::exchange(m_percent, percent) != percent)
            m_tell(m_activity, done);
    }

private:
    std::function<void(const QString&, double)> m_tell;
    QString m_activity;
    int m_percent = 0;
};

// Runs one after the other: each begins where the progress falls back.
class RunCounter
{
public:
    RunCounter(Reporter& reporter, QString activity)
        : m_reporter(reporter)
        , m_activity(std::move(activity))
    {}

    void report(double done)
    {
        if (done < m_last)
            m_reporter.begin(m_activity.arg(++m_runs));
        m_last = done;
        m_reporter.report(done);
    }

private:
    Reporter& m_reporter;
    QString m_activity; // "Looking for the decision: run %1"
    int m_runs = 0;
    double m_last = 1;
};

} // namespace reinspect
