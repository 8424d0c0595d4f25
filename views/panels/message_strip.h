// SPDX-License-Identifier: MIT
// The session's message, if any, above the picture: not modal, closed with its button.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QFrame>

class QLabel;
class QToolButton;

namespace reinspect
{

class Session;

class MessageStrip : public QFrame
{
    Q_OBJECT

public:
    explicit MessageStrip(Session* session, QWidget* parent = nullptr);

    QString text() const;
    QToolButton* closeButton() const { return m_close; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildRow();
    void showMessage();
    void applyTheme();

    Session* m_session;
    QLabel* m_icon = nullptr;
    QLabel* m_text = nullptr;
    QToolButton* m_close = nullptr;
};

} // namespace reinspect
