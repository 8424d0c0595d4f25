// SPDX-License-Identifier: MIT
#include "core/proof/result_aliases.h"

#include <set>

namespace reinspect::proof
{
namespace
{

using exec::Tensor;
using Pair = std::pair<std::string, std::string>;

// Spans that meet: a shared storage alone does not make two results one memory.
bool meet(const Tensor& a, const Tensor& b)
{
    if (a.storage != b.storage || a.count() == 0 || b.count() == 0)
        return false;
    const std::int64_t endA = a.offset + exec::extent(a.sizes, a.strides).value_or(0);
    const std::int64_t endB = b.offset + exec::extent(b.sizes, b.strides).value_or(0);
    return a.offset * a.elementBytes() < endB * b.elementBytes()
        && b.offset * b.elementBytes() < endA * a.elementBytes();
}

std::set<Pair> aliasesOf(const StageRun& run, const std::vector<std::string>& inputNames)
{
    std::set<Pair> pairs;
    const auto& outputs = run.run.outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i)
    {
        const Tensor* a = outputs[i].tensor();
        if (!a)
            continue;
        const std::string name = "output." + std::to_string(i);
        for (std::size_t j = i + 1; j < outputs.size(); ++j)
            if (const Tensor* b = outputs[j].tensor(); b && meet(*a, *b))
                pairs.emplace(name, "output." + std::to_string(j));
        for (std::size_t j = 0; j < run.inputs.size() && j < inputNames.size(); ++j)
            if (const Tensor* b = run.inputs[j].tensor(); b && meet(*a, *b))
                pairs.emplace(name, "input." + inputNames[j]);
    }
    return pairs;
}

} // namespace

bool isWritten(const StageRun& run, std::size_t input)
{
    return input < run.written.size() && run.written[input];
}

std::vector<NewAlias> newAliases(const StageRun& before, const StageRun& after,
                                 const std::vector<std::string>& inputNames)
{
    const std::set<Pair> old = aliasesOf(before, inputNames);
    std::vector<NewAlias> found;
    for (const Pair& pair : aliasesOf(after, inputNames))
        if (!old.contains(pair))
            found.push_back({pair.first, pair.second});
    return found;
}

} // namespace reinspect::proof
