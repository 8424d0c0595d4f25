// SPDX-License-Identifier: MIT
#include "views/panels/source_panel.h"

#include "core/io/graph_code.h"
#include "core/passes/explain.h"
#include "views/canvas/scene_marks.h"
#include "views/models/pass_rule.h"
#include "views/panels/code_view.h"
#include "views/panels/hint_stack.h"
#include "views/session/qt_text.h"
#include "views/session/session.h"

#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace reinspect
{

SourcePanel::SourcePanel(Session* session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
{
    buildWidgets();
    buildLayout();
    connectSession();
    showDocument();
}

void SourcePanel::buildWidgets()
{
    m_userLine = new QLabel(this);
    m_userLine->setTextFormat(Qt::PlainText);
    m_userLine->setContentsMargins(6, 3, 6, 3);
    m_userLine->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_userLine->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_rule = new QLabel(this);
    m_rule->setContentsMargins(6, 0, 6, 3);
    m_rule->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_rule->setForegroundRole(QPalette::PlaceholderText);
    m_rule->setToolTip(tr("The place in PyTorch's torch/_inductor/fx_passes/reinplace.py that this "
                          "step mirrors. The link chooses the node that the step is about."));
    connect(m_rule, &QLabel::linkActivated, this, [this] {
        const std::vector<Witness> named = witnesses(*m_session->trace(), m_session->event());
        if (!named.empty())
            m_session->setSelection({.nodes = {named.front().node}, .storage = {}});
    });
    m_code = new CodeView(this);
    m_code->setAccessibleName(tr("The graph as text"));
    m_problems = new QListWidget(this);
    m_problems->setAccessibleName(tr("Problems in the text"));
    m_problems->setFrameShape(QFrame::NoFrame);
    m_problems->setWordWrap(true);
    m_problems->setMaximumHeight(fontMetrics().lineSpacing() * 5);
}

void SourcePanel::buildLayout()
{
    auto* content = new QWidget(this);
    auto* inner = new QVBoxLayout(content);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(0);
    inner->addWidget(m_userLine);
    inner->addWidget(m_rule);
    inner->addWidget(m_code, 1);
    inner->addWidget(m_problems);
    m_stack = new HintStack(content, tr("Open a graph to see its text here."), this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
}

void SourcePanel::connectSession()
{
    connect(m_code, &CodeView::lineChosen, this, &SourcePanel::chooseLine);
    connect(m_problems, &QListWidget::currentItemChanged, this,
            [this](const QListWidgetItem* item) {
                if (item && item->data(Qt::UserRole).toInt() > 0)
                    m_code->setMarks({{item->data(Qt::UserRole).toInt(), Role::Selected}});
            });
    connect(m_session, &Session::documentChanged, this, &SourcePanel::showDocument);
    for (const auto signal :
         {&Session::traceChanged, &Session::eventChanged, &Session::selectionChanged})
        connect(m_session, signal, this, &SourcePanel::showMarks);
}

void SourcePanel::showDocument()
{
    m_lineOf.clear();
    m_nodeAt.clear();
    const std::shared_ptr<const Document>& document = m_session->document();
    m_stack->setEmpty(!document);
    if (!document)
        return;
    if (document->format == DocumentFormat::Capture)
        showCapture();
    else
        showText();
    showProblems();
    showMarks();
}

void SourcePanel::addLine(NodeId node, int line)
{
    if (line <= 0)
        return;
    if (m_lineOf.size() <= node.index())
        m_lineOf.resize(node.index() + 1, 0);
    m_lineOf[node.index()] = line;
    m_nodeAt.emplace(line, node);
}

void SourcePanel::showCapture()
{
    const Graph& graph = *m_session->document()->graphs[m_session->graphIndex()].graph;
    const GraphCode code = graphCode(graph);
    for (const NodeId id : graph.order())
        addLine(id, static_cast<int>(code.line(id)));
    m_code->setPlainText(toQString(code.text));
}

void SourcePanel::showText()
{
    // A folder's graphs have the texts of their own files.
    const Document& document = *m_session->document();
    const DocumentGraph& shown = document.graphs[m_session->graphIndex()];
    const SourceText& source = shown.source ? *shown.source : *document.source;
    const Graph& graph = *shown.graph;
    std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
    for (const NodeId id : graph.order())
    {
        const TextSpan& span = graph[id].meta.span;
        addLine(id, static_cast<int>(span.line));
        first = span.line > 0 ? std::min(first, span.column) : first;
    }
    m_code->setPlainText(toQString(source.text()));
    // Ordinary indentation stays; the prefix of a log would fill the panel.
    constexpr std::uint32_t kIndentation = 24;
    m_code->setFirstColumn(first > kIndentation
                                   && first != std::numeric_limits<std::uint32_t>::max()
                               ? static_cast<int>(first)
                               : 1);
}

void SourcePanel::showProblems()
{
    m_problems->clear();
    const Document& document = *m_session->document();
    const std::string& shownFile = document.graphs[m_session->graphIndex()].origin.file;
    for (const Problem& problem : document.problems)
    {
        QString text = stripText({.message = problem.text, .hint = problem.hint});
        if (problem.span.line > 0)
            text.prepend(tr("Line %1: ").arg(problem.span.line));
        if (!problem.file.empty())
            text.prepend(toQString(problem.file) + QStringLiteral(", "));
        auto* item = new QListWidgetItem(text, m_problems);
        const bool isShown = problem.file.empty() || problem.file == shownFile;
        item->setData(Qt::UserRole, isShown ? static_cast<int>(problem.span.line) : 0);
    }
    m_problems->setVisible(m_problems->count() > 0);
}

int SourcePanel::lineOf(NodeId node) const
{
    return node && node.index() < m_lineOf.size() ? m_lineOf[node.index()] : 0;
}

// The chosen node first, so that its line is the one looked at; the step's nodes over it.
void SourcePanel::showMarks()
{
    std::vector<LineMark> marks;
    for (const NodeId node : m_session->selection().nodes)
    {
        if (lineOf(node) > 0)
            marks.push_back({lineOf(node), Role::Selected});
    }
    if (m_session->event())
    {
        for (const Witness& witness : witnesses(*m_session->trace(), m_session->event()))
        {
            if (lineOf(witness.node) > 0)
                marks.push_back({lineOf(witness.node), roleOf(witness.role)});
        }
    }
    m_code->setMarks(std::move(marks));
    showUserLine();
    showRule();
}

void SourcePanel::showRule()
{
    const QString rule =
        m_session->event() ? upstreamRule(*m_session->trace(), m_session->event()) : QString();
    m_rule->setText(
        tr("Rule of this step: <a href='step'>%1</a> in reinplace.py").arg(rule.toHtmlEscaped()));
    m_rule->setVisible(!rule.isEmpty());
}

void SourcePanel::showUserLine()
{
    const NodeId node = m_session->selection().primary();
    const auto& trace = m_session->trace();
    const bool isKnown = trace && node && node.index() < trace->result->slotCount();
    QString text;
    if (isKnown)
    {
        const Node& known = trace->result->node(node);
        const QString source = toQString(known.meta.source.str()).simplified();
        const QString file = toQString(known.meta.sourceFile.str());
        if (source.isEmpty())
            text =
                tr("%1: the dump does not name a line of your program").arg(toQString(known.name));
        else
            text = file.isEmpty()
                ? tr("%1 comes from: %2").arg(toQString(known.name), source)
                : tr("%1 comes from %2: %3").arg(toQString(known.name), file, source);
    }
    m_userLine->setText(text);
    m_userLine->setToolTip(text);
    m_userLine->setVisible(!text.isEmpty());
}

void SourcePanel::chooseLine(int line)
{
    const auto found = m_nodeAt.find(line);
    if (found != m_nodeAt.end())
        m_session->setSelection({.nodes = {found->second}, .storage = {}});
}

} // namespace reinspect
