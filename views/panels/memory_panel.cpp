// SPDX-License-Identifier: MIT
#include "views/panels/memory_panel.h"

#include "views/canvas/mark_shapes.h"
#include "views/models/tensor_words.h"
#include "views/panels/hint_stack.h"
#include "views/panels/memory_chart.h"
#include "views/session/place.h"
#include "views/session/qt_text.h"
#include "views/session/run_service.h"
#include "views/session/session.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace reinspect
{

static constexpr std::size_t kStages = 4;
static constexpr std::size_t kFinal = 2; // as "after", but for nodes: hidden at first

MemoryPanel::MemoryPanel(RunService* runs, QWidget* parent)
    : QWidget(parent)
    , m_session(runs->session())
    , m_service(new MemoryService(runs, this))
    , m_chart(new MemoryChart(this))
{
    buildHead();
    buildLists();
    buildLayout();
    connectSources();
    showCurves();
}

void MemoryPanel::buildHead()
{
    for (std::size_t i = 0; i < kStages; ++i)
    {
        auto* button = new QToolButton(this);
        button->setCheckable(true);
        button->setChecked(i != kFinal);
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        connect(button, &QToolButton::toggled, this, [this, i](bool shown) {
            m_chart->setShown(i, shown);
            showChosen();
        });
        m_buttons.push_back(button);
        m_chart->setShown(i, i != kFinal);
    }
    m_stacked = new QCheckBox(tr("&Stack"), this);
    m_stacked->setToolTip(tr("Show the allocations of one graph under its line, as predicted"));
    m_stage = new QComboBox(this);
    m_stage->setAccessibleName(tr("Graph whose allocations are listed and stacked"));
    m_stage->setToolTip(m_stage->accessibleName());
    connect(m_stacked, &QCheckBox::toggled, this, &MemoryPanel::showStage);
    connect(m_stage, &QComboBox::currentIndexChanged, this, &MemoryPanel::showStage);
}

static QTreeWidget* makeList(const QStringList& headings, const QString& name, QWidget* parent)
{
    auto* list = new QTreeWidget(parent);
    list->setHeaderLabels(headings);
    list->setRootIsDecorated(false);
    list->setUniformRowHeights(true);
    list->setAlternatingRowColors(true);
    list->setFrameShape(QFrame::NoFrame);
    list->setAccessibleName(name);
    list->header()->setStretchLastSection(false);
    list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    return list;
}

void MemoryPanel::buildLists()
{
    m_lists = new QTabWidget(this);
    m_lists->setDocumentMode(true);
    m_atPeak = makeList({tr("Allocated by"), tr("Bytes")}, tr("Alive at the peak"), m_lists);
    m_saved = makeList({tr("Written in place"), tr("Allocated"), tr("Peak")},
                       tr("Bytes saved by each decision"), m_lists);
    m_saved->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    m_saved->setWhatsThis(
        tr("What each write in place saves, as predicted: bytes allocated in all, and bytes of the "
           "peak, against the same policy with only this decision forbidden. Most clones do not "
           "live where memory is highest, and save nothing of the peak."));
    m_lists->addTab(m_atPeak, tr("At the Peak"));
    m_lists->addTab(m_saved, tr("Saved"));
    for (const auto signal : {&QTreeWidget::itemClicked, &QTreeWidget::itemActivated})
    {
        connect(m_atPeak, signal, this,
                [this](const QTreeWidgetItem* item) { choose(item->text(0)); });
        connect(m_saved, signal, this, [this](const QTreeWidgetItem* item) { goToDecision(item); });
    }
}

// The lists and the graph that they are of. Both tabs are seen whole, however narrow the panel.
QWidget* MemoryPanel::makeSide(QWidget* parent)
{
    auto* side = new QWidget(parent);
    auto* choice = new QHBoxLayout;
    choice->addWidget(m_stage, 1);
    choice->addWidget(m_stacked);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addLayout(choice);
    column->addWidget(m_lists, 1);
    side->setMinimumWidth(m_lists->tabBar()->sizeHint().width());
    return side;
}

void MemoryPanel::buildLayout()
{
    m_sentence = new QLabel(this);
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setAccessibleName(tr("Memory at the chosen node"));
    auto* content = new QWidget(this);
    auto* head = new QHBoxLayout;
    head->setSpacing(2);
    for (QToolButton* button : m_buttons)
        head->addWidget(button);
    head->addStretch(1);
    auto* split = new QSplitter(content);
    split->addWidget(m_chart);
    split->addWidget(makeSide(split));
    split->setSizes({600, 400}); // shares of what there is
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    split->setChildrenCollapsible(true);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(6, 4, 6, 4);
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(split, 1);
    column->addWidget(m_sentence);
    m_stack = new HintStack(content, emptyText(), this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    setFocusProxy(m_chart);
}

void MemoryPanel::connectSources()
{
    connect(m_service, &MemoryService::curvesChanged, this, &MemoryPanel::showCurves);
    connect(m_service, &MemoryService::savedChanged, this, &MemoryPanel::showSaved);
    connect(m_session, &Session::selectionChanged, this, &MemoryPanel::showChosen);
    connect(m_session, &Session::eventChanged, this, &MemoryPanel::showChosen);
    connect(m_session, &Session::documentChanged, this, [this] { m_stack->setHint(emptyText()); });
    connect(m_chart, &MemoryChart::nodeChosen, this, &MemoryPanel::choose);
}

void MemoryPanel::setSeen(bool seen)
{
    m_service->setActive(seen);
}

void MemoryPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        showButtons();
    QWidget::changeEvent(event);
}

QString MemoryPanel::emptyText() const
{
    return m_session->document() ? tr("Counting bytes...")
                                 : tr("Open a graph to see its memory over program order.");
}

void MemoryPanel::showCurves()
{
    const auto& curves = m_service->curves();
    m_chart->setCurves(curves);
    m_stack->setHint(emptyText());
    m_stack->setEmpty(!curves);
    const int now = std::max(m_stage->currentIndex(), 0);
    {
        const QSignalBlocker quiet(m_stage);
        m_stage->clear();
        for (std::size_t i = 0; curves && i < curves->curves.size(); ++i)
            m_stage->addItem(toQString(curves->curves[i].stage));
        m_stage->setCurrentIndex(std::min(now, m_stage->count() - 1));
    }
    showButtons();
    showStage();
    showSaved();
    showChosen();
}

static QIcon markIcon(const Theme& theme, std::size_t curve, int extent, qreal ratio)
{
    QPixmap pixmap(QSize(extent, extent) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    drawMark(painter, memoryMark(curve), QRectF(1, 1, extent - 2, extent - 2),
             memoryColor(theme, curve));
    return QIcon(pixmap);
}

static QString peakText(const MemoryCurve& curve)
{
    if (!curve.best().isThere())
        return curve.problem;
    QString text = MemoryPanel::tr("Peak %1 predicted").arg(bytesText(curve.predicted.peakBytes));
    if (curve.measured.isThere())
        text = MemoryPanel::tr("Peak %1 measured, %2 predicted")
                   .arg(bytesText(curve.measured.peakBytes), bytesText(curve.predicted.peakBytes));
    if (!curve.best().peakNode.empty())
        text += MemoryPanel::tr(", at \"%1\"").arg(toQString(curve.best().peakNode));
    text += MemoryPanel::tr("; %L1 allocations predicted").arg(curve.allocations);
    for (const QString& sentence : curve.unknown)
        text += MemoryPanel::tr("\nNot predicted: %1").arg(sentence);
    return curve.problem.isEmpty() ? text : text + u'\n' + curve.problem;
}

void MemoryPanel::showButtons()
{
    const auto& curves = m_service->curves();
    const Theme& theme = Theme::matching(palette());
    for (std::size_t i = 0; curves && i < m_buttons.size(); ++i)
    {
        const bool isThere = i < curves->curves.size() && curves->curves[i].best().isThere();
        m_buttons[i]->setEnabled(isThere);
        m_buttons[i]->setIcon(markIcon(theme, i, fontMetrics().height(), devicePixelRatioF()));
        if (i >= curves->curves.size())
            continue;
        const MemoryCurve& curve = curves->curves[i];
        m_buttons[i]->setText(isThere ? QStringLiteral("%1 %2").arg(
                                  toQString(curve.stage), bytesText(curve.best().peakBytes))
                                      : toQString(curve.stage));
        m_buttons[i]->setToolTip(peakText(curve));
        m_buttons[i]->setAccessibleName(
            QStringLiteral("%1: %2").arg(toQString(curve.stage), peakText(curve)));
    }
}

void MemoryPanel::showStage()
{
    const auto& curves = m_service->curves();
    const auto stage = static_cast<std::size_t>(std::max(m_stage->currentIndex(), 0));
    m_chart->setStacked(m_stacked->isChecked() ? std::optional(stage) : std::nullopt);
    m_atPeak->clear();
    if (!curves || stage >= curves->curves.size())
        return;
    for (const MemoryBand& band : curves->curves[stage].atPeak)
    {
        auto* item = new QTreeWidgetItem(m_atPeak, {toQString(band.node), bytesText(band.bytes)});
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setToolTip(0, item->text(0));
    }
}

void MemoryPanel::showSaved()
{
    m_saved->clear();
    const auto& curves = m_service->curves();
    const auto& saved = m_service->saved();
    if (!curves || !saved)
    {
        auto* waiting = new QTreeWidgetItem(m_saved, {tr("Counting bytes...")});
        waiting->setFlags(Qt::NoItemFlags);
        return;
    }
    for (const proof::SavedBytes& row : *saved)
    {
        const Decision& decision = curves->trace->decision(row.decision);
        const auto cell = [](const std::optional<std::int64_t>& bytes) {
            return bytes ? bytesText(*bytes) : tr("not computed");
        };
        auto* item = new QTreeWidgetItem(m_saved,
                                         {tr("%1, argument %2")
                                              .arg(toQString(curves->trace->nameOf(decision.node)),
                                                   toQString(decision.argument)),
                                          cell(row.allocated), cell(row.peak)});
        item->setData(0, Qt::UserRole, QVariant::fromValue(row.decision.index()));
        for (const int column : {1, 2})
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        item->setToolTip(0,
                         row.problem.empty() ? item->text(0)
                                             : item->text(0) + u'\n' + toQString(row.problem));
    }
}

void MemoryPanel::goToDecision(const QTreeWidgetItem* item)
{
    const auto& curves = m_service->curves();
    if (curves && m_service->saved() && curves->trace == m_session->trace())
        m_session->goToDecision(DecisionIndex(item->data(0, Qt::UserRole).toULongLong()));
}

void MemoryPanel::showChosen()
{
    const auto& curves = m_service->curves();
    const auto& trace = m_session->trace();
    if (!curves || !trace)
        return m_sentence->clear();
    const auto nameOf = [&](NodeId node) { return node ? trace->nameOf(node) : std::string(); };
    m_chart->setChosen(nameOf(m_session->selection().primary()));
    const DecisionIndex decision = trace->decisionAt(m_session->event());
    m_chart->setCurrent(decision ? nameOf(trace->decision(decision).node) : std::string());
    const auto place = m_chart->chosenPlace();
    if (place)
        m_sentence->setText(tr("While it runs: %1.").arg(m_chart->textAt(*place)));
    else if (curves->isMeasured())
        m_sentence->setText(tr("Bytes over the inputs: solid as measured, dotted as predicted."));
    else
        m_sentence->setText(
            tr("Bytes over the inputs, as predicted. A run adds what it measures."));
}

void MemoryPanel::choose(const QString& node)
{
    const auto& trace = m_session->trace();
    if (!trace)
        return;
    if (const NodeId found = findNode(*trace, toStdString(node)))
        return m_session->setSelection({.nodes = {found}, .storage = {}});
    // Made by the lowering: the picture has no such node, the chart has.
    m_chart->setChosen(toStdString(node));
    if (const auto place = m_chart->chosenPlace())
        m_sentence->setText(tr("While it runs: %1. (It is made by the lowering after the pass.)")
                                .arg(m_chart->textAt(*place)));
}

} // namespace reinspect
