// SPDX-License-Identifier: MIT
#include "core/passes/candidate_call.h"

#include "core/ir/op_facts.h"
#include "core/passes/access_rules.h"
#include "core/passes/elementwise_kernel.h"

#include <algorithm>
#include <charconv>

namespace reinspect
{
namespace
{

using Role = CallOperand::Role;

constexpr std::string_view kNoSchema =
    "the operator's schema is not in the file: what it returns and writes is inferred";

std::optional<std::int64_t> numberIn(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    return whole ? std::optional(value) : std::nullopt;
}

class CallReader
{
public:
    CallReader(const Graph& graph, const CoreAnalysis& analysis, const CaptureFacts& facts,
               NodeId node, std::string_view label, std::span<const NodeId> members)
        : m_graph(graph)
        , m_analysis(analysis)
        , m_facts(facts)
        , m_id(node)
        , m_node(graph[node])
        , m_label(label)
        , m_members(members)
    {
        call.results.resize(std::max<std::size_t>(members.size(), 1));
    }

    void read(CandidateKind kind)
    {
        switch (kind)
        {
        case CandidateKind::Table: return readTable(0);
        case CandidateKind::WithEffects: return readTable(2);
        case CandidateKind::Foreach: return readForeach();
        case CandidateKind::Triton: return readTriton();
        case CandidateKind::AutoFunctionalized: return readAutoFunctionalized();
        case CandidateKind::AutoFunctionalizedV2: return readAutoFunctionalizedV2();
        }
    }

    CandidateCall call;

private:
    NodeId member() const { return m_members.empty() ? NodeId{} : m_members.front(); }

    void operand(const Argument& argument, Role role, std::string_view label = {})
    {
        forEachNode(argument, [&](NodeId node) {
            call.operands.push_back({node, role, std::string(label), 0});
        });
    }

    // Getitems of the call with a number, as they stand: number, node.
    template<typename Visit>
    void forEachItem(NodeId tuple, Visit visit) const
    {
        for (const NodeId user : m_graph.users(tuple))
        {
            const Node& item = m_graph[user];
            if (item.target == "operator.getitem" && item.args.size() > 1
                && item.args.front().node() == tuple)
                visit(item.args[1], user);
        }
    }

    // What a list argument gives back: a getitem a member.
    void listResults(NodeId list)
    {
        forEachItem(list, [&](const Argument& key, NodeId item) {
            const auto number = key.integer();
            if (number && *number >= 0 && static_cast<std::size_t>(*number) < call.results.size())
                call.results[static_cast<std::size_t>(*number)].push_back(item);
        });
    }

    // The node is a tensor, or a list of them where the argument is one.
    void resultIs(NodeId node)
    {
        if (m_analysis.storages().storageOf(node))
            call.results.front().push_back(node);
        else
            listResults(node);
    }

    void readTable(std::size_t shift)
    {
        const auto position = numberIn(m_label);
        for (std::size_t i = shift; i < m_node.args.size(); ++i)
            if (i != shift + static_cast<std::size_t>(position.value_or(0)))
                operand(m_node.args[i], Role::Read);
        for (const NamedArgument& argument : m_node.kwargs)
            operand(argument.value, Role::Read);
        if (shift == 0)
        {
            resultIs(m_id);
            return readScatter();
        }
        // with_effects gives (token, result) or (token, result, result, ...).
        forEachItem(m_id, [&](const Argument& key, NodeId item) {
            const auto number = key.integer();
            if (!number || *number < 1)
                return;
            if (*number == 1)
                resultIs(item);
            else if (static_cast<std::size_t>(*number) <= call.results.size())
                call.results[static_cast<std::size_t>(*number) - 1].push_back(item);
        });
    }

    void readScatter()
    {
        const ResolvedMeta* input = member() ? m_analysis.geometry().of(member()) : nullptr;
        if (m_node.target != kGeneralizedScatter || !input)
            return;
        if (auto part = scatteredPart(m_node, input->meta))
        {
            call.parts.push_back(std::move(*part));
            call.copied = m_node.args[1].node();
        }
    }

