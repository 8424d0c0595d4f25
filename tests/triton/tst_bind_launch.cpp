// SPDX-License-Identifier: MIT
#include "core/io/document.h"
#include "core/triton/bind_launch.h"
#include "tests/support/triton_kernels.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace reinspect;
using namespace reinspect::triton;

namespace
{

// A kernel of: pointer, n, a stride that was 1, an optional pointer left out, a tuple, a block size.
const char* const kCapture = R"json({"format": "reinspect-graph", "version": 1, "graph": {"name": "g", "nodes": [
  {"name": "output", "op": "output", "target": "output", "args": [{"$tuple": []}]}]},
 "triton": {"kernels": [{"kernel_idx": 3, "name": "k", "params": [{"name": "x", "constexpr": false}],
  "variants": [
   {"asm": {"ttir": "k.ttir"}, "metadata": {"num_warps": 4},
    "signature": {"x": "*fp32", "n": "i32", "stride": "constexpr", "bias": "constexpr", "pair": ["*fp32", "i32"], "BLOCK": "constexpr"},
    "constants": {"(2,)": 1, "(3,)": null, "(5,)": 64},
    "attrs": {"(1,)": "[['tt.divisibility', 16]]"}},
   {"asm": {"ttir": "other.ttir"},
    "signature": {"x": "*fp32", "n": "i32", "stride": "constexpr", "bias": "constexpr", "pair": ["*fp32", "i32"], "BLOCK": "constexpr"},
    "constants": {"(2,)": 1, "(3,)": null, "(5,)": 64}, "attrs": {"(1,)": "[]"}},
   {"asm": {"ttir": "wide.ttir"},
    "signature": {"x": "*fp64", "n": "i64", "stride": "i32", "bias": "constexpr", "pair": ["*fp32", "i32"], "BLOCK": "constexpr"},
    "constants": {"(3,)": null, "(5,)": 64}}]
}],
  "constant_args": {"0": {"BLOCK": 64, "stride": 1, "bias": null}}}
})json";

CaptureFacts factsOf(const std::string& text)
{
    const auto document = loadDocument(SourceText("", text));
    if (!document.ok())
        qFatal("%s", toText(document.error()).c_str());
    return (*document)->facts;
}

LaunchValue tensorOf(const char* type)
{
    return {LaunchTensor{.memory = {}, .type = type}};
}

LaunchValues launchOf(const CaptureFacts& facts, const char* type, std::int64_t n)
{
    LaunchValues values;
    for (const auto& [name, constant] : facts.constants(0)->values)
        values.emplace_back(name, launchValue(constant));
    values.emplace_back("x", tensorOf(type));
    values.emplace_back("n", LaunchValue{n});
    values.emplace_back("pair",
                        LaunchValue{std::vector<LaunchValue>{tensorOf("fp32"), {std::int64_t(7)}}});
    return values;
}

} // namespace

class tst_BindLaunch : public QObject
{
    Q_OBJECT

private slots:
    void theVariantThatFitsIsTaken();
    void aLaunchThatFitsNoneNamesTheParameter();
    void constantsAreNoParametersAndTuplesAreTakenApart();
    void filesLieBesideTheCapture();
};

void tst_BindLaunch::theVariantThatFitsIsTaken()
{
    const CaptureFacts facts = factsOf(kCapture);
    const TritonKernel& kernel = *facts.kernel(3);
    QCOMPARE(kernel.variants.size(), std::size_t(3));
    QCOMPARE(kernel.variants[0].numWarps, std::int64_t(4));
    QCOMPARE(*chooseVariant(kernel, launchOf(facts, "fp32", 32)), std::size_t(0));
    QCOMPARE(*chooseVariant(kernel, launchOf(facts, "fp32", 33)),
             std::size_t(1)); // no multiple of 16
    QCOMPARE(*chooseVariant(kernel, launchOf(facts, "fp64", 5'000'000'000)), std::size_t(2));
}

void tst_BindLaunch::aLaunchThatFitsNoneNamesTheParameter()
{
    const CaptureFacts facts = factsOf(kCapture);
    const Result<std::size_t> none = chooseVariant(*facts.kernel(3), launchOf(facts, "i64", 32));
    QVERIFY(!none.ok());
    QCOMPARE(none.error().message,
             std::string("no compiled variant of kernel k in the capture fits this "
                         "launch: see parameter 'x'"));
    TritonKernel empty;
    empty.name = "e";
    QCOMPARE(chooseVariant(empty, {}).error().message,
             std::string("kernel e has no compiled variant in the capture"));
}

void tst_BindLaunch::constantsAreNoParametersAndTuplesAreTakenApart()
{
    const CaptureFacts facts = factsOf(kCapture);
    const Result<Kernel> ttir = readTtir(
        "tt.func public @k(%x: !tt.ptr<f32>, %n: i32, %p: !tt.ptr<f32>, %q: i32) { tt.return }");
    const LaunchValues given = launchOf(facts, "fp32", 32);
    const auto arguments = bindLaunch(facts.kernel(3)->variants[0], *ttir, given);
    QVERIFY2(arguments.ok(), arguments.ok() ? "" : arguments.error().message.c_str());
    QCOMPARE(arguments->size(), std::size_t(4));
    QCOMPARE(std::get<std::int64_t>((*arguments)[1]), std::int64_t(32));
    QVERIFY(std::holds_alternative<TensorArgument>((*arguments)[2]));
    QCOMPARE(std::get<std::int64_t>((*arguments)[3]), std::int64_t(7));

    const Result<Kernel> shorter = readTtir("tt.func public @k(%x: !tt.ptr<f32>) { tt.return }");
    QCOMPARE(bindLaunch(facts.kernel(3)->variants[0], *shorter, given).error().message,
             std::string("the TTIR of kernel k has 1 parameters, the capture's signature 4"));
}

void tst_BindLaunch::filesLieBesideTheCapture()
{
    CaptureFacts facts = factsOf(kCapture);
    const TritonKernel kernel = *facts.kernel(3);
    QCOMPARE(
        loadVariant(facts, kernel, 0).error().message,
        std::string(
            "kernel k: its TTIR lies beside the capture's file, and this capture was in no file"));
    const QTemporaryDir folder;
    facts.folder = folder.path().toStdString();
    QVERIFY(
        loadVariant(facts, kernel, 0).error().message.starts_with("kernel k: there is no file "));
    std::ofstream(std::filesystem::path(facts.folder) / "k.ttir")
        << "tt.func public @k() { tt.return }";
    QVERIFY(loadVariant(facts, kernel, 0).ok());

    TritonKernel curious = kernel;
    curious.variants[0].ttirFile = "../k.ttir";
    QCOMPARE(loadVariant(facts, curious, 0).error().message,
             std::string("kernel k: '../k.ttir' is not beside the capture"));
}

QTEST_APPLESS_MAIN(tst_BindLaunch)
#include "tst_bind_launch.moc"
