// SPDX-License-Identifier: MIT
// Walks a graph as the executor would and counts shadows in the books. Values of plain operators are in
// forecaster.cpp, functional wrappers and bodies of custom operators in forecaster_calls.cpp. For
// memory_forecast.cpp.
#pragma once

#include "core/exec/tensor.h"
#include "core/ir/op_facts.h"
#include "core/proof/memory_ledger.h"

namespace reinspect::proof
{

class Forecaster
{
public:
    // `depth` is 0 for the graph itself, more in bodies of custom operators. `device`: where tensors count.
    Forecaster(Ledger& ledger, const CaptureFacts& facts, const SymbolValues& symbols,
               std::string device, int depth)
        : m_ledger(ledger)
        , m_facts(facts)
        , m_symbols(symbols)
        , m_device(std::move(device))
        , m_depth(depth)
    {}

    // What the graph returns. Placeholders beyond `inputs` are made up from their metadata and not counted.
    std::vector<ShadowValue> run(const Graph& graph, std::vector<ShadowValue> inputs);

private:
    using Sizes = exec::Sizes;

    std::optional<std::int64_t> number(const SymExpr& expr) const;
    std::optional<Sizes> numbers(const std::vector<SymExpr>& list) const;
    // The memory that the tensor spans from its first element on.
    std::optional<std::int64_t> spanOf(const TensorMeta& meta) const;
    void cannotTell(const Node& node);
    ShadowValue fresh(const Node& node, const TensorMeta& meta,
                      std::optional<std::int64_t> bytes = {});
    ShadowValue input(const Node& node);
    ShadowValue valueOf(const Argument* argument) const;
    std::vector<ShadowValue> outputs(const Node& node) const;
    const Argument* argumentNamed(const Node& node, const std::vector<SchemaArgument>& schema,
                                  std::size_t index) const;
    ShadowValue call(const Node& node);
    ShadowValue known(const Node& node, const OpFacts& facts);
    static bool copiesWholeStorage(std::string_view target);
    bool overlapsItself(const TensorMeta* meta) const;
    bool isReshapedView(const Node& node) const;
    // The same storage; parts of a list for operators that give several.
    ShadowValue aliased(const Node& node, ShadowValue base) const;
    // New memory for every tensor of the metadata.
    ShadowValue results(const Node& node);
    // From the operands' metadata, where the node has none.
    const TensorMeta* inferred(const Node& node);
    static bool schemaGivesTensor(const Node& node);
    ShadowValue getitem(const Node& node) const;

    ShadowValue clone(const Node& node, const ShadowValue& value);
    ShadowValue wrapper(const Node& node);
    ShadowValue tritonWrapper(const Node& node);
    static bool isToBeCloned(const Node& node, const Argument& name);
    ShadowValue autoFunctionalized(const Node& node);
    ShadowValue viewsOfBases(const Node& node, const std::string& prefix,
                             const std::vector<ShadowValue>& bases) const;
    ShadowValue customResult(const Node& node, const CustomOperator& custom,
                             std::vector<ShadowValue> given, bool isCarried = false);

    Ledger& m_ledger;
    const CaptureFacts& m_facts;
    const SymbolValues& m_symbols;
    std::string m_device;
    int m_depth;
    const Graph* m_graph = nullptr;
    bool m_isCounted = true;
    std::vector<ShadowValue> m_values;
};

} // namespace reinspect::proof
