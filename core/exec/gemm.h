// SPDX-License-Identifier: MIT
// Products of dense matrices, through Eigen. Only gemm.cpp knows it.
#pragma once

#include <complex>
#include <cstdint>

namespace reinspect::exec
{

// A row-major matrix without gaps, or the transpose of one.
template<typename C>
struct MatrixView
{
    const C* data = nullptr;
    std::int64_t rows = 0; // after transposing
    std::int64_t columns = 0;
    bool isTransposed = false; // `data` holds columns x rows
};

// out = a b, or out += a b; `out` is row-major, a.rows x b.columns. Accumulates in double for float, else in C
// (integers wrap).
// For float, double, std::int64_t, std::complex<float> and std::complex<double>. Nothing may overlap.
template<typename C>
void multiplyMatrices(const MatrixView<C>& a, const MatrixView<C>& b, C* out, bool adds = false);

} // namespace reinspect::exec
