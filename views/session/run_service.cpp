// SPDX-License-Identifier: MIT
#include "views/session/run_service.h"

#include "core/proof/verdict_sentence.h"
#include "views/session/qt_text.h"
#include "views/session/run_job.h"
#include "views/session/session.h"

#include <QDir>
#include <QFileInfo>

namespace reinspect
{

RunService::RunService(Session* session, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_remote(new RemoteRun(this))
    , m_lanes(std::make_unique<Lanes>())
{
    connectRemote();
    connect(session, &Session::documentChanged, this, &RunService::drop);
    connect(session, &Session::traceChanged, this, [this] {
        dropProofs();
        emit resultChanged();
    });
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
    dropProofs();
    m_symbols.clear();
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
    const QString source =
        m_inputsPath.isEmpty() ? tr("seed %1").arg(m_seed) : QFileInfo(m_inputsPath).fileName();
    return m_symbols.isEmpty() ? source : QStringLiteral("%1, %2").arg(source, m_symbols);
}

void RunService::setSymbolsText(const QString& text)
{
    if (std::exchange(m_symbols, text.simplified()) == text.simplified())
        return;
    dropProofs();
    emit inputsChanged();
    emit resultChanged();
}

QStringList RunService::symbolsToAsk() const
{
    QStringList names;
    if (const auto& document = m_session->document())
        for (const std::string& name : proof::symbolsWithoutHint(
                 *document->graphs[m_session->graphIndex()].graph, document->shapes))
            names.append(toQString(name));
    return names;
}

void RunService::setSeed(std::uint64_t seed)
{
    if (std::exchange(m_seed, seed) == seed)
        return;
    dropProofs();
    emit inputsChanged();
    emit resultChanged();
}

void RunService::setInputsPath(const QString& path)
{
    m_isInputChosen = true;
    if (std::exchange(m_inputsPath, path) == path)
        return;
    dropProofs();
    emit inputsChanged();
    emit resultChanged();
}

bool RunService::canRun() const
{
    return m_session->trace() != nullptr;
}

bool RunService::isBusy() const
{
    return m_lanes->run.isBusy() || m_remote->isBusy();
}

bool RunService::isAsking() const
{
    return m_lanes->values.isBusy();
}

std::shared_ptr<RunService::Job> RunService::job() const
{
    auto job = std::make_shared<Job>();
    job->document = m_session->document();
    job->graph = job->document->graphs[m_session->graphIndex()].graph;
    job->trace = m_session->trace();
    job->seed = m_seed;
    job->path = toStdString(m_inputsPath);
    job->symbols = toStdString(m_symbols);
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

QString placeOf(const std::string& device, bool tf32)
{
    return tf32 ? RunService::tr("%1, with TF32").arg(toQString(device)) : toQString(device);
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

// Of the run that begins now; what an older one still says is not heard.
std::function<void(const QString&, double)> RunService::teller()
{
    m_proving = {};
    m_remote->cancel();
    return [this, ticket = ++m_ticket](const QString& activity, double done) {
        QMetaObject::invokeMethod(
            this, [=, this] { report(ticket, activity, done); }, Qt::QueuedConnection);
    };
}

// On its thread: before against after, as `result` is to say.
Result<void> RunService::Job::prove(RunResult& result, Reporter& reporter, std::stop_token stop)
{
    if (wantsGpu)
    {
        REINSPECT_TRY(const gpu::Gpu gpu, gpu::openGpu(0, tf32));
        device = gpu.device;
        result.place = placeOf(gpu.facts.name, tf32);
    }
    const RunControl control{std::move(stop), [&](double done) { reporter.report(done); }};
    std::shared_ptr<const TensorFile> file;
    proof::EquivalenceOptions options;
    REINSPECT_TRY(options.inputs, source(file));
    options.inputs.timesNodes = true;
    // Something else is always in the way, and the first run on a GPU loads its code: the least of a few counts.
    options.inputs.repeats = 4;
    options.inputs.repeatSeconds = 0.3;
    options.begins = [&](std::string_view stage) { reporter.begin(activityOf(stage)); };
    REINSPECT_TRY(auto proof,
                  proof::proveEquivalence(graph, document->facts, document->shapes, trace.get(),
                                          options, control));
    result.proof = withoutTensors(std::move(proof));
    return {};
}

void RunService::run()
{
    if (!canRun())
        return;
    const auto tell = teller();
    auto start = std::make_shared<RunResult>();
    start->trace = m_session->trace();
    start->inputs = inputsText();
    start->policy = toQString(describe(start->trace->policy));
    if (m_place == RunPlace::Remote)
        return runRemote(std::move(start));
    const std::shared_ptr<Job> job = this->job();
    m_activity = tr("Making the inputs");
    m_progress = 0;
    job->wantsGpu = m_place == RunPlace::Cuda;
    job->tf32 = m_allowsTf32;
    m_lanes->run.run(
        [job, start, tell](std::stop_token stop) -> std::shared_ptr<const RunResult> {
            Reporter reporter(tell);
            if (const auto proved = job->prove(*start, reporter, std::move(stop)); !proved.ok())
                start->failure = proved.error();
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

void RunService::cancel()
{
    if (!isBusy())
        return;
    m_lanes->run.cancel();
    m_remote->cancel();
    m_proving = {};
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
