// SPDX-License-Identifier: MIT
// Lines that a terminal, an editor or a mail broke in two. Readers pass over breaks between the parts of a
// call; here are those inside a name, a string or a comment:
//
//         y: "f32[4]" = torch.ops.aten.index_put.default(some_lo
//     ng_name, [i], x)
//
// A part that belongs to the line above stands further left than forward's body does, or behind an open
// quote, and something shows that the line above is not complete.
#pragma once

#include "core/io/text_lines.h"

namespace reinspect
{

// The width that a terminal broke the lines at: that of the longest, when several are as long. Nothing when
// they end where they like. Counts what was taken off in front.
std::optional<std::size_t> wrapWidth(const std::vector<TextLine>& lines);
std::size_t widthOf(const TextLine& line);

// A statement that cannot end here, whatever follows; open brackets aside.
bool lacksRest(std::string_view text);

// Puts the parts together, into `owned`; true when there were some.
bool joinWraps(std::vector<TextLine>& lines, std::deque<std::string>& owned);

} // namespace reinspect
