// SPDX-License-Identifier: MIT
// MainWindow: finding, the command palette, back and forward.
#include "app/main_window.h"

#include "app/actions.h"
#include "app/command_palette.h"
#include "app/visit_history.h"
#include "views/canvas/graph_view.h"
#include "views/panels/find_bar.h"
#include "views/session/session.h"

namespace reinspect
{

void MainWindow::buildFind()
{
    m_find = new FindBar(m_session, this);
    connect(m_find, &FindBar::foundChanged, m_canvas, &GraphView::setFound);
    connect(m_find, &FindBar::closed, m_canvas, [this] { m_canvas->setFocus(); });
}

void MainWindow::connectExploring()
{
    m_actions->on("edit.find", [this] { m_find->open(); });
    m_actions->on("edit.findNext", [this] { m_find->next(); });
    m_actions->on("edit.findPrevious", [this] { m_find->previous(); });
    m_actions->on("edit.palette", [this] { showPalette(); });
    m_actions->on("node.back", [this] { m_history->back(); });
    m_actions->on("node.forward", [this] { m_history->forward(); });
    const auto enable = [this] {
        m_actions->action("node.back")->setEnabled(m_history->canGoBack());
        m_actions->action("node.forward")->setEnabled(m_history->canGoForward());
    };
    connect(m_history, &VisitHistory::changed, this, enable);
    connect(m_session, &Session::selectionChanged, this, enable);
    enable();
}

void MainWindow::showPalette()
{
    auto* palette =
        new CommandPalette(new PaletteModel(m_actions->all(), m_session->trace()), this);
    palette->setAttribute(Qt::WA_DeleteOnClose);
    connect(palette, &CommandPalette::nodeChosen, this, [this](NodeId node) {
        m_session->setSelection({.nodes = {node}, .storage = {}});
        m_canvas->setFocus();
    });
    palette->move(mapToGlobal(QPoint((width() - palette->width()) / 2, 60)));
    palette->show();
}

} // namespace reinspect
