// SPDX-License-Identifier: MIT
// Where a picture goes, how much of the graph is in it, and how large: SVG, PDF, PNG or DOT by the
// ending of the name. What goes wrong is said here, and the dialog stays.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QDialog>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;

namespace reinspect
{

class GraphView;

class ExportDialog : public QDialog
{
    Q_OBJECT

public:
    ExportDialog(const GraphView* view, const QString& suggestedPath, QWidget* parent);

    QLineEdit* path() const { return m_path; }
    QComboBox* extent() const { return m_extent; }
    QDoubleSpinBox* scale() const { return m_scale; }
    QString problem() const;
    void save(); // accepts when it worked

private:
    void buildRows();
    void browse();

    const GraphView* m_view;
    QLineEdit* m_path = nullptr;
    QComboBox* m_extent = nullptr;
    QDoubleSpinBox* m_scale = nullptr;
    QLabel* m_problem = nullptr;
};

} // namespace reinspect
