// SPDX-License-Identifier: MIT
// How a row runs where tensors lie on a device, and the way of those that the device has no code for.
#include "core/exec/device.h"
#include "core/exec/host_copies.h"

namespace reinspect::exec
{
namespace
{

// The run goes on as one on the host while this lives; what it allocates is scratch.
class HostScope
{
public:
    explicit HostScope(RunContext& context)
        : m_context(context)
        , m_device(context.accelerator)
    {
        m_context.accelerator = nullptr;
        ++m_context.scratchDepth;
    }
    ~HostScope()
    {
        m_context.accelerator = m_device;
        --m_context.scratchDepth;
    }
    HostScope(const HostScope&) = delete;
    HostScope& operator=(const HostScope&) = delete;

private:
    RunContext& m_context;
    Device* m_device;
};

// An operand of one element on the host, beside others on the device, is a number.
Result<void> numbersFromHost(Operands& operands)
{
    for (Operand& operand : operands.list)
    {
        if (!operand.tensor || operand.tensor->storage->isOnDevice())
            continue;
        if (operand.tensor->count() != 1 || isComplex(operand.tensor->dtype))
            return Error{"a tensor on the host meets one on the device"};
        if (isIntegral(operand.tensor->dtype))
            operand.number = readAll<std::int64_t>(*operand.tensor).front();
        else
            operand.number = readAll<double>(*operand.tensor).front();
        operand.tensor.reset();
    }
    return {};
}

} // namespace

Result<Value> runRow(const KernelRow& row, const KernelCall& call)
{
    Device* device = call.context->accelerator;
    if (!device)
        return row.run(call);
    KernelCall own = call;
    own.row = &row;
    if (const KernelFunction kernel = device->kernel(row.name))
        return kernel(own);
    return runsOn(row) == RunsOn::Anywhere ? row.run(own) : runOnHost(own);
}

bool needsHost(const KernelCall& call, Pointwise function, ComputeKind kind)
{
    const Device* device = call.context->accelerator;
    return device && !device->runs(function, kind);
}

Result<Value> runOnDevice(const KernelCall& call, Pointwise function, const Tensor& result,
                          Operands operands, DType common)
{
    auto done = numbersFromHost(operands);
    if (done.ok())
        done = call.context->accelerator->pointwise(function, result, operands, common);
    if (!done.ok())
        return call.error(done.error().message, done.error().kind);
    return Value(result);
}

Result<void> fillWithZeros(const KernelCall& call, const Tensor& tensor)
{
    if (tensor.storage->isOnDevice() && !isComplex(tensor.dtype))
    {
        Operands operands;
        operands.list = {Operand{{}, Value(std::int64_t{0}), tensor.dtype}};
        REINSPECT_CHECK(runOnDevice(call, Pointwise::Identity, tensor, operands, tensor.dtype));
        return {};
    }
    writeAll<std::int64_t>(tensor,
                           std::vector<std::int64_t>(static_cast<std::size_t>(tensor.count()), 0));
    return {};
}

Result<Value> runOnHost(const KernelCall& call)
{
    RunContext& context = *call.context;
    HostCopies copies(*context.accelerator, context.tracker);
    KernelCall inner = call;
    for (Value& value : inner.values)
    {
        REINSPECT_TRY(value, copies.toHost(value));
    }
    for (Value& value : inner.keywords.items)
    {
        REINSPECT_TRY(value, copies.toHost(value));
    }
    const auto made = [&] {
        const HostScope scope(context);
        return call.row->run(inner);
    }();
    if (!made.ok())
        return made.error();
    for (std::size_t i = 0; i < call.values.size(); ++i)
        if (call.schema->text == "*" || call.schema->arguments[i].isMutable)
            REINSPECT_CHECK(copies.writeBack(call.values[i]));
    for (const Value& value : call.keywords.items)
        REINSPECT_CHECK(copies.writeBack(value));
    const StorageRole role = context.scratchDepth == 0 ? StorageRole::Node : StorageRole::Scratch;
    REINSPECT_TRY(Value result, copies.toDevice(*made, role));
    HostRuns& runs = context.hostRuns[std::string(call.row->name)];
    ++runs.calls;
    runs.copiedBytes += copies.copiedBytes();
    return result;
}

} // namespace reinspect::exec
