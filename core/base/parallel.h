// SPDX-License-Identifier: MIT
// Work over a range, cut into slices for the machine's cores. For work whose outcome does not depend on the cuts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace reinspect
{

// work(begin, end) for slices that cover [0, count). Few elements are done here and now.
template<typename Work>
void forEachSlice(std::size_t count, Work&& work)
{
    constexpr std::size_t least = std::size_t{1} << 16; // elements that are worth a thread
    const std::size_t cores = std::max(std::thread::hardware_concurrency(), 1u);
    const std::size_t slices = std::min(cores, count / least);
    if (slices < 2)
        return work(std::size_t{0}, count);
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < slices; ++i)
        threads.emplace_back([&work, begin = count * i / slices, end = count * (i + 1) / slices] {
            work(begin, end);
        });
}

} // namespace reinspect
