// SPDX-License-Identifier: MIT
// Operators that are made of several calls of the device's, on the stand-in in the host's memory (host_api.h): in many
// shapes they give what the host's own rows give, laid out as theirs, and nothing of them runs on the host.

#include "tests/gpu/host_api.h"
#include "tests/gpu/operator_programs.h"

#include "core/gpu/gpu_device.h"

#include <QTest>

using namespace reinspect;

class GpuOperatorsTest : public QObject
{
    Q_OBJECT

private slots:
    void sameAsOnTheHost_data();
    void sameAsOnTheHost();
};

void GpuOperatorsTest::sameAsOnTheHost_data()
{
    QTest::addColumn<OperatorProgram>("program");
    for (const OperatorProgram& program : operatorPrograms())
        QTest::newRow(nameOf(program).c_str()) << program;
}

void GpuOperatorsTest::sameAsOnTheHost()
{
    QFETCH(OperatorProgram, program);
    const auto api = std::make_shared<gpu::HostApi>();
    const std::string difference = whatDiffers(program, gpu::makeGpuDevice(api));
    QVERIFY2(difference.empty(), difference.c_str());
    QCOMPARE(api->allocations(), std::size_t{0});
}

Q_DECLARE_METATYPE(reinspect::OperatorProgram)
QTEST_APPLESS_MAIN(GpuOperatorsTest)
#include "tst_gpu_operators.moc"
