// SPDX-License-Identifier: MIT
// The commands from argument to exit code, in one process.
#include "app/commands.h"

#include "tests/support/golden.h"

#include <QTemporaryFile>

using namespace reinspect;

class tst_Commands : public QObject
{
    Q_OBJECT

private slots:
    void infoTellsWhatIsInAFile();
    void infoAsJsonIsAContract();
    void infoOfALogListsEveryGraph();
    void onlyInputsOfThePassAreDecidedUnlessAsked();
    void aFolderIsAFile();
    void oneDecisionIsProved();
    void aMemoryLimitIsNamedAsItWasGiven();
    void kernelsAreExplained();
    void twoPoliciesAreCompared();
    void singleDecisionsAreForcedAndForbidden();
    void policiesAreListed();
    void aCaptureIsDecidedByTheRulesOfItsPyTorch();
    void convertingWritesEveryForm_data();
    void convertingWritesEveryForm();
    void convertingToAFileWritesIt();
    void exitCodesTellWhatWentWrong_data();
    void exitCodesTellWhatWentWrong();
    void problemsGoToStandardError();
    void aCutTextIsToldAndYetBadInput();
    void progressGoesToStandardErrorWhenAsked();
};

struct Ran
{
    int code = 0;
    std::string out;
    std::string err;
};

static Ran run(const std::vector<std::string>& arguments)
{
    std::ostringstream out;
    std::ostringstream err;
    const int code = runCommandLine(arguments, {out, err});
    return {code, out.str(), err.str()};
}

// Paths differ from machine to machine; what is printed of them should not.
static std::string withoutPath(std::string text)
{
    const std::string folder = testDataPath("");
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder))
        text.erase(at, folder.size());
    return text;
}

void tst_Commands::infoTellsWhatIsInAFile()
{
    const Ran ran = run({"info", testDataPath("triton_dynamic.json")});

    QCOMPARE(ran.code, 0);
    COMPARE_GOLDEN("app/info.txt", withoutPath(ran.out));
}

void tst_Commands::infoAsJsonIsAContract()
{
    const Ran ran = run({"info", "--json", testDataPath("triton_dynamic.ir.txt")});

    QCOMPARE(ran.code, 0);
    COMPARE_GOLDEN("app/info.json", withoutPath(ran.out));
}

void tst_Commands::infoOfALogListsEveryGraph()
{
    const Ran ran = run({"info", testDataPath("dumps/g_torch_logs.txt")});

    QCOMPARE(ran.code, 0);
    COMPARE_GOLDEN("app/info_log.txt", withoutPath(ran.out));
}

void tst_Commands::onlyInputsOfThePassAreDecidedUnlessAsked()
{
    const Ran all = run({"decide", "--json", testDataPath("dumps/g_torch_logs.txt")});
    QCOMPARE(all.code, 0);
    QVERIFY(all.err.find("3 of 4 graphs are not the pass's input") != std::string::npos);
    QVERIFY(all.out.find("auto_functionalized_v2") != std::string::npos);
    QVERIFY(all.out.find("GraphModule") == std::string::npos);

    const Ran dynamo =
        run({"decide", "--json", "--graph", "0", testDataPath("dumps/g_torch_logs.txt")});
    QCOMPARE(dynamo.code, 0);
    QVERIFY(dynamo.out.find("GraphModule") != std::string::npos);
    QVERIFY(dynamo.err.find("TORCH_LOGS=\"aot_graphs\"") != std::string::npos);

    const Ran after =
        run({"decide", "--json", "--graph", "3", testDataPath("dumps/g_torch_logs.txt")});
    QVERIFY(after.err.find("is of stage final") != std::string::npos);
}

void tst_Commands::aFolderIsAFile()
{
    const Ran ran = run({"info", "--json", testDataPath("dumps/debug_f")});

    QCOMPARE(ran.code, 0);
    QVERIFY(ran.out.find("\"wrapping\":\"folder\"") != std::string::npos);
    QVERIFY(ran.out.find("model__0_inference_0.0/fx_graph_transformed.py") != std::string::npos);
}

