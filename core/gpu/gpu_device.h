// SPDX-License-Identifier: MIT
// A Device over gpu_api.h: tensors become arrays, operators of the table the calls that the module has. The rows of
// gpu_rows.h run here; what neither they nor pointwise functions know runs on the host.
#pragma once

#include "core/exec/device.h"
#include "core/gpu/gpu_api.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace reinspect::gpu
{

// The PTX of a compiled kernel.
struct PtxText
{
    std::string text;
    std::string entry;
    std::string target; // "sm_90a"
};

class GpuDevice final : public exec::Device
{
public:
    explicit GpuDevice(std::shared_ptr<Api> api);

    // exec::DeviceMemory
    std::byte* allocate(std::int64_t bytes, exec::StorageRole role) override;
    void release(std::byte* data, exec::StorageRole role) override;
    Result<void> poison(const exec::Storage& storage, DType dtype) override;
    Result<void> upload(const exec::Storage& to, const exec::Storage& from) override;
    Result<void> download(const exec::Storage& to, const exec::Storage& from) override;
    Result<void> copy(const exec::Tensor& to, const exec::Tensor& from) override;
    Result<exec::ElementDifferences> compare(const exec::Tensor& expected,
                                             const exec::Tensor& found,
                                             const exec::DifferenceLimits& limits) override;
    Result<std::uint64_t> digest(const exec::Tensor& tensor) override;
    std::int64_t freeBytes() override { return m_api->facts().freeBytes; }

    // exec::Device
    const std::string& name() const override { return m_name; }
    bool usesTf32() const override { return m_api->allowsTf32(); }
    bool runs(exec::Pointwise function, exec::ComputeKind kind) const override;
    Result<void> pointwise(exec::Pointwise function, const exec::Tensor& result,
                           const exec::Operands& operands, DType common) override;
    Result<bool> count(const exec::Tensor& result, double start, double step) override;
    exec::KernelFunction kernel(std::string_view row) const override;
    Result<void> launch(const exec::KernelCall& call, const exec::TritonLaunch& launch) override;
    void beginRun(bool times) override;
    void beginNode(const std::string& name) override;
    Result<void> finish() override;
    Result<void> beginRecording() override;
    Result<std::vector<double>> replay(int times) override;
    std::vector<double> nodeSeconds() const override;
    std::optional<std::int64_t> peakBytes() const override { return m_peakBytes; }

    Api& api() { return *m_api; }
    // An error for a sentence of the api's; kept, so that finish() says it too.
    Result<void> check(const char* problem);

private:
    // gpu_complex.cpp
    Result<void> complexPointwise(exec::Pointwise function, const exec::Tensor& result,
                                  const exec::Operands& operands, DType common);
    Result<const PtxText*> ptxOf(const exec::KernelCall& call, const exec::TritonLaunch& launch);

    std::shared_ptr<Api> m_api;
    std::string m_name;
    bool m_times = false;
    std::vector<const std::string*> m_nodes; // of this run
    std::optional<Error> m_failure;          // the first of this run
    std::vector<double> m_seconds;
    std::optional<std::int64_t> m_peakBytes;
    std::map<std::string, PtxText> m_ptx; // by file
};

std::shared_ptr<exec::Device> makeGpuDevice(std::shared_ptr<Api> api);

// The device of a call that runs on one of these.
GpuDevice& gpuOf(const exec::KernelCall& call);

// Nothing where a tensor has more dimensions than an array can.
std::optional<Array> arrayOf(const exec::Tensor& tensor);
// Do kernels read and write this dtype as numbers?
bool isReadable(DType dtype);
// Is it made of functions of the real and the imaginary parts?
bool runsComplex(exec::Pointwise function, exec::ComputeKind kind);
// Nothing: complex, or not computed in at all.
std::optional<Kind> kindOf(DType dtype);

} // namespace reinspect::gpu
