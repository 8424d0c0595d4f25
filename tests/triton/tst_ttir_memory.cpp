// SPDX-License-Identifier: MIT
// What a kernel does to memory: masks, atomics, what lies outside, and runs that are stopped.
#include "tests/support/triton_kernels.h"

#include <QTest>

using namespace reinspect;
using namespace reinspect::triton;
using Numbers = std::vector<double>;

namespace
{

Kernel kernelOf(const std::string& text)
{
    Result<Kernel> kernel = readTtir(text);
    if (!kernel.ok())
        qFatal("%s", toText(kernel.error()).c_str());
    return std::move(*kernel);
}

// A kernel of two pointers and an integer around these lines; %i is a range of four.
Kernel around(const std::string& lines)
{
    return kernelOf("module {\n  tt.func public @k(%x: !tt.ptr<i32>, %f: !tt.ptr<f32>, %n: i32) {\n"
                    "    %i = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>\n"
                    "    %px = tt.splat %x : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>\n"
                    "    %qx = tt.addptr %px, %i : tensor<4x!tt.ptr<i32>>, tensor<4xi32>\n"
                    + lines + "\n    tt.return\n  }\n}\n");
}

} // namespace

class tst_TtirMemory : public QObject
{
    Q_OBJECT

private slots:
    void atomics_data();
    void atomics();
    void aWriteOutsideTheStorageStops();
    void aReadOutsideTheStorageStops();
    void aWriteOutsideTheViewWarnsOnce();
    void tensorsThatShareMemorySeeEachOther();
    void aLoopWithoutEndStops();
    void aRunCanBeCancelled();
    void anAssertionStops();
    void printedLinesAreKept();
    void whatCannotRunIsNamed_data();
    void whatCannotRunIsNamed();
    void argumentsThatDoNotFitAreRefused();
};

void tst_TtirMemory::atomics_data()
{
    QTest::addColumn<std::string>("line");
    QTest::addColumn<std::vector<double>>("before");
    QTest::addColumn<std::vector<double>>("after");
    const std::string types =
        "(tensor<4x!tt.ptr<i32>>, tensor<4xi32>, tensor<4xi1>) -> tensor<4xi32>";
    const auto row = [&](const char* kind, Numbers before, Numbers after) {
        QTest::newRow(kind)
            << "    %m = arith.constant dense<[true, true, true, false]> : tensor<4xi1>\n    %r = "
               "tt.atomic_rmw "
                + std::string(kind) + ", acq_rel, gpu, %qx, %i, %m : " + types
            << std::move(before) << std::move(after);
    };
    row("add", {10, 10, 10, 10}, {10, 11, 12, 10});
    row("and", {7, 7, 7, 7}, {0, 1, 2, 7});
    row("or", {8, 8, 8, 8}, {8, 9, 10, 8});
    row("xor", {3, 3, 3, 3}, {3, 2, 1, 3});
    row("max", {-1, 5, 1, 1}, {0, 5, 2, 1});
    row("min", {-1, 5, 1, 9}, {-1, 1, 1, 9});
    row("umax", {-1, 0, 1, 1}, {-1, 1, 2, 1});
    row("umin", {-1, 0, 1, 9}, {0, 0, 1, 9});
    row("exch", {9, 9, 9, 9}, {0, 1, 2, 9});
    QTest::newRow("cas") << std::string(
        "    %w = arith.constant dense<70> : tensor<4xi32>\n    %r = tt.atomic_cas "
        "acq_rel, gpu, %qx, %i, %w : (tensor<4x!tt.ptr<i32>>, tensor<4xi32>, "
        "tensor<4xi32>) -> tensor<4xi32>")
                         << Numbers{0, 5, 2, 5} << Numbers{70, 5, 70, 5};
    // All lanes at one place: they follow one another.
    QTest::newRow("the same place")
        << "    %o = arith.constant dense<1> : tensor<4xi32>\n    %t = arith.constant "
           "dense<true> : tensor<4xi1>\n    %r = tt.atomic_rmw add, acq_rel, gpu, %px, %o, %t : "
            + types
        << Numbers{1, 0, 0, 0} << Numbers{5, 0, 0, 0};
}

void tst_TtirMemory::atomics()
{
    QFETCH(const std::string, line);
    QFETCH(const Numbers, before);
    QFETCH(const Numbers, after);
    const Kernel kernel = around(line);
    Memory x("i32", before);
    Memory f("f32", {0});
    const Result<RunReport> report = runKernel(
        kernel, std::vector<LaunchArgument>{x.argument(), f.argument(), std::int64_t(0)}, {});
    QVERIFY2(report.ok(), report.ok() ? "" : report.error().message.c_str());
    QCOMPARE(x.numbers(), after);
}

