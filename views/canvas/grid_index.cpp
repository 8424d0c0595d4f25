// SPDX-License-Identifier: MIT
#include "views/canvas/grid_index.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace reinspect
{

// QRectF::intersects calls a rectangle without height empty; a straight edge is one.
static bool touches(const QRectF& a, const QRectF& b)
{
    return a.left() <= b.right() && b.left() <= a.right() && a.top() <= b.bottom()
        && b.top() <= a.bottom();
}

static QRectF unitedWith(const QRectF& a, const QRectF& b)
{
    return QRectF(QPointF(std::min(a.left(), b.left()), std::min(a.top(), b.top())),
                  QPointF(std::max(a.right(), b.right()), std::max(a.bottom(), b.bottom())));
}

GridIndex::GridIndex(const std::vector<QRectF>& rects)
    : m_rects(rects)
{
    if (rects.empty())
        return;
    m_bounds = rects.front();
    for (const QRectF& rect : rects)
        m_bounds = unitedWith(m_bounds, rect);
    // About four rectangles a cell.
    const double area = std::max(m_bounds.width(), 1.0) * std::max(m_bounds.height(), 1.0);
    m_cellSize = std::max(64.0, std::sqrt(area / static_cast<double>(rects.size()) * 4));
    m_columns = static_cast<int>(m_bounds.width() / m_cellSize) + 1;
    m_rows = static_cast<int>(m_bounds.height() / m_cellSize) + 1;

    const auto forEachCell = [this](const QRectF& rect, auto&& visit) {
        const Cells cells = cellsOf(rect);
        for (int row = cells.top; row <= cells.bottom; ++row)
        {
            for (int column = cells.left; column <= cells.right; ++column)
                visit(static_cast<std::size_t>(row) * static_cast<std::size_t>(m_columns)
                      + static_cast<std::size_t>(column));
        }
    };
    m_starts.assign(static_cast<std::size_t>(m_columns) * static_cast<std::size_t>(m_rows) + 1, 0);
    for (const QRectF& rect : m_rects)
        forEachCell(rect, [this](std::size_t cell) { ++m_starts[cell + 1]; });
    for (std::size_t cell = 1; cell < m_starts.size(); ++cell)
        m_starts[cell] += m_starts[cell - 1];
    m_numbers.resize(m_starts.back());
    std::vector<std::uint32_t> next(m_starts.begin(), m_starts.end() - 1);
    for (std::uint32_t number = 0; number < m_rects.size(); ++number)
        forEachCell(m_rects[number], [&](std::size_t cell) { m_numbers[next[cell]++] = number; });
}

GridIndex::Cells GridIndex::cellsOf(const QRectF& rect) const
{
    const auto cell = [this](double offset, int count) {
        return static_cast<int>(
            std::clamp(offset / m_cellSize, 0.0, static_cast<double>(count - 1)));
    };
    return {cell(rect.left() - m_bounds.left(), m_columns),
            cell(rect.top() - m_bounds.top(), m_rows),
            cell(rect.right() - m_bounds.left(), m_columns),
            cell(rect.bottom() - m_bounds.top(), m_rows)};
}

std::vector<std::uint32_t> GridIndex::in(const QRectF& area) const
{
    std::vector<std::uint32_t> found;
    if (m_rects.empty() || !touches(area, m_bounds))
        return found;
    if (area.contains(m_bounds))
    {
        found.resize(m_rects.size());
        std::iota(found.begin(), found.end(), 0u);
        return found;
    }
    const Cells cells = cellsOf(area);
    for (int row = cells.top; row <= cells.bottom; ++row)
    {
        const std::size_t rowStart =
            static_cast<std::size_t>(row) * static_cast<std::size_t>(m_columns);
        // The cells of a row stand side by side, so their numbers do as well.
        const std::uint32_t begin = m_starts[rowStart + static_cast<std::size_t>(cells.left)];
        const std::uint32_t end = m_starts[rowStart + static_cast<std::size_t>(cells.right) + 1];
        for (std::uint32_t i = begin; i < end; ++i)
        {
            if (touches(m_rects[m_numbers[i]], area))
                found.push_back(m_numbers[i]);
        }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

} // namespace reinspect
