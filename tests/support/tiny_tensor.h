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
#include <vector>

namespace reinspect::tiny
{

using Sizes = std::vector<std::int64_t>;

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

std::int64_t integerOf(const Argument& argument);
Sizes sizesOf(const Argument& argument);

// What a view operator makes of a tensor; `args` without the tensor. Throws Failed where it cannot.
Tensor viewOf(std::string_view target, Tensor t, std::span<const Argument> args);

} // namespace reinspect::tiny
