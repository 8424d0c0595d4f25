// SPDX-License-Identifier: MIT
// Elements moved and repeated: flip, roll, repeat, triangles, diagonals, and gradients of views.
#include "core/base/checked_math.h"
#include "core/exec/axis_maps.h"
#include "core/exec/device.h"
#include "core/exec/elements.h"
#include "core/exec/kernel_registry.h"
#include "core/exec/operands.h"

#include <algorithm>
#include <numeric>

namespace reinspect::exec
{
namespace
{

std::int64_t floorModulo(std::int64_t a, std::int64_t b)
{
    const std::int64_t rest = a % b;
    return rest < 0 ? rest + b : rest;
}

Result<Value> flip(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Sizes dims, call.integers("dims"));
    AxisMaps maps = identityMaps(self.sizes);
    for (const std::int64_t dim : dims)
    {
        REINSPECT_TRY(const std::size_t at, call.dimension(dim, self.rank()));
        if (self.rank() > 0)
            std::ranges::reverse(maps[at]);
    }
    return mapped(call, self, maps);
}

Result<Value> roll(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const Sizes shifts, call.integers("shifts"));
    REINSPECT_TRY(const Sizes dims, call.integers("dims"));
    if (dims.empty() && shifts.size() == 1) // as if flat
    {
        if (self.storage->isOnDevice())
            return runOnHost(call);
        REINSPECT_TRY(const Tensor result, call.result(self.dtype, self.sizes));
        REINSPECT_TRY(const Tensor rows, call.scratch(self.dtype, self.sizes));
        REINSPECT_CHECK(copyElements(rows, self));
        REINSPECT_TRY(const Tensor turned, call.scratch(self.dtype, self.sizes));
        const std::int64_t count = self.count();
        const std::int64_t width = self.elementBytes();
        for (std::int64_t i = 0; i < count; ++i)
            std::memcpy(turned.data() + floorModulo(i + shifts[0] % count, count) * width,
                        rows.data() + i * width, static_cast<std::size_t>(width));
        REINSPECT_CHECK(copyElements(result, turned));
        return Value(result);
    }
    if (dims.size() != shifts.size())
        return call.error(std::to_string(shifts.size()) + " shifts for "
                          + std::to_string(dims.size()) + " dimensions");
    AxisMaps maps = identityMaps(self.sizes);
    for (std::size_t i = 0; i < dims.size(); ++i)
    {
        REINSPECT_TRY(const std::size_t at, call.dimension(dims[i], self.rank()));
        if (self.rank() == 0 || maps[at].empty())
            continue;
        const std::int64_t first =
            floorModulo(-(shifts[i] % std::ssize(maps[at])), std::ssize(maps[at]));
        std::ranges::rotate(maps[at], maps[at].begin() + first);
    }
    return mapped(call, self, maps);
}

// Every dimension so many times; there may be more counts than dimensions.
Result<Value> repeat(const KernelCall& call)
{
    REINSPECT_TRY(Tensor self, call.tensor("self"));
    REINSPECT_TRY(Sizes counts, call.integers(call.schema->arguments[1].name));
    const bool isTile = call.target.find("tile") != std::string::npos;
    if (isTile && counts.size() < self.rank())
        counts.insert(counts.begin(), self.rank() - counts.size(), 1);
    if (counts.size() < self.rank() || std::ranges::any_of(counts, [](auto n) { return n < 0; }))
        return call.error("counts " + sizesText(counts) + " for " + tensorText(self));
    self.sizes.insert(self.sizes.begin(), counts.size() - self.rank(), 1);
    self.strides.insert(self.strides.begin(), self.sizes.size() - self.strides.size(), 0);
    AxisMaps maps;
    Sizes sizes;
    for (std::size_t d = 0; d < counts.size(); ++d)
        sizes.push_back(checkedMultiply(self.sizes[d], counts[d]).value_or(INT64_MAX));
    REINSPECT_CHECK([&]() -> Result<void> { // before the lists are made
        const auto count = elementCount(sizes);
        if (!count || *count > call.context->tracker->limit())
            return call.error("a result of sizes " + sizesText(sizes) + " does not fit into memory",
                              ErrorKind::CannotRunHere);
        return {};
    }());
    for (std::size_t d = 0; d < counts.size(); ++d)
    {
        maps.emplace_back();
        for (std::int64_t n = 0; n < sizes[d]; ++n)
            maps.back().push_back(n % self.sizes[d]);
    }
    return mapped(call, self, maps);
}

