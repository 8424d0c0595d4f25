// SPDX-License-Identifier: MIT
// MainWindow: leaving with evidence: pictures, the report, copies as text.
#include "app/main_window.h"

#include "app/actions.h"
#include "app/document_tabs.h"
#include "app/export_dialog.h"
#include "app/html_report.h"
#include "core/passes/explain.h"
#include "views/canvas/graph_view.h"
#include "views/panels/scope_bar.h"
#include "views/session/qt_text.h"
#include "views/session/run_service.h"
#include "views/session/scope_history.h"
#include "views/session/session.h"
#include "views/session/timeline.h"

#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLineEdit>

namespace reinspect
{

void MainWindow::connectExports()
{
    m_actions->on("file.export", [this] { exportPicture(); });
    m_actions->on("file.report", [this] { exportReport(); });
    m_actions->on("edit.copyNode", [this] { copyNode(); });
    m_actions->on("edit.copySentence", [this] {
        if (m_session->event())
            copyText(toQString(explain(*m_session->trace(), m_session->event())),
                     tr("The sentence"));
    });
    m_actions->on("edit.copyTable", [this] {
        copyText(verdictsAsMarkdown(*m_session->trace()), tr("The verdict table"));
    });
}

QString MainWindow::documentName() const
{
    const TabState* tab = m_tabs->current();
    const auto& document = m_session->document();
    const QString path = tab ? tab->path : document ? toQString(document->fileName()) : QString();
    const QString name = QFileInfo(path).completeBaseName();
    return name.isEmpty() ? QStringLiteral("graph") : name;
}

void MainWindow::exportPicture()
{
    ExportDialog dialog(m_canvas, QDir::current().filePath(documentName() + QStringLiteral(".svg")),
                        this);
    if (dialog.exec() == QDialog::Accepted)
        m_session->setMessage(tr("The picture was written to \"%1\".").arg(dialog.path()->text()));
}

// A page is light, and so is its picture, whatever the window looks like.
static QByteArray lightPicture(GraphView* canvas)
{
    const Theme shown = canvas->theme();
    canvas->setTheme(Theme::light());
    const QByteArray picture = canvas->svg();
    canvas->setTheme(shown);
    return picture;
}

bool MainWindow::saveReport(const QString& path)
{
    const Scope& scope = m_canvas->scopes()->current();
    const auto& run = m_runs->result();
    const std::optional<Timeline> timeline =
        run && !run->failure && run->trace == m_session->trace()
        ? std::optional(makeTimeline(run->trace, run->proof))
        : std::nullopt;
    const ReportInput input{
        *m_session->document(),
        *m_session->trace(),
        tr("Reinplacing report: %1").arg(documentName()),
        scope.isWhole() ? tr("The whole graph, at this step: %1")
                              .arg(toQString(m_session->event()
                                                 ? explain(*m_session->trace(), m_session->event())
                                                 : std::string()))
                        : tr("%1: %2 nodes.").arg(toQString(scope.name), m_scopeBar->countText()),
        lightPicture(m_canvas),
        timeline ? &*timeline : nullptr};
    const Result<void> written = writeReport(input, path);
    m_session->setMessage(written.ok() ? tr("The report was written to \"%1\".").arg(path)
                                       : stripText(written.error()));
    return written.ok();
}

void MainWindow::exportReport()
{
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export Report"), documentName() + QStringLiteral(".html"), tr("HTML (*.html)"));
    if (!path.isEmpty())
        saveReport(path);
}

void MainWindow::copyText(const QString& text, const QString& what)
{
    QGuiApplication::clipboard()->setText(text);
    m_session->setMessage(tr("%1 is in the clipboard.").arg(what));
}

// The chosen nodes, a line of code each.
void MainWindow::copyNode()
{
    QStringList lines;
    for (const NodeId node : m_session->selection().nodes)
    {
        const bool isNow = m_session->cursor()->graph().contains(node);
        const Graph& graph = isNow ? m_session->cursor()->graph() : *m_session->trace()->result;
        const MetaValue& meta = graph[node].meta.value;
        lines.append(toQString(graph[node].name + " = " + toText(graph, node)
                               + (meta.isKnown() ? "  # " + toText(meta) : std::string())));
    }
    copyText(lines.join(u'\n'), tr("The node"));
}

} // namespace reinspect
