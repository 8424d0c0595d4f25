// SPDX-License-Identifier: MIT
// Plain sentences as rich text in which the names of nodes are links: "node:17" as target.
#pragma once

#include <QString>

#include "core/base/ids.h"

#include <utility>
#include <vector>

namespace reinspect
{

struct PassTrace;

using NamedNode = std::pair<QString, NodeId>;

// A name is what stands in double quotes; the quotes of a link are left out.
QString linkedHtml(const QString& text, const std::vector<NamedNode>& nodes);
// The sentence of an event with the nodes it names.
QString linkedSentence(const PassTrace& trace, EventIndex event);
// The node of a "node:17" link; invalid for anything else.
NodeId nodeOfLink(const QString& link);

} // namespace reinspect
