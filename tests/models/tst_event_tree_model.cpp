// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "tests/support/verdict_trace.h"
#include "views/models/event_tree_model.h"

#include "core/passes/reinplace_pass.h"

#include <QAbstractItemModelTester>

#include <functional>

using namespace reinspect;

static std::shared_ptr<const PassTrace> traceOf(std::string_view code)
{
    return runReinplace({.graph = std::make_shared<const Graph>(graphFrom(code))}).value();
}

class tst_EventTreeModel : public QObject
{
    Q_OBJECT

private slots:
    void isEmptyWithoutATrace();
    void holdsEachEventOnceInOrder();
    void nestsByDepth();
    void saysWhatExplainSays();
    void marksVerdicts();
    void decisionsCarryTheirBadges();
    void onlyTheCursorsRowsChange();
    void standsAHundredThousandEvents();
};

// Events in the order in which a reader of the open tree meets them.
static std::vector<std::size_t> walked(const EventTreeModel& model)
{
    std::vector<std::size_t> order;
    const std::function<void(const QModelIndex&)> visit = [&](const QModelIndex& parent) {
        for (int row = 0; row < model.rowCount(parent); ++row)
        {
            const QModelIndex index = model.index(row, 0, parent);
            order.push_back(model.eventAt(index).index());
            visit(index);
        }
    };
    visit({});
    return order;
}

void tst_EventTreeModel::isEmptyWithoutATrace()
{
    EventTreeModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);

    QCOMPARE(model.rowCount(), 0);
    QVERIFY(!model.indexOf(EventIndex(0)).isValid());
}

void tst_EventTreeModel::holdsEachEventOnceInOrder()
{
    const auto trace = traceOf(kKeptCode);
    EventTreeModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);

    model.setTrace(trace);

    const std::vector<std::size_t> order = walked(model);
    QCOMPARE(order.size(), trace->events.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        QCOMPARE(order[i], i);
}

void tst_EventTreeModel::nestsByDepth()
{
    const auto trace = traceOf(kKeptCode);
    EventTreeModel model;
    model.setTrace(trace);

    for (std::size_t i = 0; i < trace->events.size(); ++i)
    {
        const QModelIndex index = model.indexOf(EventIndex(i));
        QCOMPARE(model.eventAt(index), EventIndex(i));
        const EventIndex parent = model.eventAt(index.parent());
        QCOMPARE(parent.isValid(), trace->events[i].depth > 0);
        if (parent)
            QVERIFY(trace->event(parent).depth < trace->events[i].depth);
    }
}

void tst_EventTreeModel::saysWhatExplainSays()
{
    const auto trace = traceOf(kKeptCode);
    EventTreeModel model;
    model.setTrace(trace);

    for (std::size_t i = 0; i < trace->events.size(); ++i)
        QCOMPARE(model.indexOf(EventIndex(i)).data().toString(),
                 toQString(explain(*trace, EventIndex(i))));
}

static EventMark markOf(const EventTreeModel& model, EventIndex event)
{
    return model.indexOf(event).data(EventTreeModel::MarkRole).value<EventMark>();
}

void tst_EventTreeModel::marksVerdicts()
{
    EventTreeModel model;

    const auto kept = traceOf(kKeptCode);
    model.setTrace(kept);
    QCOMPARE(markOf(model, firstEvent<PhaseBegan>(*kept)), EventMark::Phase);
    QCOMPARE(markOf(model, firstEvent<CandidateFound>(*kept)), EventMark::Kept);
    QCOMPARE(markOf(model, firstEvent<Decided>(*kept)), EventMark::Kept);

    const auto reinplaced = traceOf(kCopiedBackCode);
    model.setTrace(reinplaced);
    QCOMPARE(markOf(model, firstEvent<CandidateFound>(*reinplaced)), EventMark::Reinplaced);
    QCOMPARE(markOf(model, firstEvent<Decided>(*reinplaced)), EventMark::Reinplaced);
    for (int mark = 0; mark <= static_cast<int>(EventMark::Disjoint); ++mark)
        QVERIFY(!eventMarkWord(static_cast<EventMark>(mark)).isEmpty());
}

void tst_EventTreeModel::decisionsCarryTheirBadges()
{
    const auto trace = verdictTrace();
    EventTreeModel model;
    model.setTrace(trace);
    const auto badges = [&model](EventIndex event) {
        return model.indexOf(event).data(EventTreeModel::BadgesRole).value<QList<Badge>>();
    };
    const Decision& kept = trace->decisions[0];
    const Decision& forced = trace->decisions[1];
    const QList<Badge> ofKept{Badge::Missed, Badge::Opportunity};
    const QList<Badge> ofForced{Badge::Hazard, Badge::Overruled};

    QCOMPARE(badges(EventIndex(kept.tried.index() - 1)), ofKept); // the call
    QCOMPARE(badges(kept.tried), ofKept);
    QCOMPARE(badges(kept.decided), ofKept);
    QCOMPARE(badges(forced.decided), ofForced);
    QCOMPARE(badges(EventIndex(kept.tried.index() + 1)), QList<Badge>{}); // a check
    QVERIFY(model.indexOf(forced.decided)
                .data(Qt::AccessibleTextRole)
                .toString()
                .startsWith(QStringLiteral("in place, hazard, your word: ")));
}

void tst_EventTreeModel::onlyTheCursorsRowsChange()
{
    EventTreeModel model;
    model.setTrace(traceOf(kKeptCode));
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);

    model.setCurrentEvent(EventIndex(2));
    QCOMPARE(changes.count(), 1);
    QVERIFY(model.indexOf(EventIndex(2)).data(EventTreeModel::CurrentRole).toBool());
    QVERIFY(model.indexOf(EventIndex(1)).data(EventTreeModel::PastRole).toBool());
    QVERIFY(!model.indexOf(EventIndex(3)).data(EventTreeModel::PastRole).toBool());

    model.setCurrentEvent(EventIndex(3));
    QCOMPARE(changes.count(), 3); // the row that was left and the one that was entered
    model.setCurrentEvent(EventIndex(3));
    QCOMPARE(changes.count(), 3);
}

void tst_EventTreeModel::standsAHundredThousandEvents()
{
    auto trace = std::make_shared<PassTrace>(*traceOf(kKeptCode));
    const std::vector<Event> once = trace->events;
    while (trace->events.size() < 100'000)
        trace->events.insert(trace->events.end(), once.begin(), once.end());
    EventTreeModel model;

    model.setTrace(trace);

    const EventIndex last(trace->events.size() - 1);
    QCOMPARE(model.eventAt(model.indexOf(last)), last);
    QVERIFY(model.rowCount() >= 100'000 / static_cast<int>(once.size()));
}

QTEST_GUILESS_MAIN(tst_EventTreeModel)
#include "tst_event_tree_model.moc"
