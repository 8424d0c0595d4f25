// SPDX-License-Identifier: MIT
// The interface of the CUDA module, worked out plainly in the host's memory: what core/gpu makes of graphs can be
// tested where there is no device. Numbers are those of the host's operators.
#pragma once

#include "core/gpu/gpu_api.h"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace reinspect::gpu
{

class HostApi final : public Api
{
public:
    const Facts& facts() override;

    void* allocate(std::int64_t bytes, Pool pool) override;
    void release(void* data, Pool pool) override;
    void resetPeak() override { m_peak = m_before = m_live; }
    std::int64_t peakBytes() override { return m_peak - m_before; }
    const char* fill(void* data, std::int64_t bytes, std::uint64_t pattern, int width) override;
    const char* upload(void* to, const void* from, std::int64_t bytes) override;
    const char* download(void* to, const void* from, std::int64_t bytes) override;

    const char* copy(const Array& to, const Array& from) override;
    bool runs(std::uint16_t function, Kind kind) override;
    const char* pointwise(const PointwiseCall& call) override;
    const char* reduce(const ReductionCall& call) override;
    const char* lines(const LineCall& call) override;
    const char* multiply(const MatrixCall& call) override;
    void allowTf32(bool allowed) override { m_allowsTf32 = allowed; }
    bool allowsTf32() const override { return m_allowsTf32; }
    const char* index(const IndexCall& call) override;
    const char* select(const void* flags, std::int64_t count, std::int64_t* places,
                       std::int64_t& found) override;
    const char* window(const WindowCall& call) override;
    const char* random(const RandomCall& call) override;
    const char* sort(const SortCall& call) override;
    const char* launch(const KernelLaunch& launch) override;
    const char* compare(const CompareCall& call, exec::ElementDifferences& found) override;
    const char* digest(const Array& array, std::uint64_t& sum) override;
    const char* beginRecording() override { return "nothing is recorded here"; }
    const char* replay(int, double*) override { return "nothing is recorded here"; }

    void beginNode(int node, bool times) override;
    const char* finish(IndexFault& fault) override;
    void nodeSeconds(double* seconds, int count) override;

    // For tests.
    std::size_t allocations() const { return m_blocks.size(); } // that are not released
    std::int64_t limit = std::int64_t{1} << 30;                 // bytes of the "device"
    const char* failure = nullptr;                              // the next call answers this
    const char* launchFailure = nullptr;                        // every launch answers this
    std::vector<std::string> launches;                          // "add_kernel (4, 1, 1) x 128"
    int comparisons = 0;                                        // asked for
    int downloads = 0;

private:
    const char* takeFailure();
    bool isPlace(std::int64_t place, std::int64_t size);

    Facts m_facts{"a device in the host's memory", 9, 0, 0, 0};
    std::map<void*, std::pair<std::unique_ptr<std::byte[]>, std::int64_t>> m_blocks;
    std::int64_t m_live = 0; // of Pool::Nodes
    std::int64_t m_peak = 0;
    std::int64_t m_before = 0;
    std::int64_t m_total = 0;
    IndexFault m_fault;
    int m_node = 0;
    bool m_allowsTf32 = false;
};

} // namespace reinspect::gpu
