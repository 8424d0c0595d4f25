// SPDX-License-Identifier: MIT
#include "core/proof/input_file.h"

#include <filesystem>

namespace reinspect::proof
{

std::string inputFileIn(const std::string& folder)
{
    if (folder.empty())
        return {};
    std::error_code none;
    const auto path = std::filesystem::path(folder) / "data.safetensors";
    return std::filesystem::is_regular_file(path, none) ? path.string() : std::string();
}

Result<std::shared_ptr<const TensorFile>> readInputFile(const std::string& path)
{
    REINSPECT_TRY(TensorFile file, readSafetensors(path));
    return std::make_shared<const TensorFile>(std::move(file));
}

} // namespace reinspect::proof
