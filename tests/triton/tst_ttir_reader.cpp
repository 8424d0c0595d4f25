// SPDX-License-Identifier: MIT
#include "core/triton/ttir_effects.h"
#include "tests/support/triton_kernels.h"

#include <QTest>

using namespace reinspect;
using namespace reinspect::triton;

namespace
{

const char* const kFiles[] = {
    "add",
    "atomic_hist",
    "atomics",
    "blockptr.raw",
    "calls.raw",
    "dots",
    "loops",
    "maths",
    "matmul",
    "ptrs",
    "softmax",
    "reduces.raw",
    "shapes.raw",
    "triton21_atomics",
    "triton21_blockptr.raw",
    "triton21_calls.raw",
    "triton21_loops",
    "triton30_shapes.raw",
};

std::string inKernel(const std::string& lines)
{
    return "module {\n  tt.func public @k(%x: !tt.ptr<f32>, %n: i32) {\n" + lines
        + "\n    tt.return\n  }\n}\n";
}

} // namespace

class tst_TtirReader : public QObject
{
    Q_OBJECT

private slots:
    void everyVersionOfTritonIsRead_data();
    void everyVersionOfTritonIsRead();
    void anOperationHasItsPlaceAndTypes();
    void theGenericFormReadsAsThePrettyOne();
    void badTextsAreRefused_data();
    void badTextsAreRefused();
    void textsCutAnywhereNeverCrash_data() { everyVersionOfTritonIsRead_data(); }
    void textsCutAnywhereNeverCrash();
    void deepNestingIsRefused();
};

void tst_TtirReader::everyVersionOfTritonIsRead_data()
{
    QTest::addColumn<std::string>("file");
    for (const char* file : kFiles)
        QTest::newRow(file) << std::string(file);
}

void tst_TtirReader::everyVersionOfTritonIsRead()
{
    QFETCH(const std::string, file);
    const Result<Kernel> kernel = readTtir(kernelFile(file));
    QVERIFY2(kernel.ok(), kernel.ok() ? "" : toText(kernel.error()).c_str());
    const Result<void> runs = checkRunnable(*kernel);
    QVERIFY2(runs.ok(), runs.ok() ? "" : runs.error().message.c_str());
}

void tst_TtirReader::anOperationHasItsPlaceAndTypes()
{
    const Result<Kernel> kernel = readTtir(kernelFile("softmax"));
    QVERIFY(kernel.ok());
    const Function& function = kernel->function();
    QCOMPARE(function.name, std::string("softmax_kernel"));
    QCOMPARE(function.parameters.size(), std::size_t(4));
    QCOMPARE(function.values[function.parameters[2]].name, std::string("stride"));
    const auto& operations = function.body.blocks[0].operations;
    const auto load = std::ranges::find(operations, Opcode::Load, &Operation::code);
    QCOMPARE(load->operands.size(), std::size_t(3));
    QCOMPARE(toText(function.type(load->results[0])), std::string("tensor<32xf32>"));
    // %v is named at the load; the location's name is peeled off.
    QCOMPARE(toText(load->place), std::string("line 23 (programs/cases.py:37)"));
    const auto reduce = std::ranges::find(operations, Opcode::Reduce, &Operation::code);
    QCOMPARE(reduce->regions.size(), std::size_t(1));
    QCOMPARE(reduce->integer("axis", -1), std::int64_t(0));
    QCOMPARE(toText(function.type(reduce->results[0])), std::string("f32"));
}

void tst_TtirReader::theGenericFormReadsAsThePrettyOne()
{
    const std::string pretty = R"(module {
  tt.func public @k(%x: !tt.ptr<i32>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum = scf.for %i = %zero to %n step %one iter_args(%a = %zero) -> (i32)  : i32 {
      %c = arith.cmpi sgt, %i, %one : i32
      %d = scf.if %c -> (i32) {
        %e = arith.addi %a, %i : i32
        scf.yield %e : i32
      } else {
        scf.yield %a : i32
      }
      scf.yield %d : i32
    }
    tt.store %x, %sum : !tt.ptr<i32>
    tt.return
  }
})";
    const std::string generic = R"("builtin.module"() ({
  "tt.func"() <{function_type = (!tt.ptr<i32>, i32) -> (), sym_name = "k", sym_visibility = "public"}> ({
  ^bb0(%x: !tt.ptr<i32>, %n: i32):
    %zero = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %one = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %sum = "scf.for"(%zero, %n, %one, %zero) ({
    ^bb0(%i: i32, %a: i32):
      %c = "arith.cmpi"(%i, %one) <{predicate = 4 : i64}> : (i32, i32) -> i1
      %d = "scf.if"(%c) ({
        %e = "arith.addi"(%a, %i) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        "scf.yield"(%e) : (i32) -> ()
      }, {
        "scf.yield"(%a) : (i32) -> ()
      }) : (i1) -> i32
      "scf.yield"(%d) : (i32) -> ()
    }) : (i32, i32, i32, i32) -> i32
    "tt.store"(%x, %sum) <{cache = 1 : i32, evict = 1 : i32}> : (!tt.ptr<i32>, i32) -> ()
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) : () -> ())";
    for (const std::string& text : {pretty, generic})
    {
        const Result<Kernel> kernel = readTtir(text);
        QVERIFY2(kernel.ok(), kernel.ok() ? "" : toText(kernel.error()).c_str());
        Memory x("i32", {0});
        const Result<RunReport> report =
            runKernel(*kernel, std::vector<LaunchArgument>{x.argument(), std::int64_t(5)}, {});
        QVERIFY2(report.ok(), report.ok() ? "" : report.error().message.c_str());
        QCOMPARE(x.at(0), 9.0); // 2 + 3 + 4
        QCOMPARE(effectsOf(*kernel).written(), std::vector<std::string>{"x"});
    }
}