// 64 programs of 64 elements over a tensor of 100: without its mask the kernel would write further.
void tst_TtirMemory::aWriteOutsideTheStorageStops()
{
    const Kernel kernel = around("    tt.store %qx, %i : tensor<4x!tt.ptr<i32>>");
    Memory x("i32", {9, 9, 9});
    Memory f("f32", {0});
    const Result<RunReport> report =
        runKernel(kernel, std::vector<LaunchArgument>{x.argument(), f.argument(), std::int64_t(0)},
                  {3, 1, 1});
    QVERIFY(!report.ok());
    QCOMPARE(
        report.error().message,
        std::string(
            "kernel k, line 6, program (0, 0, 0): a write of 4 bytes at byte 12 of the storage "
            "of 'x', which has 12 bytes"));
    QCOMPARE(x.numbers(), (Numbers{0, 1, 2})); // what came before the stop
}

void tst_TtirMemory::aReadOutsideTheStorageStops()
{
    const Kernel kernel =
        around("    %back = arith.constant dense<-1> : tensor<4xi32>\n"
               "    %p = tt.addptr %qx, %back : tensor<4x!tt.ptr<i32>>, tensor<4xi32>\n"
               "    %v = tt.load %p : tensor<4x!tt.ptr<i32>>");
    Memory x("i32", {9, 9, 9, 9});
    Memory f("f32", {0});
    const Result<RunReport> report = runKernel(
        kernel, std::vector<LaunchArgument>{x.argument(), f.argument(), std::int64_t(0)}, {});
    QVERIFY(!report.ok());
    QVERIFY(report.error().message.find("a read of 4 bytes at byte -4 of the storage of 'x'")
            != std::string::npos);
}

void tst_TtirMemory::aWriteOutsideTheViewWarnsOnce()
{
    const Kernel kernel = around("    tt.store %qx, %i : tensor<4x!tt.ptr<i32>>");
    Memory x("i32", {9, 9, 9, 9, 9, 9});
    Memory f("f32", {0});
    TensorArgument view = x.argument();
    view.offsetBytes = view.viewBegin = 4;
    view.viewEnd = 12; // two elements
    const Result<RunReport> report = runKernel(
        kernel, std::vector<LaunchArgument>{view, f.argument(), std::int64_t(0)}, {5, 1, 1});
    QVERIFY(report.ok());
    QCOMPARE(report->warnings.size(), std::size_t(1));
    QCOMPARE(report->warnings[0].parameter, std::string("x"));
    QCOMPARE(
        report->warnings[0].text,
        std::string(
            "kernel k, line 6, program (0, 0, 0): a write of 4 bytes at byte 12 of the storage "
            "of 'x' lies outside the tensor, which has bytes 4 to 12"));
    QCOMPARE(x.numbers(), (Numbers{9, 0, 1, 2, 3, 9}));
    QCOMPARE(report->touched[0].stores, std::int64_t(20));
}

void tst_TtirMemory::tensorsThatShareMemorySeeEachOther()
{
    const Kernel kernel = around("    tt.store %qx, %i : tensor<4x!tt.ptr<i32>>\n"
                                 "    %y = tt.bitcast %f : !tt.ptr<f32> -> !tt.ptr<i32>\n    %v = "
                                 "tt.load %y : !tt.ptr<i32>\n"
                                 "    tt.store %x, %v : !tt.ptr<i32>");
    Memory x("i32", {0, 0, 0, 0});
    TensorArgument third = x.argument();
    third.offsetBytes = 8;
    const Result<RunReport> report =
        runKernel(kernel, std::vector<LaunchArgument>{x.argument(), third, std::int64_t(0)}, {});
    QVERIFY2(report.ok(), report.ok() ? "" : report.error().message.c_str());
    QCOMPARE(x.numbers(), (Numbers{2, 1, 2, 3}));
}

void tst_TtirMemory::aLoopWithoutEndStops()
{
    const Kernel kernel = around("    %c = arith.constant true\n    scf.while : () -> () {\n      "
                                 "scf.condition(%c)\n    } do {\n      scf.yield\n    }");
    Memory x("i32", {0, 0, 0, 0});
    Memory f("f32", {0});
    RunLimits limits;
    limits.steps = 100000;
    const Result<RunReport> report =
        runKernel(kernel, std::vector<LaunchArgument>{x.argument(), f.argument(), std::int64_t(0)},
                  {}, {}, limits);
    QVERIFY(!report.ok());
    QCOMPARE(report.error().message,
             std::string("kernel k, program (0, 0, 0): stopped after 100000 steps"));
}

void tst_TtirMemory::aRunCanBeCancelled()
{
    const Kernel kernel = around("    %c = arith.constant true\n    scf.while : () -> () {\n      "
                                 "scf.condition(%c)\n    } do {\n      scf.yield\n    }");
    Memory x("i32", {0, 0, 0, 0});
    Memory f("f32", {0});
    std::stop_source source;
    source.request_stop();
    const Result<RunReport> report =
        runKernel(kernel, std::vector<LaunchArgument>{x.argument(), f.argument(), std::int64_t(0)},
                  {}, {.stop = source.get_token()});
    QVERIFY(!report.ok());
    QCOMPARE(report.error().message, std::string("Cancelled"));
}

