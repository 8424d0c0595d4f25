// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "views/models/storage_tree_model.h"
#include "views/panels/alias_panel.h"
#include "views/panels/hint_stack.h"

#include <QComboBox>
#include <QLabel>
#include <QTreeView>

using namespace reinspect;

class tst_AliasPanel : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void saysWhatWouldFillIt();
    void opensTheMemoryThatTheCandidateWouldWrite();
    void followsTheSelection();
    void aClickedTensorIsChosen();
    void aClickedStorageIsChosenWithAllItsTensors();
    void canListSharedMemoryOnly();
    void columnsThatDoNotFitAreFolded_data();
    void columnsThatDoNotFitAreFolded();

private:
    QModelIndex storageRow(std::string_view base) const;

    std::unique_ptr<Session> m_session;
    std::unique_ptr<AliasPanel> m_panel;
};

void tst_AliasPanel::init()
{
    m_panel.reset();
    m_session = std::make_unique<Session>();
    m_panel = std::make_unique<AliasPanel>(m_session.get());
    m_panel->resize(700, 600);
    m_panel->show();
}

QModelIndex tst_AliasPanel::storageRow(std::string_view base) const
{
    const QAbstractItemModel* model = m_panel->tree()->model();
    for (int row = 0; row < model->rowCount(); ++row)
    {
        if (model->index(row, 0).data().toString()
            == QStringLiteral("Storage of ") + toQString(base))
            return model->index(row, 0);
    }
    return {};
}

void tst_AliasPanel::saysWhatWouldFillIt()
{
    QVERIFY(m_panel->stack()->isEmpty());
    QVERIFY(m_panel->stack()->hint().contains(QStringLiteral("Open a graph")));
    QVERIFY(show(*m_session, kKeptCode));
    QVERIFY(!m_panel->stack()->isEmpty());
}

void tst_AliasPanel::opensTheMemoryThatTheCandidateWouldWrite()
{
    QVERIFY(show(*m_session, kKeptCode));

    QCOMPARE(m_panel->summary()->text(), QStringLiteral("Candidate: p would write c"));
    const QModelIndex storage = storageRow("c");
    QVERIFY(m_panel->tree()->isExpanded(storage));
    QCOMPARE(storage.siblingAtColumn(StorageTreeModel::Readers).data().toString(),
             QStringLiteral("y: blocks"));

    m_session->step(Move::ToStart);
    QVERIFY(!storage.data(StorageTreeModel::FlaggedRole).toBool());
}

void tst_AliasPanel::followsTheSelection()
{
    QVERIFY(show(*m_session, kKeptCode));

    m_session->setSelection({.nodes = {nodeNamed(*m_session, "v")}, .storage = {}});

    QCOMPARE(m_panel->tree()->currentIndex().data().toString(), QStringLiteral("v"));
}

void tst_AliasPanel::aClickedTensorIsChosen()
{
    QVERIFY(show(*m_session, kKeptCode));
    const QModelIndex member = m_panel->tree()->model()->index(1, 0, storageRow("c"));

    QTest::mouseClick(m_panel->tree()->viewport(), Qt::LeftButton, {},
                      m_panel->tree()->visualRect(member).center());

    QCOMPARE(chosenName(*m_session), "v");
}

void tst_AliasPanel::aClickedStorageIsChosenWithAllItsTensors()
{
    QVERIFY(show(*m_session, kKeptCode));

    QTest::mouseClick(m_panel->tree()->viewport(), Qt::LeftButton, {},
                      m_panel->tree()->visualRect(storageRow("c")).center());

    QVERIFY(m_session->selection().storage.isValid());
    QCOMPARE(m_session->selection().nodes.size(), std::size_t{2});
    QCOMPARE(m_panel->tree()->currentIndex(), storageRow("c"));
}

void tst_AliasPanel::canListSharedMemoryOnly()
{
    QVERIFY(show(*m_session, kKeptCode));
    QVERIFY(storageRow("i").isValid());

    m_panel->filterBox()->setCurrentIndex(1);

    QCOMPARE(m_panel->tree()->model()->rowCount(), 1);
    QVERIFY(storageRow("c").isValid());
    QVERIFY(m_panel->tree()->isExpanded(storageRow("c")));
}

void tst_AliasPanel::columnsThatDoNotFitAreFolded_data()
{
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("columns");
    QTest::newRow("wide") << 1400 << int(StorageTreeModel::ColumnCount);
    QTest::newRow("narrow") << 350 << 3;
}

// Names, readers and bytes stay; a row's tool tip has the rest.
void tst_AliasPanel::columnsThatDoNotFitAreFolded()
{
    QFETCH(int, width);
    QVERIFY(show(*m_session, kKeptCode));
    m_panel->resize(width, 400);
    QCoreApplication::processEvents();
    const QTreeView* tree = m_panel->tree();
    int shown = 0;
    int sum = 0;
    for (int column = 0; column < StorageTreeModel::ColumnCount; ++column)
    {
        shown += tree->isColumnHidden(column) ? 0 : 1;
        sum += tree->columnWidth(column);
    }
    QTEST(shown, "columns");
    QVERIFY(sum <= tree->viewport()->width());
    for (const int column :
         {StorageTreeModel::Name, StorageTreeModel::Readers, StorageTreeModel::Bytes})
        QVERIFY(!tree->isColumnHidden(column));
    const QString tip = storageRow("c").data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(QStringLiteral("Made by: ")) && tip.contains(QStringLiteral("Used: ")),
             qPrintable(tip));
}

QTEST_MAIN(tst_AliasPanel)
#include "tst_alias_panel.moc"
