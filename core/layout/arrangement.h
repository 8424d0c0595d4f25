// SPDX-License-Identifier: MIT
// Where parts stand: in rows, rows in groups, groups in columns. Gutters lie above, between and
// below the rows of a column, and to the right of each column; links between parts run there on
// tracks of their own, and a gutter is as wide as its tracks need.
#pragma once

#include "core/layout/part.h"

namespace reinspect
{

struct PartSize
{
    std::uint32_t group = 0;
    double width = 0;
    double height = 0;
};

struct Row
{
    std::uint32_t group = 0;
    std::uint32_t column = 0;
    std::uint32_t indexInColumn = 0;
    std::vector<std::uint32_t> parts = {};
    double width = 0;
    double height = 0;
    double y = 0; // top
};

struct Gutter
{
    double base = 0; // width without tracks
    std::uint32_t tracks = 0;
    double start = 0; // y of a gutter between rows, x of one beside a column

    double width() const;
    double track(std::uint32_t index) const; // middle of a track
};

struct Column
{
    double x = 0;
    double width = 0;
    double height = 0;
    std::vector<std::uint32_t> rows;
    std::vector<Gutter> above; // one more than rows; the last is below the last row
    Gutter right;
};

struct Arrangement
{
    std::vector<Row> rows = {};
    std::vector<Column> columns = {};
    std::vector<std::uint32_t> rowOfPart = {};
    std::vector<LayoutPoint> corners = {}; // of each part
    std::vector<LayoutRect> groups = {};
    double partGap = 0; // between parts of a row
    double width = 0;
    double height = 0;
};

// Chooses rows and columns; nothing has a place yet.
Arrangement arrange(const std::vector<PartSize>& parts, std::size_t groupCount,
                    const LayoutOptions& options);
// Gives everything a place, once the tracks are known.
void settle(Arrangement& arrangement, const std::vector<PartSize>& parts, std::size_t groupCount);

} // namespace reinspect
