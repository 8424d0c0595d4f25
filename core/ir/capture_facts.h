// SPDX-License-Identifier: MIT
// What a capture knows besides its nodes: Triton kernels and custom operators. A text dump has
// neither, and every question then answers "unknown".
#pragma once

#include "core/ir/graph.h"

namespace reinspect
{

struct TritonParameter
{
    std::string name;
    bool isConstexpr = false;
};

struct TritonKernel
{
    std::int64_t index = 0; // kernel_idx of the wrapper node
    std::string name;       // "add_kernel"
    std::vector<TritonParameter> parameters;
    std::string source; // Python
};

struct CustomOperator
{
    std::string target;                // "demo.scale_.default"
    std::string schema;                // "demo::scale_(Tensor(a0!) x, float s) -> ()"
    std::shared_ptr<const Graph> body; // null when it could not be traced
};

struct CaptureFacts
{
    std::vector<TritonKernel> kernels;
    std::vector<CustomOperator> operators;
    std::string
        tritonJson; // the capture's "triton" part as it was read, for writing back; may be empty
    std::string producerJson; // likewise "producer"

    const TritonKernel* kernel(std::int64_t index) const;                // null: unknown
    const CustomOperator* customOperator(std::string_view target) const; // null: unknown
};

} // namespace reinspect
