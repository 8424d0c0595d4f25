// SPDX-License-Identifier: MIT
#include "core/proof/triton_files.h"

#include "core/triton/bind_launch.h"

namespace reinspect::proof
{

std::shared_ptr<const exec::TritonLibrary> readTritonLibrary(const CaptureFacts& facts)
{
    auto library = std::make_shared<exec::TritonLibrary>();
    for (const TritonKernel& kernel : facts.kernels)
        for (std::size_t i = 0; i < kernel.variants.size(); ++i)
        {
            exec::TritonProgram program;
            Result<triton::Kernel> read = triton::loadVariant(facts, kernel, i);
            if (read.ok())
                program.kernel = std::make_shared<const triton::Kernel>(std::move(*read));
            else
                program.problem = std::move(read.error());
            library->variants[kernel.index].push_back(std::move(program));
        }
    return library;
}

} // namespace reinspect::proof
