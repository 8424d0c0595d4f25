// SPDX-License-Identifier: MIT
#include "app/start_page.h"

#include <QDir>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace reinspect
{

namespace
{

constexpr int kPath = Qt::UserRole;
constexpr int kTeaches = Qt::UserRole + 1;
constexpr int kMargin = 6;

// A title in bold, and below it what there is to learn, wrapped.
class SampleDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        QStyleOptionViewItem styled = option;
        initStyleOption(&styled, index);
        styled.text.clear();
        option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &styled, painter,
                                            option.widget);
        const bool isSelected = option.state.testFlag(QStyle::State_Selected);
        const QPalette& colors = option.palette;
        const QRect inside = option.rect.adjusted(kMargin, kMargin / 2, -kMargin, -kMargin / 2);
        painter->save();
        painter->setPen(colors.color(isSelected ? QPalette::HighlightedText : QPalette::Text));
        painter->setFont(titleFont(option));
        painter->drawText(inside, Qt::TextWordWrap, index.data().toString());
        painter->setFont(option.font);
        painter->setPen(
            colors.color(isSelected ? QPalette::HighlightedText : QPalette::PlaceholderText));
        painter->drawText(inside.adjusted(0, titleHeight(option, index), 0, 0), Qt::TextWordWrap,
                          index.data(kTeaches).toString());
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const int height = titleHeight(option, index)
            + wrappedHeight(option, option.font, index.data(kTeaches).toString());
        return {width(option), height + kMargin};
    }

private:
    static QFont titleFont(const QStyleOptionViewItem& option)
    {
        QFont font = option.font;
        font.setBold(true);
        return font;
    }
    static int width(const QStyleOptionViewItem& option)
    {
        const auto* view = qobject_cast<const QListWidget*>(option.widget);
        return view ? view->viewport()->width() : 300;
    }
    static int wrappedHeight(const QStyleOptionViewItem& option, const QFont& font,
                             const QString& text)
    {
        const QRect room(0, 0, width(option) - 2 * kMargin, 10'000);
        return QFontMetrics(font).boundingRect(room, Qt::TextWordWrap, text).height();
    }
    static int titleHeight(const QStyleOptionViewItem& option, const QModelIndex& index)
    {
        return wrappedHeight(option, titleFont(option), index.data().toString());
    }
};

QListWidget* makeList(QWidget* parent, const QString& name)
{
    auto* list = new QListWidget(parent);
    list->setAccessibleName(name);
    list->setFrameShape(QFrame::NoFrame);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setResizeMode(QListView::Adjust);
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    return list;
}

QLabel* makeHeading(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    QFont font = label->font();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * 1.15);
    label->setFont(font);
    return label;
}

} // namespace

StartPage::StartPage(QWidget* parent)
    : QWidget(parent)
{
    buildLists();
    buildLayout();
    fillSamples();
}

void StartPage::buildLists()
{
    m_open = new QPushButton(tr("Open a File..."), this);
    connect(m_open, &QPushButton::clicked, this, &StartPage::openRequested);
    m_samples = makeList(this, tr("Samples"));
    m_samples->setItemDelegate(new SampleDelegate(m_samples));
    m_recent = makeList(this, tr("Recent files"));
    m_recent->setTextElideMode(Qt::ElideMiddle);
    for (QListWidget* list : {m_samples, m_recent})
    {
        connect(list, &QListWidget::itemClicked, this, &StartPage::choose);
        connect(list, &QListWidget::itemActivated, this, &StartPage::choose);
    }
}

void StartPage::buildLayout()
{
    m_recentPart = new QWidget(this);
    auto* recent = new QVBoxLayout(m_recentPart);
    recent->setContentsMargins(0, 0, 0, 0);
    recent->addWidget(makeHeading(tr("Recent Files"), this));
    recent->addWidget(m_recent);
    m_recentPart->hide();

    auto* note =
        new QLabel(tr("Opens captures (.json) and what PyTorch prints: print_readable code, "
                      "graph() text. Or drop a file on the window."),
                   this);
    note->setWordWrap(true);
    note->setForegroundRole(QPalette::PlaceholderText);

    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_open);
    layout->addWidget(note);
    layout->addWidget(m_recentPart);
    layout->addSpacing(4);
    layout->addWidget(makeHeading(tr("Samples"), this));
    layout->addWidget(m_samples, 1);
}

void StartPage::fillSamples()
{
    for (const Sample& sample : sampleIndex())
    {
        auto* item = new QListWidgetItem(sample.title, m_samples);
        item->setData(kPath, sample.path);
        item->setData(kTeaches, sample.teaches);
        item->setToolTip(sample.path.section(u'/', -1));
    }
}

void StartPage::setRecentFiles(const QStringList& paths)
{
    m_recent->clear();
    for (const QString& path : paths)
    {
        auto* item = new QListWidgetItem(QDir::toNativeSeparators(path), m_recent);
        item->setData(kPath, path);
        item->setToolTip(item->text());
    }
    constexpr qsizetype kMostLines = 5;
    const auto lines = static_cast<int>(std::min(paths.size(), kMostLines));
    m_recent->setFixedHeight(lines * (fontMetrics().height() + 4) + 4);
    m_recentPart->setVisible(!paths.isEmpty());
}

void StartPage::choose(QListWidgetItem* item)
{
    emit chosen(item->data(kPath).toString());
}

} // namespace reinspect
