// SPDX-License-Identifier: MIT
// An ordered list of which most hold one or two values: those stand in the list itself, in 16 bytes for
// values of 4. Longer ones live on the heap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace reinspect
{

template<typename T>
class Few
{
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(void*) / 2);

public:
    Few() = default;
    Few(const Few& other) { assign(other.items()); }
    Few(Few&& other) noexcept { swap(other); }
    Few& operator=(Few other) noexcept
    {
        swap(other);
        return *this;
    }
    ~Few()
    {
        if (onHeap())
            delete[] m_at.heap;
    }

    std::span<const T> items() const { return {data(), m_size}; }

    void insert(std::size_t at, T value)
    {
        if (m_size == m_capacity)
            grow();
        T* first = data();
        std::copy_backward(first + at, first + m_size, first + m_size + 1);
        first[at] = value;
        ++m_size;
    }
    void erase(std::size_t at)
    {
        std::copy(data() + at + 1, data() + m_size, data() + at);
        --m_size;
    }

private:
    static constexpr std::uint32_t kInside = sizeof(void*) / sizeof(T);

    bool onHeap() const { return m_capacity > kInside; }
    T* data() { return onHeap() ? m_at.heap : m_at.inside; }
    const T* data() const { return onHeap() ? m_at.heap : m_at.inside; }

    void swap(Few& other) noexcept
    {
        std::swap(m_size, other.m_size);
        std::swap(m_capacity, other.m_capacity);
        std::swap(m_at, other.m_at);
    }
    void assign(std::span<const T> items)
    {
        if (items.size() > kInside)
        {
            m_capacity = static_cast<std::uint32_t>(items.size());
            m_at.heap = new T[items.size()];
        }
        std::ranges::copy(items, data());
        m_size = static_cast<std::uint32_t>(items.size());
    }
    void grow()
    {
        const std::uint32_t capacity = m_capacity * 2;
        T* heap = new T[capacity];
        std::ranges::copy(items(), heap);
        if (onHeap())
            delete[] m_at.heap;
        m_at.heap = heap;
        m_capacity = capacity;
    }

    std::uint32_t m_size = 0;
    std::uint32_t m_capacity = kInside;
    union Place
    {
        Place()
            : inside{}
        {}
        T inside[kInside];
        T* heap;
    } m_at;
};

} // namespace reinspect
