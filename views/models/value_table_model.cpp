// SPDX-License-Identifier: MIT
#include "views/models/value_table_model.h"

#include "core/ir/dtype_promotion.h"

#include <QFont>

#include <cmath>

namespace reinspect
{

QString numberText(double value, bool isWhole)
{
    if (std::isnan(value))
        return QStringLiteral("NaN");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("inf") : QStringLiteral("-inf");
    return isWhole ? QString::number(value, 'f', 0) : QString::number(value, 'g', 6);
}

void ValueTableModel::setValues(std::shared_ptr<const proof::NodeValues> values, std::size_t place)
{
    beginResetModel();
    m_values = std::move(values);
    m_place = place;
    const exec::Tensor* tensor = shape();
    m_plane = tensor ? proof::lastPlane(*tensor) : proof::Plane{};
    endResetModel();
}

void ValueTableModel::setPlane(proof::Plane plane)
{
    beginResetModel();
    m_plane = std::move(plane);
    endResetModel();
}

void ValueTableModel::setShown(ShownValue shown)
{
    beginResetModel();
    m_shown = shown;
    endResetModel();
}

const exec::Tensor* ValueTableModel::tensor(std::size_t stage) const
{
    if (!m_values || stage >= m_values->stages.size()
        || m_place >= m_values->stages[stage].tensors.size())
        return nullptr;
    return &m_values->stages[stage].tensors[m_place].tensor;
}

const exec::Tensor* ValueTableModel::shape() const
{
    const exec::Tensor* before = tensor(0);
    return before ? before : tensor(1);
}

std::optional<double> ValueTableModel::difference(std::int64_t row, std::int64_t column) const
{
    const exec::Tensor* before = tensor(0);
    const exec::Tensor* after = tensor(1);
    if (!before || !after || before->sizes != after->sizes)
        return {};
    const double a = proof::numberAt(*before, m_plane, row, column);
    const double b = proof::numberAt(*after, m_plane, row, column);
    return a == b || (std::isnan(a) && std::isnan(b)) ? 0.0 : b - a;
}

bool ValueTableModel::differs(std::int64_t row, std::int64_t column) const
{
    const auto found = difference(row, column);
    return found && *found != 0.0; // NaN counts
}

std::optional<double> ValueTableModel::number(std::int64_t row, std::int64_t column) const
{
    if (m_shown == ShownValue::Difference)
        return difference(row, column);
    const exec::Tensor* shown = tensor(m_shown == ShownValue::Before ? 0 : 1);
    const exec::Tensor* other = shape();
    if (!shown || shown->sizes != other->sizes)
        return {};
    return proof::numberAt(*shown, m_plane, row, column);
}

int ValueTableModel::rowCount(const QModelIndex& parent) const
{
    const exec::Tensor* tensor = shape();
    if (parent.isValid() || !tensor || tensor->count() == 0)
        return 0;
    return static_cast<int>(std::min<std::int64_t>(proof::rowsOf(*tensor, m_plane), kMost));
}

int ValueTableModel::columnCount(const QModelIndex& parent) const
{
    const exec::Tensor* tensor = shape();
    if (parent.isValid() || !tensor || tensor->count() == 0)
        return 0;
    return static_cast<int>(std::min<std::int64_t>(proof::columnsOf(*tensor, m_plane), kMost));
}

QVariant ValueTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const auto value = number(index.row(), index.column());
    const bool isWhole = dtypeKind(shape()->dtype) != DTypeKind::Floating
        && dtypeKind(shape()->dtype) != DTypeKind::Complex;
    switch (role)
    {
    case Qt::DisplayRole: return value ? numberText(*value, isWhole) : QStringLiteral("-");
    case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::FontRole:
        if (differs(index.row(), index.column()))
        {
            QFont bold;
            bold.setBold(true);
            return bold;
        }
        return {};
    case Qt::AccessibleTextRole:
        return tr("row %1, column %2: %3%4")
            .arg(index.row())
            .arg(index.column())
            .arg(value ? numberText(*value, isWhole) : QStringLiteral("-"),
                 differs(index.row(), index.column()) ? tr(", differs") : QString());
    default: return {};
    }
}

QVariant ValueTableModel::headerData(int section, Qt::Orientation, int role) const
{
    return role == Qt::DisplayRole ? QVariant(section) : QVariant();
}

} // namespace reinspect
