// SPDX-License-Identifier: MIT
// Where a run is made: on this machine's CPU, on its GPU, or on another machine. What cannot be chosen says why.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QComboBox>

namespace reinspect
{

class RunService;

class WhereBox : public QComboBox
{
    Q_OBJECT

public:
    explicit WhereBox(RunService* service, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override; // looks for a GPU

signals:
    void setupAsked(); // of a remote host

private:
    void showPlaces();
    void addGpu();
    void choose(int index);

    RunService* m_service;
};

} // namespace reinspect