// Inputs count, too: 150 kB of them, and then a node that finds no room.
void tst_Commands::aMemoryLimitIsNamedAsItWasGiven()
{
    const Ran ran = run({"run", REINSPECT_SOURCE_DIR "/samples/kv_cache_2_layers.json",
                         "--memory-limit", "170000"});
    QCOMPARE(ran.code, 4);
    QVERIFY2(ran.err.find("node 'index_put_1'") != std::string::npos, ran.err.c_str());
    QVERIFY2(ran.err.find("the limit is 170000 with ") != std::string::npos, ran.err.c_str());
}

void tst_Commands::oneDecisionIsProved()
{
    const std::string lesson = REINSPECT_SOURCE_DIR "/samples/03_view_read_later.fx";
    const Ran decided = run({"decide", lesson});
    const std::string node = decided.out.substr(0, decided.out.find(' '));
    const Ran text = run({"run", lesson, "--prove", node});
    QCOMPARE(text.code, 1); // the write would change a result
    QVERIFY2(text.out.find("in place would change results") != std::string::npos, text.out.c_str());
    const Ran json = run({"run", lesson, "--json", "--prove", node + ":0"});
    QCOMPARE(json.code, 1);
    QVERIFY(json.out.find("\"effect\": \"alone\"") != std::string::npos);
    QCOMPARE(run({"run", lesson, "--prove", "nobody"}).code, 2);

    const Ran saved =
        run({"run", REINSPECT_SOURCE_DIR "/samples/01_dead_intermediate.fx", "--compare"});
    QCOMPARE(saved.code, 0);
    QVERIFY2(saved.out.find("bytes of allocations, ") != std::string::npos, saved.out.c_str());
    QVERIFY(saved.out.find("nodes take ") == std::string::npos); // nothing was timed
    const Ran timed = run(
        {"run", REINSPECT_SOURCE_DIR "/samples/kv_cache_2_layers.json", "--compare", "--times"});
    QVERIFY2(timed.out.find("; 32768 bytes of copies are saved") != std::string::npos,
             timed.out.c_str());
}

void tst_Commands::kernelsAreExplained()
{
    const std::string capture = REINSPECT_SOURCE_DIR "/samples/triton_old_value_needed.json";
    const Ran text = run({"explain", capture});
    QCOMPARE(text.code, 0);
    QVERIFY(text.out.ends_with("\n\nKernel mul2_inplace_kernel, launched by "
                               "\"triton_kernel_wrapper_functional_proxy\":\n"
                               "  x: read and written, line 19 (programs/cases.py:23)\n"));
    const Ran json = run({"explain", "--json", capture});
    QCOMPARE(json.code, 0);
    for (const char* part : {"\"sentences\": [", "\"effect\": \"read and written\"",
                             "\"place\": \"line 19 (programs/cases.py:23)\"",
                             "\"cloned\": \"agrees\"", "\"problem\": null"})
        QVERIFY2(json.out.find(part) != std::string::npos, part);
}

void tst_Commands::aCaptureIsDecidedByTheRulesOfItsPyTorch()
{
    QFile sample(REINSPECT_SOURCE_DIR "/samples/index_put_input.json");
    QVERIFY(sample.open(QIODevice::ReadOnly));
    QTemporaryFile later;
    QVERIFY(later.open());
    later.write(sample.readAll().replace("\"2.11.0+cu130\"", "\"2.16.1+cu132\""));
    later.flush();
    const std::string file = later.fileName().toStdString();
    const auto policyOf = [](const std::vector<std::string>& words) {
        const std::string out = run(words).out;
        const std::size_t at = out.find("\"policy\": \"");
        return at == std::string::npos ? out
                                       : out.substr(at + 11, out.find('"', at + 11) - at - 11);
    };
    QCOMPARE(policyOf({"decide", file, "--json"}), std::string("torch-2.15"));
    QCOMPARE(policyOf({"run", file, "--compare", "--json"}), std::string("torch-2.15"));
    QCOMPARE(policyOf({"decide", file, "--json", "--policy", "torch-2.11"}),
             std::string("torch-2.11"));
    QCOMPARE(policyOf({"decide", sample.fileName().toStdString(), "--json"}),
             std::string("torch-2.11"));
    QCOMPARE(policyOf({"decide", REINSPECT_SOURCE_DIR "/samples/07_scatter_chain.fx", "--json"}),
             std::string("torch-2.11"));
}

