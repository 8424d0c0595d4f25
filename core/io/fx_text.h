// SPDX-License-Identifier: MIT
// What print(graph) prints: "graph():" and one node a line, "%x : [num_users=1] =
// call_function[target=T](args = (...), kwargs = {...})". It has no shapes, so every verdict about
// it is an assumption; the document says so under its problems.
#pragma once

#include "core/io/document.h"

namespace reinspect
{

Result<Document> readFxText(std::shared_ptr<const SourceText> text, const RunControl& control = {});

} // namespace reinspect
