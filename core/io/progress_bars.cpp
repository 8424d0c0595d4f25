// SPDX-License-Identifier: MIT
// stripProgressBars of unwrap_paste.h.
#include "core/io/unwrap_paste.h"

#include <algorithm>

namespace reinspect
{
namespace
{

constexpr std::string_view kBar = "%|";     // " 40%|####      | 4/10 [00:01<00:02, 2.5it/s]"
constexpr std::string_view kCount = "it ["; // "12it [00:03, 4.0it/s]", where no total is known
constexpr std::string_view kRates = "/?";   // "2.5it/s", "1.2s/it", "?it/s"

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// Behind "[00:01<00:02, 2.5it/s]", which every bar ends with; npos when `text` holds no such clock.
std::size_t behindClock(std::string_view text, std::size_t from)
{
    const std::size_t open = text.find('[', from);
    const std::size_t close = text.find(']', std::min(open, text.size()));
    if (close == std::string_view::npos)
        return std::string_view::npos;
    const std::string_view clock = text.substr(open + 1, close - open - 1);
    const bool isClock = clock.find(':') != std::string_view::npos
        && clock.find_first_of(kRates) != std::string_view::npos;
    return isClock ? close + 1 : std::string_view::npos;
}

// Where the last bar of the line ends; 0: there is none.
std::size_t barEnd(std::string_view line)
{
    std::size_t end = 0;
    for (const std::string_view sign : {kBar, kCount})
        for (std::size_t at = line.find(sign); at != std::string_view::npos;
             at = line.find(sign, at + 1))
        {
            const bool isCounted = at > 0 && isDigit(line[at - 1]);
            const std::size_t behind = isCounted ? behindClock(line, at) : std::string_view::npos;
            if (behind != std::string_view::npos)
                end = std::max(end, behind);
        }
    return end;
}

} // namespace

bool stripProgressBars(std::vector<TextLine>& lines, std::string_view text)
{
    if (!holdsText(text, kBar) && !holdsText(text, kCount))
        return false;
    bool changed = false;
    for (TextLine& line : lines)
    {
        std::size_t end = barEnd(line.text);
        if (end == 0)
            continue;
        // A carriage return took the cursor back over the bar.
        if (end < line.text.size() && line.text[end] == '\r')
            ++end;
        line.drop(end);
        changed = true;
    }
    // The rest of a message may follow on the line of the bar; a line that held only the bar is none.
    return std::erase_if(lines,
                         [](const TextLine& line) { return line.column > 1 && line.text.empty(); })
        > 0
        || changed;
}

} // namespace reinspect
