// SPDX-License-Identifier: MIT
// A strided tensor in a numbered buffer, and the views of it: what tiny_interpreter.cpp computes with.
// Written apart from core/alias/view_rules.cpp on purpose.
#pragma once

#include "core/ir/argument.h"

#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reinspect::tiny
{

using Number = std::uint64_t;
using Sizes = std::vector<std::int64_t>;

// A hash of both, in this order; and one of a text.
Number mixed(Number a, Number b);
Number textNumber(std::string_view text);

struct Tensor
{
    std::size_t buffer = 0;
    Sizes sizes;
    Sizes strides;
    std::int64_t offset = 0;

    std::int64_t count() const
    {
        return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
    }
    // Position in the buffer of the element with this number in index order.
    std::int64_t place(std::int64_t number) const
    {
        std::int64_t position = offset;
        for (std::size_t i = sizes.size(); i-- > 0;)
        {
            position += number % sizes[i] * strides[i];
            number /= sizes[i];
        }
        return position;
    }
    std::int64_t extent() const
    {
        std::int64_t last = 0;
        for (std::size_t i = 0; i < sizes.size(); ++i)
            last += sizes[i] == 0 ? 0 : (sizes[i] - 1) * strides[i];
        return count() == 0 ? 0 : last + 1;
    }
};

struct Failed
{
    std::string why;
};

// Buffers that tensors share.
class Memory
{
protected:
    Number read(const Tensor& t, std::int64_t number) const
    {
        const std::int64_t place = t.place(number);
        if (place < 0 || place >= static_cast<std::int64_t>(m_buffers[t.buffer].size()))
            throw Failed{"read outside a buffer"};
        return m_buffers[t.buffer][static_cast<std::size_t>(place)];
    }
    void write(const Tensor& t, std::int64_t number, Number value)
    {
        const std::int64_t place = t.place(number);
        if (place < 0 || place >= static_cast<std::int64_t>(m_buffers[t.buffer].size()))
            throw Failed{"write outside a buffer"};
        m_buffers[t.buffer][static_cast<std::size_t>(place)] = value;
    }

    Tensor allocate(Sizes sizes, Sizes strides)
    {
        Tensor t{m_buffers.size(), std::move(sizes), std::move(strides), 0};
        m_buffers.emplace_back(static_cast<std::size_t>(t.extent()), 0);
        return t;
    }

    // Keeps strides and what lies between the elements.
    Tensor strideKeepingClone(const Tensor& source)
    {
        Tensor clone = allocate(source.sizes, source.strides);
        for (std::int64_t i = 0; i < source.extent(); ++i)
            m_buffers[clone.buffer][static_cast<std::size_t>(i)] =
                m_buffers[source.buffer][static_cast<std::size_t>(source.offset + i)];
        return clone;
    }

    void copy(const Tensor& to, const Tensor& from)
    {
        if (to.sizes != from.sizes)
            throw Failed{"copy between shapes"};
        for (std::int64_t i = 0; i < to.count(); ++i)
            write(to, i, read(from, i));
    }

    std::vector<std::vector<Number>> m_buffers;
};

std::int64_t integerOf(const Argument& argument);
Sizes sizesOf(const Argument& argument);

// What a view operator makes of a tensor; `args` without the tensor. Throws Failed where it cannot.
Tensor viewOf(std::string_view target, Tensor t, std::span<const Argument> args);

} // namespace reinspect::tiny
