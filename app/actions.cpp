// SPDX-License-Identifier: MIT
#include "app/actions.h"

#include "views/canvas/graph_view.h"
#include "views/session/session.h"

namespace reinspect
{
namespace
{

struct StepRow
{
    const char* id;
    const char* text;
    const char* keys; // alternatives, parted by blanks
    Move move;
};

constexpr StepRow kSteps[] = {
    {"step.start", "To Start", "Shift+F5", Move::ToStart},
    {"step.previousDecision", "Previous Decision", "[", Move::PreviousDecision},
    {"step.backOver", "Back Over", "Shift+F10", Move::BackOver},
    {"step.back", "Previous Step", "P", Move::BackInto},
    {"step.into", "Next Step (Into)", "N F11", Move::Into},
    {"step.over", "Step Over", "F10", Move::Over},
    {"step.out", "Step Out", "Shift+F11", Move::Out},
    {"step.nextDecision", "Next Decision", "]", Move::NextDecision},
    {"step.previousRefusal", "Previous Refusal", "Shift+R", Move::PreviousRefusal},
    {"step.nextRefusal", "Next Refusal", "R", Move::NextRefusal},
    {"step.end", "Run to the End", "F5", Move::ToEnd},
};

QList<QKeySequence> keySequences(const char* keys)
{
    QList<QKeySequence> list;
    for (const QString& key : QString::fromLatin1(keys).split(QLatin1Char(' '), Qt::SkipEmptyParts))
        list.append(QKeySequence(key));
    return list;
}

} // namespace

Actions::Actions(Session* session, GraphView* view, QObject* parent) : QObject(parent), m_session(session), m_view(view)
{
    addSteps();
    addView();
    connect(session, &Session::eventChanged, this, &Actions::updateEnabled);
    connect(session, &Session::traceChanged, this, &Actions::updateEnabled);
    connect(session, &Session::documentChanged, this, &Actions::updateEnabled);
    updateEnabled();
}

void Actions::addSteps()
{
    for (const StepRow& row : kSteps)
    {
        add(row.id, tr(row.text), keySequences(row.keys), [this, move = row.move] { m_session->step(move); });
        m_moves.insert(action(row.id), static_cast<int>(row.move));
    }
}

void Actions::addView()
{
    add("view.fit", tr("Fit Graph"), keySequences("F"), [this] { m_view->fit(); });
    add("view.zoomIn", tr("Zoom In"), keySequences("+ ="), [this] { m_view->zoomIn(); });
    add("view.zoomOut", tr("Zoom Out"), keySequences("-"), [this] { m_view->zoomOut(); });
    add("view.zoomReset", tr("Actual Size"), keySequences("0"), [this] { m_view->resetZoom(); });
    add("view.center", tr("Center on Selection"), keySequences("C"), [this] { m_view->centerOnSelection(); });
}

void Actions::add(const char* id, const QString& text, const QList<QKeySequence>& keys, std::function<void()> run)
{
    auto* action = new QAction(text, this);
    action->setObjectName(QLatin1String(id));
    action->setShortcuts(keys);
    connect(action, &QAction::triggered, this, run);
    m_actions.insert(QByteArray(id), action);
    m_order.append(action);
}

QAction* Actions::action(const char* id) const
{
    QAction* found = m_actions.value(QByteArray(id));
    Q_ASSERT(found);
    return found;
}

QString Actions::keyList() const
{
    QString text;
    for (const QAction* action : m_order)
    {
        QStringList keys;
        for (const QKeySequence& key : action->shortcuts())
            keys.append(key.toString(QKeySequence::NativeText));
        text += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>")
                    .arg(keys.join(QStringLiteral(", ")).toHtmlEscaped(), action->text().toHtmlEscaped());
    }
    return QStringLiteral("<table>%1</table>").arg(text);
}

void Actions::updateEnabled()
{
    for (auto at = m_moves.constBegin(); at != m_moves.constEnd(); ++at)
    {
        const bool leads = m_session->trace()
            && destination(*m_session->trace(), m_session->event(), static_cast<Move>(at.value())).has_value();
        at.key()->setEnabled(leads);
    }
}

} // namespace reinspect
