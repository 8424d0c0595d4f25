// SPDX-License-Identifier: MIT
// Thousands of random graphs computed by the executor before and after the pass: `precise` never changes a
// result, and torch-2.11 does only where a hazard was flagged. Predicted memory is what the tracker measured.
#include "core/proof/bisect.h"

#include "tests/proof/stand_ins.h"
#include "tests/support/random_graph.h"

#include <QTest>

#include <bit>

using namespace reinspect;
using namespace reinspect::proof;

namespace
{

constexpr std::uint32_t kGraphs = 2500;

RandomGraphOptions optionsFor(std::uint32_t seed)
{
    return {.calls = seed % 4 == 0 ? 14 : 7, .capturedStorages = seed % 5 != 0};
}

// The same graph with a kernel of its own for each wrapper, since each writes other arguments.
RandomGraph numbered(const RandomGraph& random)
{
    auto graph = std::make_shared<Graph>();
    graph->name = random.graph->name;
    std::int64_t number = 0;
    for (const NodeId id : random.graph->order())
    {
        Node node = random.graph->node(id);
        for (NamedArgument& argument : node.kwargs)
            if (argument.name == "kernel_idx")
                argument.value = {number++};
        graph->append(std::move(node)); // the same ids: nothing was ever taken out
    }
    return {graph, random.facts};
}

InputSource sourceFor(const RandomGraph& random, std::uint32_t seed)
{
    auto foreign = std::make_shared<exec::ForeignOperators>();
    (*foreign)["tiny.one.default"] = standInOperator;
    (*foreign)["tiny.two.default"] = standInOperator;
    (*foreign)["aten.full.default"] = standInFull;
    (*foreign)["aten.index_put.default"] = standInIndexPut<false>;
    (*foreign)["aten.index_put_.default"] = standInIndexPut<true>;
    for (const NodeId id : random.graph->order())
    {
        const Node& node = random.graph->node(id);
        if (node.target != "higher_order.triton_kernel_wrapper_functional")
            continue;
        std::set<std::string> written;
        for (const Argument& name : *node.kwarg("tensors_to_clone")->sequence())
            written.insert(*name.as<std::string>());
        const std::string kernel = "triton." + std::to_string(*node.kwarg("kernel_idx")->integer());
        (*foreign)[kernel] = [written](const exec::KernelCall& call) {
            return standInKernel(call, written);
        };
    }
    InputSource source;
    source.seed = seed;
    source.memoryLimit = std::int64_t{1} << 28;
    source.foreign = std::move(foreign);
    return source;
}

TensorMeta asComputed(TensorMeta meta, const exec::Value& value)
{
    if (const exec::Tensor* tensor = value.tensor())
    {
        meta.offset = tensor->offset;
        meta.strides = std::vector<SymExpr>(tensor->strides.begin(), tensor->strides.end());
    }
    return meta;
}

MetaValue asComputed(const MetaValue& meta, const exec::Value& value)
{
    if (const TensorMeta* tensor = meta.tensor())
        return {asComputed(*tensor, value)};
    const SequenceMeta* parts = meta.sequence();
    if (!parts || !value.items())
        return meta;
    SequenceMeta made = *parts;
    for (std::size_t i = 0; i < made.items.size() && i < value.items()->size(); ++i)
        made.items[i] = asComputed(made.items[i], (*value.items())[i]);
    return {std::make_shared<const SequenceMeta>(std::move(made))};
}

// The drawn metadata says that what a wrapper clones begins at 0. A capture keeps the offset, as the clone does,
// and lowering relies on it: offsets as the graph has them when it runs.
RandomGraph withTrueOffsets(const RandomGraph& drawn, std::uint32_t seed)
{
    const RandomGraph random = numbered(drawn);
    std::vector<exec::Value> seen(random.graph->slotCount());
    const auto run =
        runStage("before", random.graph, random.facts, {}, sourceFor(random, seed),
                 [&](NodeId id, const exec::Value& value) { seen[id.index()] = value; });
    if (!run.ok() || !run->ran())
        return random;
    auto graph = std::make_shared<Graph>();
    graph->name = random.graph->name;
    for (const NodeId id : random.graph->order())
    {
        Node node = random.graph->node(id);
        if (node.op == NodeOp::CallFunction)
            node.meta.value = asComputed(node.meta.value, seen[id.index()]);
        graph->append(std::move(node));
    }
    return {graph, random.facts};
}

QByteArray told(std::uint32_t seed, const Graph& graph, const std::string& more)
{
    return QByteArray::fromStdString("seed " + std::to_string(seed) + ": " + more + "\n"
                                     + toText(graph));
}

struct Outcome
{
    bool isEqual = true;
    bool hasNewAlias = false;
    bool hasHazard = false; // of a kind that changes numbers
    bool hasAliasHazard = false;
    std::size_t reinplaced = 0;
    std::string failure;
    std::string memory; // predicted and measured, where they part
    std::string details;
};

Outcome outcomeOf(const RandomGraph& random, const char* policyName, std::uint32_t seed)
{
    Outcome outcome;
    const PassInput input{random.graph, random.facts, {}};
    const auto trace = runReinplace(input, *policyNamed(policyName)).value();
    outcome.reinplaced = trace->summary.reinplaced;
    for (const Decision& decision : trace->decisions)
        for (const Hazard& hazard : decision.hazards)
            (hazard.kind == HazardKind::NewAlias ? outcome.hasAliasHazard : outcome.hasHazard) =
                true;
    EquivalenceOptions options;
    options.inputs = sourceFor(random, seed);
    options.findsNode = false;
    const auto proof = proveEquivalence(random.graph, random.facts, {}, trace.get(), options);
    if (!proof.ok())
    {
        outcome.failure = toText(proof.error());
        return outcome;
    }
    for (const StageRun& run : proof->runs)
    {
        if (!run.ran() && run.stage != "baseline")
            outcome.failure = run.stage + ": " + run.failure->message;
        else if (run.ran() && run.forecast.unknown.empty()
                 && run.forecast.peakBytes != run.run.memory.peakBytes)
            outcome.memory = run.stage + ": predicted " + std::to_string(run.forecast.peakBytes)
                + ", measured " + std::to_string(run.run.memory.peakBytes);
    }
    for (const StageComparison& comparison : proof->comparisons)
    {
        if (comparison.stage != "final")
            continue;
        outcome.isEqual = comparison.isEqual;
        outcome.hasNewAlias = !comparison.newAliases.empty();
        for (const ResultComparison& result : comparison.results)
            if (!result.difference.isBitwise)
                outcome.details += result.name + " ";
    }
    return outcome;
}

} // namespace