    void readForeach()
    {
        for (std::size_t i = 1; i < m_node.args.size(); ++i)
        {
            const std::vector<Argument>* list = m_node.args[i].sequence();
            if (!list)
                operand(m_node.args[i], Role::Read);
            for (std::size_t k = 0; list && k < list->size(); ++k)
                if (const NodeId node = (*list)[k].node())
                    call.operands.push_back({node, Role::Elementwise, {}, k});
        }
        for (const NamedArgument& argument : m_node.kwargs)
            operand(argument.value, Role::Read);
        listResults(m_id);
    }

    // Each program of the kernel has its own elements, and reads each before it writes it, of the
    // argument as of this operand. Of two widths the threads would share them out differently.
    bool isElementwise(const std::string& name)
    {
        if (!m_kernelRead)
            m_elementwise = elementwiseOperands();
        m_kernelRead = true;
        const auto has = [this](std::string_view parameter) {
            return std::ranges::find(m_elementwise, parameter) != m_elementwise.end();
        };
        return has(name) && has(m_label);
    }

    std::vector<std::string> elementwiseOperands() const
    {
        const Argument* index = m_node.kwarg("kernel_idx");
        const TritonKernel* kernel =
            index && index->integer() ? m_facts.kernel(*index->integer()) : nullptr;
        const Argument* grid = m_node.kwarg("grid");
        const std::vector<Argument>* grids = grid ? grid->sequence() : nullptr;
        if (!kernel || !grids || mayRunTwice(m_facts.tritonJson))
            return {};
        for (const Argument& one : *grids)
            for (std::size_t i = 0; one.sequence() && i < one.sequence()->size(); ++i)
                if (i > 0 && (*one.sequence())[i].integer() != 1)
                    return {}; // several programs with one first number
        const bool areTuples = std::ranges::all_of(
            *grids, [](const Argument& one) { return one.sequence() != nullptr; });
        return areTuples ? elementwiseParameters(*kernel) : std::vector<std::string>{};
    }

    // Tuning runs a kernel several times, on what the run before left.
    static bool mayRunTwice(std::string_view tritonJson)
    {
        constexpr std::string_view kKey = "\"autotuned\"";
        for (std::size_t at = tritonJson.find(kKey); at != std::string_view::npos;
             at = tritonJson.find(kKey, at + 1))
        {
            const std::size_t value = tritonJson.find_first_not_of(" :\n", at + kKey.size());
            if (value == std::string_view::npos || !tritonJson.substr(value).starts_with("false"))
                return true;
        }
        return false;
    }

    void readTriton()
    {
        call.clonesLayout = true;
        const Argument* kwargs = m_node.kwarg("kwargs");
        const Argument* toClone = m_node.kwarg("tensors_to_clone");
        const DictArgument* dict = kwargs ? kwargs->as<DictArgument>() : nullptr;
        const auto isTried = [toClone](const std::string& name) {
            return toClone && toClone->sequence()
                && std::ranges::any_of(*toClone->sequence(), [&name](const Argument& item) {
                       const std::string* text = item.as<std::string>();
                       return text && *text == name;
                   });
        };
        if (dict)
            for (const auto& [key, value] : dict->items)
                if (const std::string* name = key.as<std::string>(); name && *name != m_label)
                    operand(value,
                            isTried(*name)             ? Role::Tried
                                : isElementwise(*name) ? Role::Elementwise
                                                       : Role::Read,
                            *name);
        forEachItem(m_id, [&](const Argument& key, NodeId item) {
            if (const std::string* name = key.as<std::string>(); name && *name == m_label)
                call.results.front().push_back(item);
        });
    }

    std::string_view schema() const
    {
        const ConstantArgument* op =
            m_node.args.empty() ? nullptr : m_node.args.front().as<ConstantArgument>();
        return op ? schemaOf(op->text, m_facts) : std::string_view{};
    }

    // Values that the operator itself returns stand before what it wrote.
    std::int64_t returnedBefore(std::size_t written)
    {
        if (const SequenceMeta* meta = m_node.meta.value.sequence();
            meta && meta->items.size() > written)
            return static_cast<std::int64_t>(meta->items.size() - written);
        if (schema().empty())
            call.assumption = kNoSchema;
        return std::max<std::int64_t>(1, static_cast<std::int64_t>(schemaReturnCount(schema())));
    }

