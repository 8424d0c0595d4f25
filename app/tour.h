// SPDX-License-Identifier: MIT
// Five steps around the window for somebody who sees it for the first time: a card beside the part it
// speaks of, which is framed. It can be left at any step.
#pragma once

#include <QFrame>
#include <QPointer>

#include <vector>

class QLabel;
class QPushButton;

namespace reinspect
{

struct TourStep
{
    QString title;
    QString text;
    QPointer<QWidget> target;
};

class Tour : public QFrame
{
    Q_OBJECT

public:
    Tour(std::vector<TourStep> steps, QWidget* window);
    ~Tour() override;

    int step() const { return m_step; }
    int stepCount() const { return static_cast<int>(m_steps.size()); }
    void next(); // after the last step: ends
    void back();
    void end();

signals:
    void ended();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void buildCard();
    void show(int step);
    void place();

    std::vector<TourStep> m_steps;
    int m_step = 0;
    QPointer<QWidget> m_frame; // around the target; the window may delete it first
    QLabel* m_title = nullptr;
    QLabel* m_text = nullptr;
    QLabel* m_count = nullptr;
    QPushButton* m_back = nullptr;
    QPushButton* m_next = nullptr;
    QPushButton* m_skip = nullptr;
};

} // namespace reinspect
