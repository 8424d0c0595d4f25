// SPDX-License-Identifier: MIT
#include "core/passes/lower_auto_functionalized.h"

#include "core/passes/carried_call.h"
#include "core/passes/new_nodes.h"

#include <algorithm>

namespace reinspect
{
namespace
{

class AutoFunctionalizedLowering
{
public:
    AutoFunctionalizedLowering(LoweringEdit& edit, NodeId wrapper,
                               std::vector<std::string> inferred)
        : m_edit(edit)
        , m_wrapper(wrapper)
        , m_node(edit.graph()[wrapper])
        , m_call(edit.graph(), wrapper, edit.facts(), std::move(inferred))
    {}

    Result<void> run();

private:
    bool isLeftToClone(const Argument& name) const;
    Argument copyOf(const Argument& value);
    void writeNamedArguments();
    void writeViewsOfBases();
    Argument viewOfBase(const std::string& prefix, const std::vector<Argument>& bases);
    void insertCall();
    MetaValue resultMeta(std::size_t index) const;
    std::optional<Argument> result(const Argument& key) const;

    LoweringEdit& m_edit;
    const NodeId m_wrapper;
    const Node m_node; // a copy: insertions move the graph's nodes
    CarriedCall m_call;
    std::vector<Argument> m_written; // what the call writes, in the order of the results
    std::vector<Argument> m_returned;
};

bool AutoFunctionalizedLowering::isLeftToClone(const Argument& name) const
{
    const auto& left = m_node.meta.onlyCloneTheseTensors;
    return left && std::ranges::find(*left, name) != left->end();
}

Argument AutoFunctionalizedLowering::copyOf(const Argument& value)
{
    if (value.node())
        return {m_edit.cloneKeepingStrides(m_wrapper, value.node())};
    const std::vector<Argument>* members = value.sequence();
    if (!members)
        return value;
    ListArgument copies;
    for (const Argument& member : *members)
        copies.items.push_back(copyOf(member));
    return {std::move(copies)};
}

// The first form: the arguments stand under their own names.
void AutoFunctionalizedLowering::writeNamedArguments()
{
    for (const std::string& name : m_call.writtenNames())
    {
        const Argument* given = m_node.kwarg(name);
        const Argument value = given ? *given : Argument{};
        m_written.push_back(isLeftToClone({name}) ? copyOf(value) : value);
        if (given)
            m_call.set(name, m_written.back());
    }
}

// One argument of the second form, from what `_x_base_index` and its kin say. Mirrors
// read_view_information_from_args and regenerate_view.
Argument AutoFunctionalizedLowering::viewOfBase(const std::string& prefix,
                                                const std::vector<Argument>& bases)
{
    const auto given = [&](std::string_view suffix) {
        return m_node.kwarg(prefix + std::string(suffix));
    };
    const Argument* index = given("_base_index");
    const auto number = index ? index->integer() : std::nullopt;
    if (!number || *number < 0 || static_cast<std::size_t>(*number) >= bases.size())
        return {};
    const Argument& base = bases[static_cast<std::size_t>(*number)];
    if (!base.node())
        return base;
    const auto view = [&](std::string_view target, std::vector<Argument> args) -> Argument {
        return {m_edit.insert(
            m_wrapper,
            viewCall(m_edit.graph(), base.node(), {std::string(target), std::move(args), {}}))};
    };
    const auto list = [](const Argument& value) {
        return value.sequence() ? Argument{ListArgument{*value.sequence()}} : value;
    };
    if (given("_alias"))
        return view("aten.alias.default", {});
    if (given("_storage_offset") && given("_size") && given("_stride"))
        return view("aten.as_strided.default",
                    {list(*given("_size")), list(*given("_stride")), *given("_storage_offset")});
    if (given("_slice_dim") && given("_slice_start") && given("_slice_end"))
        return view("aten.slice.Tensor",
                    {*given("_slice_dim"), *given("_slice_start"), *given("_slice_end")});
    return base;
}

// The second form: bases first, then the views of them that the operator is given.
void AutoFunctionalizedLowering::writeViewsOfBases()
{
    const Argument* bases = m_node.kwarg("_all_bases");
    if (bases && bases->sequence())
        for (const Argument& base : *bases->sequence())
        {
            const Argument number{static_cast<std::int64_t>(m_written.size())};
            m_written.push_back(isLeftToClone(number) ? copyOf(base) : base);
        }
    for (const std::string& name : m_call.writtenNames())
    {
        const std::string prefix = "_" + name;
        const Argument* length = m_node.kwarg(prefix + "_length");
        if (!length)
        {
            m_call.set(name, viewOfBase(prefix, m_written));
            continue;
        }
        ListArgument members;
        for (std::int64_t i = 0; i < length->integer().value_or(0); ++i)
            members.items.push_back(viewOfBase(prefix + "_" + std::to_string(i), m_written));
        m_call.set(name, length->integer() ? Argument{std::move(members)} : Argument{});
    }
}

// From the wrapper's own value, or from what reads that result.
MetaValue AutoFunctionalizedLowering::resultMeta(std::size_t index) const
{
    const SequenceMeta* values = m_node.meta.value.sequence();
    if (values && index < values->items.size())
        return values->items[index];
    const Graph& graph = m_edit.graph();
    for (const NodeId user : graph.users(m_wrapper))
        if (graph[user].args.size() > 1
            && graph[user].args[1].integer() == static_cast<std::int64_t>(index))
            return graph[user].meta.value;
    return {};
}

void AutoFunctionalizedLowering::insertCall()
{
    Node call = newCall(m_call.target(), m_call.positional());
    call.kwargs = m_call.keywords();
    const std::size_t count = m_call.returnCount(m_written.size());
    std::vector<MetaValue> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(resultMeta(i));
    if (count == 1)
        call.meta.value = values.front();
    else if (count > 1)
        call.meta.value = {std::make_shared<const SequenceMeta>(SequenceMeta{true, values})};
    const NodeId id = m_edit.insert(m_wrapper, std::move(call));
    if (count == 1)
        m_returned.push_back({id});
    for (std::size_t i = 0; count > 1 && i < count; ++i)
        m_returned.push_back({m_edit.insert(
            m_wrapper,
            newCall("operator.getitem", {{id}, {static_cast<std::int64_t>(i)}}, values[i]))});
    if (count == 0)
        m_returned.push_back({}); // the place of the result is taken even where there is none
}

std::optional<Argument> AutoFunctionalizedLowering::result(const Argument& key) const
{
    const auto index = key.integer();
    if (!index || *index < 0)
        return {};
    const auto at = static_cast<std::size_t>(*index);
    if (at < m_returned.size())
        return m_returned[at];
    return at - m_returned.size() < m_written.size()
        ? std::optional<Argument>(m_written[at - m_returned.size()])
        : std::nullopt;
}

Result<void> AutoFunctionalizedLowering::run()
{
    if (m_call.target().empty())
        return Error{.message = "'" + m_node.name
                         + "' cannot be lowered: which operator it carries is not known",
                     .kind = ErrorKind::CannotRunHere};
    if (m_node.target == kAutoFunctionalized)
        writeNamedArguments();
    else
        writeViewsOfBases();
    insertCall();
    if (!m_call.hasSchema())
        m_edit.assume("the schema of '" + m_call.target()
                      + "' is not in the file: what it writes and returns is inferred");
    Result<void> retired =
        m_edit.retire(m_wrapper, [this](const Argument& key) { return result(key); });
    if (retired || m_call.hasSchema())
        return retired;
    Error error = retired.error();
    error.hint = "The schema of '" + m_call.target()
        + "' would tell. A capture in JSON carries it, a text dump does not.";
    return error;
}

} // namespace

Result<void> lowerAutoFunctionalized(LoweringEdit& edit, NodeId wrapper,
                                     std::vector<std::string> inferred)
{
    return AutoFunctionalizedLowering(edit, wrapper, std::move(inferred)).run();
}

} // namespace reinspect
