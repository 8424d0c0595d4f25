// SPDX-License-Identifier: MIT
#include "views/panels/source_panel.h"

#include "core/io/graph_writers.h"
#include "views/panels/hint_stack.h"
#include "views/session/session.h"

#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTextBlock>
#include <QVBoxLayout>

#include <algorithm>

namespace reinspect
{

SourcePanel::SourcePanel(Session* session, QWidget* parent)
    : QWidget(parent), m_session(session), m_userLine(new QLabel(this)), m_editor(new QPlainTextEdit(this))
{
    m_editor->setReadOnly(true);
    m_editor->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_editor->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_editor->setAccessibleName(tr("The graph as code"));
    m_userLine->setTextFormat(Qt::PlainText);
    m_userLine->setMargin(4);
    m_userLine->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_stack = new HintStack(m_editor, tr("Open a graph to see its code."), this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_userLine);
    column->addWidget(m_stack, 1);
    connect(m_editor, &QPlainTextEdit::cursorPositionChanged, this, &SourcePanel::chooseAtCursor);
    connect(session, &Session::documentChanged, this, &SourcePanel::showDocument);
    connect(session, &Session::selectionChanged, this, &SourcePanel::showSelection);
    showDocument();
}

void SourcePanel::showDocument()
{
    const auto& document = m_session->document();
    m_stack->setEmpty(!document);
    if (!document)
        return;
    const Graph& graph = *document->graphs[m_session->graphIndex()].graph;
    m_isMarking = true;
    if (document->format == DocumentFormat::Capture)
    {
        GraphListing listing = listGraph(graph);
        m_lines = std::move(listing.lines);
        m_editor->setPlainText(QString::fromStdString(listing.text));
    }
    else
    {
        m_lines.clear();
        for (const NodeId id : graph.order())
            m_lines.emplace_back(id, graph[id].meta.span.line);
        const std::string_view text = document->source->text();
        m_editor->setPlainText(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())));
    }
    m_isMarking = false;
    showSelection();
}

std::size_t SourcePanel::lineOf(NodeId node) const
{
    const auto found = std::find_if(m_lines.begin(), m_lines.end(), [node](const auto& line) { return line.first == node; });
    return found == m_lines.end() ? 0 : found->second;
}

void SourcePanel::showSelection()
{
    const NodeId node = m_session->selection().primary();
    const std::size_t line = node ? lineOf(node) : 0;
    const QTextBlock block = line > 0 ? m_editor->document()->findBlockByNumber(static_cast<int>(line) - 1) : QTextBlock();
    QList<QTextEdit::ExtraSelection> marks;
    if (block.isValid())
    {
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(block);
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        mark.format.setBackground(palette().color(QPalette::Highlight));
        mark.format.setForeground(palette().color(QPalette::HighlightedText));
        marks.append(mark);
        m_isMarking = true;
        if (m_editor->textCursor().blockNumber() != block.blockNumber())
            m_editor->setTextCursor(mark.cursor);
        m_isMarking = false;
    }
    m_editor->setExtraSelections(marks);
    const auto& trace = m_session->trace();
    const bool known = trace && node && node.index() < trace->result->slotCount();
    const std::string source = known ? trace->result->node(node).meta.source : std::string();
    m_userLine->setText(source.empty() ? tr("The file does not say which line of the program this node comes from.")
                                       : tr("Your code: %1").arg(QString::fromStdString(source)));
    m_userLine->setToolTip(m_userLine->text());
}

void SourcePanel::chooseAtCursor()
{
    if (m_isMarking)
        return;
    const auto line = static_cast<std::size_t>(m_editor->textCursor().blockNumber()) + 1;
    const auto found = std::find_if(m_lines.begin(), m_lines.end(), [line](const auto& entry) { return entry.second == line; });
    if (found != m_lines.end())
        m_session->setSelection({{found->first}, {}});
}

} // namespace reinspect
