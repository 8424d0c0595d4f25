// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "views/session/place.h"

using namespace reinspect;

// Two candidates: p is kept because y reads v later, q may write. Without the overlap test, w refuses q.
static constexpr std::string_view kTwoDecisions = R"(
    def forward(self, x: "f32[4]", i: "i64[1]", src: "f32[1]", k: "f32[2]"):
        c: "f32[4]" = torch.ops.aten.cos.default(x)
        v: "f32[2]" = torch.ops.aten.slice.Tensor(c, 0, 0, 2)
        p: "f32[4]" = torch.ops.aten.index_put.default(c, [i], src)
        q: "f32[4]" = torch.ops.aten.index_put.default(p, [i], src)
        y: "f32[2]" = torch.ops.aten.add.Tensor(v, 1)
        return (q, y)
)";

class tst_SessionPolicy : public QObject
{
    Q_OBJECT

private slots:
    void anotherPolicyRunsThePassAgain();
    void switchesAloneAreAnotherPolicy();
    void documentsAreDecidedByTheRulesOfTheirPyTorch();
    void thePlaceIsKept_data();
    void thePlaceIsKept();
    void theSelectionIsKeptByName();
    void aDecisionThatIsGoneIsSaid();
    void aDecisionCanBeOverruledAndReleased();
    void theDecisionLookedAtIsTheChosenNodes();
    void breakpointsAreRunTo();
    void whereNoBreakpointIsAheadIsSaid();
    void aBreakpointOnANodeIsToggled();
};

