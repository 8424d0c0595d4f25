// SPDX-License-Identifier: MIT
// Loads and stores of many lanes, for pointers and block pointers alike.
#pragma once

#include "core/triton/prepare.h"

namespace reinspect::triton
{

// Elements `n` of type Type at addresses; a mask or other of null is none.
struct Access
{
    const std::int64_t* addresses = nullptr;
    const std::int64_t* mask = nullptr;
    const void* other = nullptr; // lanes; masked-off ones are 0 without it
    bool isOneOther = false;     // one element for all lanes
    std::int64_t count = 0;
};

using LoadLanes = bool (*)(Machine&, const Step&, const Access&, void* into);
using StoreLanes = bool (*)(Machine&, const Step&, const Access&, const void* from);

// Loads and stores through block pointers.
Result<void> prepareBlockLoad(Preparation& p);
Result<void> prepareBlockStore(Preparation& p);

LoadLanes loaderOf(const Type& element);  // null: cannot lie in memory
StoreLanes storerOf(const Type& element); // likewise

} // namespace reinspect::triton
