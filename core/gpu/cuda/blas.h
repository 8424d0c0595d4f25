// SPDX-License-Identifier: MIT
// Products of matrices by cuBLAS: whole float32 (TF32 where it is allowed), float16 and bfloat16 accumulated in
// float32, float64.
#pragma once

#include "core/gpu/gpu_api.h"

#include <cublas_v2.h>

#include <string>

namespace reinspect::gpu
{

class Blas
{
public:
    Blas() = default;
    ~Blas();
    Blas(const Blas&) = delete;
    Blas& operator=(const Blas&) = delete;

    const char* multiply(const MatrixCall& call, cudaStream_t stream); // null, or what went wrong
    void allowTf32(bool allowed) { m_allowsTf32 = allowed; }
    bool allowsTf32() const { return m_allowsTf32; }

private:
    cublasHandle_t m_handle = nullptr; // made when first asked
    bool m_allowsTf32 = false;
    std::string m_message;
};

} // namespace reinspect::gpu
