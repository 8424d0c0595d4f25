// SPDX-License-Identifier: MIT
// What a kernel does to each tensor of its launch, as rows to show: for a table beside the node, and for the
// command line. Compared with what the wrapper node says it clones (`tensors_to_clone`): before the pass
// those are the tensors that PyTorch takes to be written.
#pragma once

#include "core/ir/capture_facts.h"
#include "core/triton/ttir_effects.h"

#include <span>

namespace reinspect::triton
{

enum class CloneVerdict : std::uint8_t
{
    Agrees,      // written and cloned, or neither
    WrittenOnly, // written, not cloned: in place
    ClonedOnly,  // cloned, and the TTIR writes it nowhere
};

struct EffectRow
{
    std::string parameter; // as in the Python source
    std::string effect; // "read", "written", "read and written", "updated atomically", "not used"
    std::string place; // of the first write, else the first read: "line 12 (cases.py:48)"; or empty
    bool isCertain = true; // else assumed, since something of the kernel is not known
    CloneVerdict verdict = CloneVerdict::Agrees;
    std::string remark; // a sentence where the verdict is not Agrees, or where it is assumed
};

// Names of the TTIR's parameters in the Python source: those of the signature that are no constants, tuples
// as "name.0".
std::vector<std::string> parameterNames(const TritonVariant& variant);

// One row a pointer parameter, in order. names: of all parameters; fewer than the kernel has: the TTIR's own.
std::vector<EffectRow> effectRows(const Effects& effects, std::span<const std::string> names,
                                  std::span<const std::string> tensorsToClone);

} // namespace reinspect::triton
