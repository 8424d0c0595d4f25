// SPDX-License-Identifier: MIT
#include "app/actions.h"

#include "views/canvas/edge_walk.h"
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
    Elsewhere, // whoever connects it decides
    Trace,     // the pass has run
    Moves,     // the step leads somewhere; steps that search are always there and say what is not
    Node,      // a node is chosen
    Decision,  // one is looked at
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
    {"file.paste", "&Paste Graph", "Ctrl+V", ""},
    {"file.saveSession", "&Save Session...", "Ctrl+S", ""},
    {"file.stop", "S&top Work", "Ctrl+.", "", When::Always},
    {"file.reload", "&Reload", "Ctrl+R", ""},
    {"file.closeTab", "&Close Document", "Ctrl+W", ""},
    {"file.reopenTab", "Reopen Closed &Document", "Ctrl+Shift+T", "", When::Elsewhere},
    {"file.nextTab", "&Next Document", "Ctrl+Tab", ""},
    {"file.previousTab", "Pre&vious Document", "Ctrl+Shift+Tab", ""},
    {"file.startPage", "&Start Page", "Ctrl+Shift+O", "start-page"},
    {"file.export", "&Export Picture...", "Ctrl+E", "export", When::Trace},
    {"file.report", "Export &Report...", "Ctrl+Shift+E", "", When::Trace},
    {"file.quit", "&Quit", "Ctrl+Q", ""},
    {"live.receive", "Receive Live C&aptures", "Ctrl+L", ""},
    {"view.captures", "&Captures from Programs", "T", ""},

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
    {"policy.torch-2.15", "&torch-2.15", "Ctrl+Alt+7", ""},
    {"policy.precise", "p&recise", "Ctrl+Alt+6", ""},
    {"policy.captured", "As the Capture's &PyTorch", "Ctrl+Alt+0", ""},
    {"view.policy", "Policy &Switches", "Shift+P", ""},
    {"view.verdicts", "&Verdict Table", "V", ""},
    {"view.policies", "&Compare Policies", "Shift+V", ""},
    {"decision.force", "&Force in Place", "Shift+I", "", When::Decision},
    {"decision.forbid", "F&orbid in Place", "Shift+K", "", When::Decision},
    {"decision.release", "No Ove&rride", "Shift+U", "", When::Decision},

    {"run.compare", "&Run Before and After", "F6", "", When::Trace},
    {"run.cancel", "Ca&ncel Run", "Ctrl+F6", "", When::Elsewhere},
    {"run.prove", "Run &It: Prove This Decision", "Shift+F6", "", When::Decision},
    {"run.bisect", "Find the &Decision That Changes Results", "F7", "", When::Elsewhere},
    {"run.values", "&Values of the Node", "F8", "", When::Node},
    {"run.remote", "Re&mote Host...", "Ctrl+Shift+F6", ""},
    {"run.results", "&Open Results...", "", "", When::Trace},
    {"view.run", "R&un Panel", "U", ""},
    {"view.timeline", "&Timeline", "Shift+T", ""},
    {"view.memory", "&Memory Chart", "M", ""},

    {"edit.copyNode", "&Copy Node", "Ctrl+C", "", When::Node},
    {"edit.copySentence", "Copy &Sentence", "Ctrl+Shift+C", "", When::Trace},
    {"edit.copyTable", "Copy Verdicts as &Markdown", "", "", When::Trace},
    {"edit.find", "&Find...", "Ctrl+F /", "", When::Trace},
    {"edit.findNext", "Find &Next", "F3", "", When::Trace},
    {"edit.findPrevious", "Find &Previous", "Shift+F3", "", When::Trace},
    {"edit.palette", "&Commands and Nodes...", "Ctrl+P", ""},

    {"node.back", "&Back", "Alt+Left", ""},
    {"node.forward", "&Forward", "Alt+Right", ""},
    {"node.input", "To First &Input", "Up", "", When::Trace},
    {"node.user", "To First &User", "Down", "", When::Trace},
    {"node.left", "User &Before", "Left", "", When::Trace},
    {"node.right", "User &After", "Right", "", When::Trace},
    {"node.input1", "To Input &1", "1", "", When::Node},
    {"node.input2", "To Input &2", "2", "", When::Node},
    {"node.input3", "To Input &3", "3", "", When::Node},
    {"node.input4", "To Input &4", "4", "", When::Node},
    {"node.input5", "To Input &5", "5", "", When::Node},
    {"node.input6", "To Input &6", "6", "", When::Node},
    {"node.input7", "To Input &7", "7", "", When::Node},
    {"node.input8", "To Input &8", "8", "", When::Node},
    {"node.input9", "To Input &9", "9", "", When::Node},
    {"node.editor", "Open in &Editor", "E", "", When::Node},
    {"node.next", "&Next in Program Order", "J .", "", When::Trace},
    {"node.previous", "&Previous in Program Order", "K ,", "", When::Trace},

    {"scope.whole", "&Whole Graph", "W", "", When::Trace},
    {"scope.focus", "F&ocus on Neighborhood", "O", "", When::Trace},
    {"scope.grow", "&Grow Focus", "G", "", When::Trace},
    {"scope.growInputs", "Grow by &Inputs", "Shift+Up", "", When::Trace},
    {"scope.growUsers", "Grow by &Users", "Shift+Down", "", When::Trace},
    {"scope.hide", "&Hide Chosen", "H Del", "", When::Node},
    {"scope.only", "Show &Only Chosen", "S", "", When::Node},
    {"scope.fold", "Fol&d or Unfold Group", "X", "", When::Node},
    {"scope.foldInner", "Fold &Inner Group", "I", "", When::Node},
    {"scope.foldOuter", "Fold Ou&ter Group", "Z", "", When::Node},
    {"scope.foldAll", "Fold &All Groups", "Shift+X", "", When::Trace},
    {"scope.unfoldAll", "U&nfold All Groups", "Ctrl+Shift+X", "", When::Trace},
    {"edit.settings", "&Settings...", "Ctrl+,", ""},
    {"edit.undo", "&Undo", "Ctrl+Z", "", When::Elsewhere},
    {"edit.redo", "&Redo", "Ctrl+Shift+Z Ctrl+Y", "", When::Elsewhere},

    {"view.compare", "Co&mpare...", "Ctrl+D", "", When::Trace},
    {"view.fit", "&Fit Graph", "F", "fit", When::Trace},
    {"view.zoomIn", "Zoom &In", "+ =", "zoom-in", When::Trace},
    {"view.zoomOut", "Zoom &Out", "-", "zoom-out", When::Trace},
    {"view.zoomReset", "&Actual Size", "0", "zoom-actual", When::Trace},
    {"view.center", "&Center on Selection", "C", "center", When::Trace},
    {"color.pass", "What the &Pass Decides", "", "", When::Trace},
    {"color.operator", "&Operator Kind", "", "", When::Trace},
    {"color.dtype", "&Element Type", "", "", When::Trace},
    {"color.device", "&Device", "", "", When::Trace},
    {"color.storage", "&Memory", "", "", When::Trace},
    {"color.module", "Mod&ule", "", "", When::Trace},
    {"color.bytes", "&Size", "", "", When::Trace},
    {"color.live", "Memory &in Use", "", "", When::Trace},
    {"color.verdict", "Final &Verdict", "", "", When::Trace},
    {"color.time", "&Time of the Run", "", "", When::Trace},
    {"color.rules", "My &Rules", "", "", When::Trace},
    {"color.next", "&Next Coloring", "B", "", When::Trace},
    {"view.legend", "&Legend", "L", ""},
    {"view.resetLayout", "&Reset Panels", "", ""},
    {"theme.system", "As the &Desktop", "", ""},
    {"theme.light", "&Light", "", ""},
    {"theme.dark", "&Dark", "", ""},

    {"help.tour", "&Tour", "", ""},
    {"help.keys", "&Keys", "F1", ""},
    {"help.whatsThis", "&What's This?", "Shift+F1", ""},
    {"help.capture", "&Capture from Python...", "Ctrl+Shift+P", ""},
    {"help.about", "&About Reinspect", "", ""},
};

