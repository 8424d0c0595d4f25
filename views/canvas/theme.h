// SPDX-License-Identifier: MIT
// Colour, mark and pen for each role a thing can play in the picture. Everything that is coloured
// anywhere in the window asks here, by role. A role never speaks by colour alone: it has a mark
// (a small shape) and a word as well. The values are in resources/themes/*.json.
#pragma once

#include <QColor>
#include <QPalette>
#include <QPen>
#include <QString>

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace reinspect
{

enum class Role : std::uint8_t
{
    // What a box is.
    Plain,
    Input, // placeholder or constant
    Output,
    Stub,    // an input repeated beside its user
    FarStub, // a value made far away, repeated beside its user
    // What has been decided up to the current event.
    Candidate,  // a call that could write in place; not decided yet
    Reinplaced, // writes in place
    Kept,       // keeps its clone
    CopyBack,   // copy_ into an input
    // What the current event is about.
    Current,    // the candidate being looked at
    Mutated,    // the tensor it would write
    Blocking,   // a use that refuses
    Harmless,   // a use that does not count
    Created,    // the node that was just made
    Removed,    // gone at the current event
    NotYet,     // made by a later event
    Retargeted, // its operator was replaced
    // What the reader chose.
    SameMemory, // shares the storage of the chosen node
    View,       // on the way from the storage's first tensor to the chosen view
    Found,      // matches what was searched for
    // What differs between two graphs that are compared.
    DiffAdded,
    DiffRemoved,
    DiffRetargeted,
    DiffRewired,
    DiffMetadata,
    Selected,
};

enum class Mark : std::uint8_t
{
    None,
    Circle,
    Ring,
    Square,
    Diamond,
    Triangle,
    Cross,
    Check,
    ArrowUp,
    ArrowBack, // into an input
    Link,      // two rings: shared memory
    Eye,       // a view
    Bars,      // two stacked sheets: a clone
    Plus,
    Dash,
    Swap,
    Warning, // a triangle with an exclamation mark
    Slashed, // a struck ring
    Star,
    Pin,
};

struct RoleStyle
{
    QColor fill;
    QColor border;
    QColor text;
    qreal width = 1;
    Qt::PenStyle dash = Qt::SolidLine;
    Mark mark = Mark::None;

    QPen pen() const;
};

// Colours that belong to no role.
enum class Surface : std::uint8_t
{
    Background,
    Panel, // legend, message strip, tool tips
    Text,
    FaintText,
    Edge,
    EdgeStrong, // edges of the chosen node
    Grid,       // frames of groups
    Focus,      // keyboard focus
    Accent,     // highlighted rows, links
};

class Theme
{
public:
    // The two built-in themes; loaded once.
    static const Theme& light();
    static const Theme& dark();
    // By the palette's window colour.
    static const Theme& matching(const QPalette& palette);
    // Nothing, and `problem` says why, when the text is not a complete theme.
    static std::optional<Theme> fromJson(const QByteArray& json, QString* problem = nullptr);

    const QString& name() const { return m_name; }
    bool isDark() const;
    const RoleStyle& style(Role role) const { return m_roles[static_cast<std::size_t>(role)]; }
    const QColor& color(Surface surface) const
    {
        return m_surfaces[static_cast<std::size_t>(surface)];
    }
    // For QApplication::setPalette, so that panels and canvas agree.
    QPalette palette() const;

private:
    static constexpr std::size_t kRoles = static_cast<std::size_t>(Role::Selected) + 1;
    static constexpr std::size_t kSurfaces = static_cast<std::size_t>(Surface::Accent) + 1;

    QString m_name;
    std::array<RoleStyle, kRoles> m_roles;
    std::array<QColor, kSurfaces> m_surfaces;
};

std::span<const Role> allRoles();
std::span<const Surface> allSurfaces();
QString roleKey(Role role);     // "kept": its name in the theme files
QString roleWord(Role role);    // "kept: clone": what a tag says
QString roleMeaning(Role role); // one line for the legend
QString surfaceKey(Surface surface);
// WCAG contrast of two opaque colours: 1 to 21.
double contrast(const QColor& a, const QColor& b);

} // namespace reinspect
