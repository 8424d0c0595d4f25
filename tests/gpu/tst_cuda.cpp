// SPDX-License-Identifier: MIT
// Runs on a real GPU: graphs of samples/ there and on the host. Where there is no module, driver or device the tests are
// skipped with what is missing; the message itself is tested everywhere.

#include "core/gpu/gpu_module.h"
#include "core/io/document.h"
#include "core/proof/equivalence.h"
#include "core/proof/triton_files.h"

#include "tests/gpu/operator_programs.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include <filesystem>

using namespace reinspect;

class CudaTest : public QObject
{
    Q_OBJECT

private slots:
    void commandLineSaysWhatIsMissing();
    void commandLineTellsOfTheDevice();
    void tf32IsAllowedByItsSwitch_data();
    void tf32IsAllowedByItsSwitch();
    void optionsAboutGpusNeedOne();
    void samplesAreEqual_data();
    void samplesAreEqual();
    void operatorsRunThereAlone_data();
    void operatorsRunThereAlone();
};

void CudaTest::commandLineSaysWhatIsMissing()
{
    const auto gpu = gpu::openGpu();
    QProcess program;
    program.start(
        REINSPECT_CLI_PROGRAM,
        {"run", REINSPECT_SOURCE_DIR "/samples/triton_old_value_needed.json", "--backend", "cuda"});
    QVERIFY(program.waitForFinished());
    const QString said = QString::fromUtf8(program.readAllStandardError());
    if (gpu.ok())
    {
        QCOMPARE(program.exitCode(), 0);
        return;
    }
    QCOMPARE(program.exitCode(), 4);
    QVERIFY2(said.contains("the module for CUDA") || said.contains("CUDA cannot be used here"),
             qPrintable(said));
    QVERIFY2(said.contains("the CPU runs graphs") || said.contains("cuBLAS"), qPrintable(said));
}

// With the stand-in of tests/gpu/host_module.cpp.
void CudaTest::commandLineTellsOfTheDevice()
{
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("REINSPECT_CUDA_MODULE", REINSPECT_HOST_GPU);
    program.setProcessEnvironment(environment);
    program.start(REINSPECT_CLI_PROGRAM,
                  {"run", REINSPECT_SOURCE_DIR "/samples/kv_cache_2_layers.json", "--backend",
                   "cuda", "--compare", "--against-cpu", "--times", "--repeat", "2", "--cuda-graph",
                   "--json"});
    QVERIFY(program.waitForFinished());
    QCOMPARE(program.exitCode(), 0);
    const QJsonObject answer = QJsonDocument::fromJson(program.readAllStandardOutput()).object();
    QCOMPARE(answer["backend"].toString(), QString("cuda"));
    QCOMPARE(answer["equal"].toBool(), true);
    QCOMPARE(answer["host"]["equal"].toBool(), true);
    const QJsonObject before = answer["runs"]["before"].toObject();
    QCOMPARE(before["repeat_seconds"].toArray().size(), 2);
    QVERIFY(before["notes"].toArray().contains(
        "The run could not be recorded as a CUDA graph: a device in the host's memory: nothing is "
        "recorded here"));
    QCOMPARE(before["device"]["name"].toString(), QString("a device in the host's memory"));
    QCOMPARE(before["device"]["peak_bytes"], before["measured_peak_bytes"]);
    QCOMPARE(before["device"]["nodes"].toArray().size(), before["nodes"].toInt());
}

void CudaTest::tf32IsAllowedByItsSwitch_data()
{
    QTest::addColumn<bool>("isAllowed");
    QTest::newRow("at first") << false;
    QTest::newRow("--tf32") << true;
}

void CudaTest::tf32IsAllowedByItsSwitch()
{
    QFETCH(bool, isAllowed);
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("REINSPECT_CUDA_MODULE", REINSPECT_HOST_GPU);
    program.setProcessEnvironment(environment);
    QStringList arguments{"run", REINSPECT_SOURCE_DIR "/samples/kv_cache_2_layers.json",
                          "--backend", "cuda"};
    if (isAllowed)
        arguments.append("--tf32");
    program.start(REINSPECT_CLI_PROGRAM, arguments + QStringList{"--json"});
    QVERIFY(program.waitForFinished());
    const QJsonObject answer = QJsonDocument::fromJson(program.readAllStandardOutput()).object();
    QCOMPARE(answer["runs"]["before"]["device"]["tf32"].toBool(false), isAllowed);
    program.start(REINSPECT_CLI_PROGRAM, arguments);
    QVERIFY(program.waitForFinished());
    QCOMPARE(program.readAllStandardOutput().contains(", TF32: "), isAllowed);
}

void CudaTest::optionsAboutGpusNeedOne()
{
    QProcess program;
    program.start(REINSPECT_CLI_PROGRAM,
                  {"run", REINSPECT_SOURCE_DIR "/samples/kv_cache_2_layers.json", "--tf32"});
    QVERIFY(program.waitForFinished());
    QCOMPARE(program.exitCode(), 2);
    QVERIFY(program.readAllStandardError().contains("They go with --backend cuda."));
}

void CudaTest::samplesAreEqual_data()
{
    QTest::addColumn<QString>("path");
    for (const auto& entry : std::filesystem::directory_iterator(REINSPECT_SOURCE_DIR "/samples"))
        if (entry.path().extension() == ".json" && entry.path().stem() != "index")
            QTest::newRow(entry.path().stem().c_str())
                << QString::fromStdString(entry.path().string());
}

// Run on the same inputs, there and here.
void CudaTest::samplesAreEqual()
{
    QFETCH(QString, path);
    const auto gpu = gpu::openGpu();
    if (!gpu.ok())
        QSKIP(gpu.error().message.c_str());
    const auto loaded = loadDocument(path.toStdString());
    QVERIFY(loaded.ok());
    const auto document = *loaded;
    const auto graph = document->graphs.front().graph;
    proof::InputSource source;
    source.triton = proof::readTritonLibrary(document->facts);
    const auto here = proof::runStage("before", graph, document->facts, document->shapes, source);
    source.device = gpu->device;
    const auto there = proof::runStage("before", graph, document->facts, document->shapes, source);
    QVERIFY(here.ok() && there.ok());
    QCOMPARE(there->ran(), here->ran());
    const auto exactness = proof::exactnessOf(*graph, document->facts);
    for (std::size_t i = 0; i < here->run.outputs.size() && i < there->run.outputs.size(); ++i)
    {
        const exec::Tensor* tensor = here->run.outputs[i].tensor();
        const auto tolerance =
            tensor ? proof::toleranceFor(tensor->dtype, exactness) : proof::Tolerance();
        QVERIFY(
            proof::compareValues(here->run.outputs[i], there->run.outputs[i], tolerance).isWithin);
    }
}

void CudaTest::operatorsRunThereAlone_data()
{
    QTest::addColumn<OperatorProgram>("program");
    for (const OperatorProgram& program : operatorPrograms())
        QTest::newRow(nameOf(program).c_str()) << program;
}

void CudaTest::operatorsRunThereAlone()
{
    QFETCH(OperatorProgram, program);
    const auto gpu = gpu::openGpu();
    if (!gpu.ok())
        QSKIP(gpu.error().message.c_str());
    const std::string difference = whatDiffers(program, gpu->device);
    QVERIFY2(difference.empty(), difference.c_str());
}

Q_DECLARE_METATYPE(reinspect::OperatorProgram)
QTEST_GUILESS_MAIN(CudaTest)
#include "tst_cuda.moc"
