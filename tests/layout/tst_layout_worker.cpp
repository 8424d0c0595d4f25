// SPDX-License-Identifier: MIT
// The helper as the window uses it: a process with text in and text out.
#include "tests/layout/layout_checks.h"

#include <QFileInfo>
#include <QProcess>
#include <QTest>

using namespace reinspect;

class tst_LayoutWorker : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void aGoodRequestIsAnswered();
    void brokenJsonIsRefusedWithASentence();
    void aRequestThatMakesNoSenseIsRefused();
    void itCanBeKilled();

private:
    QString m_program;
};

void tst_LayoutWorker::initTestCase()
{
#ifdef REINSPECT_LAYOUT_PROGRAM
    m_program = QStringLiteral(REINSPECT_LAYOUT_PROGRAM);
#endif
    if (!QFileInfo(m_program).isExecutable())
        QSKIP("reinspect-layout is not built: there is no Graphviz.");
}

static void startWith(QProcess& process, const QString& program, const std::string& input)
{
    process.start(program, QStringList());
    process.write(input.data(), static_cast<qint64>(input.size()));
    process.closeWriteChannel();
}

void tst_LayoutWorker::aGoodRequestIsAnswered()
{
    const LayoutRequest request = randomProgram(120, 2);
    QProcess process;
    startWith(process, m_program, toJson(request));
    QVERIFY(process.waitForFinished());
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
    const Result<LayoutResult> result =
        layoutResultFromJson(process.readAllStandardOutput().toStdString());
    QVERIFY(result.ok());
    QVERIFY(checkAnswers(*result, request).ok());
    QCOMPARE(result->engine, "graphviz");
}

void tst_LayoutWorker::brokenJsonIsRefusedWithASentence()
{
    QProcess process;
    startWith(process, m_program, "{\"boxes\": [");
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 3);
    QVERIFY(process.readAllStandardError().startsWith("not a layout request"));
    QVERIFY(process.readAllStandardOutput().isEmpty());
}

void tst_LayoutWorker::aRequestThatMakesNoSenseIsRefused()
{
    LayoutRequest request = plainRequest(2, {{0, 1}});
    request.edges[0] = {1, 0};
    QProcess process;
    startWith(process, m_program, toJson(request));
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 3);
}

void tst_LayoutWorker::itCanBeKilled()
{
    QProcess process;
    process.start(m_program, QStringList()); // waits for its request
    QVERIFY(process.waitForStarted());
    process.kill();
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitStatus(), QProcess::CrashExit);
}

QTEST_GUILESS_MAIN(tst_LayoutWorker)
#include "tst_layout_worker.moc"
