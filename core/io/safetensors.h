// SPDX-License-Identifier: MIT
// Tensors of a file in the safetensors form: a header of names, dtypes, shapes and places, then the bytes,
// contiguous and little-endian. Everything is checked: a header that lies about its bytes is an error.
#pragma once

#include "core/base/result.h"
#include "core/ir/dtype.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace reinspect
{

struct StoredTensor
{
    DType dtype = DType::Unknown;
    std::vector<std::int64_t> sizes;
    std::size_t begin = 0; // in TensorFile::bytes
    std::size_t end = 0;
};

struct TensorFile
{
    std::string name; // of the file, for messages
    std::vector<std::byte> bytes;
    std::map<std::string, StoredTensor, std::less<>> tensors;

    const StoredTensor* find(std::string_view name) const;
    std::span<const std::byte> data(const StoredTensor& tensor) const
    {
        return std::span(bytes).subspan(tensor.begin, tensor.end - tensor.begin);
    }
};

Result<TensorFile> readSafetensors(const std::string& path);
Result<TensorFile> parseSafetensors(std::vector<std::byte> content, std::string name);

} // namespace reinspect
