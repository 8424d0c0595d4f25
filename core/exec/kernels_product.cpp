// SPDX-License-Identifier: MIT
// Products of matrices and vectors. Sixteen-bit floats are multiplied and added up in float32 and rounded once.
#include "core/exec/gemm.h"
#include "core/exec/joined_rows.h"
#include "core/exec/operands.h"

#include <cmath>

namespace reinspect::exec
{
namespace
{

// beta * bias + alpha * a @ b, and what follows it.
struct Job
{
    Tensor a; // [m, k] or [batch, m, k]
    Tensor b; // [k, n] or [batch, k, n]
    std::optional<Tensor> bias;
    DType dtype = DType::Unknown; // of the result
    bool addsBatches = false;     // all matrices of the batch go into one
};

Error unfit(const KernelCall& call, const Tensor& a, const Tensor& b)
{
    return call.error("matrices " + tensorText(a) + " and " + tensorText(b) + " do not fit");
}

template<typename C>
C numberOr(const KernelCall& call, std::string_view name, C otherwise)
{
    if constexpr (std::is_same_v<C, std::int64_t>)
        return call.has(name) ? call.optionalInteger(name).value_or(otherwise) : otherwise;
    else
    {
        const auto number = call.optionalNumber(name);
        using Real = decltype(std::abs(C{}));
        return number ? C(static_cast<Real>(*number)) : otherwise;
    }
}

template<typename C>
void addScaled(const KernelCall& call, std::vector<C>& made, const std::vector<C>& bias)
{
    const C beta = numberOr<C>(call, "beta", C(1));
    const C alpha = numberOr<C>(call, "alpha", C(1));
    for (std::size_t i = 0; i < made.size(); ++i)
    {
        if constexpr (std::is_same_v<C, std::int64_t>)
        {
            const auto bits = [](std::int64_t x) { return static_cast<std::uint64_t>(x); };
            made[i] =
                static_cast<std::int64_t>(bits(beta) * bits(bias[i]) + bits(alpha) * bits(made[i]));
        }
        else // a beta of 0 hides even NaN
            made[i] = (beta == C(0) ? C(0) : beta * bias[i]) + alpha * made[i];
    }
}

// The matrices as rows one behind the other.
template<typename C>
std::vector<C> multiplied(const Job& job, std::int64_t batch)
{
    const std::size_t rank = job.a.rank();
    const std::int64_t m = job.a.sizes[rank - 2];
    const std::int64_t k = job.a.sizes[rank - 1];
    const std::int64_t n = job.b.sizes[rank - 1];
    const std::vector<C> left = readAll<C>(job.a);
    const std::vector<C> right = readAll<C>(job.b);
    std::vector<C> made(static_cast<std::size_t>((job.addsBatches ? 1 : batch) * m * n));
    for (std::int64_t i = 0; i < batch; ++i)
        multiplyMatrices<C>({left.data() + i * m * k, m, k}, {right.data() + i * k * n, k, n},
                            made.data() + (job.addsBatches ? 0 : i * m * n), job.addsBatches);
    return made;
}

Result<Value> run(const KernelCall& call, const Job& job)
{
    const std::size_t rank = job.a.rank();
    if (rank != job.b.rank() || (rank != 2 && rank != 3)
        || (rank == 3 && job.a.sizes[0] != job.b.sizes[0])
        || job.a.sizes[rank - 1] != job.b.sizes[rank - 2] || job.a.dtype != job.b.dtype)
        return unfit(call, job.a, job.b);
    const ComputeKind kind = computeKind(job.a.dtype);
    if (kind == ComputeKind::None)
        return call.unsupported("not for dtype " + std::string(dtypeName(job.a.dtype)));
    Sizes sizes = job.a.sizes;
    sizes[rank - 1] = job.b.sizes[rank - 1];
    if (job.addsBatches)
        sizes.erase(sizes.begin());
    REINSPECT_TRY(const Tensor result, call.result(job.dtype, sizes));
    const std::int64_t batch = rank == 3 ? job.a.sizes[0] : 1;
    return dispatchCompute(kind, [&]<typename C>(TypeTag<C>) -> Result<Value> {
        std::vector<C> made = multiplied<C>(job, batch);
        if (job.bias)
        {
            const auto wide = broadcastTo(*job.bias, sizes);
            if (!wide.ok())
                return call.error(wide.error().message);
            addScaled<C>(call, made, readAll<C>(*wide));
        }
        writeAll<C>(result, made);
        return Value(result);
    });
}

Result<Job> jobOf(const KernelCall& call, std::size_t first)
{
    Job job;
    REINSPECT_TRY(job.a, call.tensor(call.schema->arguments[first].name));
    REINSPECT_TRY(job.b, call.tensor(call.schema->arguments[first + 1].name));
    job.dtype = call.dtype(job.a.dtype, "out_dtype");
    return job;
}

Result<Value> matrixProduct(const KernelCall& call)
{
    REINSPECT_TRY(const Job job, jobOf(call, 0));
    return run(call, job);
}

Result<Value> integerProduct(const KernelCall& call)
{
    REINSPECT_TRY(Job job, jobOf(call, 0));
    job.dtype = DType::Int32;
    return run(call, job);
}

Result<Value> biasedProduct(const KernelCall& call)
{
    REINSPECT_TRY(Job job, jobOf(call, 1));
    REINSPECT_TRY(job.bias, call.tensor("self"));
    return run(call, job);
}

Result<Value> addedBatches(const KernelCall& call)
{
    REINSPECT_TRY(Job job, jobOf(call, 1));
    REINSPECT_TRY(job.bias, call.tensor("self"));
    job.addsBatches = true;
    return run(call, job);
}

// The result of a product of matrices whose sizes of 1 are no dimensions of it.
Result<Value> reshaped(const KernelCall& call, const Tensor& made, Sizes sizes)
{
    REINSPECT_TRY(const Tensor result, call.result(made.dtype, std::move(sizes)));
    Tensor flat = made;
    flat.sizes = result.sizes;
    flat.strides = contiguousStrides(result.sizes);
    REINSPECT_CHECK(copyElements(result, flat));
    return Value(result);
}

// beta * bias + alpha * mat @ vec; the vector becomes a matrix of one column.
Result<Value> vectorProduct(const KernelCall& call, const Tensor& mat, const Tensor& vec,
                            const std::optional<Tensor>& bias)
{
    if (mat.rank() != 2 || vec.rank() != 1)
        return unfit(call, mat, vec);
    Job job{mat, vec, {}, mat.dtype};
    job.b.sizes.push_back(1);
    job.b.strides.push_back(1);
    if (bias)
    {
        const auto wide = broadcastTo(*bias, {mat.sizes[0]});
        if (!wide.ok())
            return call.error(wide.error().message);
        job.bias = *wide;
        job.bias->sizes.push_back(1);
        job.bias->strides.push_back(1);
    }
    KernelCall inner = call;
    inner.expected = nullptr;
    REINSPECT_TRY(const Value made, [&] {
        const ScratchScope scope(*call.context);
        return run(inner, job);
    }());
    return reshaped(call, *made.tensor(), {mat.sizes[0]});
}

Result<Value> matrixVector(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor mat, call.tensor("self"));
    REINSPECT_TRY(const Tensor vec, call.tensor("vec"));
    return vectorProduct(call, mat, vec, {});
}

Result<Value> biasedMatrixVector(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor bias, call.tensor("self"));
    REINSPECT_TRY(const Tensor mat, call.tensor("mat"));
    REINSPECT_TRY(const Tensor vec, call.tensor("vec"));
    return vectorProduct(call, mat, vec, bias);
}

