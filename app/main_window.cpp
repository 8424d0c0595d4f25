// SPDX-License-Identifier: MIT
#include "app/main_window.h"

#include "app/actions.h"
#include "views/canvas/graph_view.h"
#include "views/panels/alias_panel.h"
#include "views/panels/inspector_panel.h"
#include "views/panels/source_panel.h"
#include "views/panels/step_panel.h"
#include "views/session/session.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace reinspect
{
namespace
{

constexpr int kRecentFiles = 8;

QString recentKey()
{
    return QStringLiteral("recentFiles");
}

} // namespace

QString samplesFolder()
{
    const QDir program(QCoreApplication::applicationDirPath());
    for (const QString& place : {program.filePath(QStringLiteral("../share/reinspect/samples")),
                                 program.filePath(QStringLiteral("../../samples")),
                                 QStringLiteral(REINSPECT_SAMPLES_DIR)})
        if (QDir(place).exists(QStringLiteral("index.json")))
            return QDir(place).canonicalPath();
    return {};
}

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent), m_session(new Session(this)), m_canvas(new GraphView(m_session, this)),
      m_actions(new Actions(m_session, m_canvas, this))
{
    setWindowTitle(QStringLiteral("Reinspect"));
    setAcceptDrops(true);
    buildCentre();
    buildDocks();
    buildMenus();
    buildStepBar();
    connectSession();
    restoreLayout();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildCentre()
{
    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_strip = new QFrame(centre);
    m_strip->setFrameShape(QFrame::StyledPanel);
    m_strip->setObjectName(QStringLiteral("messageStrip"));
    auto* row = new QHBoxLayout(m_strip);
    m_stripText = new QLabel(m_strip);
    m_stripText->setObjectName(QStringLiteral("messageText"));
    m_stripText->setWordWrap(true);
    m_stripText->setTextFormat(Qt::PlainText);
    m_stripText->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* close = new QToolButton(m_strip);
    close->setText(tr("Close"));
    connect(close, &QToolButton::clicked, this, [this] { m_session->setMessage({}); });
    row->addWidget(m_stripText, 1);
    row->addWidget(close);
    m_strip->hide();
    column->addWidget(m_strip);
    column->addWidget(m_canvas, 1);
    setCentralWidget(centre);
    m_status = new QLabel(this);
    statusBar()->addWidget(m_status, 1);
}

void MainWindow::buildDocks()
{
    const auto dock = [this](const char* id, const QString& title, QWidget* panel, Qt::DockWidgetArea area) {
        auto* widget = new QDockWidget(title, this);
        widget->setObjectName(QLatin1String(id));
        widget->setWidget(panel);
        addDockWidget(area, widget);
        return widget;
    };
    QDockWidget* steps = dock("dock.steps", tr("Steps"), new StepPanel(m_session, this), Qt::LeftDockWidgetArea);
    QDockWidget* inspector =
        dock("dock.inspector", tr("Inspector"), new InspectorPanel(m_session, this), Qt::RightDockWidgetArea);
    QDockWidget* aliases = dock("dock.aliases", tr("Aliases"), new AliasPanel(m_session, this), Qt::RightDockWidgetArea);
    dock("dock.source", tr("Source"), new SourcePanel(m_session, this), Qt::BottomDockWidgetArea);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    resizeDocks({steps}, {430}, Qt::Horizontal);
    resizeDocks({inspector, aliases}, {380, 380}, Qt::Horizontal);
}

void MainWindow::buildMenus()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&Open..."), QKeySequence::Open, this, &MainWindow::chooseFile);
    m_recent = file->addMenu(tr("Open &Recent"));
    fillSamples(file->addMenu(tr("Open &Sample")));
    file->addAction(tr("&Export Picture..."), QKeySequence(tr("Ctrl+E")), this, &MainWindow::exportPicture);
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
    fillRecent();

    QMenu* go = menuBar()->addMenu(tr("&Go"));
    for (const char* id : {"step.start", "step.previousDecision", "step.backOver", "step.back", "step.into", "step.over",
                           "step.out", "step.nextDecision", "step.previousRefusal", "step.nextRefusal", "step.end"})
        go->addAction(m_actions->action(id));

    m_viewMenu = menuBar()->addMenu(tr("&View"));
    for (const char* id : {"view.fit", "view.zoomIn", "view.zoomOut", "view.zoomReset", "view.center"})
        m_viewMenu->addAction(m_actions->action(id));
    m_viewMenu->addSeparator();
    m_viewMenu->addAction(tr("&Light Theme"), this, [this] { setThemeName(QStringLiteral("light")); });
    m_viewMenu->addAction(tr("&Dark Theme"), this, [this] { setThemeName(QStringLiteral("dark")); });
    m_viewMenu->addSeparator();
    for (const QDockWidget* dock : findChildren<QDockWidget*>())
        m_viewMenu->addAction(dock->toggleViewAction());

    menuBar()->addMenu(tr("&Help"))->addAction(tr("&Keys"), QKeySequence(Qt::Key_F1), this, &MainWindow::showKeys);
}

