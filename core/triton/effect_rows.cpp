// SPDX-License-Identifier: MIT
#include "core/triton/effect_rows.h"

#include <algorithm>

namespace reinspect::triton
{
namespace
{

void appendNames(const std::string& name, const TritonType& type, std::vector<std::string>& names)
{
    if (type.name == "constexpr")
        return;
    for (std::size_t i = 0; i < type.items.size(); ++i)
        appendNames(name + "." + std::to_string(i), type.items[i], names);
    if (type.items.empty())
        names.push_back(name);
}

std::string effectText(const ParameterEffects& effects)
{
    if (effects.atomics)
        return "updated atomically";
    if (effects.reads && effects.writes)
        return "read and written";
    return effects.writes ? "written" : effects.reads ? "read" : "not used";
}

std::string placeText(const ParameterEffects& effects)
{
    const Place& place = effects.writes ? effects.firstWrite : effects.firstRead;
    return place.line == 0 ? std::string() : toText(place);
}

std::string remarkOn(const EffectRow& row)
{
    switch (row.verdict)
    {
    case CloneVerdict::WrittenOnly:
        return row.isCertain ? "Not in tensors_to_clone: the kernel writes the tensor itself."
                             : "Not in tensors_to_clone; that the kernel writes it is assumed.";
    case CloneVerdict::ClonedOnly:
        return "In tensors_to_clone, although the kernel writes it nowhere.";
    case CloneVerdict::Agrees: break;
    }
    return row.isCertain
        ? std::string()
        : "Assumed, since not all of the kernel's operators or pointers are known.";
}

} // namespace

std::vector<std::string> parameterNames(const TritonVariant& variant)
{
    std::vector<std::string> names;
    for (const auto& [name, type] : variant.signature)
        appendNames(name, type, names);
    return names;
}

std::vector<EffectRow> effectRows(const Effects& effects, std::span<const std::string> names,
                                  std::span<const std::string> tensorsToClone)
{
    std::vector<EffectRow> rows;
    const bool isNamed = names.size() == effects.parameters.size();
    for (std::size_t i = 0; i < effects.parameters.size(); ++i)
    {
        const ParameterEffects& parameter = effects.parameters[i];
        if (!parameter.isPointer)
            continue;
        EffectRow row{.parameter = isNamed ? names[i] : parameter.name,
                      .effect = effectText(parameter),
                      .place = placeText(parameter),
                      .isCertain = parameter.isCertain,
                      .verdict = CloneVerdict::Agrees,
                      .remark = {}};
        const bool isCloned =
            std::ranges::find(tensorsToClone, row.parameter) != tensorsToClone.end();
        if (isCloned != parameter.writes)
            row.verdict = isCloned ? CloneVerdict::ClonedOnly : CloneVerdict::WrittenOnly;
        row.remark = remarkOn(row);
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace reinspect::triton
