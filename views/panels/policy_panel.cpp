// SPDX-License-Identifier: MIT
#include "views/panels/policy_panel.h"

#include "views/panels/hint_stack.h"
#include "views/session/place.h"
#include "views/session/qt_text.h"
#include "views/session/session.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace reinspect
{

PolicyPanel::PolicyPanel(Session* session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
{
    buildPreset();
    buildOverrides();
    buildLayout();
    connect(session, &Session::policyChanged, this, &PolicyPanel::showPolicy);
    connect(session, &Session::traceChanged, this, &PolicyPanel::showOverrides);
    showPolicy();
}

static QLabel* wrappedLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

void PolicyPanel::buildPreset()
{
    m_presets = new QComboBox(this);
    m_presets->setAccessibleName(tr("Policy preset"));
    m_presets->setWhatsThis(tr("A preset is a named set of switches that mirrors one revision of "
                               "the pass, or one step of its review."));
    for (const PolicyPreset& preset : policyPresets())
    {
        m_presets->addItem(toQString(preset.name));
        m_presets->setItemData(m_presets->count() - 1, toQString(preset.meaning), Qt::ToolTipRole);
    }
    connect(m_presets, &QComboBox::activated, this, &PolicyPanel::choosePreset);
    m_meaning = wrappedLabel({}, this);
    m_reset = new QPushButton(tr("&Reset to Preset"), this);
    m_reset->setToolTip(tr("All switches as the preset has them; your overrides stay"));
    connect(m_reset, &QPushButton::clicked, this,
            [this] { choosePreset(m_presets->currentIndex()); });
}

QWidget* PolicyPanel::buildSwitches()
{
    auto* list = new QWidget(this);
    auto* column = new QVBoxLayout(list);
    column->setContentsMargins(6, 4, 6, 4);
    column->setSpacing(1);
    for (const PolicySwitch& row : policySwitches())
    {
        auto* box = new QCheckBox(toQString(row.name), list);
        box->setAccessibleDescription(toQString(row.meaning));
        box->setWhatsThis(toQString(row.meaning));
        connect(box, &QCheckBox::clicked, this, [this, value = row.value](bool on) {
            ReinplacePolicy policy = m_session->policy();
            policy.*value = on;
            m_session->setPolicy(std::move(policy));
        });
        m_switches.push_back(box);
        QLabel* meaning = wrappedLabel(toQString(row.meaning), list);
        meaning->setForegroundRole(QPalette::PlaceholderText);
        meaning->setContentsMargins(22, 0, 0, 5);
        column->addWidget(box);
        column->addWidget(meaning);
    }
    column->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(list);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return scroll;
}

void PolicyPanel::buildOverrides()
{
    m_overrides = new QListWidget(this);
    m_overrides->setAccessibleName(tr("Overridden decisions"));
    m_overrides->setFrameShape(QFrame::NoFrame);
    m_overrides->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_overrides->setWhatsThis(tr("Decisions that you took in the pass's place. Force and forbid "
                                 "are in the Pass menu and in the verdict table's menu."));
    auto* removal = new QAction(tr("&Remove Override"), m_overrides);
    removal->setShortcut(Qt::Key_Delete);
    removal->setShortcutContext(Qt::WidgetShortcut);
    connect(removal, &QAction::triggered, this, &PolicyPanel::removeOverride);
    m_overrides->addAction(removal);
    connect(m_overrides, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
        const auto row = static_cast<std::size_t>(m_overrides->row(item));
        const DecisionOverride& chosen = m_session->policy().overrides[row];
        if (const auto& trace = m_session->trace())
            m_session->goToDecision(findDecision(*trace, chosen.node, chosen.argument));
    });
    m_remove = new QPushButton(tr("Remove &Override"), this);
    connect(m_remove, &QPushButton::clicked, this, &PolicyPanel::removeOverride);
    m_overrideStack = new HintStack(
        m_overrides, tr("No decision is forced or forbidden. The Pass menu does it."), this);
    m_overrideStack->setMinimumHeight(fontMetrics().lineSpacing() * 4);
    m_overrideStack->setMaximumHeight(fontMetrics().lineSpacing() * 7);
}

void PolicyPanel::buildLayout()
{
    auto* head = new QHBoxLayout;
    head->addWidget(m_presets, 1);
    head->addWidget(m_reset);
    auto* foot = new QHBoxLayout;
    auto* title = new QLabel(tr("Overrides"), this);
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    foot->addWidget(title, 1);
    foot->addWidget(m_remove);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 6, 6, 6);
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(m_meaning);
    column->addWidget(buildSwitches(), 1);
    column->addLayout(foot);
    column->addWidget(m_overrideStack);
}

void PolicyPanel::showPolicy()
{
    const ReinplacePolicy& policy = m_session->policy();
    const Result<ReinplacePolicy> preset = policyNamed(policy.name);
    const auto presets = policyPresets();
    bool isChanged = false;
    for (std::size_t i = 0; i < m_switches.size(); ++i)
    {
        const auto value = policySwitches()[i].value;
        m_switches[i]->setChecked(policy.*value);
        const bool differs = preset.ok() && policy.*value != (*preset).*value;
        QFont font = m_switches[i]->font();
        font.setBold(differs); // told by the box as well: "changed"
        m_switches[i]->setFont(font);
        m_switches[i]->setText(toQString(policySwitches()[i].name)
                               + (differs ? tr(" (changed)") : QString()));
        isChanged = isChanged || differs;
    }
    for (std::size_t i = 0; i < presets.size(); ++i)
        if (presets[i].name == policy.name)
        {
            m_presets->setCurrentIndex(static_cast<int>(i));
            m_meaning->setText(toQString(presets[i].meaning));
        }
    m_reset->setEnabled(isChanged);
    showOverrides();
}

// An override may name what this graph, or this policy, does not try.
void PolicyPanel::showOverrides()
{
    const auto& trace = m_session->trace();
    const int row = m_overrides->currentRow();
    m_overrides->clear();
    for (const DecisionOverride& override : m_session->policy().overrides)
    {
        const QString name =
            toQString(override.node + (override.argument.empty() ? "" : ":" + override.argument));
        const bool isTried = !trace || overrideConcerns(*trace, override);
        QString text = (override.force ? tr("force %1") : tr("forbid %1")).arg(name);
        if (!isTried)
            text = tr("%1 (not tried here)").arg(text);
        m_overrides->addItem(text);
    }
    m_overrides->setCurrentRow(std::min(row, m_overrides->count() - 1));
    m_overrideStack->setEmpty(m_overrides->count() == 0);
    m_remove->setEnabled(m_overrides->count() > 0);
}

// Overrides are about decisions and stay with another preset.
void PolicyPanel::choosePreset(int index)
{
    Result<ReinplacePolicy> policy =
        policyNamed(policyPresets()[static_cast<std::size_t>(index)].name);
    if (!policy)
        return;
    policy->overrides = m_session->policy().overrides;
    m_session->setPolicy(std::move(*policy));
}

void PolicyPanel::removeOverride()
{
    const int row = std::max(0, m_overrides->currentRow());
    ReinplacePolicy policy = m_session->policy();
    if (static_cast<std::size_t>(row) >= policy.overrides.size())
        return;
    policy.overrides.erase(policy.overrides.begin() + row);
    m_session->setPolicy(std::move(policy));
}

} // namespace reinspect
