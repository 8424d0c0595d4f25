// SPDX-License-Identifier: MIT
#include "views/panels/run_head.h"

#include "views/panels/where_box.h"
#include "views/session/run_service.h"
#include "views/session/session.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>

#include <limits>

namespace reinspect
{

namespace
{
enum InputsChoice
{
    FromSeed,
    FromFile, // the one beside the capture, or the one chosen
    ChooseFile,
};
} // namespace

RunHead::RunHead(RunService* service, QWidget* parent)
    : QWidget(parent)
    , m_service(service)
{
    buildInputs();
    buildSeed();
    buildSymbols();
    buildWhere();
    buildButtons();
    buildProgress();
    buildLayout();
    connectService();
    showInputs();
    showSymbols();
    showBusy();
}

void RunHead::buildLayout()
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_inputs, m_seedLabel, m_seed, m_symbolsLabel, m_symbols,
                                         m_where, m_tf32, m_run, m_cancel, m_find})
        row->addWidget(widget);
    row->addWidget(m_progress, 1);
    row->addStretch(0);
}

void RunHead::connectService()
{
    connect(m_service, &RunService::inputsChanged, this, &RunHead::showInputs);
    connect(m_service, &RunService::inputsChanged, this, &RunHead::showSymbols);
    connect(m_service, &RunService::busyChanged, this, &RunHead::showBusy);
    connect(m_service, &RunService::resultChanged, this, &RunHead::showBusy);
    connect(m_service, &RunService::progressChanged, this, &RunHead::showProgress);
    connect(m_service->session(), &Session::traceChanged, this, &RunHead::showBusy);
}

void RunHead::buildInputs()
{
    m_inputs = new QComboBox(this);
    m_inputs->setAccessibleName(tr("Inputs"));
    m_inputs->setWhatsThis(
        tr("What the graphs are run on: numbers drawn from a seed, or the tensors "
           "of a safetensors file. Every run starts from equal fresh ones."));
    m_inputs->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(m_inputs, &QComboBox::activated, this, &RunHead::chooseInputs);
}

void RunHead::buildSeed()
{
    m_seedLabel = new QLabel(tr("&Seed"), this);
    m_seed = new QSpinBox(this);
    m_seed->setRange(0, std::numeric_limits<int>::max());
    m_seed->setAccessibleName(tr("Seed"));
    m_seed->setToolTip(tr("Of inputs that no file gives, and of random operators"));
    m_seed->setKeyboardTracking(false);
    m_seed->setMaximumWidth(12 * fontMetrics().averageCharWidth());
    m_seedLabel->setBuddy(m_seed);
    connect(m_seed, &QSpinBox::valueChanged, this,
            [this](int seed) { m_service->setSeed(static_cast<std::uint64_t>(seed)); });
}

// Only where the capture leaves a symbol without a number: a person is asked for it.
void RunHead::buildSymbols()
{
    m_symbolsLabel = new QLabel(tr("S&ymbols"), this);
    m_symbols = new QLineEdit(this);
    m_symbols->setAccessibleName(tr("Numbers of symbols"));
    m_symbols->setMinimumWidth(8 * fontMetrics().averageCharWidth());
    m_symbolsLabel->setBuddy(m_symbols);
    connect(m_symbols, &QLineEdit::editingFinished, this,
            [this] { m_service->setSymbolsText(m_symbols->text()); });
    connect(m_symbols, &QLineEdit::returnPressed, this, [this] {
        m_service->setSymbolsText(m_symbols->text());
        m_service->run();
    });
}

void RunHead::showSymbols()
{
    const QStringList names = m_service->symbolsToAsk();
    m_symbolsLabel->setVisible(!names.isEmpty());
    m_symbols->setVisible(!names.isEmpty());
    m_symbols->setPlaceholderText(names.join(QStringLiteral("=8 ")) + QStringLiteral("=8"));
    m_symbols->setToolTip(
        tr("Numbers that this capture does not give: %1").arg(names.join(QStringLiteral(", "))));
    if (m_symbols->text().simplified() != m_service->symbolsText())
        m_symbols->setText(m_service->symbolsText());
}

