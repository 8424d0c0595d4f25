// SPDX-License-Identifier: MIT
#include "views/panels/value_panel.h"

#include "views/panels/hint_stack.h"
#include "views/panels/value_plots.h"
#include "views/session/qt_text.h"
#include "views/session/run_service.h"
#include "views/session/session.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QTableView>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace reinspect
{

ValuePanel::ValuePanel(RunService* runs, QWidget* parent)
    : QWidget(parent)
    , m_runs(runs)
    , m_session(runs->session())
    , m_model(new ValueTableModel(this))
{
    buildHead();
    buildFacts();
    buildTable();
    buildLayout();
    connectSources();
    showValues();
    showChosen();
}

void ValuePanel::buildHead()
{
    m_ask = new QPushButton(this);
    m_ask->setToolTip(tr("Run the graph up to the chosen node, before the pass and after it"));
    connect(m_ask, &QPushButton::clicked, this, &ValuePanel::askForChosen);
    m_follow = new QCheckBox(tr("F&ollow"), this);
    m_follow->setToolTip(tr("Run for each node that is chosen, while this panel is seen"));
    connect(m_follow, &QCheckBox::toggled, this, &ValuePanel::showChosen);
    m_title = new QLabel(this);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setWordWrap(true);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_title->setAccessibleName(tr("Node whose values are shown"));
    m_place = new QComboBox(this);
    m_place->setAccessibleName(tr("Member of the tuple"));
    connect(m_place, &QComboBox::currentIndexChanged, this, &ValuePanel::showPlace);
    m_shown = new QComboBox(this);
    m_shown->addItems({tr("Before"), tr("After"), tr("After - Before")});
    m_shown->setAccessibleName(tr("Values in the table"));
    connect(m_shown, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_model->setShown(static_cast<ShownValue>(index)); });
}

void ValuePanel::buildFacts()
{
    m_facts = new QTreeWidget(this);
    m_facts->setHeaderLabels({QString(), tr("Before"), tr("After")});
    m_facts->setRootIsDecorated(false);
    m_facts->setUniformRowHeights(true);
    m_facts->setFrameShape(QFrame::NoFrame);
    m_facts->setAccessibleName(tr("Values in numbers"));
    m_facts->header()->setStretchLastSection(false);
    m_facts->header()->setSectionResizeMode(QHeaderView::Stretch); // both are seen, however narrow
    m_facts->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_histogram = new HistogramView(this);
}

void ValuePanel::buildTable()
{
    m_table = new QTableView(this);
    m_table->setModel(m_model);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setAccessibleName(tr("Values by index"));
    m_table->setWhatsThis(tr("A plane of the tensor; what differs after the pass is bold. At most "
                             "the first %L1 rows and columns.")
                              .arg(ValueTableModel::kMost));
    m_table->horizontalHeader()->setDefaultSectionSize(fontMetrics().averageCharWidth() * 18);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 4);
    m_heat = new HeatMap(this);
    connect(m_heat, &HeatMap::cellChosen, this, [this](int row, int column) {
        m_table->setCurrentIndex(m_model->index(row, column));
        m_table->scrollTo(m_table->currentIndex());
    });
}

void ValuePanel::buildLayout()
{
    auto* head = new QHBoxLayout;
    head->addWidget(m_ask);
    head->addWidget(m_follow);
    head->addWidget(m_title, 1);
    auto* content = new QWidget(this);
    auto* left = new QWidget(content);
    auto* numbers = new QVBoxLayout(left);
    numbers->setContentsMargins(0, 0, 0, 0);
    numbers->setSpacing(2);
    numbers->addWidget(m_facts, 1);
    numbers->addWidget(m_histogram);
    auto* middle = new QWidget(content);
    auto* plane = new QVBoxLayout(middle);
    plane->setContentsMargins(0, 0, 0, 0);
    plane->setSpacing(2);
    m_slices = new QHBoxLayout;
    m_slices->addWidget(m_place);
    m_slices->addWidget(m_shown);
    m_slices->addStretch(1);
    plane->addLayout(m_slices);
    plane->addWidget(m_table, 1);
    auto* split = new QSplitter(content);
    for (QWidget* part : {left, middle, static_cast<QWidget*>(m_heat)})
        split->addWidget(part);
    split->setSizes({370, 350, 180}); // shares of what there is
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 4);
    split->setStretchFactor(2, 2);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(split);
    m_stack = new HintStack(content, emptyText(), this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(m_stack, 1);
    setFocusProxy(m_ask);
}

