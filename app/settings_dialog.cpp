// SPDX-License-Identifier: MIT
#include "app/settings_dialog.h"

#include "views/models/node_query.h"
#include "views/session/qt_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace reinspect
{

SettingsDialog::SettingsDialog(const Preferences& preferences, QWidget* parent)
    : QDialog(parent)
    , m_preferences(preferences)
{
    setWindowTitle(tr("Settings"));
    buildFields();
    buildLive();
    buildLayout();
    checkRules();
    resize(560, 480);
}

void SettingsDialog::buildFields()
{
    m_theme = new QComboBox(this);
    for (const auto& [choice, text] :
         {std::pair(ThemeChoice::System, tr("As the desktop")),
          std::pair(ThemeChoice::Light, tr("Light")), std::pair(ThemeChoice::Dark, tr("Dark"))})
        m_theme->addItem(text, static_cast<int>(choice));
    m_theme->setCurrentIndex(static_cast<int>(m_preferences.theme));
    m_reopens = new QCheckBox(tr("&Open the documents of last time"), this);
    m_reopens->setChecked(m_preferences.reopens);
    m_editor = new QLineEdit(m_preferences.editorCommand, this);
    m_editor->setPlaceholderText(QStringLiteral("code -g %f:%l"));
    m_editor->setToolTip(tr("Run by \"Open in Editor\": %f is the file, %l the line."));
    m_layoutSeconds = new QSpinBox(this);
    m_layoutSeconds->setRange(1, 600);
    m_layoutSeconds->setSuffix(tr(" s"));
    m_layoutSeconds->setValue(m_preferences.layoutSeconds);
    m_layoutSeconds->setToolTip(tr("A layout that takes longer is given up; the rows stay."));
    m_rules = new QPlainTextEdit(m_preferences.colorRules.join(u'\n'), this);
    m_rules->setTabChangesFocus(true);
    m_rules->setPlaceholderText(tr("verdict:kept bytes>1M\nop:index_put,scatter\nmodule:layers.0"));
    m_rules->setToolTip(tr("As in Find, one rule a line. The first that matches colors a node; "
                           "\"Color By, My Rules\" shows them."));
    connect(m_rules, &QPlainTextEdit::textChanged, this, &SettingsDialog::checkRules);
    m_problem = new QLabel(this);
    m_problem->setWordWrap(true);
}

void SettingsDialog::buildLive()
{
    m_live = new QCheckBox(tr("&Receive captures of running programs"), this);
    m_live->setChecked(m_preferences.live);
    m_live->setToolTip(tr("Listens on this machine only; a program is run with --live for it."));
    m_liveMegabytes = new QSpinBox(this);
    m_liveMegabytes->setRange(1, 64 * 1024);
    m_liveMegabytes->setSuffix(tr(" MiB"));
    m_liveMegabytes->setValue(m_preferences.liveMegabytes);
    m_liveMegabytes->setToolTip(tr("A larger capture is refused, and its program told so."));
}

void SettingsDialog::buildLayout()
{
    auto* keys = new QPushButton(tr("&Keys..."), this);
    keys->setAutoDefault(false);
    connect(keys, &QPushButton::clicked, this, &SettingsDialog::keysRequested);
    auto* form = new QFormLayout;
    form->addRow(tr("&Theme"), m_theme);
    form->addRow(tr("At the start"), m_reopens);
    form->addRow(tr("&Editor"), m_editor);
    form->addRow(tr("&Layout takes at most"), m_layoutSeconds);
    form->addRow(tr("Live captures"), m_live);
    form->addRow(tr("A capture has at &most"), m_liveMegabytes);
    form->addRow(tr("Keys"), keys);
    form->addRow(tr("&Color rules"), m_rules);
    form->addRow(QString(), m_problem);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addLayout(form, 1);
    column->addWidget(buttons);
}

QString SettingsDialog::problem() const
{
    return m_problem->text();
}

// Said while typing; a rule that does not read is kept all the same, so that nothing typed is lost.
void SettingsDialog::checkRules()
{
    m_problem->clear();
    int line = 0;
    for (const QString& rule : m_rules->toPlainText().split(u'\n'))
    {
        ++line;
        const Result<std::vector<QueryTerm>> terms = parseQuery(toStdString(rule));
        if (!terms)
            return m_problem->setText(tr("Rule %1: %2").arg(line).arg(stripText(terms.error())));
    }
}

Preferences SettingsDialog::preferences() const
{
    Preferences changed = m_preferences;
    changed.theme = static_cast<ThemeChoice>(m_theme->currentData().toInt());
    changed.reopens = m_reopens->isChecked();
    changed.editorCommand = m_editor->text().trimmed();
    changed.layoutSeconds = m_layoutSeconds->value();
    changed.live = m_live->isChecked();
    changed.liveMegabytes = m_liveMegabytes->value();
    changed.colorRules = m_rules->toPlainText().split(u'\n', Qt::SkipEmptyParts);
    return changed;
}

} // namespace reinspect
