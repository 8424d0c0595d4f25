// SPDX-License-Identifier: MIT
// Spelling modules and attributes as print_readable does: getattr(self.layers, "0").conv.
#pragma once

#include <string>
#include <string_view>

namespace reinspect
{

bool isPythonIdentifier(std::string_view text);
// `base` and the parts of a dotted path behind it; parts that are no identifier go through
// getattr().
std::string attributePath(std::string base, std::string_view path);

} // namespace reinspect