void ValuePanel::connectSources()
{
    connect(m_runs, &RunService::valuesChanged, this, &ValuePanel::showValues);
    connect(m_session, &Session::selectionChanged, this, &ValuePanel::showChosen);
    connect(m_session, &Session::traceChanged, this, &ValuePanel::showChosen);
    connect(m_session, &Session::documentChanged, this, &ValuePanel::showChosen);
}

QString ValuePanel::chosenName() const
{
    const auto& trace = m_session->trace();
    const NodeId node = m_session->selection().primary();
    return trace && node ? toQString(trace->nameOf(node)) : QString();
}

void ValuePanel::askForChosen()
{
    if (!chosenName().isEmpty())
        m_runs->askValues(chosenName());
}

void ValuePanel::setSeen(bool seen)
{
    m_isSeen = seen;
    showChosen();
}

void ValuePanel::showChosen()
{
    const QString name = chosenName();
    m_ask->setEnabled(!name.isEmpty());
    m_ask->setText(name.isEmpty()
                       ? tr("Values")
                       : tr("Values of %1")
                             .arg(fontMetrics().elidedText(name, Qt::ElideMiddle,
                                                           fontMetrics().averageCharWidth() * 24)));
    const auto& values = m_runs->values();
    const bool isShown = values && toQString(values->node) == name;
    if (m_follow->isChecked() && m_isSeen && !isShown && !name.isEmpty())
        askForChosen();
    m_stack->setHint(emptyText());
}

QString ValuePanel::emptyText() const
{
    if (m_runs->isAsking())
        return tr("Running the graph up to the node...");
    if (!m_runs->valuesProblem().isEmpty())
        return m_runs->valuesProblem();
    if (!m_session->trace())
        return tr("Open a graph to see what its nodes compute.");
    return tr("Choose a node and ask for its values.");
}

static QString titleText(const proof::NodeValues& values)
{
    QStringList parts{toQString(values.node)};
    for (const proof::NodeValue& stage : values.stages)
    {
        const QString name = toQString(stage.stage);
        if (!stage.problem.empty())
            parts.append(QStringLiteral("%1: %2").arg(name, toQString(stage.problem)));
        if (!stage.text.empty())
            parts.append(QStringLiteral("%1: %2").arg(name, toQString(stage.text)));
    }
    for (const proof::Difference& difference : values.differences)
        if (!difference.isBitwise)
            parts.append(difference.mismatch.empty()
                             ? ValuePanel::tr("differs in %1, at most %2")
                                   .arg(counted(difference.differing, ValuePanel::tr("element"),
                                                ValuePanel::tr("elements")),
                                        numberText(difference.maxAbsolute, false))
                             : ValuePanel::tr("differs: %1").arg(toQString(difference.mismatch)));
    if (parts.size() == 1 && !values.differences.empty())
        parts.append(ValuePanel::tr("the same before and after, bit for bit"));
    return parts.join(QStringLiteral("  \u00b7  "));
}

void ValuePanel::showValues()
{
    const auto& values = m_runs->values();
    m_title->setText(values ? titleText(*values) : QString());
    {
        const QSignalBlocker quiet(m_place);
        m_place->clear();
        if (values)
            for (const proof::NodeValue& stage : values->stages)
                for (std::size_t i = static_cast<std::size_t>(m_place->count());
                     i < stage.tensors.size(); ++i)
                    m_place->addItem(toQString(stage.tensors[i].place));
        m_place->setVisible(m_place->count() > 1);
    }
    m_stack->setHint(emptyText());
    m_stack->setEmpty(!values || m_place->count() == 0 || m_runs->isAsking());
    if (values && m_place->count() == 0 && !m_runs->isAsking())
        m_stack->setHint(tr("The value is no tensor."));
    showPlace();
}

void ValuePanel::showPlace()
{
    m_model->setValues(m_runs->values(),
                       static_cast<std::size_t>(std::max(m_place->currentIndex(), 0)));
    showFacts();
    buildSlices();
    showHeat();
}

