// SPDX-License-Identifier: MIT
#include "core/base/line_diff.h"

#include <algorithm>

namespace reinspect
{

namespace
{

using Lines = std::vector<std::string_view>;

constexpr std::ptrdiff_t kMostSteps = 4000; // memory grows with the square of the steps

Lines linesOf(std::string_view text)
{
    Lines lines;
    while (!text.empty())
    {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

// The middle of two texts, where they differ. Sides in reading order.
class Middle
{
public:
    Middle(const Lines& a, const Lines& b, std::size_t begin, std::size_t endA, std::size_t endB)
        : m_a(a)
        , m_b(b)
        , m_begin(begin)
        , m_sizeA(static_cast<std::ptrdiff_t>(endA - begin))
        , m_sizeB(static_cast<std::ptrdiff_t>(endB - begin))
    {}

    std::vector<LineSide> sides()
    {
        const std::ptrdiff_t most = std::min(m_sizeA + m_sizeB, kMostSteps);
        m_reached.assign(static_cast<std::size_t>(2 * most + 3), 0);
        for (std::ptrdiff_t step = 0; step <= most; ++step)
        {
            m_history.push_back(m_reached);
            if (advance(step, most))
                return backFrom(step, most);
        }
        std::vector<LineSide> all(static_cast<std::size_t>(m_sizeA), LineSide::Before);
        all.insert(all.end(), static_cast<std::size_t>(m_sizeB), LineSide::After);
        return all;
    }

private:
    std::ptrdiff_t& at(std::vector<std::ptrdiff_t>& reached, std::ptrdiff_t diagonal,
                       std::ptrdiff_t most) const
    {
        return reached[static_cast<std::size_t>(diagonal + most + 1)];
    }
    bool isEqual(std::ptrdiff_t x, std::ptrdiff_t y) const
    {
        return m_a[m_begin + static_cast<std::size_t>(x)]
            == m_b[m_begin + static_cast<std::size_t>(y)];
    }
    bool isDown(std::vector<std::ptrdiff_t>& reached, std::ptrdiff_t diagonal, std::ptrdiff_t step,
                std::ptrdiff_t most) const
    {
        return diagonal == -step
            || (diagonal != step
                && at(reached, diagonal - 1, most) < at(reached, diagonal + 1, most));
    }
    bool advance(std::ptrdiff_t step, std::ptrdiff_t most)
    {
        for (std::ptrdiff_t diagonal = -step; diagonal <= step; diagonal += 2)
        {
            std::ptrdiff_t x = isDown(m_reached, diagonal, step, most)
                ? at(m_reached, diagonal + 1, most)
                : at(m_reached, diagonal - 1, most) + 1;
            while (x < m_sizeA && x - diagonal < m_sizeB && isEqual(x, x - diagonal))
                ++x;
            at(m_reached, diagonal, most) = x;
            if (x >= m_sizeA && x - diagonal >= m_sizeB)
                return true;
        }
        return false;
    }
    std::vector<LineSide> backFrom(std::ptrdiff_t steps, std::ptrdiff_t most)
    {
        std::vector<LineSide> sides;
        std::ptrdiff_t x = m_sizeA;
        std::ptrdiff_t y = m_sizeB;
        for (std::ptrdiff_t step = steps; step >= 0; --step)
        {
            std::vector<std::ptrdiff_t>& reached = m_history[static_cast<std::size_t>(step)];
            const std::ptrdiff_t diagonal = x - y;
            const bool down = isDown(reached, diagonal, step, most);
            const std::ptrdiff_t fromX =
                step == 0 ? 0 : at(reached, down ? diagonal + 1 : diagonal - 1, most);
            const std::ptrdiff_t fromY =
                step == 0 ? 0 : fromX - (down ? diagonal + 1 : diagonal - 1);
            while (x > fromX && y > fromY)
            {
                sides.push_back(LineSide::Both);
                --x;
                --y;
            }
            if (step > 0)
                sides.push_back(down ? LineSide::After : LineSide::Before);
            x = fromX;
            y = fromY;
        }
        std::reverse(sides.begin(), sides.end());
        return sides;
    }

    const Lines& m_a;
    const Lines& m_b;
    std::size_t m_begin;
    std::ptrdiff_t m_sizeA;
    std::ptrdiff_t m_sizeB;
    std::vector<std::ptrdiff_t> m_reached;
    std::vector<std::vector<std::ptrdiff_t>> m_history;
};

} // namespace

std::vector<DiffLine> diffLines(std::string_view before, std::string_view after)
{
    const Lines a = linesOf(before);
    const Lines b = linesOf(after);
    std::size_t begin = 0;
    while (begin < a.size() && begin < b.size() && a[begin] == b[begin])
        ++begin;
    std::size_t endA = a.size();
    std::size_t endB = b.size();
    while (endA > begin && endB > begin && a[endA - 1] == b[endB - 1])
    {
        --endA;
        --endB;
    }
    std::vector<LineSide> sides(begin, LineSide::Both);
    const std::vector<LineSide> middle = Middle(a, b, begin, endA, endB).sides();
    sides.insert(sides.end(), middle.begin(), middle.end());
    sides.insert(sides.end(), a.size() - endA, LineSide::Both);

    std::vector<DiffLine> lines;
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    for (const LineSide side : sides)
    {
        DiffLine line{side, 0, 0, {}};
        if (side != LineSide::After)
            line.before = ++x;
        if (side != LineSide::Before)
            line.after = ++y;
        line.text = side == LineSide::After ? b[y - 1] : a[x - 1];
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace reinspect
