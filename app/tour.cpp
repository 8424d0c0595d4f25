// SPDX-License-Identifier: MIT
#include "app/tour.h"

#include <QDockWidget>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace reinspect
{

namespace
{

constexpr int kCardWidth = 340;

// A frame that lets every click through.
class TargetFrame : public QWidget
{
public:
    explicit TargetFrame(QWidget* parent)
        : QWidget(parent)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 4));
        painter.drawRect(rect().adjusted(2, 2, -2, -2));
    }
};

} // namespace

Tour::Tour(std::vector<TourStep> steps, QWidget* window)
    : QFrame(window)
    , m_steps(std::move(steps))
    , m_frame(new TargetFrame(window))
{
    setFrameStyle(QFrame::Box | QFrame::Plain);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setForegroundRole(QPalette::Highlight); // the frame
    setAccessibleName(tr("Tour"));
    setFixedWidth(kCardWidth);
    buildCard();
    window->installEventFilter(this);
    m_frame->show();
    QFrame::show();
    show(0);
    m_next->setFocus();
}

Tour::~Tour()
{
    delete m_frame.data();
}

void Tour::buildCard()
{
    m_title = new QLabel(this);
    QFont font = m_title->font();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * 1.15);
    m_title->setFont(font);
    m_text = new QLabel(this);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::RichText);
    for (QLabel* label : {m_title, m_text})
        label->setForegroundRole(QPalette::Text);
    m_count = new QLabel(this);
    m_count->setForegroundRole(QPalette::PlaceholderText);
    m_skip = new QPushButton(tr("&Skip"), this);
    m_back = new QPushButton(tr("&Back"), this);
    m_next = new QPushButton(this);
    connect(m_skip, &QPushButton::clicked, this, &Tour::end);
    connect(m_back, &QPushButton::clicked, this, &Tour::back);
    connect(m_next, &QPushButton::clicked, this, &Tour::next);
    auto* row = new QHBoxLayout;
    row->addWidget(m_count, 1);
    row->addWidget(m_skip);
    row->addWidget(m_back);
    row->addWidget(m_next);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_title);
    column->addWidget(m_text);
    column->addLayout(row);
}

void Tour::show(int step)
{
    m_step = step;
    const TourStep& now = m_steps[static_cast<std::size_t>(step)];
    m_title->setText(now.title);
    m_text->setText(now.text);
    m_count->setText(tr("%1 of %2").arg(step + 1).arg(stepCount()));
    m_back->setEnabled(step > 0);
    m_skip->setVisible(step + 1 < stepCount());
    m_next->setText(step + 1 < stepCount() ? tr("&Next") : tr("&Done"));
    if (auto* dock = qobject_cast<QDockWidget*>(now.target.data()))
    {
        dock->show();
        dock->raise(); // out from behind another tab
    }
    place();
}

// Beside the target where there is room, else below it; always inside of the window.
void Tour::place()
{
    const QWidget* target = m_steps[static_cast<std::size_t>(m_step)].target;
    QWidget* window = parentWidget();
    const bool isSeen = target && target->isVisible();
    const QRect around = isSeen ? QRect(target->mapTo(window, QPoint(0, 0)), target->size())
                                : window->rect().adjusted(80, 80, -80, -80);
    m_frame->setGeometry(around.adjusted(-2, -2, 2, 2).intersected(window->rect()));
    m_frame->raise();
    m_text->setFixedHeight(m_text->heightForWidth(kCardWidth - 24));
    layout()->activate();
    adjustSize();
    constexpr int kGap = 14;
    QPoint corner(around.right() + kGap, around.top() + kGap);
    if (corner.x() + width() > window->width())
        corner.setX(around.left() - width() - kGap);
    // Nothing beside it: below, and only then over its lower border. What it speaks of stays in sight.
    if (corner.x() < 0)
        corner = {around.center().x() - width() / 2, around.bottom() + kGap};
    if (corner.y() + height() > window->height())
        corner.setY(around.bottom() - height() - kGap);
    corner.setX(std::clamp(corner.x(), 8, std::max(window->width() - width() - 8, 8)));
    corner.setY(std::clamp(corner.y(), 8, std::max(window->height() - height() - 8, 8)));
    move(corner);
    raise();
}

void Tour::next()
{
    if (m_step + 1 < stepCount())
        show(m_step + 1);
    else
        end();
}

void Tour::back()
{
    if (m_step > 0)
        show(m_step - 1);
}

void Tour::end()
{
    hide();
    m_frame->hide();
    emit ended();
    deleteLater();
}

bool Tour::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection);
    return QFrame::eventFilter(watched, event);
}

void Tour::keyPressEvent(QKeyEvent* event)
{
    switch (event->key())
    {
    case Qt::Key_Escape: return end();
    case Qt::Key_Right:
    case Qt::Key_Return:
    case Qt::Key_Enter: return next();
    case Qt::Key_Left: return back();
    default: QFrame::keyPressEvent(event);
    }
}

} // namespace reinspect
