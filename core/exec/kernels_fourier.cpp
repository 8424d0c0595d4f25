// SPDX-License-Identifier: MIT
// Discrete Fourier transforms along some dimensions, in double: by halves where a size is even, term by term
// where it is odd.
#include "core/exec/joined_rows.h"
#include "core/exec/operands.h"

namespace reinspect::exec
{
namespace
{

using Complex = std::complex<double>;
using Row = std::vector<Complex>;

// exp(sign i tau k / n)
Complex rootOf(std::int64_t k, std::int64_t n, double sign)
{
    const double angle = 6.283185307179586 * static_cast<double>(k % n) / static_cast<double>(n);
    return {std::cos(angle), sign * std::sin(angle)};
}

Row transformed(const Row& row, double sign)
{
    const auto n = static_cast<std::int64_t>(row.size());
    Row made(row.size());
    if (n % 2 == 0 && n > 0)
    {
        Row even;
        Row odd;
        for (std::size_t i = 0; i < row.size(); i += 2)
        {
            even.push_back(row[i]);
            odd.push_back(row[i + 1]);
        }
        even = transformed(even, sign);
        odd = transformed(odd, sign);
        const std::size_t half = row.size() / 2;
        for (std::size_t k = 0; k < half; ++k)
        {
            const Complex turned = rootOf(static_cast<std::int64_t>(k), n, sign) * odd[k];
            made[k] = even[k] + turned;
            made[k + half] = even[k] - turned;
        }
        return made;
    }
    for (std::int64_t k = 0; k < n; ++k)
        for (std::int64_t j = 0; j < n; ++j)
            made[static_cast<std::size_t>(k)] +=
                row[static_cast<std::size_t>(j)] * rootOf(j * k, n, sign);
    return made;
}

// All rows along one dimension.
void transformAlong(std::vector<Complex>& values, const Sizes& sizes, std::size_t dim, double sign)
{
    const auto count = static_cast<std::size_t>(sizes[dim]);
    std::size_t inner = 1;
    for (std::size_t d = dim + 1; d < sizes.size(); ++d)
        inner *= static_cast<std::size_t>(sizes[d]);
    for (std::size_t first = 0; first < values.size(); first += count * inner)
        for (std::size_t k = 0; k < inner; ++k)
        {
            Row row(count);
            for (std::size_t i = 0; i < count; ++i)
                row[i] = values[first + i * inner + k];
            row = transformed(row, sign);
            for (std::size_t i = 0; i < count; ++i)
                values[first + i * inner + k] = row[i];
        }
}

// 0: as it is, 1: by the root of the number of terms, 2: by their number.
double normOf(std::int64_t normalization, double terms)
{
    return normalization == 0 ? 1 : normalization == 1 ? 1 / std::sqrt(terms) : 1 / terms;
}

// The elements with `count` along `dim`: cut off, or for the other half of a real signal's transform mirrored.
std::vector<Complex> resized(const std::vector<Complex>& values, const Sizes& sizes,
                             std::size_t dim, std::int64_t count)
{
    std::int64_t inner = 1;
    for (std::size_t d = dim + 1; d < sizes.size(); ++d)
        inner *= sizes[d];
    const std::int64_t old = sizes[dim];
    const std::int64_t outer = static_cast<std::int64_t>(values.size()) / (old * inner);
    std::vector<Complex> made;
    for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t i = 0; i < count; ++i)
            for (std::int64_t k = 0; k < inner; ++k)
            {
                const bool isMirrored = i >= old;
                const std::int64_t from = isMirrored ? count - i : i;
                const Complex value =
                    values[static_cast<std::size_t>((o * old + from) * inner + k)];
                made.push_back(isMirrored ? std::conj(value) : value);
            }
    return made;
}

struct Transform
{
    Tensor self;
    std::vector<std::size_t> dims;
    std::int64_t normalization = 0;
};

Result<Transform> transformOf(const KernelCall& call)
{
    Transform made;
    REINSPECT_TRY(made.self, call.tensor("self"));
    REINSPECT_TRY(made.normalization, call.integer("normalization"));
    REINSPECT_TRY(made.dims, call.dimensions("dim", made.self));
    if (made.dims.empty())
        return call.error("no dimension to transform");
    for (const std::size_t dim : made.dims)
        if (dim >= made.self.rank() || made.self.sizes[dim] < 1)
            return call.error("dimension " + std::to_string(dim) + " of " + tensorText(made.self)
                              + " is empty");
    return made;
}

double termsOf(const Sizes& sizes, const std::vector<std::size_t>& dims)
{
    double terms = 1;
    for (const std::size_t dim : dims)
        terms *= static_cast<double>(sizes[dim]);
    return terms;
}

DType complexOf(DType dtype)
{
    return dtype == DType::Float64 || dtype == DType::Complex128 ? DType::Complex128
                                                                 : DType::Complex64;
}

Result<Value> stored(const KernelCall& call, DType dtype, const Sizes& sizes,
                     std::vector<Complex> values, double factor)
{
    REINSPECT_TRY(const Tensor result, call.result(dtype, sizes));
    for (Complex& value : values)
        value *= factor;
    writeAll<Complex>(result, values);
    return Value(result);
}

Result<Value> complexTransform(const KernelCall& call)
{
    REINSPECT_TRY(const Transform at, transformOf(call));
    std::vector<Complex> values = readAll<Complex>(at.self);
    for (const std::size_t dim : at.dims)
        transformAlong(values, at.self.sizes, dim, call.flag("forward") ? -1 : 1);
    return stored(call, complexOf(at.self.dtype), at.self.sizes, std::move(values),
                  normOf(at.normalization, termsOf(at.self.sizes, at.dims)));
}

Result<Value> realTransform(const KernelCall& call)
{
    REINSPECT_TRY(const Transform at, transformOf(call));
    std::vector<Complex> values = readAll<Complex>(at.self);
    for (const std::size_t dim : at.dims)
        transformAlong(values, at.self.sizes, dim, -1);
    Sizes sizes = at.self.sizes;
    const std::size_t last = at.dims.back();
    if (call.flag("onesided"))
    {
        const std::int64_t half = sizes[last] / 2 + 1;
        values = resized(values, sizes, last, half);
        sizes[last] = half;
    }
    return stored(call, complexOf(at.self.dtype), sizes, std::move(values),
                  normOf(at.normalization, termsOf(at.self.sizes, at.dims)));
}

Result<Value> backToReal(const KernelCall& call)
{
    REINSPECT_TRY(const Transform at, transformOf(call));
    REINSPECT_TRY(const std::int64_t count, call.integer("last_dim_size"));
    const std::size_t last = at.dims.back();
    if (count < 1 || at.self.sizes[last] < count / 2 + 1)
        return call.error(std::to_string(count) + " numbers of " + tensorText(at.self));
    std::vector<Complex> values = readAll<Complex>(at.self);
    for (std::size_t i = 0; i + 1 < at.dims.size(); ++i)
        transformAlong(values, at.self.sizes, at.dims[i], 1);
    Sizes sizes = at.self.sizes;
    if (const std::int64_t half = count / 2 + 1; sizes[last] > half)
    {
        values = resized(values, sizes, last, half);
        sizes[last] = half;
    }
    values = resized(values, sizes, last, count);
    sizes[last] = count;
    transformAlong(values, sizes, last, 1);
    const DType dtype = at.self.dtype == DType::Complex128 ? DType::Float64 : DType::Float32;
    return stored(call, dtype, sizes, std::move(values),
                  normOf(at.normalization, termsOf(sizes, at.dims)));
}

const KernelRow table[] = {
    {"aten._fft_c2c.default", complexTransform},
    {"aten._fft_r2c.default", realTransform},
    {"aten._fft_c2r.default", backToReal},
};

} // namespace

std::span<const KernelRow> fourierRows()
{
    return table;
}

} // namespace reinspect::exec
