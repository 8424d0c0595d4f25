// SPDX-License-Identifier: MIT
// A plane of a tensor as a table, before the pass, after it, or the difference of the two. Only cells that are
// shown are read; of a plane that is larger than a table can be, the first rows and columns.
#pragma once

#include <QAbstractTableModel>

#include "core/proof/node_values.h"

#include <memory>

namespace reinspect
{

enum class ShownValue : std::uint8_t
{
    Before,
    After,
    Difference, // after - before
};

class ValueTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    static constexpr int kMost = 1024; // rows, columns

    using QAbstractTableModel::QAbstractTableModel;

    // The tensors of one place of a node's value; null values: nothing to show.
    void setValues(std::shared_ptr<const proof::NodeValues> values, std::size_t place);
    void setPlane(proof::Plane plane);
    void setShown(ShownValue shown);

    const exec::Tensor* tensor(std::size_t stage) const; // null: the stage has none
    const exec::Tensor* shape() const;                   // of the first stage that has one
    const proof::Plane& plane() const { return m_plane; }
    // Nothing where one of the two is not there or has other sizes.
    std::optional<double> difference(std::int64_t row, std::int64_t column) const;
    bool differs(std::int64_t row, std::int64_t column) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::optional<double> number(std::int64_t row, std::int64_t column) const;

    std::shared_ptr<const proof::NodeValues> m_values;
    std::size_t m_place = 0;
    proof::Plane m_plane;
    ShownValue m_shown = ShownValue::Before;
};

QString numberText(double value, bool isWhole); // "0.12345", "NaN", "17"

} // namespace reinspect
