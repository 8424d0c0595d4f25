// SPDX-License-Identifier: MIT
// TORCH_TRACE files (dedicated_log_torch_trace_*.log): records of one line, each followed by its
// payload, whose lines begin with a tab. Payloads that hold graphs are handed on one at a time, so
// that a large trace is never held twice.
#pragma once

#include "core/io/section.h"

namespace reinspect
{

// True when the text begins with a record.
bool isTrace(std::string_view text);

// Calls `found` for each payload that holds a graph, in order; stops at its first error, or when
// asked to.
Result<void> unwrapTrace(const std::shared_ptr<const SourceText>& source, const RunControl& control,
                         const std::function<Result<void>(Section)>& found);

} // namespace reinspect
