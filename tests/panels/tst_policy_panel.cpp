// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "views/panels/hint_stack.h"
#include "views/panels/policy_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QListWidget>
#include <QPushButton>

using namespace reinspect;

class tst_PolicyPanel : public QObject
{
    Q_OBJECT

private slots:
    void everySwitchIsNamedAndExplained();
    void theBoxesShowThePreset();
    void aBoxChangesOneSwitch();
    void resetGivesThePresetBack();
    void overridesAreListedAndRemoved();
    void anotherPresetKeepsTheOverrides();
};

static std::size_t switchNamed(std::string_view name)
{
    for (std::size_t i = 0; i < policySwitches().size(); ++i)
        if (policySwitches()[i].name == name)
            return i;
    return policySwitches().size();
}

static void choose(PolicyPanel& panel, const char* preset)
{
    const int index = panel.presets()->findText(QLatin1String(preset));
    panel.presets()->setCurrentIndex(index);
    emit panel.presets()->activated(index);
}

void tst_PolicyPanel::everySwitchIsNamedAndExplained()
{
    Session session;
    PolicyPanel panel(&session);
    for (std::size_t i = 0; i < policySwitches().size(); ++i)
    {
        QCOMPARE(panel.switchBox(i)->text(), toQString(policySwitches()[i].name));
        QCOMPARE(panel.switchBox(i)->accessibleDescription(),
                 toQString(policySwitches()[i].meaning));
    }
    QCOMPARE(panel.presets()->count(), static_cast<int>(policyPresets().size()));
}

void tst_PolicyPanel::theBoxesShowThePreset()
{
    Session session;
    PolicyPanel panel(&session);
    choose(panel, "pr-111627");
    const ReinplacePolicy expected = policyNamed("pr-111627").value();
    QCOMPARE(session.policy(), expected);
    for (std::size_t i = 0; i < policySwitches().size(); ++i)
        QCOMPARE(panel.switchBox(i)->isChecked(), expected.*(policySwitches()[i].value));
    QVERIFY(!panel.resetButton()->isEnabled());
}

void tst_PolicyPanel::aBoxChangesOneSwitch()
{
    Session session;
    PolicyPanel panel(&session);
    QVERIFY(show(session, kKeptCode));
    QCheckBox* box = panel.switchBox(switchNamed("later-uses"));

    box->click();

    QCOMPARE(describe(session.policy()), std::string("torch-2.11 later-uses=off"));
    QVERIFY(box->text().contains(QStringLiteral("changed")));
    QVERIFY(panel.resetButton()->isEnabled());
    QTRY_COMPARE(session.trace()->decisionFor("p")->verdict, Verdict::Reinplaced);
}

void tst_PolicyPanel::resetGivesThePresetBack()
{
    Session session;
    PolicyPanel panel(&session);
    choose(panel, "main-2026");
    panel.switchBox(switchNamed("overlap-test"))->click();
    QVERIFY(session.policy() != policyNamed("main-2026").value());

    panel.resetButton()->click();

    QCOMPARE(session.policy(), policyNamed("main-2026").value());
    QVERIFY(panel.switchBox(switchNamed("overlap-test"))->isChecked());
}

void tst_PolicyPanel::overridesAreListedAndRemoved()
{
    Session session;
    PolicyPanel panel(&session);
    QVERIFY(panel.overrideStack()->isEmpty());
    QVERIFY(!panel.removeButton()->isEnabled());
    QVERIFY(show(session, kKeptCode));
    ReinplacePolicy policy;
    setOverride(policy, overrideFrom("p:0", true));
    setOverride(policy, overrideFrom("nowhere", false));
    session.setPolicy(policy);

    QVERIFY(!panel.overrideStack()->isEmpty());
    QCOMPARE(panel.overrides()->item(0)->text(), QStringLiteral("force p:0"));
    QCOMPARE(panel.overrides()->item(1)->text(), QStringLiteral("forbid nowhere (not tried here)"));

    panel.overrides()->setCurrentRow(1);
    panel.removeButton()->click();
    QCOMPARE(session.policy().overrides.size(), std::size_t{1});
    QTRY_VERIFY(session.trace()->decisionFor("p")->forced);
    panel.removeButton()->click();
    QVERIFY(session.policy().overrides.empty());
    QTRY_VERIFY(!session.trace()->decisionFor("p")->forced);
}

void tst_PolicyPanel::anotherPresetKeepsTheOverrides()
{
    Session session;
    PolicyPanel panel(&session);
    ReinplacePolicy policy;
    setOverride(policy, overrideFrom("p:0", true));
    session.setPolicy(policy);

    choose(panel, "alias-aware");

    QCOMPARE(describe(session.policy()), std::string("alias-aware +p:0"));
}

QTEST_MAIN(tst_PolicyPanel)
#include "tst_policy_panel.moc"