template<bool IsConjugated>
Result<Value> dot(const KernelCall& call)
{
    REINSPECT_TRY(const Tensor a, call.tensor(call.schema->arguments[0].name));
    REINSPECT_TRY(const Tensor b, call.tensor(call.schema->arguments[1].name));
    if (a.rank() != 1 || b.rank() != 1 || a.sizes != b.sizes || a.dtype != b.dtype)
        return unfit(call, a, b);
    REINSPECT_TRY(const Tensor result, call.result(a.dtype, {}));
    return dispatchCompute(computeKind(a.dtype), [&]<typename C>(TypeTag<C>) -> Result<Value> {
        std::vector<C> left = readAll<C>(a);
        const std::vector<C> right = readAll<C>(b);
        if constexpr (std::is_same_v<
                          C, std::complex<float>> || std::is_same_v<C, std::complex<double>>)
            for (C& value : left)
                value = IsConjugated ? std::conj(value) : value;
        std::vector<C> made(1);
        multiplyMatrices<C>({left.data(), 1, a.sizes[0]}, {right.data(), a.sizes[0], 1},
                            made.data());
        writeAll<C>(result, made);
        return Value(result);
    });
}

// self * beta + alpha * vec1 x vec2; as matrices of one column and one row.
Result<Value> outer(const KernelCall& call)
{
    const bool isBiased = call.schema->arguments.size() > 2;
    REINSPECT_TRY(Job job, jobOf(call, isBiased ? 1 : 0));
    if (job.a.rank() != 1 || job.b.rank() != 1)
        return unfit(call, job.a, job.b);
    if (isBiased)
    {
        REINSPECT_TRY(job.bias, call.tensor("self"));
    }
    job.a.sizes.push_back(1);
    job.a.strides.push_back(1);
    job.b.sizes.insert(job.b.sizes.begin(), 1);
    job.b.strides.insert(job.b.strides.begin(), 1);
    return run(call, job);
}

Result<Value> activatedProduct(const KernelCall& call)
{
    KernelCall inner = call;
    inner.expected = nullptr;
    REINSPECT_TRY(const Value made, [&] {
        const ScratchScope scope(*call.context);
        return biasedProduct(inner);
    }());
    if (!call.flag("use_gelu"))
        return callKernel(call, "aten.relu.default", {made});
    return callKernel(call, "aten.gelu.default", {made, Value(std::string("tanh"))});
}

const KernelRow table[] = {
    {"aten.mm.default", matrixProduct},
    {"aten.mm.dtype", matrixProduct},
    {"aten.bmm.default", matrixProduct},
    {"aten.bmm.dtype", matrixProduct},
    {"aten._int_mm.default", integerProduct},
    {"aten.addmm.default", biasedProduct},
    {"aten.addmm.dtype", biasedProduct},
    {"aten.baddbmm.default", biasedProduct},
    {"aten.baddbmm.dtype", biasedProduct},
    {"aten.addbmm.default", addedBatches},
    {"aten.mv.default", matrixVector},
    {"aten.addmv.default", biasedMatrixVector},
    {"aten.dot.default", dot<false>},
    {"aten.vdot.default", dot<true>},
    {"aten.outer.default", outer},
    {"aten.addr.default", outer},
    {"aten._addmm_activation.default", activatedProduct},
};

} // namespace

std::span<const KernelRow> productKernels()
{
    static const std::vector<KernelRow> rows = joinedRows({table, scaledProductRows()});
    return rows;
}

} // namespace reinspect::exec
