// SPDX-License-Identifier: MIT
#include "core/triton/effect_rows.h"
#include "core/triton/ttir_effects.h"
#include "tests/support/triton_kernels.h"

#include <QTest>

using namespace reinspect;
using namespace reinspect::triton;

namespace
{

// "x:r out:w": r reads, w writes, a atomics, ? for what is only assumed.
std::string textOf(const Effects& effects)
{
    std::string text;
    for (const ParameterEffects& parameter : effects.parameters)
        if (parameter.isPointer || parameter.writes)
            text += (text.empty() ? "" : " ") + parameter.name + ":" + (parameter.reads ? "r" : "")
                + (parameter.writes ? "w" : "") + (parameter.atomics ? "a" : "")
                + (parameter.isCertain ? "" : "?");
    return text;
}

std::string kernelOf(const std::string& lines, const std::string& more = {})
{
    return "module {\n  tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32, %c: i1) {\n"
           "    %v = arith.constant 1.0 : f32\n    %one = arith.constant 1 : i32\n"
        + lines + "\n    tt.return\n  }\n" + more + "}\n";
}

} // namespace

class tst_TtirEffects : public QObject
{
    Q_OBJECT

private slots:
    void pointersAreFollowed_data();
    void pointersAreFollowed();
    void whatIsNotKnownIsSaid();
    void rowsCompareWithWhatIsCloned();
};

void tst_TtirEffects::pointersAreFollowed_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("expected");
    const auto file = [](const char* name, const char* expected) {
        QTest::newRow(name) << kernelFile(name) << std::string(expected);
    };
    file("add", "in0:r in1:r out:w");
    file("matmul", "a:r b:r c:w");
    file("softmax", "x:r out:w");
    file("atomic_hist", "idx:r hist:rwa");
    file("loops", "x:r out:w");
    file("calls.raw", "x:r out:rwa");
    file("blockptr.raw", "a:r out:w");
    file("ptrs", "x:rw out:rw");
    file("atomics", "x:r y:rwa out:rwa");
    file("triton21_atomics", "arg0:r arg1:rwa arg2:rwa");
    file("triton21_calls.raw", "arg0:r arg1:rwa");
    file("triton21_blockptr.raw", "arg0:r arg1:w");

    const auto row = [](const char* name, const std::string& lines, const char* expected,
                        const std::string& more = {}) {
        QTest::newRow(name) << kernelOf(lines, more) << std::string(expected);
    };
    row("nothing", "", "x: y:");
    row("the offset's tensor is only read",
        "    %p = tt.bitcast %y : !tt.ptr<f32> -> !tt.ptr<i32>\n    %o = tt.load %p : "
        "!tt.ptr<i32>\n"
        "    %q = tt.addptr %x, %o : !tt.ptr<f32>, i32\n    tt.store %q, %v : !tt.ptr<f32>",
        "x:w y:r");
    row("through an integer",
        "    %i = tt.ptr_to_int %x : !tt.ptr<f32> -> i64\n    %j = arith.addi %i, %i : i64\n"
        "    %p = tt.int_to_ptr %j : i64 -> !tt.ptr<f32>\n    tt.store %p, %v : !tt.ptr<f32>",
        "x:w y:");
    row("selected",
        "    %p = arith.select %c, %x, %y : !tt.ptr<f32>\n    tt.store %p, %v : !tt.ptr<f32>",
        "x:w y:w");
    row("carried by a loop, swapped",
        "    %z = arith.constant 0 : i32\n"
        "    %p:2 = scf.for %i = %z to %n step %one iter_args(%a = %x, %b = %y) -> (!tt.ptr<f32>, "
        "!tt.ptr<f32>)  : i32 {\n      scf.yield %b, %a : !tt.ptr<f32>, !tt.ptr<f32>\n    }\n"
        "    tt.store %p#0, %v : !tt.ptr<f32>",
        "x:w y:w");
    row("carried by a loop, each its own",
        "    %z = arith.constant 0 : i32\n"
        "    %p:2 = scf.for %i = %z to %n step %one iter_args(%a = %x, %b = %y) -> (!tt.ptr<f32>, "
        "!tt.ptr<f32>)  : i32 {\n      %d = tt.addptr %a, %one : !tt.ptr<f32>, i32\n"
        "      scf.yield %d, %b : !tt.ptr<f32>, !tt.ptr<f32>\n    }\n    tt.store %p#0, %v : "
        "!tt.ptr<f32>",
        "x:w y:");
    row("yielded by a branch",
        "    %p = scf.if %c -> (!tt.ptr<f32>) {\n      scf.yield %x : !tt.ptr<f32>\n    } else {\n"
        "      scf.yield %y : !tt.ptr<f32>\n    }\n    %u = tt.load %p : !tt.ptr<f32>",
        "x:r y:r");
    row("a block's argument",
        "    cf.cond_br %c, ^bb1(%x : !tt.ptr<f32>), ^bb2\n  ^bb1(%p: !tt.ptr<f32>):\n"
        "    tt.store %p, %v : !tt.ptr<f32>\n    cf.br ^bb2\n  ^bb2:",
        "x:w y:");
    row("by a call, and what it returns",
        "    %p = tt.call @f(%x, %y) : (!tt.ptr<f32>, !tt.ptr<f32>) -> !tt.ptr<f32>\n"
        "    tt.store %p, %v : !tt.ptr<f32>",
        "x:r y:w",
        "  tt.func private @f(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>) -> !tt.ptr<f32> {\n"
        "    %u = tt.load %a : !tt.ptr<f32>\n    tt.return %b : !tt.ptr<f32>\n  }\n");
    row("a function that calls itself", "    tt.call @f(%x) : (!tt.ptr<f32>) -> ()", "x:rw? y:",
        "  tt.func private @f(%a: !tt.ptr<f32>) {\n    tt.call @f(%a) : (!tt.ptr<f32>) -> ()\n    "
        "tt.return\n  }\n");
    row("an unknown operator", "    %u = my.op %x : !tt.ptr<f32> -> f32", "x:rw? y:");
    row("an unknown operator without pointers", "    %u = my.op %n : i32 -> i32", "x: y:");
    row("an address from memory",
        "    %p = tt.bitcast %x : !tt.ptr<f32> -> !tt.ptr<i64>\n    %a = tt.load %p : "
        "!tt.ptr<i64>\n"
        "    %q = tt.int_to_ptr %a : i64 -> !tt.ptr<f32>\n    tt.store %q, %v : !tt.ptr<f32>",
        "x:rw y:w?");
}

