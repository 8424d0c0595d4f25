// SPDX-License-Identifier: MIT
// TORCH_LOGS output: takes the prefixes off, keeps the messages of ranks, threads and compilations
// apart where they interleave, and finds the graphs among them.
#pragma once

#include "core/io/section.h"

namespace reinspect
{

struct UnwrappedLog
{
    std::vector<Section> sections;
    std::vector<PassLogLine> passLog;
};

// True when some line has a logger's prefix.
bool isLog(const std::vector<TextLine>& lines);
// Lines that were wrapped are put together into `owned`.
UnwrappedLog unwrapLog(const std::vector<TextLine>& lines, std::deque<std::string>& owned);
// "For node NAME, attempted to reinplace LIST. ..."; nothing for other messages.
std::optional<PassLogLine> passLogLine(std::string_view message);

} // namespace reinspect
