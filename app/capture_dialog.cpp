// SPDX-License-Identifier: MIT
#include "app/capture_dialog.h"

#include "views/session/qt_text.h"

#include <QCheckBox>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace reinspect
{

static QLabel* wrapped(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    return label;
}

CaptureDialog::CaptureDialog(const QString& toolPath, bool isReceiving, QWidget* parent)
    : QDialog(parent)
    , m_toolPath(toolPath)
{
    setWindowTitle(tr("Capture from Python"));
    buildTool();
    buildLines();
    buildLive();
    buildLayout();
    m_live->setChecked(isReceiving);
    showTool();
    resize(720, sizeHint().height());
}

void CaptureDialog::buildTool()
{
    m_tool = wrapped({}, this);
    m_tool->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_tool->setAccessibleName(tr("Where the capture tool lies"));
    m_save = new QPushButton(tr("&Save the Tool..."), this);
    m_save->setToolTip(tr("One Python file; it needs nothing but PyTorch 2.4 or newer"));
    m_save->setAutoDefault(false);
    connect(m_save, &QPushButton::clicked, this, &CaptureDialog::chooseFile);
}

QPushButton* CaptureDialog::copyButton(const QString& text, QWidget* source)
{
    auto* button = new QPushButton(text, this);
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, [this, source] {
        QGuiApplication::clipboard()->setText(source == m_lines ? m_lines->toPlainText()
                                                                : m_command->text());
    });
    return button;
}

void CaptureDialog::buildLines()
{
    const QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    m_lines = new QPlainTextEdit(this);
    m_lines->setReadOnly(true);
    m_lines->setTabChangesFocus(true);
    m_lines->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_lines->setFont(fixed);
    m_lines->setAccessibleName(tr("Lines to add to a program"));
    m_lines->setWhatsThis(tr("Put these around the first call of what torch.compile returned. What "
                             "was compiled before is not seen."));
    m_lines->setFixedHeight(QFontMetrics(fixed).lineSpacing() * 4 + 16);
    m_copyLines = copyButton(tr("&Copy Lines"), m_lines);
    m_command = new QLineEdit(this);
    m_command->setReadOnly(true);
    m_command->setFont(fixed);
    m_command->setAccessibleName(tr("Command that runs a program and records it"));
    m_command->setWhatsThis(
        tr("Runs script.py as Python would, and records all that it compiles. Its own arguments "
           "follow it."));
    m_copyCommand = copyButton(tr("Co&py Command"), m_command);
}

void CaptureDialog::buildLive()
{
    m_live = new QCheckBox(tr("Send captures to this &window while the program runs"), this);
    m_live->setToolTip(tr("Turns receiving on, and adds what the program needs to be told"));
    m_status = wrapped({}, this);
    m_status->setTextFormat(Qt::PlainText);
    m_status->setAccessibleName(tr("Whether captures are received"));
    connect(m_live, &QCheckBox::clicked, this, [this](bool on) {
        emit receiveAsked(on);
        showTool();
    });
}

void CaptureDialog::buildLayout()
{
    auto* tool = new QHBoxLayout;
    tool->addWidget(m_tool, 1);
    tool->addWidget(m_save, 0, Qt::AlignTop);
    auto* command = new QHBoxLayout;
    command->addWidget(m_command, 1);
    command->addWidget(m_copyCommand);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(wrapped(tr("Records each graph that torch.compile compiles, before and after "
                                 "the reinplacing pass, with its kernels, inputs and decisions. "
                                 "The program computes what it computes without it."),
                              this));
    column->addLayout(tool);
    column->addWidget(m_live);
    column->addWidget(m_status);
    column->addWidget(wrapped(tr("Add to the program, with the first call indented below:"), this));
    column->addWidget(m_lines);
    column->addWidget(m_copyLines, 0, Qt::AlignRight);
    column->addWidget(wrapped(tr("Or leave the program as it is, and run:"), this));
    column->addLayout(command);
    column->addWidget(wrapped(tr("Each graph becomes a folder in \"captures\": open its "
                                 "before.json here."),
                              this));
    column->addStretch(1);
    column->addWidget(buttons);
}

QString CaptureDialog::toolPath() const
{
    return toolState(m_toolPath) == ToolState::Missing ? QString() : m_toolPath;
}

void CaptureDialog::setReceiving(bool on, const QString& status)
{
    m_live->setChecked(on);
    m_status->setText(status);
    showTool();
}

void CaptureDialog::chooseFile()
{
    const QString start = m_toolPath.isEmpty() ? QDir::home().filePath(toolFileName()) : m_toolPath;
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Save the Capture Tool"), start, tr("Python (*.py)"));
    if (!path.isEmpty())
        save(path);
}

void CaptureDialog::save(const QString& path)
{
    const Result<void> done = saveTool(path);
    m_problem = done.ok() ? QString() : stripText(done.error());
    if (done.ok())
    {
        m_toolPath = path;
        emit saved(path);
    }
    showTool();
}

void CaptureDialog::showTool()
{
    const QString path = QDir::toNativeSeparators(m_toolPath).toHtmlEscaped();
    switch (toolState(m_toolPath))
    {
    case ToolState::Missing:
        m_tool->setText(tr("The tool is not saved yet. The lines below hold when it lies beside "
                           "the program, as %1.")
                            .arg(toolFileName()));
        break;
    case ToolState::Other:
        m_tool->setText(
            tr("<b>%1</b> is of another version than this window. Save it again.").arg(path));
        break;
    case ToolState::Saved: m_tool->setText(tr("The tool is saved as <b>%1</b>.").arg(path)); break;
    }
    if (!m_problem.isEmpty())
        m_tool->setText(m_problem.toHtmlEscaped());
    const CaptureLines shown = captureLines(toolPath(), m_live->isChecked());
    m_lines->setPlainText(shown.program);
    m_command->setText(shown.command);
    m_command->setCursorPosition(0);
}

} // namespace reinspect
