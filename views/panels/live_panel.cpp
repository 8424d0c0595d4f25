// SPDX-License-Identifier: MIT
#include "views/panels/live_panel.h"

#include "views/models/live_capture_model.h"
#include "views/panels/hint_stack.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace reinspect
{

LivePanel::LivePanel(LiveService* service, QWidget* parent)
    : QWidget(parent)
    , m_service(service)
    , m_model(new LiveCaptureModel(service, this))
{
    setWhatsThis(
        tr("Captures that programs on this machine send while they run, the newest first: one for "
           "each graph that torch.compile compiled. A click or Enter opens one in a tab of its "
           "own; nothing is opened by itself."));
    buildList();
    buildHead();
    connect(m_service, &LiveService::statusChanged, this, &LivePanel::showStatus);
    connect(m_service, &LiveService::captureArrived, this, &LivePanel::showStatus);
    showStatus();
}

void LivePanel::buildHead()
{
    m_receive = new QCheckBox(tr("Receive &captures"), this);
    m_receive->setToolTip(tr("Listen on this machine for programs run with --live"));
    connect(m_receive, &QCheckBox::clicked, this, &LivePanel::receiveAsked);
    auto* how = new QPushButton(tr("From &Python..."), this);
    how->setToolTip(tr("What to add to a program, and the tool that records it"));
    connect(how, &QPushButton::clicked, this, &LivePanel::howAsked);
    m_status = new QLabel(this);
    m_status->setWordWrap(true);
    m_status->setTextFormat(Qt::PlainText);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_status->setAccessibleName(tr("Whether captures are received"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 4, 6, 0);
    row->addWidget(m_receive, 1);
    row->addWidget(how);
    m_status->setContentsMargins(6, 0, 6, 2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addLayout(row);
    column->addWidget(m_status);
    column->addWidget(m_stack, 1);
    setFocusProxy(m_list);
}

void LivePanel::buildList()
{
    m_list = new QTableView(this);
    m_list->setAccessibleName(tr("Captures that were received"));
    m_list->setModel(m_model);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setShowGrid(false);
    m_list->setTabKeyNavigation(false);
    m_list->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->verticalHeader()->hide();
    m_list->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    m_list->horizontalHeader()->setHighlightSections(false);
    m_list->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_list->horizontalHeader()->setStretchLastSection(true);
    m_list->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_stack = new HintStack(m_list, QString(), this);
    connect(m_list, &QTableView::clicked, this, &LivePanel::open);
    connect(m_list, &QTableView::activated, this, &LivePanel::open);
}

void LivePanel::open(const QModelIndex& index)
{
    if (const LiveCapture* capture = m_model->captureAt(index))
        emit openAsked(capture->path);
}

void LivePanel::showStatus()
{
    m_receive->setChecked(m_service->isOn());
    m_status->setText(m_service->statusText());
    m_stack->setEmpty(m_service->captures().empty());
    m_stack->setHint(m_service->isOn()
                         ? tr("Nothing has arrived yet. \"From Python\" says what to run.")
                         : tr("Receive captures to see here what a running program compiles."));
}

} // namespace reinspect
