// SPDX-License-Identifier: MIT
// Triton wrappers and auto_functionalized calls: each written argument is decided by itself, and those
// that are refused stay in the list of tensors to clone.
#include "core/passes/candidate_decider.h"

namespace reinspect
{

bool CandidateDecider::storageIsFree(const MutatedArgument& argument,
                                     const std::set<StorageId>& taken)
{
    NodeId conflict;
    for (const NodeId member : argument.members)
        if (member && taken.contains(m_analysis.storages().storageOf(member)) && !conflict)
            conflict = member;
    if (!taken.empty())
        m_builder.event(3,
                        CheckDone{Check::StorageFree, !conflict,
                                  argument.members.empty() ? NodeId{} : argument.members.front(),
                                  conflict});
    return !conflict;
}

void CandidateDecider::planGetitems(const MutatedArgument& argument)
{
    const Graph& graph = m_builder.graph();
    const std::vector<NodeId> users(graph.users(m_id).begin(), graph.users(m_id).end());
    for (const NodeId user : users)
    {
        const Node& getitem = graph[user];
        const std::string* key =
            getitem.args.size() > 1 ? getitem.args[1].as<std::string>() : nullptr;
        if (getitem.target == "operator.getitem" && key && *key == argument.label
            && !argument.members.empty())
            plan(user, argument.members.front());
    }
}

std::vector<std::size_t> CandidateDecider::refineClones(std::span<const MutatedArgument> arguments)
{
    std::set<StorageId> taken;
    std::vector<std::size_t> clones;
    for (std::size_t i = 0; i < arguments.size(); ++i)
    {
        const MutatedArgument& argument = arguments[i];
        const DecisionIndex index = tryArgument(argument);
        const bool free = m_builder.trace.policy.memoryRegions || storageIsFree(argument, taken);
        CheckAnswer answer{Reason::StorageAlreadyTaken, argument.members, {}};
        if (free)
            answer = mayWrite(argument);
        // Upstream reports as missed what it tried and could not do; a taken storage it never tried.
        m_builder.trace.decisions[index.index()].missed = free && answer.reason.has_value();
        if (!finish(index, argument, std::move(answer)))
        {
            clones.push_back(i);
            continue;
        }
        planCopyBacks(index);
        planGetitems(argument);
        for (const NodeId member : argument.members)
            taken.insert(m_analysis.storages().storageOf(member));
    }
    return clones;
}

void CandidateDecider::decideTriton()
{
    const Argument* kernelIndex = node().kwarg("kernel_idx");
    const auto number = kernelIndex ? kernelIndex->integer() : std::nullopt;
    const TritonKernel* kernel = number ? m_facts.kernel(*number) : nullptr;
    begin(CandidateKind::Triton,
          kernel ? kernel->name : "triton kernel " + (number ? std::to_string(*number) : "?"));
    std::vector<MutatedArgument> arguments;
    const Argument* kwargs = node().kwarg("kwargs");
    const Argument* toClone = node().kwarg("tensors_to_clone");
    if (!kwargs || !toClone || !toClone->sequence())
        return;
    for (const Argument& name : *toClone->sequence())
        if (const std::string* text = name.as<std::string>())
            arguments.push_back(mutatedArgument(*text, findKey(*kwargs, *text)));
    std::vector<Argument> kept;
    for (const std::size_t i : refineClones(arguments))
        kept.push_back({arguments[i].label});
    if (kept.size() == arguments.size())
        return;
    m_builder.edit(2, m_id, EditReason::ClonesRefined, [&](EditRecorder& edits) {
        std::vector<NamedArgument> refined = node().kwargs;
        for (NamedArgument& argument : refined)
            if (argument.name == "tensors_to_clone")
                argument.value = {ListArgument{kept}};
        edits.setArguments(m_id, node().args, std::move(refined));
    });
}

void CandidateDecider::keepClones(std::vector<Argument> clones)
{
    m_builder.edit(2, m_id, EditReason::ClonesRefined, [&](EditRecorder& edits) {
        NodeMeta meta = node().meta;
        meta.onlyCloneTheseTensors = std::move(clones);
        edits.setMeta(m_id, std::move(meta));
    });
}

void CandidateDecider::decideAutoFunctionalized()
{
    const std::string op = carriedOperator(node(), 0);
    begin(CandidateKind::AutoFunctionalized, op);
    const OpFacts* known = findOpFacts(op);
    const CustomOperator* custom = m_facts.customOperator(op);
    const std::string_view schema = known ? known->schema
        : custom                          ? std::string_view(custom->schema)
                                          : std::string_view{};
    std::vector<MutatedArgument> arguments;
    if (!schema.empty())
    {
        for (const SchemaArgument& argument : schemaArguments(schema))
            if (const Argument* value = node().kwarg(argument.name);
                argument.isMutable && value && !value->isNone())
                arguments.push_back(mutatedArgument(std::string(argument.name), value));
    }
    else
    {
        m_assumption = "the operator's schema is not in the file: what it writes is inferred";
        for (const std::string& name : m_written.of(m_builder.graph(), m_id))
            if (const Argument* value = node().kwarg(name); value && !value->isNone())
                arguments.push_back(mutatedArgument(name, value));
    }
    std::vector<Argument> kept;
    for (const std::size_t i : refineClones(arguments))
        kept.push_back({arguments[i].label});
    keepClones(std::move(kept));
}

void CandidateDecider::decideAutoFunctionalizedV2()
{
    begin(CandidateKind::AutoFunctionalizedV2, carriedOperator(node(), 0));
    const Argument* bases = node().kwarg("_all_bases");
    std::vector<MutatedArgument> arguments;
    if (bases && bases->sequence())
        for (std::size_t i = 0; i < bases->sequence()->size(); ++i)
            arguments.push_back(mutatedArgument(std::to_string(i), &(*bases->sequence())[i]));
    std::vector<Argument> kept;
    for (const std::size_t i : refineClones(arguments))
        kept.push_back({static_cast<std::int64_t>(i)});
    keepClones(std::move(kept));
}

} // namespace reinspect