void tst_TtirReader::badTextsAreRefused_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("message");
    QTest::addColumn<int>("line");
    const auto row = [](const char* name, const std::string& text, const char* message, int line) {
        QTest::newRow(name) << text << std::string(message) << line;
    };
    row("nothing", "", "no tt.func in this text: it is no TTIR of a kernel", 1);
    row("another text", "def f(x):\n", "expected 'module', 'tt.func' or the definition of an alias",
        1);
    row("a module that ends too soon", "module {\n  tt.func public @k() {\n",
        "the region that opens here is never closed", 3);
    row("unknown value", inKernel("    %a = arith.addi %n, %m : i32"), "unknown value '%m'", 3);
    row("unknown type", inKernel("    %a = arith.addi %n, %n : q32"), "unknown type 'q32'", 3);
    row("missing types", inKernel("    %a = arith.addi %n, %n"),
        "expected ':' and the types of arith.addi", 4);
    row("results", inKernel("    %a:2 = tt.splat %n : i32 -> (i32, i32, i32)"),
        "tt.splat has 3 results", 3);
    row("a block that is not there", inKernel("    cf.br ^bb7"),
        "a branch leads to '^bb7', which is not there", 6);
    row("a constant of another size",
        inKernel("    %a = arith.constant dense<[1, 2]> : tensor<3xi32>"),
        "a constant of type tensor<3xi32> has 2 numbers", 4);
    row("a tensor without end",
        inKernel("    %a = arith.constant dense<0> : tensor<99999999999999x999999xi32>"),
        "a tensor of this shape cannot be held", 3);
    row("a declaration alone", "tt.func private @k(i32) -> i32",
        "no public tt.func with a body in this text", 1);
}

void tst_TtirReader::badTextsAreRefused()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, message);
    QFETCH(const int, line);
    const Result<Kernel> kernel = readTtir(text);
    QVERIFY(!kernel.ok());
    QCOMPARE(kernel.error().message, message);
    QCOMPARE(static_cast<int>(kernel.error().span.line), line);
    QVERIFY(kernel.error().span.column > 0);
}

// Cut behind every byte of one text and at many places of the others, and with a byte left out there: an
// answer each time, and whatever is read can be asked.
void tst_TtirReader::textsCutAnywhereNeverCrash()
{
    QFETCH(const std::string, file);
    const std::string text = kernelFile(file);
    const std::size_t stride = file == "add" ? 1 : text.size() / 40;
    std::size_t refused = 0;
    for (std::size_t i = 0; i < text.size(); i += stride)
    {
        std::string damaged = text;
        damaged.erase(i, 1);
        for (const std::string& part : {text.substr(0, i), i % 4 == 0 ? damaged : std::string()})
        {
            const Result<Kernel> kernel = readTtir(part);
            refused += kernel.ok() ? 0 : 1;
            if (!kernel.ok())
                continue;
            effectsOf(*kernel);
            static_cast<void>(checkRunnable(*kernel).ok());
        }
    }
    QVERIFY(refused > 10);
}

void tst_TtirReader::deepNestingIsRefused()
{
    std::string regions;
    std::string types;
    for (int i = 0; i < 10000; ++i)
    {
        regions += "scf.if %c {\n";
        types += "!tt.ptr<";
    }
    const Result<Kernel> deep = readTtir("tt.func public @k(%c: i1) {\n" + regions);
    QVERIFY(!deep.ok());
    QCOMPARE(deep.error().message, std::string("regions are nested too deeply"));
    const Result<Kernel> deepType = readTtir("tt.func public @k(%c: " + types);
    QVERIFY(!deepType.ok());
    QCOMPARE(deepType.error().message, std::string("types are nested too deeply"));
}

QTEST_APPLESS_MAIN(tst_TtirReader)
#include "tst_ttir_reader.moc"