void MainWindow::buildStepBar()
{
    QToolBar* bar = addToolBar(tr("Steps"));
    bar->setObjectName(QStringLiteral("bar.steps"));
    bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
    for (const char* id : {"step.start", "step.back", "step.into", "step.over", "step.out", "step.nextDecision",
                           "step.nextRefusal", "step.end"})
        bar->addAction(m_actions->action(id));
}

void MainWindow::connectSession()
{
    connect(m_session, &Session::messageChanged, this, &MainWindow::showMessage);
    connect(m_session, &Session::opened, this, &MainWindow::rememberFile);
    for (const auto signal : {&Session::documentChanged, &Session::traceChanged, &Session::eventChanged})
        connect(m_session, signal, this, &MainWindow::showStatus);
}

void MainWindow::restoreLayout()
{
    resize(1600, 1000);
    const QSettings settings;
    restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    restoreState(settings.value(QStringLiteral("docks")).toByteArray());
    setThemeName(settings.value(QStringLiteral("theme")).toString());
}

void MainWindow::fillSamples(QMenu* menu)
{
    QFile index(QDir(samplesFolder()).filePath(QStringLiteral("index.json")));
    if (samplesFolder().isEmpty() || !index.open(QIODevice::ReadOnly))
    {
        menu->setEnabled(false);
        return;
    }
    for (const QJsonValue& entry : QJsonDocument::fromJson(index.readAll()).array())
    {
        const QJsonObject sample = entry.toObject();
        const QString file = sample[QStringLiteral("file")].toString();
        QAction* action = menu->addAction(sample[QStringLiteral("title")].toString(), this, [this, file] { openSample(file); });
        action->setToolTip(sample[QStringLiteral("teaches")].toString());
    }
    menu->setToolTipsVisible(true);
}

void MainWindow::fillRecent()
{
    m_recent->clear();
    const QStringList files = QSettings().value(recentKey()).toStringList();
    for (const QString& path : files)
        m_recent->addAction(QDir::toNativeSeparators(path), this, [this, path] { open(path); });
    m_recent->setEnabled(!files.isEmpty());
}

void MainWindow::rememberFile(const QString& path)
{
    QSettings settings;
    QStringList files = settings.value(recentKey()).toStringList();
    const QString full = QFileInfo(path).absoluteFilePath();
    files.removeAll(full);
    files.prepend(full);
    settings.setValue(recentKey(), QStringList(files.mid(0, kRecentFiles)));
    fillRecent();
    setWindowTitle(tr("%1 - Reinspect").arg(QFileInfo(path).fileName()));
}

void MainWindow::open(const QString& path)
{
    m_session->open(path);
}

void MainWindow::openSample(const QString& fileName)
{
    open(QDir(samplesFolder()).filePath(fileName));
}

void MainWindow::chooseFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a Graph"));
    if (!path.isEmpty())
        open(path);
}

void MainWindow::exportPicture()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Export Picture"), QStringLiteral("graph.svg"),
                                                      tr("Pictures (*.svg *.pdf *.png)"));
    if (path.isEmpty())
        return;
    const Result<void> saved = m_canvas->savePicture(path);
    if (!saved.ok())
        m_session->setMessage(QString::fromStdString(toText(saved.error())).trimmed());
}

void MainWindow::showKeys()
{
    const QString canvas = tr("<p>In the picture: arrows walk along edges, drag or scroll moves, Ctrl+scroll zooms.</p>");
    QMessageBox box(QMessageBox::NoIcon, tr("Keys"), m_actions->keyList() + canvas, QMessageBox::Close, this);
    box.setTextFormat(Qt::RichText);
    box.exec();
}

void MainWindow::showMessage()
{
    m_stripText->setText(m_session->message());
    m_strip->setVisible(!m_session->message().isEmpty());
}

void MainWindow::showStatus()
{
    const std::shared_ptr<const PassTrace>& trace = m_session->trace();
    if (!trace || trace->events.empty())
    {
        m_status->setText(m_session->document() ? tr("Running the pass...") : tr("Open a file, or drop one on the window."));
        return;
    }
    const PassSummary& summary = trace->summary;
    m_status->setText(tr("%1 nodes    step %2 of %3    policy %4    %5 in place, %6 kept, %7 missed (%8 B)")
                          .arg(trace->initial->size())
                          .arg(m_session->event().index() + 1)
                          .arg(trace->events.size())
                          .arg(QString::fromStdString(trace->policy.name))
                          .arg(summary.reinplaced)
                          .arg(summary.kept)
                          .arg(summary.missed)
                          .arg(summary.missedBytes));
}

void MainWindow::setThemeName(const QString& name)
{
    const bool systemIsDark = QApplication::palette().color(QPalette::Window).lightness() < 128;
    const bool dark = name == QLatin1String("dark") || (name.isEmpty() && systemIsDark);
    const Theme theme = dark ? Theme::dark() : Theme::light();
    if (!name.isEmpty())
        QApplication::setPalette(theme.palette());
    m_canvas->setTheme(theme);
    QSettings().setValue(QStringLiteral("theme"), name);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    open(event->mimeData()->urls().first().toLocalFile());
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    QSettings settings;
    settings.setValue(QStringLiteral("geometry"), saveGeometry());
    settings.setValue(QStringLiteral("docks"), saveState());
    QMainWindow::closeEvent(event);
}

} // namespace reinspect
