// SPDX-License-Identifier: MIT
#include "views/session/run_service.h"

#include "core/proof/input_file.h"
#include "core/proof/triton_files.h"
#include "core/proof/verdict_sentence.h"
#include "views/session/qt_text.h"
#include "views/session/run_lanes.h"
#include "views/session/session.h"

#include <QDir>
#include <QFileInfo>

#include <utility>

namespace reinspect
{

// All that a run needs, for another thread.
struct RunService::Job
{
    std::shared_ptr<const Document> document;
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const PassTrace> trace;
    std::uint64_t seed = 0;
    std::string path; // empty: drawn from the seed

    PassInput input() const { return {graph, document->facts, document->shapes}; }

    // `file` owns what the source points to.
    Result<proof::InputSource> source(std::shared_ptr<const TensorFile>& file) const
    {
        if (!path.empty())
        {
            REINSPECT_TRY(file, proof::readInputFile(path));
        }
        return proof::InputSource{file.get(), seed, 0, proof::readTritonLibrary(document->facts)};
    }
};

RunService::RunService(Session* session, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_remote(new RemoteRun(this))
    , m_lanes(std::make_unique<Lanes>())
{
    connectRemote();
    connect(session, &Session::documentChanged, this, &RunService::drop);
    connect(session, &Session::traceChanged, this, &RunService::resultChanged);
    connect(session, &Session::policyChanged, this, &RunService::resultChanged);
    chooseInputs();
}

RunService::~RunService() = default;

void RunService::drop()
{
    cancel();
    dropValues();
    m_result.reset();
    m_bisect.reset();
    m_isInputChosen = false;
    chooseInputs();
    emit inputsChanged();
    emit resultChanged();
}

// What lies beside the capture, until the reader says otherwise.
void RunService::chooseInputs()
{
    if (!m_isInputChosen)
        m_inputsPath = inputsBeside();
}

QString RunService::inputsBeside() const
{
    const auto& document = m_session->document();
    if (!document || m_session->graphIndex() > 0)
        return {};
    std::string folder = document->facts.folder;
    if (folder.empty() && document->fileName().find('/') != std::string::npos)
        folder = toStdString(QFileInfo(toQString(document->fileName())).absolutePath());
    return toQString(proof::inputFileIn(folder));
}

QString RunService::inputsText() const
{
    return m_inputsPath.isEmpty() ? tr("seed %1").arg(m_seed) : QFileInfo(m_inputsPath).fileName();
}

void RunService::setSeed(std::uint64_t seed)
{
    if (std::exchange(m_seed, seed) == seed)
        return;
    emit inputsChanged();
    emit resultChanged();
}

void RunService::setInputsPath(const QString& path)
{
    m_isInputChosen = true;
    if (std::exchange(m_inputsPath, path) == path)
        return;
    emit inputsChanged();
    emit resultChanged();
}

bool RunService::canRun() const
{
    return m_session->trace() != nullptr;
}

bool RunService::canFindDecision() const
{
    return !isBusy() && canRun() && m_result && !m_result->failure && !isStale()
        && proof::outcomeOf(m_result->proof) == proof::Outcome::Different;
}

bool RunService::isBusy() const
{
    return m_lanes->run.isBusy() || m_remote->isBusy();
}

bool RunService::isAsking() const
{
    return m_lanes->values.isBusy();
}

std::shared_ptr<const RunService::Job> RunService::job() const
{
    auto job = std::make_shared<Job>();
    job->document = m_session->document();
    job->graph = job->document->graphs[m_session->graphIndex()].graph;
    job->trace = m_session->trace();
    job->seed = m_seed;
    job->path = toStdString(m_inputsPath);
    return job;
}

void RunService::report(std::uint64_t ticket, const QString& activity, double progress)
{
    if (ticket != m_ticket || !isBusy())
        return;
    m_activity = activity;
    m_progress = progress;
    emit progressChanged();
}

namespace
{

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

QString activityOf(std::string_view stage)
{
    if (stage == "before")
        return RunService::tr("Running the graph before the pass");
    if (stage == "after")
        return RunService::tr("Running the graph after the pass");
    if (stage == "final")
        return RunService::tr("Running the lowered graph");
    if (stage == "baseline")
        return RunService::tr("Running the graph without the pass");
    return RunService::tr("Looking for the first node that differs");
}

// What was compared is not needed any more, and may be large.
proof::Equivalence withoutTensors(proof::Equivalence proof)
{
    for (proof::StageRun& run : proof.runs)
    {
        run.run.outputs.clear();
        run.inputs.clear();
    }
    return proof;
}

} // namespace

std::shared_ptr<RunResult> RunService::newResult(DecisionIndex asked) const
{
    auto start = std::make_shared<RunResult>();
    start->trace = m_session->trace();
    start->inputs = inputsText();
    start->policy = toQString(describe(start->trace->policy));
    start->asked = asked;
    return start;
}

void RunService::run(DecisionIndex asked)
{
    if (!canRun())
        return;
    m_remote->cancel();
    auto start = newResult(asked);
    if (m_place == RunPlace::Remote)
        return runRemote(std::move(start));
    const std::uint64_t ticket = ++m_ticket;
    const auto tell = [this, ticket](const QString& activity, double done) {
        QMetaObject::invokeMethod(
            this, [=, this] { report(ticket, activity, done); }, Qt::QueuedConnection);
    };
    m_activity = tr("Making the inputs");
    m_progress = 0;
    m_lanes->run.run(
        [job = job(), start, tell](std::stop_token stop) -> std::shared_ptr<const RunResult> {
            Reporter reporter(tell);
            const RunControl control{std::move(stop), [&](double done) { reporter.report(done); }};
            std::shared_ptr<const TensorFile> file;
            auto source = job->source(file);
            if (!source.ok())
            {
                start->failure = source.error();
                return start;
            }
            proof::EquivalenceOptions options;
            options.inputs = *source;
            options.begins = [&](std::string_view stage) { reporter.begin(activityOf(stage)); };
            auto proof =
                proof::proveEquivalence(job->graph, job->document->facts, job->document->shapes,
                                        job->trace.get(), options, control);
            if (proof.ok())
                start->proof = withoutTensors(std::move(*proof));
            else
                start->failure = proof.error();
            return start;
        },
        [this](std::shared_ptr<const RunResult> result) { takeResult(std::move(result)); });
    emit busyChanged();
}

void RunService::takeResult(std::shared_ptr<const RunResult> result)
{
    m_result = std::move(result);
    m_bisect.reset();
    emit resultChanged();
    emit busyChanged();
}

void RunService::findDecision()
{
    if (!canRun())
        return;
    const std::uint64_t ticket = ++m_ticket;
    const auto tell = [this, ticket](const QString& activity, double done) {
        QMetaObject::invokeMethod(
            this, [=, this] { report(ticket, activity, done); }, Qt::QueuedConnection);
    };
    m_activity = tr("Looking for the decision");
    m_progress = 0;
    m_lanes->run.run(
        [job = job(), tell](std::stop_token stop) -> Result<proof::BisectResult> {
            Reporter reporter(tell);
            int runs = 0;
            double last = 1;
            const RunControl control{
                std::move(stop), [&](double done) {
                    if (done < last)
                        reporter.begin(tr("Looking for the decision: run %1").arg(++runs));
                    last = done;
                    reporter.report(done);
                }};
            std::shared_ptr<const TensorFile> file;
            REINSPECT_TRY(const proof::InputSource source, job->source(file));
            return proof::findDecision(job->input(), job->trace->policy, source, control);
        },
        [this](Result<proof::BisectResult> result) { takeBisect(std::move(result)); });
    emit busyChanged();
}

void RunService::takeBisect(Result<proof::BisectResult> result)
{
    if (result.ok())
        m_bisect = std::move(*result);
    else
        m_session->setMessage(stripText(result.error()));
    emit resultChanged();
    emit busyChanged();
}

void RunService::cancel()
{
    if (!isBusy())
        return;
    m_lanes->run.cancel();
    m_remote->cancel();
    ++m_ticket;
    emit busyChanged();
}

bool RunService::isStale() const
{
    return m_result && !staleText().isEmpty();
}

QString RunService::staleText() const
{
    if (!m_result)
        return {};
    if (m_result->trace->policy != m_session->policy())
        return tr("These results are of the policy %1.").arg(m_result->policy);
    if (m_result->inputs != inputsText())
        return tr("These results are of other inputs: %1.").arg(m_result->inputs);
    return {};
}

static Result<std::shared_ptr<const proof::NodeValues>>
valuesOf(const PassTrace& trace, const Document& document, std::shared_ptr<const Graph> before,
         const proof::InputSource& source, const std::string& node, const RunControl& control)
{
    proof::StageGraphs graphs;
    graphs.facts = document.facts;
    graphs.shapes = document.shapes;
    graphs.stages.emplace_back("before", std::move(before));
    REINSPECT_TRY(Graph after, graphAtStage(trace, PassStage::After, document.facts));
    graphs.stages.emplace_back("after", std::make_shared<const Graph>(std::move(after)));
    REINSPECT_TRY(proof::NodeValues values, proof::nodeValues(graphs, node, source, control));
    return std::make_shared<const proof::NodeValues>(std::move(values));
}

void RunService::askValues(const QString& node)
{
    if (!canRun())
        return;
    using Answer = Result<std::shared_ptr<const proof::NodeValues>>;
    m_lanes->values.run(
        [job = job(), name = toStdString(node)](std::stop_token stop) -> Answer {
            std::shared_ptr<const TensorFile> file;
            REINSPECT_TRY(const proof::InputSource source, job->source(file));
            return valuesOf(*job->trace, *job->document, job->graph, source, name,
                            {std::move(stop), {}});
        },
        [this](Answer answer) {
            m_values = answer.ok() ? *answer : nullptr;
            m_valuesProblem = answer.ok() ? QString() : stripText(answer.error());
            emit valuesChanged();
        });
    emit valuesChanged();
}

void RunService::dropValues()
{
    m_lanes->values.cancel();
    m_values.reset();
    m_valuesProblem.clear();
    emit valuesChanged();
}

} // namespace reinspect
