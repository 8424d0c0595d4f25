// SPDX-License-Identifier: MIT
#include "tests/support/tiny_tensor.h"

#include <algorithm>

namespace reinspect::tiny
{

Number mixed(Number a, Number b)
{
    Number x = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

Number textNumber(std::string_view text)
{
    Number value = 7;
    for (const char c : text)
        value = mixed(value, static_cast<unsigned char>(c));
    return value;
}
namespace
{

std::size_t dimension(std::int64_t dim, std::size_t rank)
{
    return static_cast<std::size_t>(dim < 0 ? dim + static_cast<std::int64_t>(rank) : dim);
}

} // namespace

std::int64_t integerOf(const Argument& argument)
{
    return argument.integer().value_or(0);
}

Sizes sizesOf(const Argument& argument)
{
    Sizes sizes;
    for (const Argument& item : *argument.sequence())
        sizes.push_back(integerOf(item));
    return sizes;
}

Tensor viewOf(std::string_view target, Tensor t, std::span<const Argument> args)
{
    const auto number = [&args](std::size_t i, std::int64_t otherwise) {
        return i < args.size() ? integerOf(args[i]) : otherwise;
    };
    if (target == "aten.slice.Tensor")
    {
        const std::size_t dim = dimension(number(0, 0), t.sizes.size());
        const std::int64_t start = std::min(number(1, 0), t.sizes[dim]);
        const std::int64_t end = std::min(number(2, t.sizes[dim]), t.sizes[dim]);
        const std::int64_t step = number(3, 1);
        t.offset += start * t.strides[dim];
        t.sizes[dim] = std::max<std::int64_t>(0, (end - start + step - 1) / step);
        t.strides[dim] *= step;
        return t;
    }
    if (target == "aten.select.int")
    {
        const std::size_t dim = dimension(number(0, 0), t.sizes.size());
        t.offset += number(1, 0) * t.strides[dim];
        t.sizes.erase(t.sizes.begin() + static_cast<std::ptrdiff_t>(dim));
        t.strides.erase(t.strides.begin() + static_cast<std::ptrdiff_t>(dim));
        return t;
    }
    if (target == "aten.permute.default")
    {
        const Sizes order = sizesOf(args[0]);
        const Tensor base = t;
        for (std::size_t i = 0; i < order.size(); ++i)
        {
            t.sizes[i] = base.sizes[static_cast<std::size_t>(order[i])];
            t.strides[i] = base.strides[static_cast<std::size_t>(order[i])];
        }
        return t;
    }
    if (target == "aten.diagonal.default")
    {
        t.strides = {t.strides[0] + t.strides[1]};
        t.sizes = {std::min(t.sizes[0], t.sizes[1])};
        return t;
    }
    if (target == "aten.unsqueeze.default")
    {
        t.sizes.insert(t.sizes.begin(), 1);
        t.strides.insert(t.strides.begin(), 1);
        return t;
    }
    if (target == "aten.expand.default")
    {
        const Sizes wanted = sizesOf(args[0]);
        for (std::size_t i = 0; i < wanted.size(); ++i)
            if (t.sizes[i] != wanted[i])
                t.strides[i] = 0;
        t.sizes = wanted;
        return t;
    }
    if (target == "aten.as_strided.default")
    {
        t.sizes = sizesOf(args[0]);
        t.strides = sizesOf(args[1]);
        t.offset = number(2, t.offset);
        return t;
    }
    if (target == "aten.view.default")
    {
        std::int64_t expected = 1;
        for (std::size_t i = t.sizes.size(); i-- > 0;)
        {
            if (t.sizes[i] != 1 && t.strides[i] != expected)
                throw Failed{"view of a tensor that is not contiguous"};
            expected *= t.sizes[i];
        }
        t.sizes = sizesOf(args[0]);
        t.strides.assign(t.sizes.size(), 1);
        for (std::size_t i = t.sizes.size(); i-- > 1;)
            t.strides[i - 1] = t.strides[i] * t.sizes[i];
        return t;
    }
    throw Failed{"no view " + std::string(target)};
}

} // namespace reinspect::tiny
