// SPDX-License-Identifier: MIT
// Operators that can run: a row a name, found by one hash. To add an operator:
//   1. write `Result<Value> name(const KernelCall& call)` in a file kernels_<family>.cpp,
//   2. put {"aten.name.default", name} into the table at the end of that file,
//   3. a new file: declare `std::span<const KernelRow> <family>Kernels();` below and add it to a list in
//      kernel_registry.cpp (does it run on a device?) and to CMakeLists.txt.
// The schema comes from core/ir/op_facts.h; a row outside that table carries its own, or "*" when any arguments
// may come (KernelCall::values and keywords as given). In-place (`aten.add_.Tensor`),
// `.out` and `_foreach_` forms of an operator run by its functional row and need none of their own.
#pragma once

#include "core/exec/kernel_call.h"

#include <span>

namespace reinspect::exec
{

using KernelFunction = Result<Value> (*)(const KernelCall&);

// What a row's own code does where tensors lie on a device.
enum class RunsOn : std::uint8_t
{
    Table,    // as the others of its table
    Anywhere, // it touches elements through views, copies, whole reads and writes and pointwise.h only
    Host,     // it is given copies in the host's memory
};

struct KernelRow
{
    std::string_view name;
    KernelFunction run = nullptr;
    std::string_view schema = {}; // empty: the one of op_facts
    RunsOn runsOn = RunsOn::Table;
};

// Tables by family.
std::span<const KernelRow> viewKernels();
std::span<const KernelRow> partKernels();
std::span<const KernelRow> unaryKernels();
std::span<const KernelRow> binaryKernels();
std::span<const KernelRow> choiceKernels();
std::span<const KernelRow> copyKernels();
std::span<const KernelRow> factoryKernels();
std::span<const KernelRow> randomKernels();
std::span<const KernelRow> indexKernels();
std::span<const KernelRow> gatherKernels();
std::span<const KernelRow> symbolicKernels();
std::span<const KernelRow> callKernels();
std::span<const KernelRow> collectiveKernels();
std::span<const KernelRow> tritonKernels();
std::span<const KernelRow> reduceKernels();
std::span<const KernelRow> extremeKernels();
std::span<const KernelRow> productKernels();
std::span<const KernelRow> convolutionKernels();
std::span<const KernelRow> softmaxKernels();
std::span<const KernelRow> poolKernels();
std::span<const KernelRow> normKernels();
std::span<const KernelRow> batchNormKernels();
std::span<const KernelRow> attentionKernels();
std::span<const KernelRow> attentionBackwardKernels();
std::span<const KernelRow> orderKernels();
std::span<const KernelRow> scatterKernels();
std::span<const KernelRow> rearrangeKernels();
std::span<const KernelRow> padKernels();
std::span<const KernelRow> resampleKernels();
std::span<const KernelRow> lossKernels();
std::span<const KernelRow> specialKernels();
std::span<const KernelRow> activationKernels();
std::span<const KernelRow> nameKernels();

// Null: no such row. Rows of later tables do not replace those of earlier ones.
const KernelRow* findKernel(std::string_view name);
// Table never comes back.
RunsOn runsOn(const KernelRow& row);
// Every row, by name.
std::vector<const KernelRow*> allKernels();

// How a target runs: by its own row or by another's.
enum class KernelForm : std::uint8_t
{
    Direct,
    InPlace, // the row computes, and its result is copied into the first argument
    Out,     // the row computes, and its result is copied into the argument `out`
    Foreach, // the row runs once for each element of the lists
    ForeachInPlace,
};

struct ResolvedKernel
{
    const KernelRow* row = nullptr; // null: nothing runs this
    KernelForm form = KernelForm::Direct;
    std::shared_ptr<const KernelSchema> schema;    // of the target itself
    std::shared_ptr<const KernelSchema> rowSchema; // of the row
};
// Looked up once and kept.
const ResolvedKernel& resolveKernel(std::string_view target);

// Binds positional and keyword arguments to the schema's names. The error names what is odd.
Result<void> bindArguments(KernelCall& call, std::vector<Value> args, DictValue kwargs);
// The row as it is where the run is on the host; on a device by the device's own code, by the row's own where
// that runs anywhere, or on the host with copies.
Result<Value> runRow(const KernelRow& row, const KernelCall& call);
// Runs whatever form the target has.
Result<Value> runKernel(const ResolvedKernel& kernel, const KernelCall& call);
// Runs any operator that is known to this run: the caller's own, one of the table, one whose body the capture
// has. `call` says node, context and metadata; its schema and values are bound here.
Result<Value> callOperator(KernelCall call, std::string_view target, std::vector<Value> args,
                           DictValue kwargs);
// From inside of an operator: runs another one on these values, bound by position.
Result<Value> callKernel(const KernelCall& outer, std::string_view target, std::vector<Value> args,
                         DictValue kwargs = {});

} // namespace reinspect::exec