QList<QKeySequence> keySequences(const char* keys)
{
    QList<QKeySequence> list;
    for (const QString& key : QString::fromLatin1(keys).split(u' ', Qt::SkipEmptyParts))
        list.append(QKeySequence(key));
    return list;
}

// Keys of these work while the picture has the focus: lists and editors need them for themselves.
constexpr const char* kOfPicture[] = {"node.input", "node.user",        "node.left",
                                      "node.right", "scope.growInputs", "scope.growUsers",
                                      "scope.hide"};

} // namespace

Actions::Actions(Session* session, GraphView* view, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_view(view)
{
    makeActions();
    connectSteps();
    connectView();
    connectWalks();
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
        showKeys(action);
        m_actions.append(action);
    }
    for (const char* id : kOfPicture)
    {
        action(id)->setShortcutContext(Qt::WidgetShortcut);
        m_view->addAction(action(id));
    }
    for (QAction* action : m_actions)
    {
        const QString id = action->objectName();
        action->setCheckable(
            id == QLatin1String("view.legend") || id == QLatin1String("live.receive")
            || id.startsWith(QLatin1String("theme."))
            || (id.startsWith(QLatin1String("color.")) && id != QLatin1String("color.next")));
    }
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

void Actions::connectWalks()
{
    on("node.input", [this] { m_view->walkTo(WalkDirection::Up); });
    on("node.user", [this] { m_view->walkTo(WalkDirection::Down); });
    on("node.left", [this] { m_view->walkTo(WalkDirection::Left); });
    on("node.right", [this] { m_view->walkTo(WalkDirection::Right); });
    for (std::size_t number = 1; number <= 9; ++number)
        on(("node.input" + std::to_string(number)).c_str(),
           [this, number] { m_view->walkToInput(number); });
    on("node.next", [this] { m_view->walkInProgramOrder(true); });
    on("node.previous", [this] { m_view->walkInProgramOrder(false); });
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
    case When::Always:
    case When::Elsewhere: return true;
    case When::Trace: return trace != nullptr;
    case When::Decision: return m_session->decision().isValid();
    case When::Node: return trace && m_session->selection().primary();
    case When::Moves:
        return trace && m_session->event()
            && destination(*trace, m_session->event(), *kRows[row].move).has_value();
    }
    return true;
}