// Each element so many times, one after the other.
Result<Value> repeatInterleave(const KernelCall& call)
{
    const bool isPlain = call.target.ends_with(".Tensor");
    REINSPECT_TRY(Tensor self, call.tensor(isPlain ? "repeats" : "self"));
    const std::size_t length = isPlain ? 0 : self.rank();
    std::size_t dim = 0;
    if (call.has("dim"))
    {
        REINSPECT_TRY(dim, call.dimension("dim", self));
    }
    else if (length != 1) // flat
    {
        REINSPECT_TRY(const Tensor rows, call.scratch(self.dtype, self.sizes));
        REINSPECT_CHECK(copyElements(rows, self));
        self = rows;
        self.sizes = {rows.count()};
        self.strides = {1};
    }
    const std::int64_t size = self.sizes[dim];
    std::vector<std::int64_t> counts;
    if (const auto tensor = call.optionalTensor("repeats"))
        counts = readAll<std::int64_t>(*tensor);
    else
    {
        REINSPECT_TRY(const std::int64_t count, call.integer("repeats"));
        counts = {count};
    }
    if (counts.size() == 1)
        counts.assign(static_cast<std::size_t>(size), counts.front());
    if (std::ssize(counts) != size || std::ranges::any_of(counts, [](auto n) { return n < 0; }))
        return call.error(std::to_string(counts.size()) + " counts for a dimension of size "
                          + std::to_string(size));
    const std::int64_t room = call.context->tracker->limit();
    std::int64_t total = 0;
    for (const std::int64_t count : counts)
        total += std::min(count, room - total);
    if (total >= room)
        return call.error("so many repeats do not fit into memory", ErrorKind::CannotRunHere);
    AxisMaps maps = identityMaps(self.sizes);
    maps[dim].clear();
    for (std::int64_t i = 0; i < size; ++i)
        maps[dim].insert(maps[dim].end(),
                         static_cast<std::size_t>(counts[static_cast<std::size_t>(i)]), i);
    if (!isPlain)
        return mapped(call, self, maps);
    REINSPECT_TRY(const Tensor result, call.result(self.dtype, {std::ssize(maps[dim])}));
    writeAll<std::int64_t>(result, maps[dim]);
    return Value(result);
}

// The same by numbers of rows and columns that are compared.
Result<Value> triangleOnDevice(const KernelCall& call, const Tensor& self, std::int64_t diagonal,
                               bool isLower)
{
    const auto kind = computeKind(self.dtype);
    const std::int64_t height = self.sizes[self.rank() - 2];
    const std::int64_t width = self.sizes[self.rank() - 1];
    if (kind == ComputeKind::None || isComplex(self.dtype)
        || needsHost(call, Pointwise::Where, kind))
        return runOnHost(call);
    REINSPECT_TRY(const Tensor result, call.result(self.dtype, self.sizes));
    REINSPECT_TRY(const Tensor rows, call.scratch(DType::Int64, {height, 1}));
    REINSPECT_TRY(const Tensor columns, call.scratch(DType::Int64, {width}));
    REINSPECT_TRY(const Tensor stays, call.scratch(DType::Bool, {height, width}));
    const std::int64_t shift = std::clamp(diagonal, -height - 1, width + 1);
    REINSPECT_CHECK(call.context->accelerator->count(rows, static_cast<double>(shift), 1));
    REINSPECT_CHECK(call.context->accelerator->count(columns, 0, 1));
    Operands compared;
    compared.list = {operandFrom(rows), operandFrom(columns)};
    REINSPECT_CHECK(runOnDevice(call, isLower ? Pointwise::GreaterEqual : Pointwise::LessEqual,
                                stays, compared, DType::Int64));
    Operands chosen;
    chosen.list = {operandFrom(self), Operand{{}, Value(std::int64_t{0}), self.dtype},
                   operandFrom(stays)};
    return runOnDevice(call, Pointwise::Where, result, chosen, self.dtype);
}

