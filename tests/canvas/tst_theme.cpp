// SPDX-License-Identifier: MIT
#include "views/canvas/scene_marks.h"
#include "views/canvas/theme.h"

#include <QTest>

#include <set>

using namespace reinspect;

class tst_Theme : public QObject
{
    Q_OBJECT

private slots:
    void rolesAndSurfacesStandInTheOrderOfTheirEnums();
    void everyTextCanBeRead_data();
    void everyTextCanBeRead();
    void bordersStandOutFromTheBackground_data();
    void bordersStandOutFromTheBackground();
    void tagsThatCanMeetHaveDifferentMarks_data();
    void tagsThatCanMeetHaveDifferentMarks();
    void everyRoleHasAWordAndAMeaning();
    void brokenThemesSayWhatIsWrong_data();
    void brokenThemesSayWhatIsWrong();
    void theThemeMatchesThePalette();

private:
    static void addThemes();
    static const Theme& theme(const QString& name);
};

static constexpr double kReadable = 4.5; // WCAG AA for text
static constexpr double kVisible = 3;    // WCAG AA for shapes

void tst_Theme::addThemes()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("light") << QStringLiteral("Light");
    QTest::newRow("dark") << QStringLiteral("Dark");
}

const Theme& tst_Theme::theme(const QString& name)
{
    return name == Theme::dark().name() ? Theme::dark() : Theme::light();
}

void tst_Theme::rolesAndSurfacesStandInTheOrderOfTheirEnums()
{
    for (std::size_t i = 0; i < allRoles().size(); ++i)
        QCOMPARE(static_cast<std::size_t>(allRoles()[i]), i);
    QCOMPARE(allRoles().back(), Role::Selected);
    for (std::size_t i = 0; i < allSurfaces().size(); ++i)
        QCOMPARE(static_cast<std::size_t>(allSurfaces()[i]), i);
    QCOMPARE(allSurfaces().back(), Surface::Accent);
}

void tst_Theme::everyTextCanBeRead_data()
{
    addThemes();
}

void tst_Theme::everyTextCanBeRead()
{
    QFETCH(QString, name);
    const Theme& tried = theme(name);
    for (Role role : allRoles())
    {
        const RoleStyle& style = tried.style(role);
        const QByteArray key = roleKey(role).toUtf8();
        QVERIFY2(contrast(style.text, style.fill) >= kReadable, key.constData());
        // Tags are written in the fill on the border.
        QVERIFY2(contrast(style.fill, style.border) >= kReadable, key.constData());
        QVERIFY2(contrast(tried.color(Surface::FaintText), style.fill) >= kReadable,
                 key.constData());
    }
    for (Surface surface : {Surface::Text, Surface::FaintText, Surface::Accent})
    {
        QVERIFY(contrast(tried.color(surface), tried.color(Surface::Background)) >= kReadable);
        QVERIFY(contrast(tried.color(surface), tried.color(Surface::Panel)) >= kReadable);
    }
}

void tst_Theme::bordersStandOutFromTheBackground_data()
{
    addThemes();
}

void tst_Theme::bordersStandOutFromTheBackground()
{
    QFETCH(QString, name);
    const QColor background = theme(name).color(Surface::Background);
    for (Role role : allRoles())
        QVERIFY2(contrast(theme(name).style(role).border, background) >= kVisible,
                 roleKey(role).toUtf8().constData());
    for (Surface surface : {Surface::Edge, Surface::EdgeStrong, Surface::Focus})
        QVERIFY(contrast(theme(name).color(surface), background) >= kVisible);
}

void tst_Theme::tagsThatCanMeetHaveDifferentMarks_data()
{
    addThemes();
}

void tst_Theme::tagsThatCanMeetHaveDifferentMarks()
{
    QFETCH(QString, name);
    NodeMarks everything;
    for (Role role : allRoles())
        everything.roles.add(role);
    std::vector<Role> tags = tagRoles(everything);
    tags.insert(tags.end(), {Role::SameMemory, Role::View});
    std::set<Mark> seen{Mark::None};
    for (Role role : tags)
        QVERIFY2(seen.insert(theme(name).style(role).mark).second,
                 roleKey(role).toUtf8().constData());
}

void tst_Theme::everyRoleHasAWordAndAMeaning()
{
    std::set<QString> words;
    for (Role role : allRoles())
    {
        QVERIFY(!roleMeaning(role).isEmpty());
        QVERIFY2(words.insert(roleWord(role)).second, roleKey(role).toUtf8().constData());
    }
}

void tst_Theme::brokenThemesSayWhatIsWrong_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("problem");
    QTest::newRow("no JSON") << QByteArray("dark, please")
                             << QStringLiteral("\"background\" is no color");
    QTest::newRow("no roles") << QByteArray(R"({"surfaces": {"background": "#000", "panel": "#000",
        "text": "#fff", "faintText": "#fff", "edge": "#fff", "edgeStrong": "#fff", "grid": "#fff",
        "focus": "#fff", "accent": "#fff"}})")
                              << QStringLiteral("role \"plain\" is missing");
}

void tst_Theme::brokenThemesSayWhatIsWrong()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, problem);
    QString said;
    QVERIFY(!Theme::fromJson(json, &said));
    QCOMPARE(said, problem);
}

void tst_Theme::theThemeMatchesThePalette()
{
    QVERIFY(Theme::matching(Theme::dark().palette()).isDark());
    QVERIFY(!Theme::matching(Theme::light().palette()).isDark());
}

QTEST_MAIN(tst_Theme)
#include "tst_theme.moc"