void Actions::updateEnabled()
{
    for (std::size_t i = 0; i < std::size(kRows); ++i)
        if (kRows[i].when != When::Elsewhere)
            m_actions[static_cast<qsizetype>(i)]->setEnabled(isEnabled(i));
}

QString Actions::keysText(const QAction& action)
{
    QStringList keys;
    for (const QKeySequence& key : action.shortcuts())
        keys.append(key.toString(QKeySequence::NativeText));
    return keys.join(QStringLiteral(", "));
}

QString Actions::plainText(const QAction& action)
{
    return action.text().remove(u'&').remove(QStringLiteral("..."));
}

void Actions::showKeys(QAction* action)
{
    const QString keys = keysText(*action);
    action->setToolTip(keys.isEmpty() ? plainText(*action)
                                      : QStringLiteral("%1 (%2)").arg(plainText(*action), keys));
}

const QAction* Actions::ownerOf(const QKeySequence& key) const
{
    for (const QAction* action : m_actions)
    {
        if (!key.isEmpty() && action->shortcuts().contains(key))
            return action;
    }
    return nullptr;
}

void Actions::setKeys(QAction* action, const QList<QKeySequence>& keys)
{
    action->setShortcuts(keys);
    showKeys(action);
}

void Actions::resetKeys(QAction* action)
{
    const auto row = static_cast<std::size_t>(m_actions.indexOf(action));
    setKeys(action, keySequences(kRows[row].keys));
}

QMap<QString, QString> Actions::changedKeys() const
{
    QMap<QString, QString> changed;
    for (std::size_t i = 0; i < std::size(kRows); ++i)
    {
        const QAction* action = m_actions[static_cast<qsizetype>(i)];
        if (action->shortcuts() == keySequences(kRows[i].keys))
            continue;
        QStringList keys;
        for (const QKeySequence& key : action->shortcuts())
            keys.append(key.toString(QKeySequence::PortableText));
        changed[action->objectName()] = keys.join(u' ');
    }
    return changed;
}

void Actions::applyChangedKeys(const QMap<QString, QString>& keys)
{
    for (QAction* action : m_actions)
    {
        const auto found = keys.find(action->objectName());
        if (found != keys.end())
            setKeys(action, keySequences(found->toLatin1().constData()));
    }
}

} // namespace reinspect
