// SPDX-License-Identifier: MIT
// A device other than the host: memory that the host cannot read, and operators of its own. The executor asks it
// for storages and hands it what it can do; the rest runs on the host, on copies (host_fallback.h). core/gpu has
// the one there is.
#pragma once

#include "core/exec/kernel_registry.h"
#include "core/exec/operands.h"
#include "core/triton/bind_launch.h"

namespace reinspect::exec
{

// What device code knows functions of numbers by.
enum class Pointwise : std::uint16_t
{
#define REINSPECT_POINTWISE(name, operands) name,
#include "core/exec/pointwise_functions.inc"
#undef REINSPECT_POINTWISE
    None,
};

#define REINSPECT_POINTWISE(name, operands) struct name;
#include "core/exec/pointwise_functions.inc"
#undef REINSPECT_POINTWISE

template<typename F>
inline constexpr Pointwise functionOf = Pointwise::None;
#define REINSPECT_POINTWISE(name, operands)                                                        \
    template<>                                                                                     \
    inline constexpr Pointwise functionOf<name> = Pointwise::name;
#include "core/exec/pointwise_functions.inc"
#undef REINSPECT_POINTWISE

// A kernel of the capture and what it is given; tensors by addresses of the device.
struct TritonLaunch
{
    const TritonKernel* kernel = nullptr;
    std::size_t variant = 0;
    const triton::Kernel* program = nullptr; // its TTIR
    std::vector<triton::LaunchArgument> arguments;
    triton::Grid grid;
};

class Device : public DeviceMemory
{
public:
    virtual const std::string& name() const = 0;    // "NVIDIA H200"
    virtual bool usesTf32() const { return false; } // in products of float32 matrices

    virtual bool runs(Pointwise function, ComputeKind kind) const = 0;
    // result[i] = function(operands[i]...), computed as `common` is. Operands that are tensors are here.
    virtual Result<void> pointwise(Pointwise function, const Tensor& result,
                                   const Operands& operands, DType common) = 0;
    // result[i] = start + i * step. False: the host is to do it.
    virtual Result<bool> count(const Tensor& result, double start, double step) = 0;
    // How an operator of the table runs here; null: no way of its own.
    virtual KernelFunction kernel(std::string_view row) const = 0;
    virtual Result<void> launch(const KernelCall& call, const TritonLaunch& launch) = 0;

    // A run begins: nothing is counted yet. `times`: nodes are to be timed.
    virtual void beginRun(bool times) = 0;
    // What runs from now on belongs to this node of the graph, whose name outlives the run.
    virtual void beginNode(const std::string& name) = 0;
    // Waits for everything. The error is of a node that ran before: an index out of range, a fault.
    virtual Result<void> finish() = 0;
    // What runs from now on is recorded and does not happen; replay() runs it `times` times and gives the seconds of
    // each. What has to wait for the device cannot be recorded: replay() says so.
    virtual Result<void> beginRecording() = 0;
    virtual Result<std::vector<double>> replay(int times) = 0;

    // After finish(): by beginNode() of this run; empty where nodes were not timed.
    virtual std::vector<double> nodeSeconds() const = 0;
    // The most bytes that nodes' storages held at once in this run, by the device's own count; nothing where it
    // does not count.
    virtual std::optional<std::int64_t> peakBytes() const = 0;
};

// Is there no code on the device for this? Then the call is the host's.
bool needsHost(const KernelCall& call, Pointwise function, ComputeKind kind);
Result<Value> runOnDevice(const KernelCall& call, Pointwise function, const Tensor& result,
                          Operands operands, DType common);

// Zeros, wherever the tensor lies.
Result<void> fillWithZeros(const KernelCall& call, const Tensor& tensor);

// The call's own row again, on copies of its tensors in the host's memory; what it wrote goes back. Counted in the
// context, and said in the notes: never silently.
Result<Value> runOnHost(const KernelCall& call);

} // namespace reinspect::exec
