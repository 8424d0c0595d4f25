// SPDX-License-Identifier: MIT
// What a person wants to know of a tensor at a glance: for the observer of a run, and the view of a node's values.
#pragma once

#include "core/exec/tensor.h"

namespace reinspect::exec
{

struct ValueSummary
{
    std::int64_t count = 0;
    std::int64_t nans = 0;
    std::int64_t infinities = 0;
    double least = 0; // of the finite numbers; 0 when there are none
    double greatest = 0;
    double mean = 0;
    std::vector<std::int64_t> histogram; // of the finite numbers, from least to greatest in equal parts
};

// Of complex numbers: their absolute values.
ValueSummary summaryOf(const Tensor& tensor, std::size_t bins = 32);

} // namespace reinspect::exec
