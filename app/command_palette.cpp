// SPDX-License-Identifier: MIT
#include "app/command_palette.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace reinspect
{

namespace
{

// The name on the left, keys or operator on the right.
class PaletteDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        QStyleOptionViewItem styled = option;
        initStyleOption(&styled, index);
        const QString detail = index.data(PaletteModel::DetailRole).toString();
        const bool isEnabled = index.data(PaletteModel::IsEnabledRole).toBool();
        const int detailWidth = styled.fontMetrics.horizontalAdvance(detail) + 12;
        const bool isSelected = option.state.testFlag(QStyle::State_Selected);
        if (!isEnabled)
            styled.palette.setColor(QPalette::Text,
                                    option.palette.color(QPalette::PlaceholderText));
        styled.text = styled.fontMetrics.elidedText(styled.text, Qt::ElideMiddle,
                                                    styled.rect.width() - detailWidth - 36);
        option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &styled, painter,
                                            option.widget);
        painter->save();
        painter->setPen(option.palette.color(isSelected ? QPalette::HighlightedText
                                                        : QPalette::PlaceholderText));
        painter->drawText(option.rect.adjusted(0, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter,
                          detail);
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        size.setHeight(option.fontMetrics.height() + 8);
        return size;
    }
};

} // namespace

CommandPalette::CommandPalette(PaletteModel* model, QWidget* parent)
    : QDialog(parent, Qt::Popup)
    , m_model(model)
    , m_line(new QLineEdit(this))
    , m_list(new QListView(this))
{
    setWindowTitle(tr("Commands and Nodes"));
    setWhatsThis(tr("Type a few letters of a command or of a node's name, then Enter."));
    model->setParent(this);
    m_line->setPlaceholderText(tr("A command or a node"));
    m_line->setAccessibleName(tr("A command or a node"));
    m_line->installEventFilter(this);
    m_list->setAccessibleName(tr("Commands and nodes"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new PaletteDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->addWidget(m_line);
    layout->addWidget(m_list);
    connect(m_line, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_list, &QListView::clicked, this,
            [this](const QModelIndex& index) { run(index.row()); });
    resize(560, 420);
    filter({});
    m_line->setFocus();
}

void CommandPalette::filter(const QString& text)
{
    m_model->setText(text);
    m_list->setCurrentIndex(m_model->index(0));
}

// Closed first: the command may open a dialog of its own.
void CommandPalette::run(int row)
{
    if (row < 0 || row >= m_model->rowCount())
        return;
    QAction* command = m_model->commandAt(row);
    const NodeId node = m_model->nodeAt(row);
    accept();
    if (command)
        command->trigger();
    else
        emit nodeChosen(node);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_line || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key())
    {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown: QApplication::sendEvent(m_list, event); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: run(m_list->currentIndex().row()); return true;
    default: return QDialog::eventFilter(watched, event);
    }
}

} // namespace reinspect
