// SPDX-License-Identifier: MIT
#include "core/passes/elementwise_kernel.h"

#include <QTest>

using namespace reinspect;

class tst_ElementwiseKernel : public QObject
{
    Q_OBJECT

private slots:
    void onlyPlainKernelsCount_data();
    void onlyPlainKernelsCount();
};

void tst_ElementwiseKernel::onlyPlainKernelsCount_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* name, const char* body, const char* expected) {
        QTest::newRow(name) << QByteArray(body) << QByteArray(expected);
    };
    row("one line", R"(
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK); m = o < n
    tl.store(out + o, tl.load(x + o, mask=m) + tl.load(y + o, mask=m), mask=m)
)",
        "out x y");
    row("the offset in steps, a statement over two lines, a comment", R"(
    pid = tl.program_id(axis=0)  # which run
    start = pid * BLOCK
    o = start + tl.arange(0, BLOCK)
    a = tl.load(x + o,
                mask=o < n)
    tl.store(out + o, tl.sin(a).to(tl.float32), mask=o < n)
)",
        "out x");
    row("a load after a store", R"(
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + o, tl.load(x + o))
    tl.store(y + o, tl.load(x + o))
)",
        "");
    row("the neighbour is read too", R"(
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + o, tl.load(x + o + 1))
)",
        "");
    row("two offsets", R"(
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    p = o + 1
    tl.store(out + o, tl.load(x + p))
)",
        "");
    row("programs overlap", R"(
    o = tl.program_id(0) * 2 + tl.arange(0, BLOCK)
    tl.store(out + o, tl.load(x + o))
)",
        "");
    row("every program has all elements", R"(
    o = tl.arange(0, BLOCK)
    tl.store(out + o, tl.load(x + o))
)",
        "");
    row("a sum mixes elements", R"(
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + o, tl.load(x + o) - tl.sum(tl.load(x + o)))
)",
        "");
    row("a loop", R"(
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    for i in range(2):
        tl.store(out + o, tl.load(x + o))
)",
        "");
    row("a pointer goes elsewhere", R"(
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    q = x + 4
    tl.store(out + o, tl.load(x + o))
)",
        "");
    row("an atomic", R"(
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out + o, tl.load(x + o))
)",
        "");
    row("an offset assigned twice", R"(
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    o = tl.arange(0, BLOCK)
    tl.store(out + o, tl.load(x + o))
)",
        "");
    row("a helper", R"(
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + o, helper(tl.load(x + o)))
)",
        "");
    row("nothing", "", "");
}

void tst_ElementwiseKernel::onlyPlainKernelsCount()
{
    QFETCH(QByteArray, body);
    TritonKernel kernel;
    kernel.source = "@triton.jit\ndef k(x, y, out, n, BLOCK: tl.constexpr):" + body.toStdString();
    for (const char* name : {"x", "y", "out", "n"})
        kernel.parameters.push_back({name, false});
    kernel.parameters.push_back({"BLOCK", true});
    std::string names;
    for (const std::string& name : elementwiseParameters(kernel))
        names += (names.empty() ? "" : " ") + name;
    QTEST(QByteArray::fromStdString(names), "expected");
}

QTEST_APPLESS_MAIN(tst_ElementwiseKernel)
#include "tst_elementwise_kernel.moc"
