// SPDX-License-Identifier: MIT
// Which rectangles lie in a part of the plane: a grid of cells, each with the numbers of the
// rectangles that touch it. Built once, then only asked.
#pragma once

#include <QRectF>

#include <cstdint>
#include <vector>

namespace reinspect
{

class GridIndex
{
public:
    GridIndex() = default;
    explicit GridIndex(const std::vector<QRectF>& rects);

    // Numbers of the rectangles that touch `area`, ascending, each once.
    std::vector<std::uint32_t> in(const QRectF& area) const;

private:
    struct Cells
    {
        int left, top, right, bottom; // inclusive
    };
    Cells cellsOf(const QRectF& rect) const;

    std::vector<QRectF> m_rects;
    QRectF m_bounds;
    double m_cellSize = 1;
    int m_columns = 0;
    int m_rows = 0;
    std::vector<std::uint32_t> m_starts;  // by cell, one more at the end
    std::vector<std::uint32_t> m_numbers; // of all cells, cell by cell
};

} // namespace reinspect
