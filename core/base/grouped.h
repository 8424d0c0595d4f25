// SPDX-License-Identifier: MIT
// Lists of many keys in one block of memory: the items of a key stand together, in the order in which
// they were given.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace reinspect
{

template<typename T>
class Grouped
{
public:
    Grouped() = default;

    // `forEach(visit)` calls visit(key, item) for every item, twice in the same order.
    template<typename ForEach>
    Grouped(std::size_t keys, const ForEach& forEach)
        : m_begin(keys + 1, 0)
    {
        forEach([this](std::size_t key, const T&) { ++m_begin[key + 1]; });
        for (std::size_t key = 0; key < keys; ++key)
            m_begin[key + 1] += m_begin[key];
        m_items.resize(m_begin.back());
        std::vector<std::uint32_t> next(m_begin.begin(), m_begin.end() - 1);
        forEach([&](std::size_t key, const T& item) { m_items[next[key]++] = item; });
    }

    std::size_t size() const { return m_begin.empty() ? 0 : m_begin.size() - 1; }
    std::span<const T> operator[](std::size_t key) const
    {
        assert(key < size());
        return std::span(m_items).subspan(m_begin[key], m_begin[key + 1] - m_begin[key]);
    }

private:
    std::vector<std::uint32_t> m_begin; // by key, and the end
    std::vector<T> m_items;
};

} // namespace reinspect
