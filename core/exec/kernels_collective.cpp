// SPDX-License-Identifier: MIT
// Functional collectives as a group of one rank computes them: what others would send is this rank's own.
#include "core/exec/kernel_registry.h"
#include "core/exec/operands.h"
#include "core/exec/view_math.h"

namespace reinspect::exec
{
namespace
{

void noteOneRank(const KernelCall& call)
{
    call.note("Collectives ran as one rank: other ranks are taken to hold the same values.");
}

Result<Tensor> copyOf(const KernelCall& call, const Tensor& input, std::size_t index = 0)
{
    REINSPECT_TRY(const Tensor result,
                  call.result(input.dtype, input.sizes, index, preservedStrides(input)));
    REINSPECT_CHECK(copyElements(result, input));
    return result;
}

Result<Value> allReduce(const KernelCall& call)
{
    noteOneRank(call);
    REINSPECT_TRY(const Tensor input, call.tensor("input"));
    REINSPECT_TRY(const Tensor result, copyOf(call, input));
    return Value(result);
}

Result<Value> allReduceInto(const KernelCall& call)
{
    noteOneRank(call);
    REINSPECT_TRY(const Tensor input, call.tensor("input"));
    return Value(input);
}

Result<Value> allReduceCoalesced(const KernelCall& call)
{
    noteOneRank(call);
    REINSPECT_TRY(const std::vector<Tensor> inputs, call.tensors("inputs"));
    std::vector<Tensor> results;
    for (std::size_t i = 0; i < inputs.size(); ++i)
    {
        REINSPECT_TRY(Tensor result, copyOf(call, inputs[i], i));
        results.push_back(std::move(result));
    }
    return listOf(std::move(results));
}

Result<Value> allReduceCoalescedInto(const KernelCall& call)
{
    noteOneRank(call);
    REINSPECT_TRY(std::vector<Tensor> inputs, call.tensors("inputs"));
    return listOf(std::move(inputs));
}

Result<Tensor> gathered(const KernelCall& call, const Tensor& input, std::int64_t ranks,
                        std::size_t index)
{
    if (input.rank() == 0 || ranks < 1)
        return call.error("needs a dimension and a group");
    Sizes sizes = input.sizes;
    sizes[0] *= ranks;
    REINSPECT_TRY(const Tensor result, call.result(input.dtype, sizes, index));
    for (std::int64_t rank = 0; rank < ranks; ++rank)
    {
        REINSPECT_TRY(const Tensor part,
                      sliceOf(result, 0, rank * input.sizes[0], (rank + 1) * input.sizes[0], 1));
        REINSPECT_CHECK(copyElements(part, input));
    }
    return result;
}

Result<Tensor> reduced(const KernelCall& call, const Tensor& input, std::int64_t ranks,
                       std::size_t index)
{
    if (input.rank() == 0 || ranks < 1)
        return call.error("needs a dimension and a group");
    REINSPECT_TRY(const Tensor own, sliceOf(input, 0, 0, input.sizes[0] / ranks, 1));
    REINSPECT_TRY(const Tensor result, call.result(own.dtype, own.sizes, index));
    REINSPECT_CHECK(copyElements(result, own));
    return result;
}

using OneRank = Result<Tensor> (*)(const KernelCall&, const Tensor&, std::int64_t, std::size_t);

template<OneRank Run>
Result<Value> grouped(const KernelCall& call)
{
    noteOneRank(call);
    REINSPECT_TRY(const std::int64_t ranks, call.integer("group_size"));
    if (!call.has("inputs"))
    {
        REINSPECT_TRY(const Tensor input, call.tensor("input"));
        REINSPECT_TRY(const Tensor result, Run(call, input, ranks, 0));
        return Value(result);
    }
    REINSPECT_TRY(const std::vector<Tensor> inputs, call.tensors("inputs"));
    std::vector<Tensor> results;
    for (std::size_t i = 0; i < inputs.size(); ++i)
    {
        REINSPECT_TRY(Tensor result, Run(call, inputs[i], ranks, i));
        results.push_back(std::move(result));
    }
    return listOf(std::move(results));
}

Result<Value> wait(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor tensor, call.tensor(call.schema->arguments.front().name));
    return Value(tensor);
}

const KernelRow table[] = {
    {"_c10d_functional.all_reduce.default", allReduce},
    {"_c10d_functional.all_reduce_.default", allReduceInto},
    {"_c10d_functional.broadcast.default", allReduce},
    {"_c10d_functional.broadcast_.default", allReduceInto},
    {"_c10d_functional.all_to_all_single.default", allReduce},
    {"_c10d_functional.all_reduce_coalesced.default", allReduceCoalesced},
    {"_c10d_functional.all_reduce_coalesced_.default", allReduceCoalescedInto},
    {"_c10d_functional.all_gather_into_tensor.default", grouped<gathered>},
    {"_c10d_functional.all_gather_into_tensor_coalesced.default", grouped<gathered>},
    {"_c10d_functional.reduce_scatter_tensor.default", grouped<reduced>},
    {"_c10d_functional.reduce_scatter_tensor_coalesced.default", grouped<reduced>},
    {"_c10d_functional.wait_tensor.default", wait},
};

} // namespace

std::span<const KernelRow> collectiveKernels()
{
    return table;
}

} // namespace reinspect::exec
