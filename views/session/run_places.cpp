// SPDX-License-Identifier: MIT
// RunService: where runs are made: a GPU of this machine, or another machine. What is sent there is written, and
// what comes back is read, on the run lane.
#include "views/session/run_job.h"
#include "views/session/run_service.h"

#include "core/proof/report_reader.h"
#include "core/proof/run_bundle.h"
#include "views/session/qt_text.h"
#include "views/session/session.h"

#include <QFile>

#include <utility>

namespace reinspect
{

void RunService::setPlace(RunPlace place)
{
    if (std::exchange(m_place, place) != place)
        emit placeChanged();
}

void RunService::setTf32(bool allowed)
{
    if (std::exchange(m_allowsTf32, allowed) != allowed)
        emit placeChanged();
}

bool RunService::isOnGpu() const
{
    return m_place == RunPlace::Cuda
        || (m_place == RunPlace::Remote && m_host.backend == QLatin1String("cuda"));
}

void RunService::askGpu()
{
    if (m_gpu || m_lanes->gpu.isBusy())
        return;
    m_lanes->gpu.run([](std::stop_token) { return gpu::openGpu(); },
                     [this](Result<gpu::Gpu> gpu) {
                         m_gpu = std::move(gpu);
                         emit placeChanged();
                     });
}

void RunService::setRemoteHost(const RemoteHost& host)
{
    if (m_host == host)
        return;
    m_host = host;
    if (!host.isSet() && m_place == RunPlace::Remote)
        m_place = RunPlace::Cpu;
    emit placeChanged();
}

static QString activityThere(const QString& stage, const QString& host)
{
    if (stage.isEmpty())
        return RunService::tr("Sending files to %1").arg(host);
    if (stage == QLatin1String("start"))
        return RunService::tr("Starting on %1").arg(host);
    return RunService::tr("Running on %1: %2").arg(host, stage);
}

void RunService::connectRemote()
{
    connect(m_remote, &RemoteRun::progressed, this, [this](const QString& stage, double done) {
        report(m_ticket, activityThere(stage, m_host.host), done);
    });
    connect(m_remote, &RemoteRun::answered, this, &RunService::takeAnswer);
    connect(m_remote, &RemoteRun::failed, this, &RunService::takeRemoteFailure);
}

void RunService::runRemote(std::shared_ptr<RunResult> start)
{
    ++m_ticket;
    m_remoteResult = std::move(start);
    m_remoteResult->place = m_host.text();
    m_remoteResult->host = m_host.host;
    const QString problem = problemOf(m_host);
    if (!problem.isEmpty())
        return takeRemoteFailure({.message = toStdString(problem),
                                  .hint = "Set one in Run, Remote Host.",
                                  .kind = ErrorKind::CannotRunHere});
    m_activity = tr("Writing the capture");
    m_progress = 0;
    const proof::BundleOptions options{m_session->graphIndex(),
                                       m_remoteResult->trace->policy,
                                       toStdString(m_inputsPath),
                                       m_seed,
                                       toStdString(m_symbols),
                                       toStdString(m_host.backend),
                                       m_allowsTf32};
    m_lanes->run.run([document = m_session->document(),
                      options](std::stop_token) { return proof::bundleRun(*document, options); },
                     [this](Result<proof::RunBundle> bundle) {
                         if (bundle.ok())
                             m_remote->start(m_host, std::move(*bundle));
                         else
                             takeRemoteFailure(bundle.error());
                     });
    emit busyChanged();
}

// "gpu1, NVIDIA H200, with TF32"; empty: the CPU of this machine.
static QString placeOf(const QString& host, const proof::Report& report)
{
    QStringList parts{host, toQString(report.device)};
    if (report.proof.runs.front().run.usesTf32)
        parts.append(RunService::tr("with TF32"));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

void RunService::takeAnswer(const QByteArray& json)
{
    m_activity = tr("Reading the answer");
    readAnswer(json);
}

void RunService::readAnswer(const QByteArray& json)
{
    m_lanes->run.run(
        [json, result = m_remoteResult, document = m_session->document(),
         graph = m_session->document()->graphs[m_session->graphIndex()].graph](
            std::stop_token) -> Result<proof::Report> {
            REINSPECT_TRY(proof::Report report,
                          proof::readProofJson({json.data(), static_cast<std::size_t>(json.size())},
                                               graph, *result->trace, document->facts,
                                               document->shapes));
            if (!report.policy.empty() && toQString(report.policy) != result->policy)
                return Error{.message = "these results are of the policy " + report.policy,
                             .hint = "Choose it here as well."};
            return report;
        },
        [this](Result<proof::Report> report) {
            if (!report.ok())
                return takeRemoteFailure(report.error());
            if (!report->device.empty())
                m_remoteResult->place = placeOf(m_remoteResult->host, *report);
            m_remoteResult->proof = std::move(report->proof);
            m_remoteResult->proof.seed = m_seed;
            takeResult(std::exchange(m_remoteResult, nullptr));
        });
}

void RunService::openResults(const QString& path)
{
    if (!canRun())
        return;
    const auto tell = teller();
    m_remoteResult = std::make_shared<RunResult>();
    m_remoteResult->trace = m_session->trace();
    m_remoteResult->inputs = inputsText();
    m_remoteResult->policy = toQString(describe(m_session->trace()->policy));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return takeRemoteFailure(
            {.message = toStdString(file.errorString()), .file = toStdString(path)});
    m_activity = tr("Reading the results");
    m_progress = 0;
    readAnswer(file.readAll());
    emit busyChanged();
}

void RunService::takeRemoteFailure(const Error& error)
{
    m_remoteResult->failure = error;
    takeResult(std::exchange(m_remoteResult, nullptr));
}

} // namespace reinspect
