// SPDX-License-Identifier: MIT
// Programs of one operator, or of the one before its gradient, in many shapes, which a device is to run alone:
// tst_gpu_operators.cpp has them on the stand-in, tst_cuda.cpp on a card.
#pragma once

#include "core/exec/device.h"
#include "core/ir/graph.h"

#include <memory>
#include <string>
#include <vector>

namespace reinspect
{

struct OperatorProgram
{
    std::string inputs;           // "x: f32[2, 3]; i: i64[4]"
    std::string body;             // statements separated by ";", the last one named r
    std::int64_t memoryLimit = 0; // of a run, bytes; 0: as it comes
};

std::vector<OperatorProgram> attentionPrograms();
std::vector<OperatorProgram> rearrangingPrograms();
std::vector<OperatorProgram> indexingPrograms();
std::vector<OperatorProgram> poolPrograms();
std::vector<OperatorProgram> convolutionPrograms();
std::vector<OperatorProgram> operatorPrograms(); // all of them

std::string nameOf(const OperatorProgram& program);

std::shared_ptr<const Graph> graphOf(const OperatorProgram& program);
// What the device makes otherwise than the host on the same inputs, or what it left to the host; empty: nothing.
std::string whatDiffers(const OperatorProgram& program, std::shared_ptr<exec::Device> device);

} // namespace reinspect
