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

// A constant of Python's in the "triton" part: None, a number, a tuple; anything else keeps its spelling.
struct TritonValue
{
    enum class Kind : std::uint8_t
    {
        None,
        Integer, // True and False, too
        Real,
        Text,
        Tuple,
    };
    Kind kind = Kind::None;
    std::int64_t integer = 0;
    double real = 0;
    std::string text = {};
    std::vector<TritonValue> items = {};

    friend bool operator==(const TritonValue&, const TritonValue&) = default;
};

// What a parameter is in one compiled variant: "*fp32", "i32", "constexpr"; of a tuple, its items.
struct TritonType
{
    std::string name = {};
    std::vector<TritonType> items = {};
};

// A kernel compiled for certain types and constants. Files are relative to CaptureFacts::folder.
struct TritonVariant
{
    std::string ttirFile;
    std::string ptxFile;
    std::vector<std::pair<std::string, TritonType>> signature; // by parameter, in order
    // By place: the parameter's position, then those in tuples.
    std::vector<std::pair<std::vector<std::size_t>, TritonValue>> constants;
    // Parameters, by position, that the compiler took to be multiples of 16.
    std::vector<std::size_t> multiplesOf16;
    std::int64_t numWarps = 0; // 0: not captured
    std::int64_t sharedBytes = 0;
    // Memory that a launch brings along, a program of the grid.
    std::int64_t globalScratchBytes = 0;
    std::int64_t profileScratchBytes = 0;
};

struct TritonKernel
{
    std::int64_t index = 0; // kernel_idx of the wrapper node
    std::string name;       // "add_kernel"
    std::vector<TritonParameter> parameters;
    std::string source; // Python
    std::vector<TritonVariant> variants = {};
};

// The constants of a wrapper node, by its constant_args_idx.
struct TritonConstants
{
    std::int64_t index = 0;
    std::vector<std::pair<std::string, TritonValue>> values; // by parameter
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
    std::vector<TritonConstants> tritonConstants;
    std::string folder; // of the capture's file, where kernels' files are; empty: not known
    std::string
        tritonJson; // the capture's "triton" part as it was read, for writing back; may be empty
    std::string producerJson; // likewise "producer"

    const TritonKernel* kernel(std::int64_t index) const;                // null: unknown
    const TritonConstants* constants(std::int64_t index) const;          // null: unknown
    const CustomOperator* customOperator(std::string_view target) const; // null: unknown
};

} // namespace reinspect
