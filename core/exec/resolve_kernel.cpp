// SPDX-License-Identifier: MIT
// Which row runs a target: its own, or by name that of its functional, out or single form.
#include "core/exec/kernel_registry.h"

#include <unordered_map>

namespace reinspect::exec
{
namespace
{

std::shared_ptr<const KernelSchema> schemaOf(std::string_view target, const KernelRow* row)
{
    if (row && !row->schema.empty())
        return KernelSchema::read(row->schema);
    const OpFacts* facts = findOpFacts(target);
    return facts ? KernelSchema::read(facts->schema) : nullptr;
}

// Functional names by the name of the form that writes the first argument.
std::string functionalOf(std::string_view inplace)
{
    static const auto map = [] {
        std::unordered_map<std::string_view, std::string_view> made;
        for (const OpFacts& facts : allOpFacts())
            if (!facts.inplaceTwin.empty())
                made.emplace(facts.inplaceTwin, facts.name);
        return made;
    }();
    const auto at = map.find(inplace);
    if (at != map.end())
        return std::string(at->second);
    // "aten.name_.overload"
    const std::size_t dot = inplace.rfind('.');
    if (dot == std::string_view::npos || dot == 0 || inplace[dot - 1] != '_')
        return {};
    return std::string(inplace.substr(0, dot - 1)) + std::string(inplace.substr(dot));
}

// "aten.add.out" -> "aten.add.Tensor", "aten.sum.IntList_out" -> "aten.sum.dim_IntList"
std::string functionalOfOut(std::string_view target)
{
    const std::size_t dot = target.rfind('.');
    if (dot == std::string_view::npos || !target.ends_with("out"))
        return {};
    const std::string packet(target.substr(0, dot + 1));
    std::string overload(target.substr(dot + 1));
    if (overload.ends_with("_out"))
        return packet + overload.substr(0, overload.size() - 4);
    for (const char* guess : {"default", "Tensor", "self"})
        if (findKernel(packet + guess))
            return packet + guess;
    return {};
}

// "aten._foreach_add_.List" -> "aten.add.Tensor"
std::string functionalOfForeach(std::string_view target)
{
    constexpr std::string_view prefix = "aten._foreach_";
    if (!target.starts_with(prefix))
        return {};
    std::string rest(target.substr(prefix.size()));
    const std::size_t dot = rest.find('.');
    if (dot == std::string::npos)
        return {};
    std::string packet = rest.substr(0, dot);
    std::string overload = rest.substr(dot + 1);
    if (packet.ends_with('_'))
        packet.pop_back();
    const bool isPower = packet == "pow";
    if (overload == "List")
        overload = isPower ? "Tensor_Tensor" : "Tensor";
    else if (overload == "Scalar" || overload == "ScalarList")
        overload = isPower ? "Tensor_Scalar" : "Scalar";
    else if (overload == "ScalarAndTensor")
        overload = "Scalar_Tensor";
    packet = packet == "maximum" || packet == "minimum" ? packet : packet;
    for (const std::string& name : {overload, std::string("Tensor"), std::string("default")})
        if (findKernel("aten." + packet + "." + name))
            return "aten." + packet + "." + name;
    return {};
}

ResolvedKernel resolve(std::string_view target)
{
    ResolvedKernel found;
    found.row = findKernel(target);
    found.schema = schemaOf(target, found.row);
    const auto take = [&](const std::string& name, KernelForm form) {
        const KernelRow* row = name.empty() ? nullptr : findKernel(name);
        if (found.row || !row)
            return;
        found.row = row;
        found.form = form;
    };
    const bool writes = target.find("_.") != std::string_view::npos;
    if (!found.row && target.ends_with(".default") == false && findOpFacts(target))
        take(std::string(findOpFacts(target)->name), KernelForm::Direct); // "aten.clone"
    take(functionalOfForeach(target), writes ? KernelForm::ForeachInPlace : KernelForm::Foreach);
    take(functionalOf(target), KernelForm::InPlace);
    take(functionalOfOut(target), KernelForm::Out);
    if (found.row)
        found.rowSchema =
            found.form == KernelForm::Direct ? found.schema : schemaOf(found.row->name, found.row);
    if (!found.schema || !found.rowSchema)
        found.row = nullptr;
    return found;
}

} // namespace

const ResolvedKernel& resolveKernel(std::string_view target)
{
    thread_local std::map<std::string, ResolvedKernel, std::less<>> known;
    const auto at = known.find(target);
    return at != known.end() ? at->second
                             : known.emplace(std::string(target), resolve(target)).first->second;
}

} // namespace reinspect::exec
