// SPDX-License-Identifier: MIT
// A small panel over the picture that says what the marks in it mean: only those that occur now.
// A click on its title folds it.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QWidget>

#include "views/canvas/scene_marks.h"
#include "views/session/node_classes.h"

namespace reinspect
{

class LegendItem : public QWidget
{
    Q_OBJECT

public:
    explicit LegendItem(QWidget* parent);

    void setTheme(const Theme& theme);
    void setRoles(RoleSet roles);
    // Classes that colour the boxes stand above the roles.
    void setClasses(const NodeClasses& classes);
    bool isFolded() const { return m_isFolded; }
    void setFolded(bool folded);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void rebuild();
    int rowCount() const;
    void paintClasses(QPainter& painter, QRect& row) const;

    Theme m_theme;
    RoleSet m_roles;
    QString m_classTitle;
    std::vector<QString> m_classLabels;
    bool m_isScale = false;
    std::vector<Role> m_rows;
    bool m_isFolded = false;
};

} // namespace reinspect
