// SPDX-License-Identifier: MIT
#include "tests/gpu/operator_programs.h"

#include "core/proof/equivalence.h"

#include "tests/support/graph_text.h"

namespace reinspect
{
namespace
{

std::vector<std::string> partsOf(const std::string& text)
{
    std::vector<std::string> parts;
    for (std::size_t at = 0; at < text.size();)
    {
        const std::size_t end = std::min(text.find(';', at), text.size());
        parts.push_back(text.substr(at, end - at));
        parts.back().erase(0, parts.back().find_first_not_of(' '));
        at = end + 1;
    }
    return parts;
}

std::string differenceOf(const exec::Value& host, const exec::Value& device,
                         const proof::Exactness& exactness)
{
    const exec::Tensor* expected = host.tensor();
    const exec::Tensor* found = device.tensor();
    const auto tolerance =
        expected ? proof::toleranceFor(expected->dtype, exactness) : proof::Tolerance();
    const proof::Difference difference = proof::compareValues(host, device, tolerance);
    if (!difference.isWithin)
        return difference.mismatch.empty() ? "differs by " + std::to_string(difference.maxAbsolute)
                + " in " + std::to_string(difference.differing) + " elements, first at "
                + exec::sizesText(difference.firstIndex.value_or(exec::Sizes()))
                                           : difference.mismatch;
    if (expected && found && expected->strides != found->strides)
        return "strides " + exec::sizesText(found->strides) + " instead of "
            + exec::sizesText(expected->strides);
    return "";
}

} // namespace

std::shared_ptr<const Graph> graphOf(const OperatorProgram& program)
{
    std::string text = "    def forward(self";
    for (const std::string& input : partsOf(program.inputs))
    {
        const std::size_t colon = input.find(':');
        text += ", " + input.substr(0, colon) + ": \"" + input.substr(colon + 2) + "\"";
    }
    text += "):\n";
    for (const std::string& statement : partsOf(program.body))
        text += "        " + statement + "\n";
    return std::make_shared<const Graph>(graphFrom(text + "        return (r,)\n"));
}

std::string whatDiffers(const OperatorProgram& program, std::shared_ptr<exec::Device> device)
{
    const auto graph = graphOf(program);
    proof::InputSource source;
    const auto host = proof::runStage("before", graph, {}, {}, source);
    source.device = std::move(device);
    source.memoryLimit = program.memoryLimit;
    const auto there = proof::runStage("before", graph, {}, {}, source);
    if (!host.ok() || !there.ok())
        return "no inputs: " + (host.ok() ? there : host).error().message;
    if (host->run.failure)
        return "the host says: " + host->run.failure->message;
    if (there->run.failure)
        return "the device says: " + there->run.failure->message;
    if (host->run.outputs.size() != there->run.outputs.size())
        return "another number of outputs";
    const auto exactness = proof::exactnessOf(*graph, {});
    for (std::size_t i = 0; i < host->run.outputs.size(); ++i)
        if (const std::string text =
                differenceOf(host->run.outputs[i], there->run.outputs[i], exactness);
            !text.empty())
            return "output " + std::to_string(i) + " " + text;
    std::string left;
    for (const auto& [target, runs] : there->run.hostRuns)
        left += target + " ran on the host; ";
    return left;
}

std::string nameOf(const OperatorProgram& program)
{
    return program.inputs + " " + program.body;
}

std::vector<OperatorProgram> operatorPrograms()
{
    std::vector<OperatorProgram> all;
    for (const auto& programs : {attentionPrograms(), rearrangingPrograms(), indexingPrograms(),
                                 poolPrograms(), convolutionPrograms()})
        all.insert(all.end(), programs.begin(), programs.end());
    return all;
}

} // namespace reinspect
