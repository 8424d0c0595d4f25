// SPDX-License-Identifier: MIT
#include "core/proof/first_difference.h"

#include "core/proof/digest.h"
#include "core/proof/equivalence.h"

#include <unordered_map>

namespace reinspect::proof
{
using exec::Value;

std::string firstDifferingNode(const std::shared_ptr<const Graph>& first,
                               const std::shared_ptr<const Graph>& second,
                               const CaptureFacts& facts, const ShapeEnv& shapes,
                               const InputSource& source, const RunControl& control)
{
    std::unordered_map<std::string, std::uint64_t> known;
    const auto before = runStage(
        "before", first, facts, shapes, source,
        [&](NodeId id, const Value& value) { known[first->node(id).name] = digestOf(value); },
        control);
    if (!before.ok())
        return {};
    std::string found;
    const auto after = runStage(
        "after", second, facts, shapes, source,
        [&](NodeId id, const Value& value) {
            const auto at = known.find(second->node(id).name);
            if (found.empty() && at != known.end() && second->node(id).op != NodeOp::Placeholder
                && digestOf(value) != at->second)
                found = second->node(id).name;
        },
        control);
    return found;
}

} // namespace reinspect::proof
