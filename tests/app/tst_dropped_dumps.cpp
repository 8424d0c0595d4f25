// SPDX-License-Identifier: MIT
// What people have, dropped on the window: its graphs are listed, and the chosen one steps as the capture of
// the same program does.
#include "tests/app/window_fixture.h"

#include "tests/support/test_data.h"
#include "views/models/graph_list_model.h"
#include "views/models/node_facts_model.h"
#include "views/panels/step_panel.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QTemporaryDir>

using namespace reinspect;

class tst_DroppedDumps : public QObject
{
    Q_OBJECT

private slots:
    void aLogStepsAsItsCapture_data();
    void aLogStepsAsItsCapture();
    void aFolderStepsAsItsCapture();
    void whatADumpLeavesOutIsMarked();
};

static bool dropAndWait(MainWindow& window, const QString& path)
{
    QSignalSpy opened(window.session(), &Session::opened);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &enter);
    QDropEvent drop({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &drop);
    return QTest::qWaitFor([&] { return opened.count() > 0 && window.session()->document(); },
                           20'000);
}

// The graph of `index` is traced, once it is asked for.
static bool chooseAndWait(Session& session, std::size_t index)
{
    session.setGraphIndex(index);
    return QTest::qWaitFor([&] { return session.trace() && session.graphIndex() == index; },
                           20'000);
}

static QString prefixed(const QString& prefix, const QString& text)
{
    QString result;
    for (const QString& line : text.split(u'\n'))
        result += prefix + line + QLatin1Char('\n');
    return result;
}

static QString logOf(const QString& first, const QString& second)
{
    const auto prefix = [](int number) {
        return QStringLiteral("V0211 09:14:5%1.402000 77 torch/a.py:1] [0/%1] [__aot_graphs] ")
            .arg(number);
    };
    const QString message = QStringLiteral("TRACED GRAPH\n ===== Forward graph %1 =====\n "
                                           "/x/torch/fx/_lazy_graph_module.py %2\n");
    return prefixed(prefix(0), message.arg(0).arg(first))
        + prefixed(prefix(1), message.arg(1).arg(second));
}

static bool writeText(const QString& path, const QString& text)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text.toUtf8()) > 0;
}

// Every sentence from the start to the end; keys would go to the window in front only.
static QStringList sentences(MainWindow& window)
{
    QStringList all;
    for (std::size_t i = 0; i < window.session()->trace()->events.size(); ++i)
    {
        window.session()->goTo(EventIndex(i));
        all.append(window.steps()->sentence());
    }
    return all;
}

void tst_DroppedDumps::aLogStepsAsItsCapture_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"triton_dynamic", "custom_two_outs_v2", "foreach_adam"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void tst_DroppedDumps::aLogStepsAsItsCapture()
{
    QFETCH(const QString, name);
    const auto printed = [](const QString& of) {
        return QString::fromStdString(testData(of.toStdString() + ".readable.txt"));
    };
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("torch_logs.txt"));
    const QString other = name == u"triton_dynamic" ? QStringLiteral("foreach_adam")
                                                    : QStringLiteral("triton_dynamic");
    QVERIFY(writeText(path, logOf(printed(other), printed(name))));

    MainWindow capture;
    QVERIFY(showAndWait(capture));
    QVERIFY(
        openAndWait(capture, QString::fromStdString(testDataPath(name.toStdString() + ".json"))));
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(dropAndWait(window, path));

    GraphListModel graphs;
    graphs.setDocument(window.session()->document());
    QCOMPARE(graphs.rowCount(), 2);
    QVERIFY(chooseAndWait(*window.session(), 1));
    const QStringList steps = sentences(window);
    QVERIFY(steps.size() > 5);
    QCOMPARE(steps, sentences(capture));
}

void tst_DroppedDumps::aFolderStepsAsItsCapture()
{
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("-_0_0_0")));
    QVERIFY(writeText(folder.filePath(QStringLiteral("-_0_0_0/aot_forward_graph_3.txt")),
                      QString::fromStdString(testData("triton_dynamic.readable.txt"))));
    MainWindow capture;
    QVERIFY(showAndWait(capture));
    QVERIFY(openAndWait(capture, QString::fromStdString(testDataPath("triton_dynamic.json"))));
    MainWindow window;
    QVERIFY(showAndWait(window));

    QVERIFY(dropAndWait(window, folder.path()));
    QTRY_VERIFY(window.session()->trace());

    QCOMPARE(sentences(window), sentences(capture));
}

void tst_DroppedDumps::whatADumpLeavesOutIsMarked()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("paste.txt"));
    QVERIFY(writeText(path,
                      QStringLiteral("def forward(self, x: \"f32[8, 4][4, 1]cuda:0\"):\n"
                                     "    y = torch.ops.aten.t.default(x)\n"
                                     "    z: \"f32[4, 8]\" = torch.ops.aten.sin.default(y)\n"
                                     "    return (z,)\n")));
    MainWindow window;
    QVERIFY(showAndWait(window));
    QVERIFY(dropAndWait(window, path));
    QTRY_VERIFY(window.session()->trace());

    const auto fact = [&](const char* node, const char* name) {
        const Session& session = *window.session();
        for (const NodeFactGroup& group :
             nodeFacts({*session.trace(), session.cursor()->graph(), session.document()->facts,
                        session.event(), nodeNamed(session, node)}))
            for (const NodeFact& found : group.facts)
                if (found.name == QLatin1String(name))
                    return found.value;
        return QString();
    };
    QCOMPARE(fact("x", "Shape"), QStringLiteral("[8, 4]"));
    QCOMPARE(fact("y", "Shape"), QStringLiteral("[4, 8] (inferred)"));
    QCOMPARE(fact("z", "Shape"), QStringLiteral("[4, 8]"));
    QCOMPARE(fact("z", "Strides"), QStringLiteral("[1, 4] (inferred)"));
    QCOMPARE(fact("z", "Device"), QStringLiteral("cuda:0 (inferred)"));
}

QTEST_MAIN(tst_DroppedDumps)
#include "tst_dropped_dumps.moc"
