// SPDX-License-Identifier: MIT
#include "app/export_dialog.h"

#include "views/canvas/graph_view.h"
#include "views/session/qt_text.h"

#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace reinspect
{

ExportDialog::ExportDialog(const GraphView* view, const QString& suggestedPath, QWidget* parent)
    : QDialog(parent)
    , m_view(view)
{
    setWindowTitle(tr("Export Picture"));
    buildRows();
    m_path->setText(suggestedPath);
    m_path->setFocus();
    resize(560, sizeHint().height());
}

void ExportDialog::buildRows()
{
    m_path = new QLineEdit(this);
    auto* choose = new QPushButton(tr("&Browse..."), this);
    choose->setAutoDefault(false);
    connect(choose, &QPushButton::clicked, this, &ExportDialog::browse);
    auto* row = new QHBoxLayout;
    row->addWidget(m_path, 1);
    row->addWidget(choose);

    m_extent = new QComboBox(this);
    m_extent->addItem(tr("What is drawn"), static_cast<int>(PictureExtent::Drawn));
    m_extent->addItem(tr("What is seen now"), static_cast<int>(PictureExtent::Seen));
    m_extent->addItem(tr("The whole graph"), static_cast<int>(PictureExtent::Whole));
    m_scale = new QDoubleSpinBox(this);
    m_scale->setRange(0.05, 8);
    m_scale->setSingleStep(0.5);
    m_scale->setValue(2);
    m_scale->setSuffix(tr(" pixels a unit (PNG only)"));
    m_problem = new QLabel(this);
    m_problem->setWordWrap(true);
    auto* note = new QLabel(tr("The ending decides: .svg, .pdf, .png or .dot."), this);
    note->setForegroundRole(QPalette::PlaceholderText);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &ExportDialog::save);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto* form = new QFormLayout(this);
    form->addRow(tr("&File"), row);
    form->addRow(QString(), note);
    form->addRow(tr("&What"), m_extent);
    form->addRow(tr("&Scale"), m_scale);
    form->addRow(m_problem);
    form->addRow(buttons);
}

void ExportDialog::browse()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Export Picture"), m_path->text(),
                                                      tr("Pictures (*.svg *.pdf *.png *.dot)"));
    if (!path.isEmpty())
        m_path->setText(path);
}

QString ExportDialog::problem() const
{
    return m_problem->text();
}

void ExportDialog::save()
{
    QApplication::setOverrideCursor(Qt::WaitCursor);
    const Result<void> saved = m_view->savePicture(
        m_path->text(), static_cast<PictureExtent>(m_extent->currentData().toInt()),
        m_scale->value());
    QApplication::restoreOverrideCursor();
    if (saved.ok())
        return accept();
    m_problem->setText(stripText(saved.error()));
}

} // namespace reinspect
