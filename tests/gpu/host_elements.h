// SPDX-License-Identifier: MIT
// Elements of arrays that lie in the host's memory, one by one. For host_api.h.
#pragma once

#include "core/exec/elements.h"

#include <functional>

namespace reinspect::gpu
{

using exec::Sizes;

// visit(index) for each index of these sizes, the last running fastest.
inline void forEachIndex(const std::int64_t* sizes, int rank,
                         const std::function<void(const Sizes&)>& visit)
{
    Sizes index(static_cast<std::size_t>(rank), 0);
    for (int d = 0; d < rank; ++d)
        if (sizes[d] == 0)
            return;
    for (;;)
    {
        visit(index);
        int d = rank - 1;
        for (; d >= 0 && ++index[static_cast<std::size_t>(d)] == sizes[d]; --d)
            index[static_cast<std::size_t>(d)] = 0;
        if (d < 0)
            return;
    }
}

inline std::int64_t offsetOf(const Sizes& index, const std::int64_t* strides)
{
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < index.size(); ++d)
        offset += index[d] * strides[d];
    return offset;
}

template<typename C>
C load(DType dtype, const void* data, std::int64_t at)
{
    C value;
    exec::loadRun<C>(dtype, static_cast<const std::byte*>(data) + at * dtypeBytes(dtype), 1, 1,
                     &value);
    return value;
}

template<typename C>
void store(DType dtype, void* data, std::int64_t at, C value)
{
    exec::storeRun<C>(dtype, static_cast<std::byte*>(data) + at * dtypeBytes(dtype), 1, 1, &value);
}

} // namespace reinspect::gpu
