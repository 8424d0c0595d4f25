// SPDX-License-Identifier: MIT
#include "core/layout/arrangement.h"

#include <algorithm>
#include <cmath>

namespace reinspect
{

static constexpr double kTrackWidth = 9;

double Gutter::width() const
{
    return std::max(base, tracks == 0 ? 0.0 : (tracks + 1) * kTrackWidth);
}

double Gutter::track(std::uint32_t index) const
{
    const double used = (tracks - 1) * kTrackWidth;
    return start + (width() - used) / 2 + index * kTrackWidth;
}

// As wide as the widest part, or as the proportions ask for when there are many small ones beside
// the largest, which is as long as it is.
static double rowLimit(const std::vector<PartSize>& parts, std::size_t begin, std::size_t end,
                       const LayoutOptions& options)
{
    double widest = 0;
    double total = 0;
    double largest = 0;
    for (std::size_t part = begin; part < end; ++part)
    {
        const double area =
            (parts[part].width + options.boxGap) * (parts[part].height + options.rankGap);
        widest = std::max(widest, parts[part].width);
        largest = std::max(largest, area);
        total += area;
    }
    return std::max(widest, std::sqrt((total - largest) * options.aspect));
}

static void fillRows(Arrangement& arrangement, const std::vector<PartSize>& parts,
                     std::size_t begin, std::size_t end, const LayoutOptions& options)
{
    std::vector<Row>& rows = arrangement.rows;
    const double limit = rowLimit(parts, begin, end, options);
    const double gap = arrangement.partGap;
    for (std::size_t part = begin; part < end; ++part)
    {
        const PartSize& size = parts[part];
        const bool isFirst = part == begin;
        if (isFirst || rows.back().width + gap + size.width > limit)
            rows.push_back({.group = size.group});
        Row& row = rows.back();
        row.width += (row.parts.empty() ? 0 : gap) + size.width;
        row.height = std::max(row.height, size.height);
        row.parts.push_back(static_cast<std::uint32_t>(part));
    }
}

namespace
{
// A run of rows that must stay together.
struct Block
{
    std::size_t firstRow = 0;
    std::size_t endRow = 0;
    double width = 0;
    double height = 0;
};
} // namespace

static std::vector<Block> blocksOf(const std::vector<Row>& rows, const LayoutOptions& options)
{
    std::vector<Block> blocks;
    for (std::size_t row = 0; row < rows.size(); ++row)
    {
        if (row == 0 || rows[row].group != rows[row - 1].group)
            blocks.push_back({row, row, 0, options.groupGap});
        Block& block = blocks.back();
        block.height += rows[row].height + (block.endRow > block.firstRow ? options.rankGap : 0);
        block.width = std::max(block.width, rows[row].width);
        block.endRow = row + 1;
    }
    return blocks;
}

// First block of each column when no column may be higher than `limit`.
static std::vector<std::size_t> columnStarts(const std::vector<Block>& blocks, double limit)
{
    std::vector<std::size_t> starts;
    double height = 0;
    for (std::size_t block = 0; block < blocks.size(); ++block)
    {
        if (starts.empty() || height + blocks[block].height > limit)
        {
            starts.push_back(block);
            height = 0;
        }
        height += blocks[block].height;
    }
    return starts;
}

static double distanceFromAspect(const std::vector<Block>& blocks,
                                 const std::vector<std::size_t>& starts,
                                 const LayoutOptions& options)
{
    double width = 0;
    double tallest = 1;
    for (std::size_t column = 0; column < starts.size(); ++column)
    {
        const std::size_t end = column + 1 < starts.size() ? starts[column + 1] : blocks.size();
        double widest = 0;
        double height = 0;
        for (std::size_t block = starts[column]; block < end; ++block)
        {
            widest = std::max(widest, blocks[block].width);
            height += blocks[block].height;
        }
        width += widest + options.groupGap;
        tallest = std::max(tallest, height);
    }
    return std::abs(std::log(width / tallest / options.aspect));
}

// Tries column heights from the whole downward, in small steps, and keeps the best proportions; of
// heights that give the same number of columns, the least, since it fills them most evenly.
static std::vector<std::size_t> bestColumns(const std::vector<Block>& blocks,
                                            const LayoutOptions& options)
{
    double whole = 0;
    double tallest = 0;
    for (const Block& block : blocks)
    {
        whole += block.height;
        tallest = std::max(tallest, block.height);
    }
    std::vector<std::size_t> best = columnStarts(blocks, whole);
    double bestDistance = distanceFromAspect(blocks, best, options);
    for (double limit = whole / 1.05; limit >= tallest; limit /= 1.05)
    {
        std::vector<std::size_t> starts = columnStarts(blocks, limit);
        const double distance = distanceFromAspect(blocks, starts, options);
        if (distance < bestDistance || starts.size() == best.size())
        {
            bestDistance = distance;
            best = std::move(starts);
        }
    }
    return best;
}

static void addRows(Column& column, std::uint32_t columnIndex, std::vector<Row>& rows,
                    const Block& block, const LayoutOptions& options)
{
    for (std::size_t row = block.firstRow; row < block.endRow; ++row)
    {
        const bool isFirst = column.rows.empty();
        const bool isNewGroup = row == block.firstRow;
        column.above.push_back({.base = isFirst  ? 0
                                    : isNewGroup ? options.groupGap
                                                 : options.rankGap});
        rows[row].column = columnIndex;
        rows[row].indexInColumn = static_cast<std::uint32_t>(column.rows.size());
        column.rows.push_back(static_cast<std::uint32_t>(row));
        column.width = std::max(column.width, rows[row].width);
    }
}

static std::vector<Column> makeColumns(std::vector<Row>& rows, const LayoutOptions& options)
{
    const std::vector<Block> blocks = blocksOf(rows, options);
    const std::vector<std::size_t> starts = bestColumns(blocks, options);
    std::vector<Column> columns(starts.size());
    for (std::size_t column = 0; column < starts.size(); ++column)
    {
        const std::size_t end = column + 1 < starts.size() ? starts[column + 1] : blocks.size();
        for (std::size_t block = starts[column]; block < end; ++block)
            addRows(columns[column], static_cast<std::uint32_t>(column), rows, blocks[block],
                    options);
        columns[column].above.push_back({});
        columns[column].right.base = column + 1 < starts.size() ? options.groupGap : 0;
    }
    return columns;
}

Arrangement arrange(const std::vector<PartSize>& parts, std::size_t groupCount,
                    const LayoutOptions& options)
{
    Arrangement arrangement{.partGap = 2 * options.boxGap};
    std::size_t begin = 0;
    for (std::size_t group = 0; group < groupCount; ++group)
    {
        std::size_t end = begin;
        while (end < parts.size() && parts[end].group == group)
            ++end;
        fillRows(arrangement, parts, begin, end, options);
        begin = end;
    }
    if (!arrangement.rows.empty())
        arrangement.columns = makeColumns(arrangement.rows, options);
    arrangement.rowOfPart.resize(parts.size());
    for (std::uint32_t row = 0; row < arrangement.rows.size(); ++row)
    {
        for (std::uint32_t part : arrangement.rows[row].parts)
            arrangement.rowOfPart[part] = row;
    }
    return arrangement;
}

static void settleColumn(Column& column, std::vector<Row>& rows)
{
    double y = 0;
    for (std::size_t i = 0; i < column.rows.size(); ++i)
    {
        column.above[i].start = y;
        y += column.above[i].width();
        rows[column.rows[i]].y = y;
        y += rows[column.rows[i]].height;
    }
    column.above.back().start = y;
    column.height = y + column.above.back().width();
}

static void settleParts(Arrangement& arrangement, const std::vector<PartSize>& parts)
{
    arrangement.corners.resize(parts.size());
    for (const Row& row : arrangement.rows)
    {
        const Column& column = arrangement.columns[row.column];
        // Rows stand in the middle of their column, so that the flow runs on under the row above.
        double x = column.x + (column.width - row.width) / 2;
        for (std::uint32_t part : row.parts)
        {
            arrangement.corners[part] = {x, row.y};
            x += parts[part].width + arrangement.partGap;
        }
    }
}

static void settleGroups(Arrangement& arrangement, std::size_t groupCount)
{
    arrangement.groups.assign(groupCount, {});
    std::vector<bool> seen(groupCount, false);
    for (const Row& row : arrangement.rows)
    {
        const Column& column = arrangement.columns[row.column];
        LayoutRect& frame = arrangement.groups[row.group];
        if (!seen[row.group])
            frame = {column.x, row.y, column.width, 0};
        seen[row.group] = true;
        frame.height = row.y + row.height - frame.y;
    }
}

void settle(Arrangement& arrangement, const std::vector<PartSize>& parts, std::size_t groupCount)
{
    double x = 0;
    for (Column& column : arrangement.columns)
    {
        settleColumn(column, arrangement.rows);
        column.x = x;
        column.right.start = x + column.width;
        x += column.width + column.right.width();
        arrangement.height = std::max(arrangement.height, column.height);
    }
    arrangement.width = x;
    settleParts(arrangement, parts);
    settleGroups(arrangement, groupCount);
}

} // namespace reinspect