void tst_Commands::twoPoliciesAreCompared()
{
    const std::string lesson = REINSPECT_SOURCE_DIR "/samples/12_review_view_read_after.fx";
    const Ran text = run({"decide", lesson, "--policy", "alias-aware", "--against", "later-uses"});
    QCOMPARE(text.code, 0);
    COMPARE_TEXT(
        text.out,
        "kernel out: alias-aware keeps it (UsedLater). No: \"total\" reads the old value of "
        "\"buffer\" after the call. later-uses writes it in place. Yes: Nothing reads the "
        "old value of \"buffer\" after the call.\n"
        "0 the same, 1 differ, 0 only with alias-aware, 0 only with later-uses\n");

    const Ran json = run({"decide", "--json", lesson, "--against", "later-uses"});
    QCOMPARE(json.code, 0);
    QVERIFY(json.out.find("\"against\": \"later-uses\"") != std::string::npos);
    QVERIFY(json.out.find("\"result\": \"differs\"") != std::string::npos);
}

void tst_Commands::singleDecisionsAreForcedAndForbidden()
{
    const std::string lesson = REINSPECT_SOURCE_DIR "/samples/12_review_view_read_after.fx";
    const Ran forced = run({"decide", lesson, "--force", "kernel:out"});
    QCOMPARE(forced.code, 0);
    QVERIFY(forced.out.starts_with("kernel out: reinplaced; hazard: "));

    const Ran forbidden = run({"decide", lesson, "--policy", "later-uses", "--forbid", "kernel"});
    QCOMPARE(forbidden.code, 0);
    QVERIFY(forbidden.out.starts_with("kernel out: kept (ForbiddenByUser)"));

    const Ran unknown = run({"decide", lesson, "--force", "kernels"});
    QCOMPARE(unknown.code, 2);
    COMPARE_TEXT(unknown.err, "no candidate 'kernels'\nThere are kernel:out.\n");

    const Ran off = run({"decide", lesson, "--set", "through-aliases=off"});
    QVERIFY(off.out.starts_with("kernel out: reinplaced"));
    QCOMPARE(run({"decide", lesson, "--set", "through-aliases"}).code, 2);
}

void tst_Commands::policiesAreListed()
{
    const Ran text = run({"policies"});
    QCOMPARE(text.code, 0);
    QVERIFY(text.out.starts_with("torch-2.11\n"));
    QVERIFY(text.out.find("overlap-test") != std::string::npos);
    QVERIFY(run({"policies", "--json"}).out.starts_with("{\n  \"policies\": ["));
}

void tst_Commands::convertingWritesEveryForm_data()
{
    QTest::addColumn<QString>("form");
    QTest::addColumn<QString>("beginning");
    const auto row = [](const char* form, const char* beginning) {
        QTest::newRow(form) << QString::fromLatin1(form) << QString::fromLatin1(beginning);
    };
    row("json", "{\"format\":\"reinspect-graph\",\"version\":1");
    row("readable",
        "class before_reinplace(torch.nn.Module):\n    def forward(self, arg0_1: \"Sym(s77)\"");
    row("ir", "graph():\n    %arg0_1 : [num_users=1] = placeholder[target=arg0_1]\n");
    row("dot", "digraph \"before_reinplace\" {\n");
    row("svg", "<svg ");
}

void tst_Commands::convertingWritesEveryForm()
{
    QFETCH(const QString, form);
    QFETCH(const QString, beginning);

    const Ran ran =
        run({"convert", testDataPath("triton_dynamic.json"), "--to", form.toStdString()});

    QCOMPARE(ran.code, 0);
    COMPARE_TEXT(ran.out.substr(0, static_cast<std::size_t>(beginning.size())),
                 beginning.toStdString());
}

void tst_Commands::convertingToAFileWritesIt()
{
    const std::string path =
        std::filesystem::temp_directory_path() / "reinspect_tst_commands.ir.txt";

    const Ran ran = run({"convert", testDataPath("triton_dynamic.json"), "--to", "ir", "-o", path});

    QCOMPARE(ran.code, 0);
    QVERIFY(ran.out.empty());
    std::ostringstream written;
    written << std::ifstream(path).rdbuf();
    COMPARE_TEXT(written.str(), testData("triton_dynamic.ir.txt") + "\n");
    std::filesystem::remove(path);
}

