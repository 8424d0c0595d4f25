// SPDX-License-Identifier: MIT
// The little of UTF-8 that readers need: find a byte that is out of place, and spell a code point.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace reinspect
{

// The offset of the first byte that belongs to no well-formed character.
std::optional<std::size_t> firstInvalidUtf8(std::string_view text, std::size_t from = 0);
// Code points that UTF-8 cannot hold become U+FFFD.
void appendUtf8(std::string& text, char32_t code);

} // namespace reinspect