void tst_TtirEffects::pointersAreFollowed()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, expected);
    const Result<Kernel> kernel = readTtir(text);
    QVERIFY2(kernel.ok(), kernel.ok() ? "" : toText(kernel.error()).c_str());
    QCOMPARE(textOf(effectsOf(*kernel)), expected);
}

void tst_TtirEffects::whatIsNotKnownIsSaid()
{
    const Result<Kernel> kernel = readTtir(kernelOf("    %u = my.op %x : !tt.ptr<f32> -> f32"));
    QVERIFY(kernel.ok());
    QCOMPARE(effectsOf(*kernel).reasons,
             std::vector<std::string>{"what my.op does with a pointer is not known, line 5"});
    const Result<Kernel> add = readTtir(kernelFile("add"));
    QVERIFY(effectsOf(*add).reasons.empty());
    QCOMPARE(effectsOf(*add).written(), std::vector<std::string>{"out"});
}

void tst_TtirEffects::rowsCompareWithWhatIsCloned()
{
    TritonVariant variant;
    variant.signature = {{"a", {"*fp32", {}}},
                         {"pair", {"", {{"*fp32", {}}, {"constexpr", {}}}}},
                         {"out", {"*fp32", {}}},
                         {"n", {"i32", {}}},
                         {"BLOCK", {"constexpr", {}}}};
    const std::vector<std::string> names = parameterNames(variant);
    QCOMPARE(names, (std::vector<std::string>{"a", "pair.0", "out", "n"}));

    const Result<Kernel> add = readTtir(kernelFile("add"));
    const std::vector<std::string> cloned = {"a", "out"};
    const std::vector<EffectRow> rows = effectRows(effectsOf(*add), names, cloned);
    QCOMPARE(rows.size(), std::size_t(3));
    QCOMPARE(rows[0].parameter, std::string("a"));
    QCOMPARE(rows[0].effect, std::string("read"));
    QCOMPARE(rows[0].verdict, CloneVerdict::ClonedOnly);
    QCOMPARE(rows[1].parameter, std::string("pair.0"));
    QCOMPARE(rows[1].verdict, CloneVerdict::Agrees);
    QCOMPARE(rows[2].effect, std::string("written"));
    QCOMPARE(rows[2].verdict, CloneVerdict::Agrees);
    QVERIFY(rows[2].place.starts_with("line "));
    QVERIFY(rows[2].remark.empty());

    const std::vector<EffectRow> inPlace = effectRows(effectsOf(*add), {}, {});
    QCOMPARE(inPlace[2].parameter, std::string("out"));
    QCOMPARE(inPlace[2].verdict, CloneVerdict::WrittenOnly);
    QCOMPARE(inPlace[2].remark,
             std::string("Not in tensors_to_clone: the kernel writes the tensor itself."));
}

QTEST_APPLESS_MAIN(tst_TtirEffects)
#include "tst_ttir_effects.moc"
