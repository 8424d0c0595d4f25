// SPDX-License-Identifier: MIT
// What a GPU counted of a run on it, as sentences: memory, time, the slowest nodes, and what ran on the CPU because
// the GPU has no code for it.
#pragma once

#include <QStringList>

#include "core/proof/equivalence.h"

namespace reinspect
{

QStringList deviceNotes(const proof::Equivalence& proof); // none for a run on the CPU

} // namespace reinspect
