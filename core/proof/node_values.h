// SPDX-License-Identifier: MIT
// What one node computes, before the pass and after it. Nothing is kept of other nodes: each graph is run again
// up to the node, and stopped there.
#pragma once

#include "core/exec/value_summary.h"
#include "core/proof/compare.h"
#include "core/proof/graph_inputs.h"

namespace reinspect::proof
{

// One tensor of a node's value, contiguous, as it was right after the node ran.
struct NodeTensor
{
    std::string place; // "", or of a tuple's member "[1]"
    exec::Tensor tensor;
    exec::ValueSummary summary;
};

struct NodeValue
{
    std::string stage;
    bool isThere = false;            // the graph has the node, and the run came to it
    std::string problem;             // why it is not, or what could not be kept
    std::string text;                // of a value that is no tensor: "7", "None"
    std::vector<NodeTensor> tensors; // of a tuple its members
};

struct NodeValues
{
    std::string node;
    std::vector<NodeValue> stages;       // as asked for
    std::vector<Difference> differences; // of the tensors of the first two, where both have them
};

struct StageGraphs
{
    std::vector<std::pair<std::string, std::shared_ptr<const Graph>>> stages;
    CaptureFacts facts;
    ShapeEnv shapes;
};

// Most bytes of one tensor that are kept; of a larger one a problem is said.
inline constexpr std::int64_t kMostValueBytes = std::int64_t(256) << 20;

// The error is of the inputs, or a stop that was asked for.
Result<NodeValues> nodeValues(const StageGraphs& graphs, const std::string& node,
                              const InputSource& source, const RunControl& control = {});

// The elements [row, row + rows) x [column, column + columns) of the plane of a contiguous tensor in which the
// other dimensions have the given indices; as numbers, row by row. Complex numbers as absolute values.
struct Plane
{
    std::size_t rowDimension = 0; // equal to columnDimension for a tensor of one dimension
    std::size_t columnDimension = 0;
    exec::Sizes at; // by dimension; those of the plane are not looked at
};
std::int64_t rowsOf(const exec::Tensor& tensor, const Plane& plane);
std::int64_t columnsOf(const exec::Tensor& tensor, const Plane& plane);
// The last two dimensions, at index 0 of the others.
Plane lastPlane(const exec::Tensor& tensor);
double numberAt(const exec::Tensor& tensor, const Plane& plane, std::int64_t row,
                std::int64_t column);

} // namespace reinspect::proof