void ValuePanel::showFacts()
{
    m_facts->clear();
    std::vector<std::pair<QString, exec::ValueSummary>> summaries;
    const auto& values = m_runs->values();
    const auto place = static_cast<std::size_t>(std::max(m_place->currentIndex(), 0));
    QList<QStringList> rows{{tr("Type")}, {tr("Elements")}, {tr("Least")},   {tr("Greatest")},
                            {tr("Mean")}, {tr("NaN")},      {tr("Infinite")}};
    for (std::size_t i = 0; values && i < values->stages.size(); ++i)
    {
        const proof::NodeValue& stage = values->stages[i];
        if (place >= stage.tensors.size())
        {
            for (QStringList& row : rows)
                row.append(QStringLiteral("-"));
            continue;
        }
        const exec::ValueSummary& found = stage.tensors[place].summary;
        const bool hasFinite = found.count > found.nans + found.infinities;
        const auto finite = [&](double number) {
            return hasFinite ? numberText(number, false) : QStringLiteral("-");
        };
        const QStringList cells{toQString(exec::tensorText(stage.tensors[place].tensor)),
                                QStringLiteral("%L1").arg(found.count),
                                finite(found.least),
                                finite(found.greatest),
                                finite(found.mean),
                                QStringLiteral("%L1").arg(found.nans),
                                QStringLiteral("%L1").arg(found.infinities)};
        for (qsizetype row = 0; row < rows.size(); ++row)
            rows[row].append(cells[row]);
        summaries.emplace_back(toQString(stage.stage), found);
    }
    for (const QStringList& row : rows)
    {
        auto* item = new QTreeWidgetItem(m_facts, row);
        for (int column = 0; column < row.size(); ++column)
            item->setToolTip(column, row[column]);
    }
    m_histogram->setSummaries(std::move(summaries));
}

// Which two dimensions are rows and columns, and the indices of the others.
void ValuePanel::buildSlices()
{
    while (m_slices->count() > 3) // the combos in front, the stretch behind
    {
        QLayoutItem* item = m_slices->takeAt(2);
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    m_indices.clear();
    m_rows = m_columns = nullptr;
    const exec::Tensor* tensor = m_model->shape();
    if (!tensor || tensor->rank() < 2)
        return;
    const proof::Plane& plane = m_model->plane();
    const auto add = [this](QWidget* widget) {
        m_slices->insertWidget(m_slices->count() - 1, widget);
    };
    const auto choose = [&](const QString& name, std::size_t now) {
        auto* combo = new QComboBox(this);
        for (std::size_t i = 0; i < tensor->rank(); ++i)
            combo->addItem(tr("%1: dim %2").arg(name).arg(i));
        combo->setCurrentIndex(static_cast<int>(now));
        combo->setAccessibleName(name);
        connect(combo, &QComboBox::activated, this, &ValuePanel::takePlane);
        add(combo);
        return combo;
    };
    m_rows = choose(tr("Rows"), plane.rowDimension);
    m_columns = choose(tr("Columns"), plane.columnDimension);
    for (std::size_t i = 0; i < tensor->rank(); ++i)
    {
        auto* index = new QSpinBox(this);
        index->setPrefix(tr("dim %1: ").arg(i));
        index->setRange(
            0, static_cast<int>(std::clamp<std::int64_t>(tensor->sizes[i] - 1, 0, 1'000'000'000)));
        index->setAccessibleName(tr("Index of dimension %1").arg(i));
        index->setVisible(i != plane.rowDimension && i != plane.columnDimension);
        connect(index, &QSpinBox::valueChanged, this, &ValuePanel::takePlane);
        add(index);
        m_indices.push_back(index);
    }
}

void ValuePanel::takePlane()
{
    proof::Plane plane = m_model->plane();
    auto rows = static_cast<std::size_t>(m_rows->currentIndex());
    auto columns = static_cast<std::size_t>(m_columns->currentIndex());
    if (rows == columns) // the one that was not touched gives way
        (rows != plane.rowDimension ? columns : rows) =
            rows != plane.rowDimension ? plane.rowDimension : plane.columnDimension;
    m_rows->setCurrentIndex(static_cast<int>(rows));
    m_columns->setCurrentIndex(static_cast<int>(columns));
    plane.rowDimension = rows;
    plane.columnDimension = columns;
    for (std::size_t i = 0; i < m_indices.size(); ++i)
    {
        plane.at[i] = m_indices[i]->value();
        m_indices[i]->setVisible(i != rows && i != columns);
    }
    m_model->setPlane(std::move(plane));
    showHeat();
}

void ValuePanel::showHeat()
{
    const auto& values = m_runs->values();
    const auto place = static_cast<std::size_t>(std::max(m_place->currentIndex(), 0));
    const bool differs = values && place < values->differences.size()
        && !values->differences[place].isBitwise && values->differences[place].mismatch.empty();
    m_heat->setVisible(differs);
    if (differs)
        m_heat->setPlane(m_model->rowCount(), m_model->columnCount(),
                         [this](std::int64_t row, std::int64_t column) {
                             return m_model->difference(row, column);
                         });
}

} // namespace reinspect
