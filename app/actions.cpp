// SPDX-License-Identifier: MIT
#include "app/actions.h"

#include "views/canvas/graph_view.h"
#include "views/panels/themed_icon.h"
#include "views/session/session.h"

#include <QApplication>

#include <cstring>
#include <iterator>

namespace reinspect
{

namespace
{

enum class When
{
    Always,
    Trace,    // the pass has run
    Decision, // one is looked at
    Moves,    // the step leads somewhere; steps that search are always there and say what is not
};

struct Row
{
    const char* id;
    const char* text;
    const char* keys; // alternatives, parted by blanks; the first is shown in menus
    const char* icon;
    When when = When::Always;
    std::optional<Move> move = std::nullopt;
};

constexpr Row kRows[] = {
    {"file.open", "&Open...", "Ctrl+O", "open"},
    {"file.startPage", "&Start Page", "Ctrl+Shift+O", "start-page"},
    {"file.export", "&Export Picture...", "Ctrl+E", "export", When::Trace},
    {"file.quit", "&Quit", "Ctrl+Q", ""},

    {"step.start", "To &Start", "Ctrl+Home", "start", When::Moves, Move::ToStart},
    {"step.previousDecision", "Previous &Decision", "[", "previous-decision", When::Trace,
     Move::PreviousDecision},
    {"step.previousRefusal", "Previous Re&fusal", "Shift+R", "previous-refusal", When::Trace,
     Move::PreviousRefusal},
    {"step.backOver", "&Back Over", "Shift+F10", "back-over", When::Moves, Move::BackOver},
    {"step.back", "&Previous Step", "P", "back", When::Moves, Move::BackInto},
    {"step.into", "&Next Step (Into)", "N F11", "into", When::Moves, Move::Into},
    {"step.over", "Step &Over", "F10", "over", When::Moves, Move::Over},
    {"step.out", "Step O&ut", "Shift+F11", "out", When::Moves, Move::Out},
    {"step.nextDecision", "Next De&cision", "]", "next-decision", When::Trace, Move::NextDecision},
    {"step.nextRefusal", "Next &Refusal", "R", "next-refusal", When::Trace, Move::NextRefusal},
    {"step.end", "Run to the &End", "Ctrl+End", "end", When::Moves, Move::ToEnd},

    {"break.next", "Run to Next &Breakpoint", "F5", "break-next", When::Trace},
    {"break.previous", "Run to Pre&vious Breakpoint", "Shift+F5", "break-previous", When::Trace},
    {"break.toggle", "&Toggle Breakpoint on Node", "F9", "break-toggle", When::Trace},
    {"break.add", "&New Breakpoint", "Ctrl+F9", ""},

    {"policy.torch-2.11", "&torch-2.11", "Ctrl+Alt+1", ""},
    {"policy.pr-111627", "&pr-111627", "Ctrl+Alt+2", ""},
    {"policy.later-uses", "&later-uses", "Ctrl+Alt+3", ""},
    {"policy.alias-aware", "&alias-aware", "Ctrl+Alt+4", ""},
    {"policy.main-2026", "&main-2026", "Ctrl+Alt+5", ""},
    {"policy.precise", "p&recise", "Ctrl+Alt+6", ""},
    {"view.policy", "Policy &Switches", "Shift+P", ""},
    {"view.verdicts", "&Verdict Table", "V", ""},
    {"view.compare", "&Compare Policies", "Shift+V", ""},
    {"decision.force", "&Force in Place", "Shift+I", "", When::Decision},
    {"decision.forbid", "F&orbid in Place", "Shift+K", "", When::Decision},
    {"decision.release", "No Ove&rride", "Shift+U", "", When::Decision},

    {"view.fit", "&Fit Graph", "F", "fit", When::Trace},
    {"view.zoomIn", "Zoom &In", "+ =", "zoom-in", When::Trace},
    {"view.zoomOut", "Zoom &Out", "-", "zoom-out", When::Trace},
    {"view.zoomReset", "&Actual Size", "0", "zoom-actual", When::Trace},
    {"view.center", "&Center on Selection", "C", "center", When::Trace},
    {"view.legend", "&Legend", "L", ""},
    {"view.resetLayout", "&Reset Panels", "", ""},
    {"theme.system", "As the &Desktop", "", ""},
    {"theme.light", "&Light", "", ""},
    {"theme.dark", "&Dark", "", ""},

    {"help.keys", "&Keys", "F1", ""},
    {"help.whatsThis", "&What's This?", "Shift+F1", ""},
    {"help.about", "&About Reinspect", "", ""},
};

QList<QKeySequence> keySequences(const char* keys)
{
    QList<QKeySequence> list;
    for (const QString& key : QString::fromLatin1(keys).split(u' ', Qt::SkipEmptyParts))
        list.append(QKeySequence(key));
    return list;
}

QString keysText(const QAction& action)
{
    QStringList keys;
    for (const QKeySequence& key : action.shortcuts())
        keys.append(key.toString(QKeySequence::NativeText));
    return keys.join(QStringLiteral(", "));
}

QString plainText(const QAction& action)
{
    return action.text().remove(u'&').remove(QStringLiteral("..."));
}

} // namespace

Actions::Actions(Session* session, GraphView* view, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_view(view)
{
    makeActions();
    connectSteps();
    connectView();
    for (const auto signal : {&Session::documentChanged, &Session::traceChanged,
                              &Session::eventChanged, &Session::selectionChanged})
        connect(session, signal, this, &Actions::updateEnabled);
    updateEnabled();
}

void Actions::makeActions()
{
    for (const Row& row : kRows)
    {
        auto* action = new QAction(QApplication::translate("Actions", row.text), this);
        action->setObjectName(QLatin1String(row.id));
        action->setShortcuts(keySequences(row.keys));
        if (*row.icon)
            action->setIcon(themedIcon(QLatin1String(row.icon)));
        const QString keys = keysText(*action);
        action->setToolTip(keys.isEmpty()
                               ? plainText(*action)
                               : QStringLiteral("%1 (%2)").arg(plainText(*action), keys));
        m_actions.append(action);
    }
    for (const char* id : {"view.legend", "theme.system", "theme.light", "theme.dark"})
        action(id)->setCheckable(true);
}

void Actions::connectSteps()
{
    for (const Row& row : kRows)
    {
        if (row.move)
            on(row.id, [this, move = *row.move] { m_session->step(move); });
    }
}

void Actions::connectView()
{
    on("view.fit", [this] { m_view->fit(); });
    on("view.zoomIn", [this] { m_view->zoomIn(); });
    on("view.zoomOut", [this] { m_view->zoomOut(); });
    on("view.zoomReset", [this] { m_view->resetZoom(); });
    on("view.center", [this] { m_view->centerOnSelection(); });
    action("view.legend")->setChecked(m_view->isLegendVisible());
    connect(action("view.legend"), &QAction::toggled, m_view, &GraphView::setLegendVisible);
    connect(m_view, &GraphView::legendVisibleChanged, action("view.legend"), &QAction::setChecked);
}

QAction* Actions::action(const char* id) const
{
    for (std::size_t i = 0; i < std::size(kRows); ++i)
    {
        if (std::strcmp(kRows[i].id, id) == 0)
            return m_actions[static_cast<qsizetype>(i)];
    }
    Q_ASSERT(false);
    return nullptr;
}

QList<QAction*> Actions::actions(std::initializer_list<const char*> ids) const
{
    QList<QAction*> list;
    for (const char* id : ids)
        list.append(*id ? action(id) : nullptr);
    return list;
}

void Actions::on(const char* id, std::function<void()> run)
{
    connect(action(id), &QAction::triggered, this, std::move(run));
}

bool Actions::isEnabled(std::size_t row) const
{
    const auto& trace = m_session->trace();
    switch (kRows[row].when)
    {
    case When::Always: return true;
    case When::Trace: return trace != nullptr;
    case When::Decision: return m_session->decision().isValid();
    case When::Moves:
        return trace && m_session->event()
            && destination(*trace, m_session->event(), *kRows[row].move).has_value();
    }
    return true;
}

void Actions::updateEnabled()
{
    for (std::size_t i = 0; i < std::size(kRows); ++i)
        m_actions[static_cast<qsizetype>(i)]->setEnabled(isEnabled(i));
}

QString Actions::keyTable() const
{
    QString rows;
    for (const QAction* action : m_actions)
    {
        if (!action->shortcuts().isEmpty())
            rows += QStringLiteral("<tr><td><b>%1</b></td><td>&nbsp;&nbsp;%2</td></tr>")
                        .arg(keysText(*action).toHtmlEscaped(), plainText(*action).toHtmlEscaped());
    }
    return rows;
}

} // namespace reinspect
