// SPDX-License-Identifier: MIT
#include "core/gpu/cuda/blas.h"

namespace reinspect::gpu
{
namespace
{

struct Matrix
{
    cublasOperation_t operation; // of the memory read column by column
    int leading;
};

// [batch, rows, columns] as cuBLAS sees the transpose of it.
Matrix matrixOf(const Array& array)
{
    const bool isRowMajor = array.strides[2] == 1 || array.sizes[2] == 1;
    const std::int64_t run = isRowMajor ? array.sizes[2] : array.sizes[1];
    const std::int64_t step = isRowMajor ? array.strides[1] : array.strides[2];
    return {isRowMajor ? CUBLAS_OP_N : CUBLAS_OP_T,
            static_cast<int>(step > run ? step : (run > 1 ? run : 1))};
}

cudaDataType_t typeOf(DType dtype)
{
    switch (dtype)
    {
    case DType::Float16: return CUDA_R_16F;
    case DType::BFloat16: return CUDA_R_16BF;
    case DType::Float64: return CUDA_R_64F;
    default: return CUDA_R_32F;
    }
}

// By the operands: shorter floats may give float32. TF32 is asked for by its own kind of computation: the mode of the
// handle would say it for float16 as well.
cublasComputeType_t computeOf(DType operands, bool allowsTf32)
{
    switch (operands)
    {
    case DType::Float64: return CUBLAS_COMPUTE_64F;
    case DType::Float32: return allowsTf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
    default: return CUBLAS_COMPUTE_32F;
    }
}

} // namespace

Blas::~Blas()
{
    if (m_handle)
        cublasDestroy(m_handle);
}

// Row by row, C = A B is what cuBLAS, column by column, knows as C' = B' A'.
const char* Blas::multiply(const MatrixCall& call, cudaStream_t stream)
{
    if (!m_handle && cublasCreate(&m_handle) != CUBLAS_STATUS_SUCCESS)
    {
        m_handle = nullptr;
        return "cuBLAS could not be started";
    }
    cublasSetStream(m_handle, stream);
    const Matrix a = matrixOf(call.a);
    const Matrix b = matrixOf(call.b);
    const Matrix c = matrixOf(call.result);
    const bool isDouble = call.result.dtype == DType::Float64;
    const float alpha32 = static_cast<float>(call.alpha);
    const float beta32 = static_cast<float>(call.beta);
    const void* alpha = isDouble ? static_cast<const void*>(&call.alpha) : &alpha32;
    const void* beta = isDouble ? static_cast<const void*>(&call.beta) : &beta32;
    const auto status = cublasGemmStridedBatchedEx(
        m_handle, b.operation, a.operation, static_cast<int>(call.result.sizes[2]),
        static_cast<int>(call.result.sizes[1]), static_cast<int>(call.a.sizes[2]), alpha,
        call.b.data, typeOf(call.b.dtype), b.leading, call.b.strides[0], call.a.data,
        typeOf(call.a.dtype), a.leading, call.a.strides[0], beta, call.result.data,
        typeOf(call.result.dtype), c.leading, call.result.strides[0],
        static_cast<int>(call.result.sizes[0]), computeOf(call.a.dtype, m_allowsTf32),
        CUBLAS_GEMM_DEFAULT);
    if (status == CUBLAS_STATUS_SUCCESS)
        return nullptr;
    m_message = std::string("cuBLAS: ") + cublasGetStatusString(status);
    return m_message.c_str();
}

} // namespace reinspect::gpu
