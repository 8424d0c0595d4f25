// SPDX-License-Identifier: MIT
// Products of matrices by cuBLAS: whole float32 (no TF32), float16 and bfloat16 accumulated in float32, float64.
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

private:
    cublasHandle_t m_handle = nullptr; // made when first asked
    std::string m_message;
};

} // namespace reinspect::gpu
