// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "views/models/storage_tree_model.h"

#include "core/passes/reinplace_pass.h"

#include <QAbstractItemModelTester>

using namespace reinspect;

class tst_StorageTreeModel : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void isEmptyWithoutATrace();
    void listsStoragesMembersAndReaders();
    void saysHowAViewCameAbout();
    void flagsTheReaderThatRefuses();
    void saysWhereATensorLies();
    void findsEveryMember();

private:
    NodeId node(std::string_view name) const { return m_trace->result->find(name); }
    QString cell(NodeId member, int column) const
    {
        return m_model->indexOfMember(member).siblingAtColumn(column).data().toString();
    }

    std::shared_ptr<const PassTrace> m_trace;
    std::unique_ptr<StorageTreeModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

void tst_StorageTreeModel::init()
{
    m_trace = runReinplace({.graph = std::make_shared<const Graph>(graphFrom(kKeptCode))}).value();
    m_model = std::make_unique<StorageTreeModel>();
    m_tester = std::make_unique<QAbstractItemModelTester>(
        m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    m_model->setTrace(m_trace);
}

void tst_StorageTreeModel::isEmptyWithoutATrace()
{
    m_model->setTrace(nullptr);
    QCOMPARE(m_model->rowCount(), 0);
    QVERIFY(!m_model->indexOfMember(NodeId(0)).isValid());
}

void tst_StorageTreeModel::listsStoragesMembersAndReaders()
{
    const QModelIndex storage = m_model->indexOfMember(node("c")).parent();

    QCOMPARE(storage.data().toString(), QStringLiteral("Storage of c"));
    QCOMPARE(storage.siblingAtColumn(StorageTreeModel::MadeBy).data().toString(),
             QStringLiteral("intermediate"));
    QCOMPARE(m_model->rowCount(storage), 2); // c and its view v
    QCOMPARE(m_model->indexOfMember(node("v")).parent(), storage);
    const QModelIndex reader = m_model->index(0, 0, m_model->indexOfMember(node("v")));
    QCOMPARE(reader.data().toString(), QStringLiteral("read by y"));
    QVERIFY(storage.data(StorageTreeModel::SharedRole).toBool());
    QVERIFY(!m_model->indexOfMember(node("i")).data(StorageTreeModel::SharedRole).toBool());

    const QModelIndex input = m_model->indexOfMember(node("x")).parent();
    QCOMPARE(input.siblingAtColumn(StorageTreeModel::MadeBy).data().toString(),
             QStringLiteral("input"));
}

void tst_StorageTreeModel::saysHowAViewCameAbout()
{
    QCOMPARE(cell(node("v"), StorageTreeModel::MadeBy), QStringLiteral("slice: c \u2192 v"));
    QCOMPARE(cell(node("c"), StorageTreeModel::MadeBy), QStringLiteral("cos"));
}

void tst_StorageTreeModel::flagsTheReaderThatRefuses()
{
    const QModelIndex member = m_model->indexOfMember(node("v"));
    QVERIFY(!member.data(StorageTreeModel::FlaggedRole).toBool());
    QSignalSpy changes(m_model.get(), &QAbstractItemModel::dataChanged);

    m_model->setDecision(m_trace->decisionAt(m_trace->decisionFor("p")->decided));

    QCOMPARE(changes.count(), 1);
    QVERIFY(member.data(StorageTreeModel::FlaggedRole).toBool());
    QVERIFY(member.parent().data(StorageTreeModel::FlaggedRole).toBool());
    QVERIFY(!m_model->indexOfMember(node("x")).data(StorageTreeModel::FlaggedRole).toBool());
    QCOMPARE(cell(node("v"), StorageTreeModel::Readers), QStringLiteral("y: blocks"));
    const QModelIndex reader = m_model->index(0, StorageTreeModel::Readers, member);
    QCOMPARE(reader.data().toString(), QStringLiteral("blocks"));
}

void tst_StorageTreeModel::saysWhereATensorLies()
{
    QCOMPARE(cell(node("v"), StorageTreeModel::Region), QStringLiteral("offset 0, 2, strides (1)"));
    QCOMPARE(cell(node("v"), StorageTreeModel::Bytes), QStringLiteral("8 B"));
    QCOMPARE(cell(node("c"), StorageTreeModel::Used), QStringLiteral("4\u20136"));
}

void tst_StorageTreeModel::findsEveryMember()
{
    for (std::size_t i = 0; i < m_trace->storages.storageCount(); ++i)
    {
        for (const NodeId member : m_trace->storages.nodesOf(StorageId(i)))
        {
            const QModelIndex index = m_model->indexOfMember(member);
            QVERIFY(index.isValid());
            QCOMPARE(index.data(StorageTreeModel::NodeRole).value<NodeId>(), member);
            QCOMPARE(index.parent(), m_model->indexOfStorage(StorageId(i)));
        }
    }
}

QTEST_GUILESS_MAIN(tst_StorageTreeModel)
#include "tst_storage_tree_model.moc"
