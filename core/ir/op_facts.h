// SPDX-License-Identifier: MIT
// What is known about operators: one row each, compiled in (op_table.inc, made by make_op_table.py).
// Names are spelled as captures spell targets: "aten.slice.Tensor". A name that is not in the table,
// and every higher-order operator, is opaque: findOpFacts answers null and the caller assumes nothing.
// schemaArguments reads any schema text, so that operators of user libraries can be understood too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace reinspect
{

struct OpFacts
{
    std::string_view name;              // "aten.slice.Tensor"
    std::string_view schema;            // "aten::slice.Tensor(Tensor(a) self, ...) -> Tensor(a)"
    bool isView = false;                // every tensor result is a view of an argument
    bool isMutable = false;             // writes at least one argument
    bool isFallback = false;            // an extern kernel: result and inputs are realized
    bool needsRealizedInputs = false;   // Inductor realizes its inputs
    bool isForeach = false;             // one call for a list of tensors
    bool isPointwise = false;           // torch.Tag.pointwise: one result element from each place
    std::uint64_t mutatedArguments = 0; // bit i: schema argument i is written
    int aliasedArgument = -1; // schema argument that the first result may share memory with, or -1
    // "aten.add_.Tensor" for "aten.add.Tensor": the operator with the same arguments that writes the
    // first of them, or empty. Dtype and shape of the result must fit that argument.
    std::string_view inplaceTwin;
};

// Null when the operator is unknown. One hash and one comparison. "aten.clone", which names no overload as
// phase 4 of the pass leaves it, is the default one.
const OpFacts* findOpFacts(std::string_view target);

// Every row, by name.
std::span<const OpFacts> allOpFacts();

struct SchemaArgument
{
    std::string_view type; // "Tensor(a!)", "SymInt[]", "int?"
    std::string_view name;
    bool isMutable = false;
    bool isKeywordOnly = false;
    std::string_view defaultText; // "None", "0"; empty when the argument must be given
    std::string_view aliasSet;    // "a" of "Tensor(a!)"; empty when it has none
};

// The arguments of any schema, e.g. "demo::scale_(Tensor(a0!) x, float s) -> ()". The views point into
// the given text. Malformed text gives an empty list.
std::vector<SchemaArgument> schemaArguments(std::string_view schema);

// How many results the schema declares; 0 for "-> ()" and for malformed text.
std::size_t schemaReturnCount(std::string_view schema);

// The pass's own tables, `inplaceable_ops` and `inplaceable_foreach_ops` upstream.
struct ReinplaceTableEntry
{
    std::string_view functional;
    std::string_view inplace;
    int mutatedArgument = 0;
};
std::span<const ReinplaceTableEntry> reinplaceTable(); // torch 2.11's
// Rows that 2026 revisions add: the stateless Philox random operators.
std::span<const ReinplaceTableEntry> recentReinplaceTable();
// Rows that 2.15 has besides.
std::span<const ReinplaceTableEntry> laterReinplaceTable();

struct ForeachTableEntry
{
    std::string_view functional;
    std::string_view inplace;
};
std::span<const ForeachTableEntry> foreachTable();      // torch 2.11's
std::span<const ForeachTableEntry> laterForeachTable(); // what 2.15 has besides

// The row of one of these tables; null: the operator is not in it.
template<typename Row>
const Row* rowOf(std::span<const Row> table, std::string_view target)
{
    for (const Row& row : table)
        if (row.functional == target)
            return &row;
    return nullptr;
}

} // namespace reinspect
