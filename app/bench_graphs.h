// SPDX-License-Identifier: MIT
// Generated graphs for the benchmark, as print_readable code. The same call gives the same text.
#pragma once

#include <cstddef>
#include <string>

namespace reinspect
{

// A long program: pointwise calls, views, and an index_put in every sixth line, half of which must
// keep their clone because a view is read later.
std::string longProgram(std::size_t nodes);
// One tensor with `views` slices, all read at the end, and an index_put into it after each tenth.
std::string manyViewsProgram(std::size_t views);
// One tensor cut into `slices` that do not overlap, and an index_put into each of them afterwards.
std::string disjointSlicesProgram(std::size_t slices);
// One buffer that `updates` index_put calls write one after the other.
std::string updatesProgram(std::size_t updates);
// One tensor that `users` calls read, half of them after an index_put into it.
std::string manyUsersProgram(std::size_t users);

} // namespace reinspect
