// SPDX-License-Identifier: MIT
#include "tests/support/session_fixture.h"
#include "views/panels/message_strip.h"

#include <QToolButton>

using namespace reinspect;

class tst_MessageStrip : public QObject
{
    Q_OBJECT

private slots:
    void isThereOnlyWithAMessage();
    void itsButtonClosesIt();
};

void tst_MessageStrip::isThereOnlyWithAMessage()
{
    Session session;
    MessageStrip strip(&session);
    QVERIFY(strip.isHidden());

    session.setMessage(QStringLiteral("a.json:1:2: not <b>valid</b>."));
    QVERIFY(!strip.isHidden());
    QCOMPARE(strip.text(), QStringLiteral("a.json:1:2: not <b>valid</b>."));

    session.setMessage({});
    QVERIFY(strip.isHidden());
}

void tst_MessageStrip::itsButtonClosesIt()
{
    Session session;
    MessageStrip strip(&session);
    session.setMessage(QStringLiteral("A message."));

    QTest::mouseClick(strip.closeButton(), Qt::LeftButton);

    QVERIFY(session.message().isEmpty());
    QVERIFY(strip.isHidden());
}

QTEST_MAIN(tst_MessageStrip)
#include "tst_message_strip.moc"