void tst_TtirMemory::anAssertionStops()
{
    const Kernel kernel =
        around("    %z = arith.constant dense<2> : tensor<4xi32>\n    %c = arith.cmpi slt, %i, %z "
               ": tensor<4xi32>\n    tt.assert %c, \"too far\" : tensor<4xi1>");
    Memory x("i32", {0, 0, 0, 0});
    Memory f("f32", {0});
    const Result<RunReport> report = runKernel(
        kernel, std::vector<LaunchArgument>{x.argument(), f.argument(), std::int64_t(0)}, {});
    QVERIFY(!report.ok());
    QCOMPARE(report.error().message,
             std::string("kernel k, line 8, program (0, 0, 0): the assertion \"too "
                         "far\" does not hold at element 2"));
}

void tst_TtirMemory::printedLinesAreKept()
{
    const Kernel kernel = around(
        "    tt.print \" i: \" {hex = false, isSigned = array<i32: 1>} : %i : tensor<4xi32>");
    Memory x("i32", {0, 0, 0, 0});
    Memory f("f32", {0});
    const Result<RunReport> report =
        runKernel(kernel, std::vector<LaunchArgument>{x.argument(), f.argument(), std::int64_t(0)},
                  {2, 1, 1});
    QVERIFY(report.ok());
    QCOMPARE(report->printed,
             (std::vector<std::string>{"(0, 0, 0)  i:  0 1 2 3", "(1, 0, 0)  i:  0 1 2 3"}));
}

void tst_TtirMemory::whatCannotRunIsNamed_data()
{
    QTest::addColumn<std::string>("line");
    QTest::addColumn<std::string>("message");
    QTest::newRow("unknown operator")
        << std::string("    %a = my.op %i : tensor<4xi32> -> tensor<4xi32>")
        << std::string("cannot run: operator my.op at line 6 of kernel k: it is not "
                       "known here");
    QTest::newRow("unknown device function")
        << std::string("    %u = arith.constant 1.0 : f32\n    %a = tt.extern_elementwise %u "
                       "{libname = \"\", libpath = "
                       "\"\", pure = true, symbol = \"__nv_magicf\"} : (f32) -> f32")
        << std::string("cannot run: operator tt.extern_elementwise at line 7 of kernel k: the "
                       "device function "
                       "'__nv_magicf' is not known here");
    QTest::newRow("types that do not fit")
        << std::string("    %a = arith.addi %i, %n : tensor<4xi32>")
        << std::string("cannot run: operator arith.addi at line 6 of kernel k: its operands do not "
                       "fit each other");
    QTest::newRow("a function that is not there")
        << std::string("    tt.call @f(%x) : (!tt.ptr<i32>) -> ()")
        << std::string(
               "cannot run: operator tt.call at line 6 of kernel k: there is no function 'f'");
}

void tst_TtirMemory::whatCannotRunIsNamed()
{
    QFETCH(const std::string, line);
    QFETCH(const std::string, message);
    const Kernel kernel = around(line);
    const Result<void> runs = checkRunnable(kernel);
    QVERIFY(!runs.ok());
    QCOMPARE(runs.error().message, message);
    QCOMPARE(runs.error().kind, ErrorKind::CannotRunHere);
}

void tst_TtirMemory::argumentsThatDoNotFitAreRefused()
{
    const Kernel kernel = around("");
    Memory x("i32", {0, 0, 0, 0});
    const auto messageFor = [&](std::vector<LaunchArgument> arguments, Grid grid = {}) {
        const Result<RunReport> report = runKernel(kernel, arguments, grid);
        return report.ok() ? std::string() : report.error().message;
    };
    QCOMPARE(messageFor({x.argument()}),
             std::string("kernel k has 3 parameters, 1 arguments were given"));
    QCOMPARE(messageFor({x.argument(), std::int64_t(1), std::int64_t(1)}),
             std::string("parameter 'f' of kernel k of type !tt.ptr<f32>: an integer was given"));
    QCOMPARE(messageFor({x.argument(), x.argument(), x.argument()}),
             std::string("parameter 'n' of kernel k of type i32: a tensor was given"));
    QCOMPARE(messageFor({x.argument(), x.argument(), std::int64_t(1)}, {-1, 1, 1}),
             std::string("the grid of kernel k has a negative size"));
    QCOMPARE(messageFor({x.argument(), x.argument(), std::int64_t(1)}, {0, 1, 1}), std::string());
}

QTEST_APPLESS_MAIN(tst_TtirMemory)
#include "tst_ttir_memory.moc"
