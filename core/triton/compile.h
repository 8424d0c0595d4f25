// SPDX-License-Identifier: MIT
// Makes a kernel ready to run: slots for values, steps for operators, blocks that can be reached.
#pragma once

#include "core/triton/program.h"

#include <deque>

namespace reinspect::triton
{

struct Program
{
    std::deque<Body> bodies; // stable addresses
    const Body* entry = nullptr;
    std::int64_t frameBytes = 0; // of the entry and all it calls, about
};

// Errors: an operator that cannot be run, operands that do not fit their operator.
Result<Program> compile(const Kernel& kernel);

} // namespace reinspect::triton
