// SPDX-License-Identifier: MIT
#include "views/panels/message_strip.h"

#include "views/panels/themed_icon.h"
#include "views/session/session.h"

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace reinspect
{

MessageStrip::MessageStrip(Session* session, QWidget* parent)
    : QFrame(parent)
    , m_session(session)
{
    setAutoFillBackground(true);
    setAccessibleName(tr("Message"));
    buildRow();
    applyTheme();
    connect(session, &Session::messageChanged, this, &MessageStrip::showMessage);
    showMessage();
}

void MessageStrip::buildRow()
{
    m_icon = new QLabel(this);
    m_text = new QLabel(this);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_close = new QToolButton(this);
    m_close->setIcon(themedIcon(QStringLiteral("close")));
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Close this message"));
    m_close->setAccessibleName(tr("Close this message"));
    connect(m_close, &QToolButton::clicked, this, [this] { m_session->setMessage({}); });
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 5, 6, 5);
    row->addWidget(m_icon, 0, Qt::AlignTop);
    row->addWidget(m_text, 1);
    row->addWidget(m_close, 0, Qt::AlignTop);
}

QString MessageStrip::text() const
{
    return m_text->text();
}

void MessageStrip::showMessage()
{
    m_text->setText(m_session->message());
    setVisible(!m_session->message().isEmpty());
}

void MessageStrip::applyTheme()
{
    const Theme& theme = Theme::matching(QApplication::palette());
    const RoleStyle& style = theme.style(Role::Candidate);
    if (palette().color(QPalette::Window) == style.fill)
        return;
    QPalette colors = theme.palette();
    colors.setColor(QPalette::Window, style.fill);
    colors.setColor(QPalette::WindowText, style.text);
    m_icon->setPixmap(markPixmap(theme, Role::Candidate, 16, devicePixelRatioF()));
    setPalette(colors);
}

void MessageStrip::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange)
        applyTheme();
}

} // namespace reinspect
