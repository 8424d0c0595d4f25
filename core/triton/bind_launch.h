// SPDX-License-Identifier: MIT
// From a capture's launch (a wrapper node's arguments by name) to a kernel's arguments: which compiled
// variant fits, what its TTIR is, and which values its parameters take. Parameters that a variant has as
// constants (tl.constexpr, None, integers that were 1) are not parameters of the TTIR; tuples are taken
// apart, item by item.
#pragma once

#include "core/ir/capture_facts.h"
#include "core/triton/ttir_run.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace reinspect::triton
{

struct LaunchTensor
{
    TensorArgument memory;
    std::string type; // of the elements, as Triton names it: "fp32", "i64", "i1"
};

// None, an integer (or a boolean), a float, anything else by its spelling, a tensor, a tuple.
struct LaunchValue
{
    std::variant<std::monostate, std::int64_t, double, std::string, LaunchTensor,
                 std::vector<LaunchValue>>
        value;
};

LaunchValue launchValue(const TritonValue& constant);

using LaunchValues = std::vector<std::pair<std::string, LaunchValue>>; // by parameter's name

// Triton's name of torch's dtype: "fp32" of Float32; empty when it has none.
std::string_view tritonTypeName(DType dtype);

// The variant that Triton would take: types as in its signature, constants equal. Among several the one
// with most multiples of 16 that hold. Errors say which parameter no variant fits.
Result<std::size_t> chooseVariant(const TritonKernel& kernel, const LaunchValues& given);

// The arguments of the TTIR's function, in order.
Result<std::vector<LaunchArgument>> bindLaunch(const TritonVariant& variant, const Kernel& kernel,
                                               const LaunchValues& given);

// Reads a variant's TTIR from the capture's folder. Errors: no folder, no file, what readTtir says.
Result<Kernel> loadVariant(const CaptureFacts& facts, const TritonKernel& kernel,
                           std::size_t variant);

} // namespace reinspect::triton