// What is below (above) the diagonal stays, the rest is zero.
template<bool IsLower>
Result<Value> triangle(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor self, call.tensor("self"));
    REINSPECT_TRY(const std::int64_t diagonal, call.integer("diagonal"));
    if (self.rank() < 2)
        return call.error("a tensor of " + std::to_string(self.rank())
                          + " dimensions has no triangle");
    if (self.storage->isOnDevice())
        return triangleOnDevice(call, self, diagonal, IsLower);
    REINSPECT_TRY(const Tensor result, call.result(self.dtype, self.sizes));
    REINSPECT_TRY(const Tensor rows, call.scratch(self.dtype, self.sizes));
    REINSPECT_CHECK(copyElements(rows, self));
    const std::int64_t height = self.sizes[self.rank() - 2];
    const std::int64_t width = self.sizes[self.rank() - 1];
    const std::int64_t bytes = self.elementBytes();
    const std::int64_t shift = std::clamp(diagonal, -height - 1, width + 1);
    for (std::int64_t row = 0; width > 0 && row < rows.count() / width; ++row)
    {
        const std::int64_t middle =
            std::clamp<std::int64_t>(row % height + shift + (IsLower ? 1 : 0), 0, width);
        const std::int64_t from = IsLower ? middle : 0;
        const std::int64_t to = IsLower ? width : middle;
        std::memset(rows.data() + (row * width + from) * bytes, 0,
                    static_cast<std::size_t>((to - from) * bytes));
    }
    REINSPECT_CHECK(copyElements(result, rows));
    return Value(result);
}

template<bool IsLower>
Result<Value> triangleIndices(const KernelCall& call)
{
    REINSPECT_TRY(const std::int64_t height, call.integer("row"));
    REINSPECT_TRY(const std::int64_t width, call.integer("col"));
    REINSPECT_TRY(const std::int64_t offset, call.integer("offset"));
    std::vector<std::int64_t> places;
    std::vector<std::int64_t> columns;
    for (std::int64_t i = 0; i < height; ++i)
        for (std::int64_t j = 0; j < width; ++j)
            if (IsLower ? j - i <= offset : j - i >= offset)
            {
                places.push_back(i);
                columns.push_back(j);
            }
    REINSPECT_TRY(const Tensor result,
                  call.result(call.dtype(DType::Int64), {2, std::ssize(columns)}));
    places.insert(places.end(), columns.begin(), columns.end());
    writeAll<std::int64_t>(result, places);
    return Value(result);
}

// Zeros, and the gradient where a view was.
Result<Value> viewBackward(const KernelCall& call, std::string_view view, std::vector<Value> rest)
{
    REINSPECT_TRY(const Tensor grad, call.tensor("grad_output"));
    REINSPECT_TRY(const Sizes sizes, call.integers("input_sizes"));
    REINSPECT_TRY(const Tensor result, call.result(grad.dtype, sizes));
    REINSPECT_TRY(const std::size_t dim, call.dimension("dim", result));
    REINSPECT_CHECK(fillWithZeros(call, result));
    rest.insert(rest.begin(), {Value(result), Value(static_cast<std::int64_t>(dim))});
    REINSPECT_TRY(const Value part, callKernel(call, view, std::move(rest)));
    if (!part.tensor())
        return call.error("the view is no tensor");
    if (const auto copied = copyElements(*part.tensor(), grad); !copied.ok())
        return call.error(copied.error().message);
    return Value(result);
}

Value argumentOf(const KernelCall& call, std::string_view name)
{
    const Value* value = call.given(name);
    return value ? *value : Value();
}

Result<Value> selectBackward(const KernelCall& call)
{
    return viewBackward(call, "aten.select.int", {argumentOf(call, "index")});
}
Result<Value> sliceBackward(const KernelCall& call)
{
    return viewBackward(
        call, "aten.slice.Tensor",
        {argumentOf(call, "start"), argumentOf(call, "end"), argumentOf(call, "step")});
}

const KernelRow table[] = {
    {"aten.flip.default", flip, {}, RunsOn::Anywhere},
    {"aten.roll.default", roll, {}, RunsOn::Anywhere},
    {"aten.repeat.default", repeat, {}, RunsOn::Anywhere},
    {"aten.tile.default", repeat, {}, RunsOn::Anywhere},
    {"aten.repeat_interleave.Tensor", repeatInterleave, {}, RunsOn::Anywhere},
    {"aten.repeat_interleave.self_Tensor", repeatInterleave, {}, RunsOn::Anywhere},
    {"aten.repeat_interleave.self_int", repeatInterleave, {}, RunsOn::Anywhere},
    {"aten.tril.default", triangle<true>, {}, RunsOn::Anywhere},
    {"aten.triu.default", triangle<false>, {}, RunsOn::Anywhere},
    {"aten.tril_indices.default", triangleIndices<true>},
    {"aten.triu_indices.default", triangleIndices<false>},
    {"aten.select_backward.default", selectBackward, {}, RunsOn::Anywhere},
    {"aten.slice_backward.default", sliceBackward, {}, RunsOn::Anywhere},
};

} // namespace

std::span<const KernelRow> rearrangeKernels()
{
    return table;
}

} // namespace reinspect::exec
