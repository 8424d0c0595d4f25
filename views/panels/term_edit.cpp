// SPDX-License-Identifier: MIT
#include "views/panels/term_edit.h"

#include "views/session/qt_text.h"

#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace reinspect
{

namespace
{

// Completes the last word of the line and leaves the words before it.
class WordCompleter : public QCompleter
{
public:
    using QCompleter::QCompleter;

    QStringList splitPath(const QString& path) const override { return {path.mid(lastWord(path))}; }

    QString pathFromIndex(const QModelIndex& index) const override
    {
        const QString line = static_cast<QLineEdit*>(widget())->text();
        return line.left(lastWord(line)) + index.data().toString();
    }

private:
    static qsizetype lastWord(const QString& line) { return line.lastIndexOf(u' ') + 1; }
};

QStringList words()
{
    QStringList list;
    for (const std::string& word : breakpointWords())
        list.append(toQString(word));
    return list;
}

} // namespace

TermEdit::TermEdit(QWidget* parent)
    : QWidget(parent)
    , m_line(new QLineEdit(this))
    , m_problem(new QLabel(this))
{
    auto* completer = new WordCompleter(words(), m_line);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_line->setCompleter(completer);
    m_line->setClearButtonEnabled(true);
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setForegroundRole(QPalette::PlaceholderText);
    m_problem->setAccessibleName(tr("What is wrong with the conditions"));
    m_problem->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_line);
    column->addWidget(m_problem);
    setFocusProxy(m_line);
    m_line->setWhatsThis(
        tr("<p>Conditions that must all hold:</p><p><tt>node:index_put op:add_kernel kind:triton "
           "verdict:kept reason:UsedLater check:\"No later use\" bytes&gt;1M storage:3 "
           "hazard:OperandAlias is:missed</tt></p><p>A bare word finds nodes and operators that "
           "contain it. Small and capital letters are the same.</p>"));
}

QString TermEdit::problem() const
{
    return m_problem->isHidden() ? QString() : m_problem->text();
}

void TermEdit::setProblem(const QString& problem)
{
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
}

std::optional<Breakpoint> TermEdit::terms()
{
    const QString text = m_line->text().trimmed();
    setProblem({});
    if (text.isEmpty())
        return {};
    Result<Breakpoint> parsed = parseBreakpoint(toStdString(text));
    if (parsed.ok())
        return std::move(*parsed);
    setProblem(stripText(parsed.error()));
    return {};
}

} // namespace reinspect