void tst_Commands::exitCodesTellWhatWentWrong_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("message");

    const QString file = QString::fromStdString(testDataPath("triton_dynamic.json"));
    const auto row = [](const char* name, const QStringList& arguments, int code,
                        const char* message) {
        QTest::newRow(name) << arguments << code << QString::fromLatin1(message);
    };
    const auto words = [](const char* text) {
        return QString::fromLatin1(text).split(QLatin1Char(' '));
    };
    row("help", words("--help"), 0, "");
    row("unknown command", words("frob"), 2, "unknown command 'frob'\nUsage: ");
    row("unknown option", words("info --frob x"), 2, "unknown option '--frob'\nUsage: ");
    row("no such graph", words("convert --to ir --graph 7") << file, 2, "there is no graph 7 in ");
    row("unknown policy", words("decide --policy nobody's") << file, 2, "");
    row("no such file", words("info no/such/file"), 3, "no/such/file: no such file\n");
    // No module, no driver, or no such device: whatever this machine has.
    row("no device", words("run --backend cuda --device 99") << file, 4, "");
    row("no inputs", words("run --inputs no/such/file") << file, 3,
        "no/such/file: cannot be read\n");
    row("no such folder", words("convert --to ir -o /no/such/folder/x") << file, 4,
        "/no/such/folder/x: cannot be written: ");
}

void tst_Commands::exitCodesTellWhatWentWrong()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const int, code);
    QFETCH(const QString, message);
    std::vector<std::string> given;
    for (const QString& argument : arguments)
        given.push_back(argument.toStdString());

    const Ran ran = run(given);

    QCOMPARE(ran.code, code);
    COMPARE_TEXT(ran.err.substr(0, static_cast<std::size_t>(message.size())),
                 message.toStdString());
    // What failed prints nothing that a script could take for a result.
    QVERIFY(code == 0 || ran.out.empty());
}

void tst_Commands::problemsGoToStandardError()
{
    const Ran ran = run({"convert", testDataPath("triton_dynamic.ir.txt"), "--to", "readable"});

    QCOMPARE(ran.code, 0);
    const std::string expected = "triton_dynamic.ir.txt:1:1: print(graph) text has no shapes and "
                                 "no strides, so verdicts are assumed\n";
    COMPARE_TEXT(withoutPath(ran.err).substr(0, expected.size()), expected);
    QVERIFY(ran.out.starts_with("class "));
}

void tst_Commands::aCutTextIsToldAndYetBadInput()
{
    QTemporaryFile file;
    QVERIFY(file.open());
    file.write("def forward(self, x: \"f32[4]\", i: \"i64[1]\", v: \"f32[1]\"):\n"
               "    c: \"f32[4]\" = torch.ops.aten.cos.default(x)\n"
               "    p: \"f32[4]\" = torch.ops.aten.index_put.default(c, [i], v)\n"
               "    y: \"f32[4]\" = torch.ops.aten.si");
    file.close();

    const Ran ran = run({"decide", "--json", file.fileName().toStdString()});

    QCOMPARE(ran.code, 3);
    QVERIFY(ran.out.find("\"certainty\": \"assumed\"") != std::string::npos);
    QVERIFY(ran.err.find("has no return") != std::string::npos);
    QVERIFY(ran.err.find(":4:") != std::string::npos); // the line that was cut
}

void tst_Commands::progressGoesToStandardErrorWhenAsked()
{
    const std::string sample = REINSPECT_SOURCE_DIR "/samples/01_dead_intermediate.fx";
    const Ran quiet = run({"run", sample, "--compare", "--json"});
    const Ran told = run({"run", sample, "--compare", "--json", "--progress"});

    QCOMPARE(told.code, quiet.code);
    QVERIFY(quiet.err.find("reinspect-progress") == std::string::npos);
    QVERIFY(told.err.starts_with("reinspect-progress 0 before\n"));
    QVERIFY(told.err.find("reinspect-progress 0 baseline\n") != std::string::npos);
}

QTEST_APPLESS_MAIN(tst_Commands)
#include "tst_commands.moc"
