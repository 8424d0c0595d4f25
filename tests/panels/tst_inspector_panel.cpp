// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "views/models/node_facts_model.h"
#include "views/panels/hint_stack.h"
#include "views/panels/inspector_panel.h"

#include <QTreeView>

using namespace reinspect;

class tst_InspectorPanel : public QObject
{
    Q_OBJECT

private slots:
    void saysWhatWouldFillIt();
    void followsTheSelection();
    void aClickedNameChoosesItsNode();
    void noValueIsCut();
};

// The row with this name; invalid when there is none.
static QModelIndex row(const QTreeView& tree, const QString& name)
{
    for (int group = 0; group < tree.model()->rowCount(); ++group)
    {
        const QModelIndex parent = tree.model()->index(group, 0);
        for (int i = 0; i < tree.model()->rowCount(parent); ++i)
        {
            if (tree.model()->index(i, 0, parent).data().toString() == name)
                return tree.model()->index(i, 1, parent);
        }
    }
    return {};
}

void tst_InspectorPanel::saysWhatWouldFillIt()
{
    Session session;
    InspectorPanel panel(&session);
    QVERIFY(panel.stack()->isEmpty());
    QVERIFY(panel.stack()->hint().contains(QStringLiteral("choose a node")));

    QVERIFY(show(session, kKeptCode));
    QVERIFY(!panel.stack()->isEmpty());
    session.setSelection({});
    QVERIFY(panel.stack()->isEmpty());
    QVERIFY(panel.stack()->hint().contains(QStringLiteral("Choose a node")));
}

void tst_InspectorPanel::followsTheSelection()
{
    Session session;
    InspectorPanel panel(&session);
    QVERIFY(show(session, kKeptCode));

    session.setSelection({.nodes = {nodeNamed(session, "v")}, .storage = {}});

    QCOMPARE(row(*panel.tree(), QStringLiteral("Name")).data().toString(), QStringLiteral("v"));
}

void tst_InspectorPanel::aClickedNameChoosesItsNode()
{
    Session session;
    InspectorPanel panel(&session);
    panel.resize(400, 900);
    panel.show();
    QVERIFY(show(session, kKeptCode));
    const QModelIndex witness = row(*panel.tree(), QStringLiteral("Blocking use"));
    QVERIFY(witness.isValid());

    QTest::mouseClick(panel.tree()->viewport(), Qt::LeftButton, {},
                      panel.tree()->visualRect(witness).center());

    QCOMPARE(chosenName(session), "y");
}

void tst_InspectorPanel::noValueIsCut()
{
    Session session;
    InspectorPanel panel(&session);
    panel.resize(260, 900);
    panel.show();
    QVERIFY(show(session, kKeptCode));
    QCoreApplication::processEvents();

    // The reason is longer than the column is wide, so its row takes several lines.
    const QModelIndex reason = row(*panel.tree(), QStringLiteral("Why"));
    QVERIFY(panel.tree()->visualRect(reason).height() > 2 * panel.fontMetrics().height());
}

QTEST_MAIN(tst_InspectorPanel)
#include "tst_inspector_panel.moc"