static bool setAndWait(Session& session, ReinplacePolicy policy)
{
    const auto before = session.trace();
    session.setPolicy(std::move(policy));
    return QTest::qWaitFor([&] { return session.trace() != before && !session.isBusy(); }, 10'000);
}

static const Decision& decisionOf(const Session& session, std::string_view node)
{
    return *session.trace()->decisionFor(node);
}

void tst_SessionPolicy::anotherPolicyRunsThePassAgain()
{
    Session session;
    QVERIFY(show(session, kTwoDecisions));
    QSignalSpy policies(&session, &Session::policyChanged);
    QSignalSpy traces(&session, &Session::traceChanged);

    QVERIFY(setAndWait(session, policyNamed("pr-111627").value()));
    session.setPolicy(policyNamed("pr-111627").value());

    QCOMPARE(policies.count(), 1);
    QCOMPARE(traces.count(), 1);
    QCOMPARE(session.trace()->policy.name, std::string("pr-111627"));
}

void tst_SessionPolicy::documentsAreDecidedByTheRulesOfTheirPyTorch()
{
    Session session;
    QVERIFY(show(session, kTwoDecisions));
    const auto of = [&](const char* producer) {
        auto document = std::make_shared<Document>(*session.document());
        document->producer = producer;
        session.setDocument(std::move(document));
        return session.policy().name;
    };
    QCOMPARE(of("torch 2.15.0+cu132, python 3.11.7"), std::string("torch-2.11")); // not asked to
    session.followCapture();
    QCOMPARE(session.policy().name, std::string("torch-2.15"));
    QCOMPARE(of("torch 2.11.0"), std::string("torch-2.11"));
    QCOMPARE(of("torch 2.16.0"), std::string("torch-2.15"));
    QCOMPARE(of(""), std::string("torch-2.15")); // it does not say: as it was
    QTRY_VERIFY(session.trace() && !session.isBusy());
    QCOMPARE(session.trace()->policy.name, std::string("torch-2.15"));

    ReinplacePolicy switched = session.policy();
    QVERIFY(setSwitch(switched, "overlap-test=off").ok());
    session.setPolicy(switched);
    QVERIFY(session.followsCapture()); // the same preset
    session.setPolicy(policyNamed("precise").value());
    QVERIFY(!session.followsCapture());
    QCOMPARE(of("torch 2.11.0"), std::string("precise"));
}

void tst_SessionPolicy::switchesAloneAreAnotherPolicy()
{
    Session session;
    QVERIFY(show(session, kKeptCode));
    QCOMPARE(decisionOf(session, "p").verdict, Verdict::Kept);
    ReinplacePolicy policy = session.policy();
    QVERIFY(setSwitch(policy, "later-uses=off").ok());

    QVERIFY(setAndWait(session, policy));

    QCOMPARE(decisionOf(session, "p").verdict, Verdict::Reinplaced);
}

void tst_SessionPolicy::thePlaceIsKept_data()
{
    QTest::addColumn<QString>("part");
    for (const char* part : {"found", "tried", "check", "use", "decided"})
        QTest::newRow(part) << QString::fromLatin1(part);
}

// The event that `part` names, of q; a use of p, as q has none.
static EventIndex eventOf(const Session& session, const QString& part)
{
    const PassTrace& trace = *session.trace();
    const bool isOfUse = part.startsWith(QStringLiteral("use"));
    const Decision& q = decisionOf(session, isOfUse ? "p" : "q");
    if (part == QStringLiteral("found"))
        return EventIndex(q.tried.index() - 1);
    if (part == QStringLiteral("decided"))
        return q.decided;
    for (std::size_t i = q.tried.index(); i < q.decided.index(); ++i)
    {
        const CheckDone* check = trace.events[i].as<CheckDone>();
        const bool isUse = trace.events[i].as<UseExamined>() != nullptr;
        if (part == QStringLiteral("tried")
            || (part.endsWith(QStringLiteral("check")) && check
                && check->check == Check::NoLaterUse)
            || (part == QStringLiteral("use") && isUse))
            return EventIndex(i);
    }
    return {};
}

void tst_SessionPolicy::thePlaceIsKept()
{
    QFETCH(const QString, part);
    Session session;
    QVERIFY(show(session, kTwoDecisions));
    const EventIndex before = eventOf(session, part);
    QVERIFY(before);
    session.goTo(before);

    ReinplacePolicy policy = session.policy();
    QVERIFY(setSwitch(policy, "canonicalize-scatters=off").ok()); // other numbers of events
    QVERIFY(setAndWait(session, policy));

    // What a check looked at may differ, so a use leads to its check.
    const QString there = part == QStringLiteral("use") ? QStringLiteral("use's check") : part;
    QCOMPARE(session.event(), eventOf(session, there));
}

void tst_SessionPolicy::theSelectionIsKeptByName()
{
    Session session;
    QVERIFY(show(session, kTwoDecisions));
    session.setSelection({.nodes = {nodeNamed(session, "y")}, .storage = {}});

    QVERIFY(setAndWait(session, policyNamed("alias-aware").value()));

    QCOMPARE(chosenName(session), "y");
}

void tst_SessionPolicy::aDecisionThatIsGoneIsSaid()
{
    Session session;
    QVERIFY(show(session, R"(
        def forward(self, x: "f32[4]", v: "f32[2]"):
            c: "f32[4]" = torch.ops.aten.cos.default(x)
            s: "f32[4]" = torch.ops.aten.slice_scatter.default(c, v, 0, 0, 2)
            y: "f32[4]" = torch.ops.aten.sin.default(c)
            return (s, y)
    )"));
    QVERIFY(!session.trace()->decisions.empty());

    QVERIFY(setAndWait(session, policyNamed("pr-111627").value()));

    QVERIFY(session.trace()->decisions.empty());
    QVERIFY2(session.message().contains(QStringLiteral("is no candidate")),
             qPrintable(session.message()));
}

void tst_SessionPolicy::aDecisionCanBeOverruledAndReleased()
{
    Session session;
    QVERIFY(show(session, kKeptCode));
    const auto overrule = [&session](Overrule word) {
        const auto before = session.trace();
        session.overrule(session.decision(), word);
        return QTest::qWaitFor([&] { return session.trace() != before; }, 10'000);
    };

    QVERIFY(overrule(Overrule::Force));
    QCOMPARE(decisionOf(session, "p").verdict, Verdict::Reinplaced);
    QVERIFY(decisionOf(session, "p").forced);
    QCOMPARE(session.event(), decisionOf(session, "p").decided);

    QVERIFY(overrule(Overrule::Forbid));
    QCOMPARE(*decisionOf(session, "p").reason, Reason::ForbiddenByUser);
    QCOMPARE(session.policy().overrides.size(), std::size_t{1});

    QVERIFY(overrule(Overrule::None));
    QCOMPARE(*decisionOf(session, "p").reason, Reason::UsedLater);
    QVERIFY(session.policy().overrides.empty());
}

void tst_SessionPolicy::theDecisionLookedAtIsTheChosenNodes()
{
    Session session;
    QVERIFY(!session.decision());
    QVERIFY(show(session, kTwoDecisions));
    const auto nameOfDecision = [&session] {
        return session.trace()->nameOf(session.trace()->decision(session.decision()).node);
    };
    QCOMPARE(nameOfDecision(), "p");

    session.setSelection({.nodes = {nodeNamed(session, "q")}, .storage = {}});
    QCOMPARE(nameOfDecision(), "q");
    session.setSelection({.nodes = {nodeNamed(session, "y")}, .storage = {}});
    QCOMPARE(nameOfDecision(), "p");

    session.goToDecision(findDecision(*session.trace(), "q", "0"));
    QCOMPARE(session.event(), decisionOf(session, "q").decided);
    QCOMPARE(chosenName(session), "q");
}

void tst_SessionPolicy::breakpointsAreRunTo()
{
    Session session;
    QVERIFY(show(session, kTwoDecisions));
    session.step(Move::ToStart);
    session.setBreakpoints({parseBreakpoint("verdict:reinplaced").value()});

    session.runToBreakpoint();
    QCOMPARE(session.event(), decisionOf(session, "q").tried);

    session.step(Move::ToEnd);
    session.runToBreakpoint(true);
    QCOMPARE(session.event(), decisionOf(session, "q").tried);
}

void tst_SessionPolicy::whereNoBreakpointIsAheadIsSaid()
{
    Session session;
    QVERIFY(show(session, kTwoDecisions));
    session.runToBreakpoint();
    QVERIFY(session.message().contains(QStringLiteral("No breakpoint is set")));

    session.setBreakpoints({parseBreakpoint("node:p").value()});
    const EventIndex before = session.event();
    session.runToBreakpoint();
    QCOMPARE(session.event(), before);
    QVERIFY(session.message().contains(QStringLiteral("ahead of this step")));
    session.runToBreakpoint(true);
    QVERIFY(session.message().isEmpty()); // it was found: p is tried before it is decided
    session.runToBreakpoint(true);
    QVERIFY(session.message().contains(QStringLiteral("before this step")));
}

void tst_SessionPolicy::aBreakpointOnANodeIsToggled()
{
    Session session;
    QVERIFY(show(session, kTwoDecisions));
    QSignalSpy changes(&session, &Session::breakpointsChanged);

    session.toggleBreakpoint(nodeNamed(session, "p"));
    QCOMPARE(session.breakpoints().front().text, std::string("node:p"));
    QVERIFY(session.message().isEmpty());
    session.toggleBreakpoint(nodeNamed(session, "p"));
    QVERIFY(session.breakpoints().empty());
    QCOMPARE(changes.count(), 2);

    session.toggleBreakpoint(nodeNamed(session, "c"));
    QVERIFY(session.message().contains(QStringLiteral("is no candidate")));
    session.toggleBreakpoint({});
    QVERIFY(session.message().contains(QStringLiteral("Choose a node")));
    QCOMPARE(session.breakpoints().size(), std::size_t{1});
}

QTEST_GUILESS_MAIN(tst_SessionPolicy)
#include "tst_session_policy.moc"
