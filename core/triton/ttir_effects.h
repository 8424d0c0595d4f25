// SPDX-License-Identifier: MIT
// What a kernel may do with the memory its parameters point to, from the text alone. Answers the question
// of identify_mutated_tensors in torch/_higher_order_ops/triton_kernel_wrap.py, which also knows only
// "mutated"; here reads and atomics are told apart, and a pointer is followed forwards, through
// arithmetic, selections, what loops carry and branches yield, and calls.
// Holds: a parameter without `writes` is written by no run. Where nothing is known of a pointer or of an
// operator, every pointer parameter it could mean is read and written, and `reasons` says why.
#pragma once

#include "core/triton/ttir.h"

#include <string>
#include <vector>

namespace reinspect::triton
{

struct ParameterEffects
{
    std::string name;       // as in the text: "in0"; "arg0" from Triton 3.0 and older
    bool isPointer = false; // block pointers and descriptors, too
    bool reads = false;
    bool writes = false;  // atomics, too
    bool atomics = false; // with reads and writes
    // Of a parameter that is read or written: whether a certain operator does it, not only a cautious
    // answer to something unknown.
    bool isCertain = true;
    Place firstWrite = {}; // line 0: none
    Place firstRead = {};
};

struct Effects
{
    std::vector<ParameterEffects> parameters; // in the function's order
    std::vector<std::string> reasons;         // what was not known, with lines; empty: nothing

    std::vector<std::string> written() const; // names, in order
};

Effects effectsOf(const Kernel& kernel);

} // namespace reinspect::triton
