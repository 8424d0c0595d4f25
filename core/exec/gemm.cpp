// SPDX-License-Identifier: MIT
#include "core/exec/gemm.h"

#include <Eigen/Core>

#include <algorithm>
#include <type_traits>
#include <vector>

namespace reinspect::exec
{
namespace
{

template<typename C>
using Rows = Eigen::Matrix<C, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template<typename C, typename A, typename B>
void multiplyMapped(const A& a, const B& b, Eigen::Map<Rows<C>>& out, bool adds)
{
    if (adds)
        out.noalias() += a * b;
    else
        out.noalias() = a * b;
}

template<typename C, typename A>
void multiplyBy(const A& a, const MatrixView<C>& b, Eigen::Map<Rows<C>>& out, bool adds)
{
    if (b.isTransposed)
        multiplyMapped<C>(a, Eigen::Map<const Rows<C>>(b.data, b.columns, b.rows).transpose(), out,
                          adds);
    else
        multiplyMapped<C>(a, Eigen::Map<const Rows<C>>(b.data, b.rows, b.columns), out, adds);
}

template<typename C>
void multiply(const MatrixView<C>& a, const MatrixView<C>& b, C* out, bool adds)
{
    Eigen::Map<Rows<C>> result(out, a.rows, b.columns);
    if (result.size() == 0)
        return;
    if (a.columns == 0)
    {
        if (!adds)
            result.setZero();
        return;
    }
    if (a.isTransposed)
        multiplyBy<C>(Eigen::Map<const Rows<C>>(a.data, a.columns, a.rows).transpose(), b, result,
                      adds);
    else
        multiplyBy<C>(Eigen::Map<const Rows<C>>(a.data, a.rows, a.columns), b, result, adds);
}

// Sums of many products of floats would lose what twelve layers later is compared.
std::vector<double> widened(const MatrixView<float>& view)
{
    return {view.data, view.data + view.rows * view.columns};
}

void multiplyInDouble(const MatrixView<float>& a, const MatrixView<float>& b, float* out, bool adds)
{
    const std::vector<double> wideA = widened(a);
    const std::vector<double> wideB = widened(b);
    const std::int64_t count = a.rows * b.columns;
    std::vector<double> sums(static_cast<std::size_t>(count), 0.0);
    if (adds)
        std::copy(out, out + count, sums.begin());
    multiply<double>({wideA.data(), a.rows, a.columns, a.isTransposed},
                     {wideB.data(), b.rows, b.columns, b.isTransposed}, sums.data(), adds);
    std::ranges::transform(sums, out, [](double sum) { return static_cast<float>(sum); });
}

template<typename C>
C product(C a, C b)
{
    if constexpr (std::is_same_v<
                      C, std::int64_t>) // signed numbers may not overflow, unsigned ones wrap
        return static_cast<C>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    else
        return a * b;
}

template<typename C>
C sum(C a, C b)
{
    if constexpr (std::is_same_v<C, std::int64_t>)
        return static_cast<C>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    else
        return a + b;
}

// What is rare is multiplied by plain loops: Eigen takes long to compile for each type.
template<typename C>
void multiplyPlainly(const MatrixView<C>& a, const MatrixView<C>& b, C* out, bool adds)
{
    const auto at = [](const MatrixView<C>& m, std::int64_t i, std::int64_t j) {
        return m.data[m.isTransposed ? j * m.rows + i : i * m.columns + j];
    };
    for (std::int64_t i = 0; i < a.rows; ++i)
    {
        C* row = out + i * b.columns;
        if (!adds)
            std::fill(row, row + b.columns, C(0));
        for (std::int64_t k = 0; k < a.columns; ++k)
        {
            const C factor = at(a, i, k);
            for (std::int64_t j = 0; j < b.columns; ++j)
                row[j] = sum(row[j], product(factor, at(b, k, j)));
        }
    }
}

} // namespace

template<typename C>
void multiplyMatrices(const MatrixView<C>& a, const MatrixView<C>& b, C* out, bool adds)
{
    if constexpr (std::is_same_v<C, float>)
        multiplyInDouble(a, b, out, adds);
    else if constexpr (std::is_same_v<C, double>)
        multiply<C>(a, b, out, adds);
    else
        multiplyPlainly<C>(a, b, out, adds);
}

#define REINSPECT_GEMM(C)                                                                          \
    template void multiplyMatrices<C>(const MatrixView<C>&, const MatrixView<C>&, C*, bool);
REINSPECT_GEMM(float)
REINSPECT_GEMM(double)
REINSPECT_GEMM(std::int64_t)
REINSPECT_GEMM(std::complex<float>)
REINSPECT_GEMM(std::complex<double>)

} // namespace reinspect::exec
