// SPDX-License-Identifier: MIT
#include "core/proof/node_values.h"

#include "core/exec/elements.h"
#include "core/exec/host_copies.h"
#include "core/ir/dtype_promotion.h"
#include "core/proof/equivalence.h"

#include <cmath>

namespace reinspect::proof
{
namespace
{

using exec::Tensor;
using exec::Value;

Result<Tensor> copyOf(const Tensor& tensor)
{
    const std::int64_t bytes = tensor.count() * tensor.elementBytes();
    if (bytes > kMostValueBytes)
        return Error{.message = exec::tensorText(tensor) + " is too large to be kept",
                     .kind = ErrorKind::CannotRunHere};
    auto tracker = std::make_shared<exec::StorageTracker>(kMostValueBytes);
    Tensor copy{tensor.dtype, tensor.sizes, exec::contiguousStrides(tensor.sizes), 0,
                nullptr,      false};
    REINSPECT_TRY(copy.storage, tracker->allocate(bytes, tensor.dtype, exec::StorageRole::Scratch));
    REINSPECT_CHECK(exec::copyElements(copy, tensor));
    return copy;
}

std::string textOf(const Value& value)
{
    if (const auto* yes = value.as<bool>())
        return *yes ? "True" : "False";
    if (const auto whole = value.integer())
        return std::to_string(*whole);
    if (const auto number = value.number())
        return std::to_string(*number);
    return exec::kindText(value);
}

void keep(NodeValue& kept, const Value& value, const std::string& place)
{
    if (const std::vector<Value>* items = value.items())
    {
        for (std::size_t i = 0; i < items->size(); ++i)
            keep(kept, (*items)[i], place + "[" + std::to_string(i) + "]");
        return;
    }
    const Tensor* tensor = value.tensor();
    if (!tensor)
    {
        kept.text += (kept.text.empty() ? "" : ", ") + textOf(value);
        return;
    }
    auto copy = copyOf(*tensor);
    if (!copy.ok())
    {
        kept.problem = copy.error().message;
        return;
    }
    kept.tensors.push_back({place, std::move(*copy), exec::summaryOf(*tensor)});
}

// Stops the run when the node was there, or when the caller wants it.
Result<NodeValue> valueIn(const std::string& stage, const std::shared_ptr<const Graph>& graph,
                          const StageGraphs& all, const std::string& node,
                          const InputSource& source, const RunControl& control)
{
    NodeValue kept;
    kept.stage = stage;
    const NodeId wanted = graph->find(node);
    if (!wanted)
    {
        kept.problem = "the graph has no node '" + node + "'";
        return kept;
    }
    std::stop_source enough;
    const std::stop_callback asked(control.stop, [&] { enough.request_stop(); });
    const auto observe = [&](NodeId id, const Value& value) {
        if (id != wanted || kept.isThere)
            return;
        kept.isThere = true;
        if (const auto here = exec::broughtHome(value); here.ok())
            keep(kept, *here, {});
        else
            kept.problem = here.error().message;
        enough.request_stop();
    };
    REINSPECT_TRY(const StageRun run,
                  runStage(stage, graph, all.facts, all.shapes, source, observe,
                           {enough.get_token(), control.progress}));
    if (control.stopRequested())
        return Error{.message = "stopped", .kind = ErrorKind::CannotRunHere};
    if (!kept.isThere)
        kept.problem = run.failure ? run.failure->message : "the run did not come to it";
    return kept;
}

void compareFirstTwo(NodeValues& values)
{
    if (values.stages.size() < 2)
        return;
    const auto& first = values.stages[0].tensors;
    const auto& second = values.stages[1].tensors;
    for (std::size_t i = 0; i < first.size() && i < second.size(); ++i)
        values.differences.push_back(compareTensors(first[i].tensor, second[i].tensor));
}

} // namespace

Result<NodeValues> nodeValues(const StageGraphs& graphs, const std::string& node,
                              const InputSource& source, const RunControl& control)
{
    NodeValues values;
    values.node = node;
    for (const auto& [stage, graph] : graphs.stages)
    {
        REINSPECT_TRY(NodeValue value, valueIn(stage, graph, graphs, node, source, control));
        values.stages.push_back(std::move(value));
    }
    compareFirstTwo(values);
    return values;
}

std::int64_t rowsOf(const Tensor& tensor, const Plane& plane)
{
    if (tensor.rank() < 2 || plane.rowDimension == plane.columnDimension)
        return tensor.count() > 0 ? 1 : 0;
    return tensor.sizes[plane.rowDimension];
}

std::int64_t columnsOf(const Tensor& tensor, const Plane& plane)
{
    return tensor.rank() == 0 ? 1 : tensor.sizes[plane.columnDimension];
}

Plane lastPlane(const Tensor& tensor)
{
    Plane plane;
    plane.at.assign(tensor.rank(), 0);
    plane.columnDimension = tensor.rank() == 0 ? 0 : tensor.rank() - 1;
    plane.rowDimension = tensor.rank() < 2 ? plane.columnDimension : tensor.rank() - 2;
    return plane;
}

double numberAt(const Tensor& tensor, const Plane& plane, std::int64_t row, std::int64_t column)
{
    std::int64_t offset = tensor.offset;
    for (std::size_t i = 0; i < tensor.rank(); ++i)
        offset += tensor.strides[i]
            * (i == plane.columnDimension    ? column
                   : i == plane.rowDimension ? row
                                             : plane.at[i]);
    const std::byte* data = tensor.storage->data() + offset * tensor.elementBytes();
    if (dtypeKind(tensor.dtype) == DTypeKind::Complex)
    {
        std::complex<double> value;
        exec::loadRun<std::complex<double>>(tensor.dtype, data, 1, 1, &value);
        return std::abs(value);
    }
    double value = 0;
    exec::loadRun<double>(tensor.dtype, data, 1, 1, &value);
    return value;
}

} // namespace reinspect::proof
