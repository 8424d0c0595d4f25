// SPDX-License-Identifier: MIT
// What did running programs send? Captures as they come; a click or Enter asks for one to be opened. Nothing
// is opened, raised or focused by itself.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

class QCheckBox;
class QLabel;
class QTableView;

namespace reinspect
{

class HintStack;
class LiveCaptureModel;
class LiveService;

class LivePanel : public QWidget
{
    Q_OBJECT

public:
    explicit LivePanel(LiveService* service, QWidget* parent = nullptr);

    QCheckBox* receive() const { return m_receive; }
    QLabel* status() const { return m_status; }
    QTableView* list() const { return m_list; }
    LiveCaptureModel* model() const { return m_model; }
    HintStack* stack() const { return m_stack; }

signals:
    void receiveAsked(bool on); // by the box
    void openAsked(const QString& path);
    void howAsked();

private:
    void buildHead();
    void buildList();
    void showStatus();
    void open(const QModelIndex& index);

    LiveService* m_service;
    LiveCaptureModel* m_model;
    QCheckBox* m_receive = nullptr;
    QLabel* m_status = nullptr;
    QTableView* m_list = nullptr;
    HintStack* m_stack = nullptr;
};

} // namespace reinspect
