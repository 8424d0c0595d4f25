// SPDX-License-Identifier: MIT
#include "views/canvas/theme.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace reinspect
{

namespace
{
template<typename T>
struct Spelling
{
    const char* text;
    T value;
};

constexpr Spelling<Qt::PenStyle> kLines[] = {
    {"solid", Qt::SolidLine},
    {"dash", Qt::DashLine},
    {"dot", Qt::DotLine},
};

constexpr Spelling<Mark> kMarks[] = {
    {"none", Mark::None},           {"circle", Mark::Circle},   {"ring", Mark::Ring},
    {"square", Mark::Square},       {"diamond", Mark::Diamond}, {"triangle", Mark::Triangle},
    {"cross", Mark::Cross},         {"check", Mark::Check},     {"arrowUp", Mark::ArrowUp},
    {"arrowBack", Mark::ArrowBack}, {"link", Mark::Link},       {"eye", Mark::Eye},
    {"bars", Mark::Bars},           {"plus", Mark::Plus},       {"dash", Mark::Dash},
    {"swap", Mark::Swap},           {"warning", Mark::Warning}, {"slashed", Mark::Slashed},
    {"star", Mark::Star},           {"pin", Mark::Pin},
};

// Reads one theme; the first thing that is wrong is kept as the problem.
class ThemeReader
{
public:
    QColor color(const QJsonObject& object, const QString& key)
    {
        const QColor color(object.value(key).toString());
        if (!color.isValid())
            complain(QStringLiteral("\"%1\" is no color").arg(key));
        return color;
    }

    template<typename T, std::size_t N>
    T oneOf(const Spelling<T> (&spellings)[N], const QJsonObject& object, const QString& key)
    {
        const QString text = object.value(key).toString();
        for (const Spelling<T>& spelling : spellings)
        {
            if (text == QLatin1String(spelling.text))
                return spelling.value;
        }
        complain(QStringLiteral("\"%1\" has no known value").arg(key));
        return spellings[0].value;
    }

    RoleStyle style(const QJsonObject& roles, Role role)
    {
        const QString key = roleKey(role);
        if (!roles.value(key).isObject())
            complain(QStringLiteral("role \"%1\" is missing").arg(key));
        const QJsonObject object = roles.value(key).toObject();
        return {color(object, QStringLiteral("fill")),
                color(object, QStringLiteral("border")),
                color(object, QStringLiteral("text")),
                object.value(QStringLiteral("width")).toDouble(1),
                oneOf(kLines, object, QStringLiteral("line")),
                oneOf(kMarks, object, QStringLiteral("mark"))};
    }

    const QString& problem() const { return m_problem; }

private:
    void complain(const QString& problem)
    {
        if (m_problem.isEmpty())
            m_problem = problem;
    }

    QString m_problem;
};
} // namespace

QPen RoleStyle::pen() const
{
    QPen pen(border, width, dash);
    pen.setJoinStyle(Qt::MiterJoin);
    return pen;
}

std::optional<Theme> Theme::fromJson(const QByteArray& json, QString* problem)
{
    const QJsonObject object = QJsonDocument::fromJson(json).object();
    const QJsonObject surfaces = object.value(QStringLiteral("surfaces")).toObject();
    const QJsonObject roles = object.value(QStringLiteral("roles")).toObject();
    ThemeReader reader;
    Theme theme;
    theme.m_name = object.value(QStringLiteral("name")).toString();
    for (Surface surface : allSurfaces())
        theme.m_surfaces[static_cast<std::size_t>(surface)] =
            reader.color(surfaces, surfaceKey(surface));
    for (Role role : allRoles())
        theme.m_roles[static_cast<std::size_t>(role)] = reader.style(roles, role);
    if (problem)
        *problem = reader.problem();
    if (!reader.problem().isEmpty())
        return std::nullopt;
    return theme;
}

static Theme builtIn(const QString& path)
{
    QFile file(path);
    const bool isThere = file.open(QIODevice::ReadOnly);
    assert(isThere);
    std::optional<Theme> theme = Theme::fromJson(isThere ? file.readAll() : QByteArray());
    assert(theme);
    return *std::move(theme);
}

const Theme& Theme::light()
{
    static const Theme theme = builtIn(QStringLiteral(":/themes/light.json"));
    return theme;
}

const Theme& Theme::dark()
{
    static const Theme theme = builtIn(QStringLiteral(":/themes/dark.json"));
    return theme;
}

const Theme& Theme::matching(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightnessF() < 0.5f ? dark() : light();
}

bool Theme::isDark() const
{
    return color(Surface::Background).lightnessF() < 0.5f;
}

QPalette Theme::palette() const
{
    const QColor text = color(Surface::Text);
    const QColor faint = color(Surface::FaintText);
    const QColor background = color(Surface::Background);
    const QColor panel = color(Surface::Panel);
    QPalette palette(panel, background);
    for (QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText})
    {
        palette.setColor(role, text);
        palette.setColor(QPalette::Disabled, role, faint);
    }
    palette.setColor(QPalette::Base, panel);
    palette.setColor(QPalette::AlternateBase, background);
    palette.setColor(QPalette::ToolTipBase, panel);
    palette.setColor(QPalette::PlaceholderText, faint);
    palette.setColor(QPalette::Highlight, color(Surface::Accent));
    palette.setColor(QPalette::HighlightedText, panel);
    palette.setColor(QPalette::Link, color(Surface::Accent));
    palette.setColor(QPalette::LinkVisited, color(Surface::Accent));
    return palette;
}

static double linear(double channel)
{
    return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

static double luminance(const QColor& color)
{
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF())
        + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b)
{
    const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
    return (lighter + 0.05) / (darker + 0.05);
}

} // namespace reinspect
