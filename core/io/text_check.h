// SPDX-License-Identifier: MIT
// Is this a text at all? Pictures, archives and other things that are opened by mistake are named;
// damage inside a text is repaired, byte for byte, so that every place stays where it is.
#pragma once

#include "core/io/document.h"

namespace reinspect
{

extern const std::string_view kKnownForms; // a sentence: what can be opened

Result<void> checkIsText(const SourceText& source);
// NUL bytes and bytes that are no UTF-8 become '?'.
std::optional<Problem> repairBytes(SourceText& source);

} // namespace reinspect