class tst_RandomProof : public QObject
{
    Q_OBJECT

private slots:
    void preciseNeverChangesAResult();
    void upstreamDoesOnlyWhereAHazardWasFlagged();
    void bisectFindsTheDecision();
};

void tst_RandomProof::preciseNeverChangesAResult()
{
    std::size_t reinplaced = 0;
    for (std::uint32_t seed = 0; seed < kGraphs; ++seed)
    {
        const RandomGraph random = withTrueOffsets(randomGraph(seed, optionsFor(seed)), seed);
        const Outcome outcome = outcomeOf(random, "precise", seed);
        QVERIFY2(outcome.failure.empty(), told(seed, *random.graph, outcome.failure));
        QVERIFY2(outcome.isEqual, told(seed, *random.graph, outcome.details));
        QVERIFY2(outcome.memory.empty(), told(seed, *random.graph, outcome.memory));
        reinplaced += outcome.reinplaced;
    }
    QVERIFY2(reinplaced > 3000, QByteArray::number(static_cast<qulonglong>(reinplaced)));
}

void tst_RandomProof::upstreamDoesOnlyWhereAHazardWasFlagged()
{
    int different = 0;
    for (std::uint32_t seed = 0; seed < kGraphs; ++seed)
    {
        const RandomGraph random = withTrueOffsets(randomGraph(seed, optionsFor(seed)), seed);
        const Outcome outcome = outcomeOf(random, "torch-2.11", seed);
        QVERIFY2(outcome.failure.empty(), told(seed, *random.graph, outcome.failure));
        QVERIFY2(outcome.isEqual || outcome.hasHazard, told(seed, *random.graph, outcome.details));
        different += outcome.isEqual ? 0 : 1;
    }
    QVERIFY2(different > 100, QByteArray::number(different));
}

void tst_RandomProof::bisectFindsTheDecision()
{
    int found = 0;
    for (std::uint32_t seed = 0; seed < 300 && found < 20; ++seed)
    {
        const RandomGraph random = withTrueOffsets(randomGraph(seed, optionsFor(seed)), seed);
        const Outcome outcome = outcomeOf(random, "torch-2.11", seed);
        if (outcome.isEqual)
            continue;
        const PassInput input{random.graph, random.facts, {}};
        const auto result =
            findDecision(input, *policyNamed("torch-2.11"), sourceFor(random, seed));
        QVERIFY2(result.ok(), told(seed, *random.graph, result.ok() ? "" : toText(result.error())));
        if (!result->found) // the lowering differs by itself where nothing is forced
            continue;
        ++found;
        QVERIFY(result->runs <= static_cast<std::size_t>(std::bit_width(result->decisions)) + 2);
        ReinplacePolicy without = *policyNamed("torch-2.11");
        setOverride(without, {result->node, result->argument, false});
        QVERIFY(runReinplace(input, without).ok());
    }
    QVERIFY2(found >= 10, QByteArray::number(found));
}

QTEST_APPLESS_MAIN(tst_RandomProof)
#include "tst_random_proof.moc"
