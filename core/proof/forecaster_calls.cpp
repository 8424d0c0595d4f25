// SPDX-License-Identifier: MIT
#include "core/proof/forecaster.h"

namespace reinspect::proof
{

ShadowValue Forecaster::clone(const Node& node, const ShadowValue& value)
{
    if (value.isSequence)
    {
        ShadowValue copy = value;
        for (auto& [key, item] : copy.items)
            item = clone(node, item);
        return copy;
    }
    if (!value.storage || !value.meta)
        return value;
    const auto span = spanOf(*value.meta);
    const auto offset =
        value.meta->offset ? number(*value.meta->offset) : std::optional(std::int64_t{0});
    const bool isEmpty = span && *span == 0;
    if (!span || !offset || isEmpty)
        return fresh(node, *value.meta);
    return fresh(node, *value.meta, *span + *offset * dtypeBytes(value.meta->dtype));
}

ShadowValue Forecaster::wrapper(const Node& node)
{
    if (node.target == "higher_order.triton_kernel_wrapper_mutation")
        return {};
    if (node.target == "higher_order.triton_kernel_wrapper_functional")
        return tritonWrapper(node);
    if (node.target == "higher_order.auto_functionalized"
        || node.target == "higher_order.auto_functionalized_v2")
        return autoFunctionalized(node);
    cannotTell(node);
    return results(node);
}

ShadowValue Forecaster::tritonWrapper(const Node& node)
{
    ShadowValue dict;
    dict.isSequence = true;
    const Argument* kwargs = node.kwarg("kwargs");
    const Argument* names = node.kwarg("tensors_to_clone");
    const std::vector<Argument>* list = names ? names->sequence() : nullptr;
    for (std::size_t i = 0; kwargs && list && i < list->size(); ++i)
    {
        const std::string* name = (*list)[i].as<std::string>();
        const Argument* given = name ? findKey(*kwargs, *name) : nullptr;
        if (given)
            dict.items.emplace_back(*name, clone(node, valueOf(given)));
    }
    return dict;
}

bool Forecaster::isToBeCloned(const Node& node, const Argument& name)
{
    const auto& only = node.meta.onlyCloneTheseTensors;
    return !only || std::ranges::find(*only, name) != only->end();
}

ShadowValue Forecaster::autoFunctionalized(const Node& node)
{
    const ConstantArgument* named =
        node.args.empty() ? nullptr : node.args.front().as<ConstantArgument>();
    const CustomOperator* custom = named ? m_facts.customOperator(named->text) : nullptr;
    const OpFacts* facts = named ? findOpFacts(named->text) : nullptr;
    if (!custom && !facts)
    {
        cannotTell(node);
        return {};
    }
    const std::string schemaText(custom ? std::string_view(custom->schema) : facts->schema);
    const std::vector<SchemaArgument> schema = schemaArguments(schemaText);
    const bool isSecond = node.target.ends_with("_v2");
    std::vector<ShadowValue> written;
    if (const Argument* bases = isSecond ? node.kwarg("_all_bases") : nullptr;
        bases && bases->sequence())
        for (const Argument& base : *bases->sequence())
        {
            const Argument number{static_cast<std::int64_t>(written.size())};
            const ShadowValue value = valueOf(&base);
            written.push_back(isToBeCloned(node, number) ? clone(node, value) : value);
        }
    std::vector<ShadowValue> given;
    for (const SchemaArgument& argument : schema)
    {
        const std::string name(argument.name);
        const Argument* plain = node.kwarg(name);
        ShadowValue value = valueOf(plain);
        if (isSecond && argument.isMutable)
            value = viewsOfBases(node, "_" + name, written);
        else if (argument.isMutable)
        {
            if (plain && isToBeCloned(node, {name}))
                value = clone(node, value);
            written.push_back(value);
        }
        given.push_back(std::move(value));
    }
    ShadowValue returned =
        custom ? customResult(node, *custom, std::move(given), true) : ShadowValue{};
    ShadowValue all;
    all.isSequence = true;
    if (schemaReturnCount(schemaText) > 1 && returned.isSequence)
        all.items = std::move(returned.items);
    else
        all.items.emplace_back("", std::move(returned));
    for (ShadowValue& value : written)
        all.items.emplace_back("", std::move(value));
    return all;
}

ShadowValue Forecaster::viewsOfBases(const Node& node, const std::string& prefix,
                                     const std::vector<ShadowValue>& bases) const
{
    const auto one = [&](const std::string& name) {
        const Argument* index = node.kwarg(name + "_base_index");
        const auto number = index ? index->integer() : std::nullopt;
        if (!number || *number < 0 || static_cast<std::size_t>(*number) >= bases.size())
            return ShadowValue{};
        return bases[static_cast<std::size_t>(*number)];
    };
    const Argument* length = node.kwarg(prefix + "_length");
    if (!length)
        return one(prefix);
    ShadowValue list;
    list.isSequence = true;
    for (std::int64_t i = 0; i < length->integer().value_or(0) && i < 4096; ++i)
        list.items.emplace_back("", one(prefix + "_" + std::to_string(i)));
    return list;
}

ShadowValue Forecaster::customResult(const Node& node, const CustomOperator& custom,
                                     std::vector<ShadowValue> given, bool isCarried)
{
    if (!custom.body || m_depth > 16)
    {
        if (isCarried || !node.meta.value.isKnown())
            cannotTell(node);
        return isCarried ? ShadowValue{} : results(node);
    }
    Forecaster inner(m_ledger, m_facts, m_symbols, m_device, m_depth + 1);
    std::vector<ShadowValue> returned = inner.run(*custom.body, std::move(given));
    if (returned.size() == 1 && !node.meta.value.sequence())
        return returned.front();
    if (returned.size() == 1 && isCarried)
        return returned.front();
    ShadowValue list;
    list.isSequence = true;
    for (ShadowValue& value : returned)
        list.items.emplace_back("", std::move(value));
    return list;
}

} // namespace reinspect::proof
