// SPDX-License-Identifier: MIT
// MainWindow: captures that running programs send, and the tool that records them.
#include "app/actions.h"
#include "app/capture_dialog.h"
#include "app/main_window.h"
#include "views/panels/live_panel.h"
#include "views/session/live_service.h"
#include "views/session/session.h"

#include <QDockWidget>
#include <QToolButton>

#include <algorithm>

namespace reinspect
{

void MainWindow::buildLiveDock()
{
    m_livePanel = new LivePanel(m_live, this);
    m_liveDock = addPanel("dock.captures", tr("Captures"), m_livePanel, Qt::RightDockWidgetArea);
    m_liveDock->hide();
    m_liveButton = new QToolButton(this);
    m_liveButton->setAutoRaise(true);
    m_liveButton->setFocusPolicy(Qt::TabFocus);
    m_liveButton->hide();
    connect(m_liveButton, &QToolButton::clicked, this, [this] { showPanel(m_liveDock); });
}

void MainWindow::connectLive()
{
    connect(m_actions->action("live.receive"), &QAction::triggered, this,
            &MainWindow::setReceiving);
    m_actions->on("view.captures", [this] { showPanel(m_liveDock); });
    connect(m_livePanel, &LivePanel::receiveAsked, this, &MainWindow::setReceiving);
    connect(m_livePanel, &LivePanel::howAsked, this, &MainWindow::showCaptureDialog);
    connect(m_livePanel, &LivePanel::openAsked, this, [this](const QString& path) {
        m_live->markOpened(path);
        open(path);
    });
    connect(m_live, &LiveService::statusChanged, this, &MainWindow::showLive);
    connect(m_live, &LiveService::capturesChanged, this, &MainWindow::showLive);
    // Behind what is there: what is being read stays, and so does the focus.
    connect(m_live, &LiveService::captureArrived, this, [this] {
        if (m_liveDock->isHidden())
            m_liveDock->show();
        showLive();
    });
}

void MainWindow::setReceiving(bool on)
{
    m_preferences.live = on;
    applyLive();
    preferencesWereChanged();
}

// What could not be started is said, and tried again at the next start of the program.
void MainWindow::applyLive()
{
    LiveLimits limits = m_live->limits();
    limits.bytes = qint64(m_preferences.liveMegabytes) << 20;
    m_live->setLimits(limits);
    if (!m_preferences.live)
        m_live->stop();
    else if (!m_live->start())
        m_session->setMessage(m_live->problem());
    showLive();
}

void MainWindow::showLive()
{
    m_actions->action("live.receive")->setChecked(m_live->isOn());
    const auto fresh = std::ranges::count(m_live->captures(), false, &LiveCapture::isOpened);
    m_liveButton->setVisible(m_live->isOn() || fresh > 0);
    m_liveButton->setText(fresh > 0 ? tr("Captures: %1 new").arg(fresh) : tr("Receiving captures"));
    m_liveButton->setToolTip(m_live->statusText());
}

void MainWindow::showCaptureDialog()
{
    CaptureDialog dialog(m_preferences.captureTool, m_live->isOn(), this);
    const auto show = [&] { dialog.setReceiving(m_live->isOn(), m_live->statusText()); };
    connect(&dialog, &CaptureDialog::receiveAsked, this, &MainWindow::setReceiving);
    connect(&dialog, &CaptureDialog::saved, this, [this](const QString& path) {
        m_preferences.captureTool = path;
        preferencesWereChanged();
    });
    connect(m_live, &LiveService::statusChanged, &dialog, show);
    show();
    dialog.exec();
}

} // namespace reinspect
