// SPDX-License-Identifier: MIT
// MainWindow: settings, keys, the tour, and what every part of the window is for.
#include "app/main_window.h"

#include "app/actions.h"
#include "app/keys_dialog.h"
#include "app/settings_dialog.h"
#include "app/tour.h"
#include "views/canvas/graph_view.h"
#include "views/panels/step_panel.h"
#include "views/session/session.h"

#include <QDockWidget>
#include <QMenuBar>
#include <QMessageBox>
#include <QWhatsThis>

namespace reinspect
{

void MainWindow::connectHelp()
{
    m_actions->on("edit.settings", [this] { showSettings(); });
    m_actions->on("help.keys", [this] { showKeys(); });
    m_actions->on("help.about", [this] { showAbout(); });
    m_actions->on("help.capture", [this] { showCaptureDialog(); });
    m_actions->on("help.tour", [this] { startTour(); });
    m_actions->on("help.whatsThis", [] { QWhatsThis::enterWhatsThisMode(); });
    m_canvas->setWhatsThis(
        tr("The graph. A box is a call, from top to bottom in the order of the program; a small "
           "label stands for a value that is made elsewhere. Colors and marks say what the pass "
           "decided so far; the legend names them. Arrows walk along edges, F1 lists all keys."));
    m_stepsDock->widget()->setWhatsThis(
        tr("What the pass asked and found, step by step. The sentence above speaks of the current "
           "step; click a name in it to see that node."));
    m_inspectorDock->widget()->setWhatsThis(tr(
        "All that is known of the chosen node: what was decided about it and why, its value, its "
        "memory, who reads it."));
    m_aliasDock->widget()->setWhatsThis(
        tr("Which tensors share memory, and who reads each. A reader that needs the old value is "
           "what keeps a clone."));
    m_startDock->widget()->setWhatsThis(
        tr("Samples, each of which teaches one thing, and the files that were opened last."));
    m_verdictsDock->widget()->setWhatsThis(tr(
        "Every decision of the pass as a row: what was decided and why, what the clone costs, and "
        "what our own analysis holds of it. Filter it, sort it, and go to a decision by a click."));
    m_compareDock->widget()->setWhatsThis(tr(
        "The pass run with a second policy over the same graph: where the two part, and the check "
        "at which they do."));
    m_policyDock->widget()->setWhatsThis(
        tr("What the pass is asked to check. A preset mirrors one revision of PyTorch; each switch "
           "can be changed, and single decisions can be forced or forbidden."));
    m_runDock->widget()->setWhatsThis(tr(
        "The graph before and after the pass, computed from the same inputs and compared bit for "
        "bit. A result that differs leads to the node and to the decision that changed it."));
    m_timelineDock->widget()->setWhatsThis(
        tr("How long each node of the last run took, before and after the pass, side by side in "
           "program order, and as a table; and the time and the copies that the pass saves."));
    m_memoryDock->widget()->setWhatsThis(tr(
        "The bytes alive at each node, predicted and, after a run, measured: before and after the "
        "pass and with every clone. A click chooses the node."));
    m_valuesDock->widget()->setWhatsThis(
        tr("The numbers of the chosen node, before and after the pass: their range, how they are "
           "spread, and a table of them."));
    m_sourceDock->widget()->setWhatsThis(
        tr("The graph as text. The lines of the chosen node and of the current step are marked; a "
           "click on a line chooses its node."));
}

void MainWindow::showSettings()
{
    SettingsDialog dialog(m_preferences, this);
    connect(&dialog, &SettingsDialog::keysRequested, this, &MainWindow::showKeys);
    if (dialog.exec() != QDialog::Accepted)
        return;
    Preferences changed = dialog.preferences();
    changed.keys = m_actions->changedKeys();
    const ThemeChoice theme = changed.theme;
    changed.theme = m_preferences.theme;
    m_preferences = std::move(changed);
    setTheme(theme);
    m_canvas->setLayoutLimit(m_preferences.layoutSeconds);
    if (m_coloring == ClassBy::Rules)
        applyColoring();
    applyLive();
    preferencesWereChanged();
}

void MainWindow::showKeys()
{
    KeysDialog dialog(m_actions, this);
    connect(&dialog, &KeysDialog::keysChanged, this, [this] {
        m_preferences.keys = m_actions->changedKeys();
        preferencesWereChanged();
    });
    dialog.exec();
}

void MainWindow::startTour()
{
    if (m_tour)
        return;
    arrangePanels();
    m_tour = new Tour(
        {{tr("The graph"),
          tr("Each box is a call. A red box marked <b>kept: clone</b> was refused: it works on a "
             "copy of its argument. Drag to move, Ctrl and wheel to zoom, arrows to walk."),
          m_canvas},
         {tr("Why was it kept?"),
          tr("This sentence answers: it names the call, the tensor, and the <b>later use</b> that "
             "needs the old value. <b>R</b> goes to the next refusal, <b>N</b> and <b>P</b> step "
             "through every question the pass asked."),
          m_stepsDock},
         {tr("What is this node?"),
          tr("Shape, bytes, memory, and the decision with its evidence. Click any box or any "
             "underlined name to see it here."),
          m_inspectorDock},
         {tr("Who shares this memory?"),
          tr("All tensors that share memory, with their readers. The reader marked with a red "
             "cross "
             "is the one that keeps the clone."),
          m_aliasDock},
         {tr("Everything by key"),
          tr("<b>Ctrl+P</b> finds every command and node, <b>/</b> searches with conditions such "
             "as "
             "<i>verdict:kept bytes&gt;1M</i>, <b>F1</b> lists the keys. This tour is in the Help "
             "menu."),
          menuBar()}},
        this);
    connect(m_tour, &Tour::ended, this, [this] {
        m_tour = nullptr;
        m_preferences.tourShown = true;
        preferencesWereChanged();
        m_canvas->setFocus();
    });
}

static void showText(QWidget* parent, const QString& title, const QString& html)
{
    QMessageBox box(QMessageBox::NoIcon, title, html, QMessageBox::Close, parent);
    box.setTextFormat(Qt::RichText);
    box.exec();
}

void MainWindow::showAbout()
{
    showText(this, tr("About Reinspect"),
             tr("<p><b>Reinspect %1</b></p><p>Shows what the reinplacing pass of PyTorch Inductor "
                "decides, and why: "
                "which clones stay, which go, and the node that made the difference.</p><p>MIT "
                "licence.</p>")
                 .arg(QStringLiteral(REINSPECT_VERSION)));
}

} // namespace reinspect