void RunHead::buildWhere()
{
    m_where = new WhereBox(m_service, this);
    m_tf32 = new QCheckBox(tr("&TF32"), this);
    m_tf32->setAccessibleName(tr("Allow TF32"));
    m_tf32->setToolTip(tr("Products of float32 matrices may round what they multiply to TF32: "
                          "quicker, and less exact"));
    connect(m_tf32, &QCheckBox::toggled, m_service, &RunService::setTf32);
    connect(m_service, &RunService::placeChanged, this, &RunHead::showPlace);
    showPlace();
}

void RunHead::showPlace()
{
    m_tf32->setVisible(m_service->isOnGpu());
    m_tf32->setChecked(m_service->allowsTf32());
}

void RunHead::buildButtons()
{
    m_run = new QPushButton(tr("Run"), this);
    m_run->setToolTip(tr("Run the graph before and after the pass, and compare"));
    connect(m_run, &QPushButton::clicked, this, [this] { m_service->run(); });
    m_cancel = new QPushButton(tr("Cancel"), this);
    connect(m_cancel, &QPushButton::clicked, m_service, &RunService::cancel);
    m_find = new QPushButton(tr("Find the &Decision"), this);
    m_find->setToolTip(tr("Look for the write in place that changes the results, by halving"));
    connect(m_find, &QPushButton::clicked, m_service, &RunService::findDecision);
}

void RunHead::buildProgress()
{
    m_progress = new QProgressBar(this);
    m_progress->setRange(0, 1000);
    m_progress->setAccessibleName(tr("Progress of the run"));
    m_progress->setMinimumWidth(60);
    m_progress->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void RunHead::showInputs()
{
    const QSignalBlocker quiet(m_seed);
    const QString path =
        m_service->inputsPath().isEmpty() ? m_service->inputsBeside() : m_service->inputsPath();
    m_inputs->clear();
    m_inputs->addItem(tr("Drawn from a seed"), FromSeed);
    if (!path.isEmpty())
    {
        m_inputs->addItem(QFileInfo(path).fileName(), FromFile);
        m_inputs->setItemData(1, path, Qt::ToolTipRole);
    }
    m_inputs->addItem(tr("Choose a file..."), ChooseFile);
    m_inputs->setCurrentIndex(m_service->inputsPath().isEmpty() ? 0 : 1);
    m_inputs->setToolTip(m_service->inputsPath());
    m_seed->setValue(static_cast<int>(m_service->seed()));
}

void RunHead::chooseInputs(int index)
{
    QString path;
    switch (static_cast<InputsChoice>(m_inputs->itemData(index).toInt()))
    {
    case FromSeed: break;
    case FromFile: path = m_inputs->itemData(index, Qt::ToolTipRole).toString(); break;
    case ChooseFile:
        path = QFileDialog::getOpenFileName(this, tr("Inputs of the Run"), {},
                                            tr("Tensors (*.safetensors);;All files (*)"));
        if (path.isEmpty())
            return showInputs();
    }
    m_service->setInputsPath(path);
}

void RunHead::showBusy()
{
    const bool isBusy = m_service->isBusy();
    m_run->setVisible(!isBusy);
    m_run->setEnabled(m_service->canRun());
    m_cancel->setVisible(isBusy);
    m_progress->setVisible(isBusy);
    m_find->setVisible(!isBusy);
    m_find->setEnabled(m_service->canFindDecision());
    showProgress();
}

void RunHead::showProgress()
{
    m_progress->setValue(static_cast<int>(m_service->progress() * 1000));
    m_progress->setFormat(QStringLiteral("%1, %p %").arg(m_service->activity()));
}

} // namespace reinspect
