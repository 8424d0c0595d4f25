// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "tests/support/verdict_trace.h"
#include "views/models/node_facts_model.h"

#include <QAbstractItemModelTester>

using namespace reinspect;

class tst_NodeFactsModel : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void tellsWhatANodeIs();
    void tellsTheDecisionOnlyOnceItIsMade();
    void findingsBesideTheVerdictHaveBadges();
    void namesTheWitnessesAsLinks();
    void tellsThePartOfOtherNodes();
    void tellsWhereANodeIsGone();
    void holdsUnderTheModelTester();

private:
    // "value" of the first fact with this name; empty when there is none.
    QString fact(std::string_view node, const char* name) const;
    NodeId link(std::string_view node, const char* name) const;
    std::vector<NodeFactGroup> facts(std::string_view node) const
    {
        return nodeFacts({*m_session->trace(), m_session->cursor()->graph(),
                          m_session->document()->facts, m_session->event(),
                          nodeNamed(*m_session, node)});
    }

    std::unique_ptr<Session> m_session;
};

static const NodeFact* find(const std::vector<NodeFactGroup>& groups, const char* name)
{
    for (const NodeFactGroup& group : groups)
    {
        for (const NodeFact& fact : group.facts)
        {
            if (fact.name == QLatin1String(name))
                return &fact;
        }
    }
    return nullptr;
}

QString tst_NodeFactsModel::fact(std::string_view node, const char* name) const
{
    const std::vector<NodeFactGroup> groups = facts(node);
    const NodeFact* found = find(groups, name);
    return found ? found->value : QString();
}

NodeId tst_NodeFactsModel::link(std::string_view node, const char* name) const
{
    const std::vector<NodeFactGroup> groups = facts(node);
    const NodeFact* found = find(groups, name);
    return found ? found->link : NodeId{};
}

void tst_NodeFactsModel::init()
{
    m_session = std::make_unique<Session>();
    QVERIFY(show(*m_session, kKeptCode));
}

void tst_NodeFactsModel::tellsWhatANodeIs()
{
    QCOMPARE(fact("v", "Target"), QStringLiteral("aten.slice.Tensor"));
    QVERIFY(fact("v", "Schema").startsWith(QStringLiteral("aten::slice.Tensor(")));
    QCOMPARE(fact("v", "Shape"), QStringLiteral("[2]"));
    QCOMPARE(fact("v", "Type"), QStringLiteral("float32"));
    QCOMPARE(fact("v", "View of"), QStringLiteral("c"));
    QCOMPARE(link("v", "View of"), nodeNamed(*m_session, "c"));
    QCOMPARE(fact("v", "Read by"), QStringLiteral("y"));
    QCOMPARE(fact("c", "Shared with"), QStringLiteral("v"));
    QCOMPARE(fact("x", "Operation"), QStringLiteral("placeholder"));
}

void tst_NodeFactsModel::tellsTheDecisionOnlyOnceItIsMade()
{
    QVERIFY(fact("p", "Verdict").startsWith(QStringLiteral("Kept: clone (UsedLater)")));
    QCOMPARE(fact("p", "Clone costs"), QStringLiteral("16 B"));
    QCOMPARE(fact("p", "Why"), toQString(explain(*m_session->trace(), m_session->event())));
    QVERIFY(!fact("p", "Advice").isEmpty());

    m_session->step(Move::ToStart);
    QCOMPARE(fact("p", "Verdict"), QStringLiteral("Not decided at this step"));
    QVERIFY(fact("p", "Why").isEmpty());
}

void tst_NodeFactsModel::findingsBesideTheVerdictHaveBadges()
{
    const auto trace = verdictTrace();
    const auto factsOf = [&trace](const char* node) {
        return nodeFacts({*trace,
                          *trace->result,
                          {},
                          EventIndex(trace->events.size() - 1),
                          trace->result->find(node)});
    };
    const std::vector<NodeFactGroup> kept = factsOf("p2");
    QVERIFY(find(kept, "Missed") && find(kept, "Missed")->badge == Badge::Missed);
    QVERIFY(find(kept, "Opportunity") && find(kept, "Opportunity")->badge == Badge::Opportunity);
    QVERIFY(!find(kept, "Hazard"));

    const std::vector<NodeFactGroup> forced = factsOf("p10");
    const NodeFact* hazard = find(forced, "Hazard");
    QVERIFY(hazard && hazard->badge == Badge::Hazard);
    QString sentence = toQString(hazardSentence(*trace, trace->decisions[1].hazards.front()));
    sentence[0] = sentence[0].toUpper();
    QCOMPARE(hazard->value, QStringLiteral("OldValueRead: ") + sentence);
    QVERIFY(find(forced, "Your word")->value.contains(QStringLiteral("UsedLater")));
    QVERIFY(!find(forced, "Missed"));
}

void tst_NodeFactsModel::namesTheWitnessesAsLinks()
{
    QCOMPARE(link("p", "Written argument"), nodeNamed(*m_session, "c"));
    QCOMPARE(link("p", "Blocking use"), nodeNamed(*m_session, "y"));
}

void tst_NodeFactsModel::tellsThePartOfOtherNodes()
{
    QCOMPARE(link("c", "Cloned for"), nodeNamed(*m_session, "p"));
    QCOMPARE(link("y", "Keeps the clone of"), nodeNamed(*m_session, "p"));

    QVERIFY(show(*m_session, kCopiedBackCode));
    QCOMPARE(link("x", "Written in place by"), nodeNamed(*m_session, "p"));
    QCOMPARE(link("b", "Copies back for"), nodeNamed(*m_session, "p"));
}

void tst_NodeFactsModel::tellsWhereANodeIsGone()
{
    QVERIFY(show(*m_session, kCopiedBackCode));
    QVERIFY(fact("b", "State").isEmpty());
    m_session->step(Move::ToEnd);
    QCOMPARE(fact("b", "State"), QStringLiteral("Removed by an earlier step"));
}

void tst_NodeFactsModel::holdsUnderTheModelTester()
{
    NodeFactsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);

    model.setFacts(facts("p"));
    QVERIFY(model.rowCount() > 2);
    const QModelIndex group = model.index(0, 0);
    QCOMPARE(group.data().toString(), QStringLiteral("Decision on argument 0"));
    QVERIFY(model.rowCount(group) > 2);
    QCOMPARE(model.index(0, 0, group).data().toString(), QStringLiteral("Verdict"));
    model.setFacts({});
    QCOMPARE(model.rowCount(), 0);
}

QTEST_GUILESS_MAIN(tst_NodeFactsModel)
#include "tst_node_facts_model.moc"
