// SPDX-License-Identifier: MIT
// Runs a Triton kernel on the CPU, program by program, x fastest. Memory is what the caller hands over:
// a storage a pointer parameter, with the place its pointer points to. A pointer belongs to the parameter
// it was made from: arithmetic never leads from one tensor into another, even where both share memory.
//
// Numbers: float16, bfloat16 and the 8-bit floats are computed in float32 and rounded once an operator,
// to the nearest even; products and sums are not fused, as a GPU's compiler may do. Reductions pair
// neighbours, in rounds; scans go from one end to the other. tt.dot accumulates in float32 (float64,
// int32 for those), from operands cut to TF32 where it says so, as the tensor cores cut them.
// A masked-off lane without `other` loads 0. Division of integers by 0 gives -1, as GPUs do.
#pragma once

#include "core/base/run_control.h"
#include "core/triton/ttir.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace reinspect::triton
{

struct TensorArgument
{
    std::byte* storage = nullptr;
    std::int64_t storageBytes = 0;
    std::int64_t offsetBytes = 0; // of the element that the pointer points to
    // The view's extent in the storage, first byte and the one past the last. A write outside of it,
    // but in the storage, is a warning. end below begin: no view is known, nothing is warned of.
    std::int64_t viewBegin = 0;
    std::int64_t viewEnd = -1;
};

// By type of the parameter: a pointer takes a tensor, an integer an integer, a float either number.
using LaunchArgument = std::variant<TensorArgument, std::int64_t, double>;

struct Grid
{
    std::int64_t x = 1;
    std::int64_t y = 1;
    std::int64_t z = 1;
};

struct RunLimits
{
    // Operators run, a tensor's elements counted at 64 to one. Reached: an error, since the kernel may
    // well never end.
    std::int64_t steps = 4'000'000'000;
    std::int64_t frameBytes = std::int64_t{2} << 30; // for a program's values
    std::size_t printedLines = 1000;
};

struct AccessWarning
{
    std::string parameter;
    std::string text; // a whole sentence with kernel, line, program and byte
};

struct RunReport
{
    std::int64_t programs = 0;
    std::int64_t steps = 0;
    std::vector<AccessWarning> warnings; // one a parameter
    std::vector<std::string> printed;    // of tt.print: "(0, 0, 0) x: 1 2 3"
    struct Touched
    {
        std::int64_t loads = 0;  // elements
        std::int64_t stores = 0; // elements; atomics count as both
    };
    std::vector<Touched> touched; // a parameter
};

// Errors: a parameter and its argument do not fit, an operator that cannot be run ("cannot run:
// operator X at line N of kernel K"), an access outside a storage (with kernel, line, program, byte
// offset), a limit, "Cancelled". After an error the memory may be written in part.
Result<RunReport> runKernel(const Kernel& kernel, std::span<const LaunchArgument> arguments,
                            Grid grid, const RunControl& control = {},
                            const RunLimits& limits = {});

// Whether all of the kernel's operators can be run here: the same message, without running.
Result<void> checkRunnable(const Kernel& kernel);

} // namespace reinspect::triton
