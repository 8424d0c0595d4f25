// SPDX-License-Identifier: MIT
// One call of an operator while a graph runs: its arguments by the names of the schema, with the schema's
// defaults, and where results are allocated. Accessors answer an error that names node and operator when an
// argument is not what the schema says.
//
//     Result<Value> runTrilu(const KernelCall& call)
//     {
//         REINSPECT_TRY(const Tensor self, call.tensor("self"));
//         REINSPECT_TRY(const std::int64_t diagonal, call.integer("diagonal"));
//         REINSPECT_TRY(Tensor result, call.result(self.dtype, self.sizes));
//         ...
//         return Value(result);
//     }
#pragma once

#include "core/exec/value.h"
#include "core/ir/capture_facts.h"
#include "core/ir/op_facts.h"
#include "core/ir/tensor_meta.h"

#include <map>
#include <set>
#include <stop_token>

namespace reinspect::exec
{

struct TritonLibrary;
struct KernelRow;
class KernelCall;
class Device;

// Operators that the caller supplies, by target: those of a user's library, or in place of one of the table.
// A Triton kernel without TTIR goes by "triton.<kernel_idx>": its arguments are the call's `keywords`.
using ForeignOperators =
    std::map<std::string, std::function<Result<Value>(const KernelCall&)>, std::less<>>;

// Nodes of one target that had no code on the device.
struct HostRuns
{
    std::size_t calls = 0;
    std::int64_t copiedBytes = 0; // there and back
};

// What all calls of one run share.
struct RunContext
{
    const CaptureFacts* facts = nullptr;
    std::shared_ptr<const TritonLibrary> triton; // null: none is known
    const ForeignOperators* foreign = nullptr;
    std::stop_token stop;
    // Runs the body of a higher-order or custom operator on these inputs and gives what it returns. Its
    // allocations count as the graph's.
    std::function<Result<std::vector<Value>>(const Graph&, std::vector<Value>)> runBody;
    std::shared_ptr<StorageTracker> tracker;
    std::uint64_t seed = 0;
    Device* accelerator = nullptr; // null: everything runs on the host
    // By target: what ran on the host beside it.
    std::map<std::string, HostRuns> hostRuns;
    std::string device;           // of the graph: what its tensors are on; "" when none says
    int scratchDepth = 0;         // above 0: what is allocated is the operator's own business
    std::set<std::string> notes;  // sentences: what was done otherwise than on a device
    std::int64_t copiedBytes = 0; // by clones
    bool hasAtomics = false;      // two runs may differ
    // The numbers of symbols ("s77").
    std::map<std::string, std::int64_t, std::less<>> symbols;
};

// While it lives, allocations are scratch: not counted as the graph's.
class ScratchScope
{
public:
    explicit ScratchScope(RunContext& context)
        : m_context(context)
    {
        ++m_context.scratchDepth;
    }
    ~ScratchScope() { --m_context.scratchDepth; }
    ScratchScope(const ScratchScope&) = delete;
    ScratchScope& operator=(const ScratchScope&) = delete;

private:
    RunContext& m_context;
};

// The schema of an operator, read once.
struct KernelSchema
{
    std::string text;
    std::vector<SchemaArgument> arguments;
    std::vector<Value> defaults; // as many; None where the argument must be given

    static std::shared_ptr<const KernelSchema> read(std::string_view schemaText);
};

class KernelCall
{
public:
    std::string node;               // for messages
    std::string target;             // "aten.add.Tensor"
    const KernelRow* row = nullptr; // that runs; its name may be another operator's
    std::shared_ptr<const KernelSchema> schema;
    std::vector<Value> values; // by the schema's arguments; as given where the row's schema is "*"
    DictValue keywords;        // as given; only where the row's schema is "*"
    const std::vector<Argument>* onlyClone =
        nullptr;                         // what the pass left to clone; null: everything
    const MetaValue* expected = nullptr; // the node's metadata, where there is any
    RunContext* context = nullptr;

    const Value* given(std::string_view name) const; // null: None, or no such argument
    bool has(std::string_view name) const { return given(name) != nullptr; }
    Result<Tensor> tensor(std::string_view name) const;
    std::optional<Tensor> optionalTensor(std::string_view name) const;
    Result<std::vector<Tensor>> tensors(std::string_view name) const; // a list without None
    Result<std::int64_t> integer(std::string_view name) const;
    std::optional<std::int64_t> optionalInteger(std::string_view name) const;
    Result<Sizes> integers(std::string_view name) const; // a list, or one number
    Result<double> number(std::string_view name) const;
    std::optional<double> optionalNumber(std::string_view name) const;
    bool flag(std::string_view name) const; // false when left out
    std::string text(std::string_view name) const;
    DType dtype(DType otherwise, std::string_view name = "dtype") const;
    std::string_view constant(std::string_view name) const; // "contiguous_format"; ""
    // A dimension of the tensor, from either end.
    Result<std::size_t> dimension(std::string_view name, const Tensor& of) const;
    Result<std::size_t> dimension(std::int64_t dim, std::size_t rank) const;
    // A list of dimensions, or one; None or an empty list means all.
    Result<std::vector<std::size_t>> dimensions(std::string_view name, const Tensor& of) const;

    // Poisoned memory of the call's own. Without strides: row-major.
    Result<Tensor> allocate(DType dtype, Sizes sizes, std::optional<Sizes> strides = {}) const;
    // Memory of a result: laid out as the captured metadata says where it says the same dtype and sizes
    // (`index` counts the parts of a tuple), otherwise as `strides`, otherwise row-major.
    Result<Tensor> result(DType dtype, Sizes sizes, std::size_t index = 0,
                          std::optional<Sizes> strides = {}) const;
    // Marks what nothing wrote yet. On the host allocation does so.
    Result<void> poison(const Tensor& tensor) const;
    // Memory that is no result and not counted.
    Result<Tensor> scratch(DType dtype, Sizes sizes) const;
    const TensorMeta* expectedTensor(std::size_t index = 0) const;

    // "node 'add' (aten.add.Tensor): message"
    Error error(std::string message, ErrorKind kind = ErrorKind::BadInput) const;
    Error outOfRange(std::int64_t index, std::size_t dim, std::int64_t size) const;
    Error unsupported(std::string what) const; // CannotRunHere
    void note(std::string sentence) const { context->notes.insert(std::move(sentence)); }

private:
    Result<Tensor> allocateOn(bool isOnHost, DType dtype, Sizes sizes, Sizes strides,
                              StorageRole role) const;
    bool resultIsOnHost(std::size_t index) const;
};

} // namespace reinspect::exec