    void resultAt(std::int64_t number)
    {
        forEachItem(m_id, [&](const Argument& key, NodeId item) {
            if (key.integer() == number)
                resultIs(item);
        });
    }

    void readAutoFunctionalized()
    {
        call.clonesLayout = true;
        std::vector<std::string_view> written;
        const std::vector<SchemaArgument> arguments = schemaArguments(schema());
        for (const SchemaArgument& argument : arguments)
            if (argument.isMutable)
                written.push_back(argument.name);
        for (const NamedArgument& argument : m_node.kwargs)
        {
            const bool tried = std::ranges::find(written, argument.name) != written.end();
            if (argument.name != m_label)
                operand(argument.value, tried ? Role::Tried : Role::Read, argument.name);
        }
        const auto at = std::ranges::find(written, m_label);
        if (at != written.end())
            return resultAt(returnedBefore(written.size()) + (at - written.begin()));
        // Without a schema the result is what is copied back into the argument.
        call.assumption = kNoSchema;
        for (const CopyBack& copy : m_analysis.copyBacks())
            if (copy.source == m_id && copy.destination == member() && copy.through)
                call.results.front().push_back(copy.through);
    }

    void readAutoFunctionalizedV2()
    {
        call.clonesLayout = true;
        const auto base = numberIn(m_label);
        const Argument* bases = m_node.kwarg("_all_bases");
        const std::vector<Argument>* list = bases ? bases->sequence() : nullptr;
        for (const NamedArgument& argument : m_node.kwargs)
            if (argument.name != "_all_bases")
                operand(argument.value, Role::Read);
        if (!list || !base)
            return;
        for (std::size_t i = 0; i < list->size(); ++i)
            if (static_cast<std::int64_t>(i) != *base)
                operand((*list)[i], Role::Tried, std::to_string(i));
        resultAt(returnedBefore(list->size()) + *base);
        readParts(*base);
    }

    // `_out_base_index = 0, _out_slice_dim = 0, ...`: the views of the base that the operator gets.
    void readParts(std::int64_t base)
    {
        const ResolvedMeta* meta = member() ? m_analysis.geometry().of(member()) : nullptr;
        constexpr std::string_view kSuffix = "_base_index";
        for (const NamedArgument& argument : m_node.kwargs)
        {
            if (!argument.name.ends_with(kSuffix) || argument.value.integer() != base)
                continue;
            const std::string prefix =
                argument.name.substr(0, argument.name.size() - kSuffix.size());
            auto part = meta ? partNamed(prefix, meta->meta) : std::nullopt;
            if (!part)
            {
                call.parts.clear();
                return;
            }
            call.parts.push_back(std::move(*part));
        }
    }

    std::optional<TensorMeta> partNamed(const std::string& prefix, const TensorMeta& base) const
    {
        const auto value = [&](const char* suffix) { return m_node.kwarg(prefix + suffix); };
        if (const Argument* dim = value("_slice_dim"))
        {
            const Argument* start = value("_slice_start");
            const Argument* end = value("_slice_end");
            if (!start || !end)
                return {};
            return viewResult("aten.slice.Tensor", base, std::vector<Argument>{*dim, *start, *end},
                              {});
        }
        if (const Argument* size = value("_size"))
        {
            const Argument* stride = value("_stride");
            const Argument* offset = value("_storage_offset");
            if (!stride || !offset)
                return {};
            return viewResult("aten.as_strided.default", base,
                              std::vector<Argument>{*size, *stride, *offset}, {});
        }
        return {};
    }

    const Graph& m_graph;
    const CoreAnalysis& m_analysis;
    const CaptureFacts& m_facts;
    NodeId m_id;
    const Node& m_node;
    std::string_view m_label;
    std::span<const NodeId> m_members;
    std::vector<std::string> m_elementwise; // parameters of an elementwise kernel
    bool m_kernelRead = false;
};

} // namespace

CandidateCall readCandidateCall(const Graph& graph, const CoreAnalysis& analysis,
                                const CaptureFacts& facts, NodeId node, CandidateKind kind,
                                std::string_view label, std::span<const NodeId> members)
{
    CallReader reader(graph, analysis, facts, node, label, members);
    reader.read(kind);
    return std::move(reader.call);
}

} // namespace reinspect
