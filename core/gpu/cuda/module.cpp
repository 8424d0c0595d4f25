// SPDX-License-Identifier: MIT
// The module reinspect-cuda: gpu_api.h over the CUDA runtime, cuBLAS and the kernels of this folder. One device, one
// stream. Nodes' memory comes from a pool of its own, whose high-water mark is what a run is measured by.
#include "core/gpu/cuda/blas.h"
#include "core/gpu/cuda/driver.h"
#include "core/gpu/cuda/launches.h"

#include <cstdio>
#include <string>
#include <vector>

namespace reinspect::gpu
{
namespace
{

#define REINSPECT_CUDA(expression)                                                                 \
    do                                                                                             \
    {                                                                                              \
        const cudaError_t reinspectCode = (expression);                                            \
        if (reinspectCode != cudaSuccess)                                                          \
            return failed(reinspectCode, #expression);                                             \
    } while (false)

// Scratch of one call: given back to the pool in the order of the stream.
class CallScratch final : public Scratch
{
public:
    CallScratch(cudaMemPool_t pool, cudaStream_t stream)
        : m_pool(pool)
        , m_stream(stream)
    {}
    ~CallScratch()
    {
        for (void* data : m_taken)
            cudaFreeAsync(data, m_stream);
    }
    CallScratch(const CallScratch&) = delete;
    CallScratch& operator=(const CallScratch&) = delete;

    void* take(std::int64_t bytes) override
    {
        void* data = nullptr;
        if (cudaMallocFromPoolAsync(&data, static_cast<std::size_t>(bytes > 0 ? bytes : 1), m_pool,
                                    m_stream)
            != cudaSuccess)
        {
            cudaGetLastError();
            return nullptr;
        }
        m_taken.push_back(data);
        return data;
    }

private:
    cudaMemPool_t m_pool;
    cudaStream_t m_stream;
    std::vector<void*> m_taken;
};

class Cuda final : public Api
{
public:
    ~Cuda() override
    {
        for (cudaEvent_t event : m_events)
            cudaEventDestroy(event);
        if (m_fault)
            cudaFree(m_fault);
        for (cudaMemPool_t pool : m_pools)
            if (pool)
                cudaMemPoolDestroy(pool);
        if (m_stream)
            cudaStreamDestroy(m_stream);
    }

    // Null, or what went wrong.
    const char* open(int device)
    {
        REINSPECT_CUDA(cudaSetDevice(device));
        cudaDeviceProp properties{};
        REINSPECT_CUDA(cudaGetDeviceProperties(&properties, device));
        std::snprintf(m_facts.name, sizeof m_facts.name, "%s", properties.name);
        m_facts.major = properties.major;
        m_facts.minor = properties.minor;
        REINSPECT_CUDA(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking));
        for (cudaMemPool_t& pool : m_pools)
        {
            cudaMemPoolProps wanted{};
            wanted.allocType = cudaMemAllocationTypePinned;
            wanted.location.type = cudaMemLocationTypeDevice;
            wanted.location.id = device;
            REINSPECT_CUDA(cudaMemPoolCreate(&pool, &wanted));
            std::uint64_t all = UINT64_MAX; // kept for the next allocation
            REINSPECT_CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
        }
        REINSPECT_CUDA(cudaMalloc(&m_fault, sizeof(IndexFault)));
        REINSPECT_CUDA(cudaMemset(m_fault, 0xFF, sizeof(IndexFault)));
        return m_driver.open();
    }

    const Facts& facts() override
    {
        std::size_t free = 0;
        std::size_t total = 0;
        if (cudaMemGetInfo(&free, &total) == cudaSuccess)
        {
            m_facts.freeBytes = static_cast<std::int64_t>(free);
            m_facts.totalBytes = static_cast<std::int64_t>(total);
        }
        for (cudaMemPool_t pool : m_pools)
            m_facts.freeBytes += attributeOf(pool, cudaMemPoolAttrReservedMemCurrent)
                - attributeOf(pool, cudaMemPoolAttrUsedMemCurrent);
        return m_facts;
    }

    void* allocate(std::int64_t bytes, Pool pool) override
    {
        void* data = nullptr;
        if (cudaMallocFromPoolAsync(&data, static_cast<std::size_t>(bytes), poolOf(pool), m_stream)
            == cudaSuccess)
            return data;
        cudaGetLastError();
        return nullptr;
    }
    void release(void* data, Pool) override
    {
        if (data)
            cudaFreeAsync(data, m_stream);
    }
    void resetPeak() override
    {
        std::uint64_t zero = 0;
        cudaStreamSynchronize(m_stream);
        m_before = attributeOf(poolOf(Pool::Nodes), cudaMemPoolAttrUsedMemCurrent);
        cudaMemPoolSetAttribute(poolOf(Pool::Nodes), cudaMemPoolAttrUsedMemHigh, &zero);
    }
    std::int64_t peakBytes() override
    {
        cudaStreamSynchronize(m_stream);
        // Where nothing was allocated since, the mark is what is held.
        return attributeOf(poolOf(Pool::Nodes), cudaMemPoolAttrUsedMemHigh) - m_before;
    }

    const char* fill(void* data, std::int64_t bytes, std::uint64_t pattern, int width) override
    {
        REINSPECT_CUDA(runFill(data, bytes, pattern, width, m_stream));
        return nullptr;
    }
    const char* upload(void* to, const void* from, std::int64_t bytes) override
    {
        return transfer(to, from, bytes, cudaMemcpyHostToDevice);
    }
    const char* download(void* to, const void* from, std::int64_t bytes) override
    {
        return transfer(to, from, bytes, cudaMemcpyDeviceToHost);
    }

    const char* copy(const Array& to, const Array& from) override
    {
        REINSPECT_CUDA(runCopy(to, from, m_stream));
        return nullptr;
    }
    bool runs(std::uint16_t function, Kind kind) override { return hasPointwise(function, kind); }
    const char* pointwise(const PointwiseCall& call) override
    {
        REINSPECT_CUDA(runPointwise(call, m_stream));
        return nullptr;
    }
    const char* reduce(const ReductionCall& call) override
    {
        CallScratch scratch(poolOf(Pool::Scratch), m_stream);
        REINSPECT_CUDA(runReduction(call, scratch, m_stream));
        return nullptr;
    }
    const char* lines(const LineCall& call) override
    {
        REINSPECT_CUDA(runLines(call, m_stream));
        return nullptr;
    }
    const char* index(const IndexCall& call) override
    {
        CallScratch scratch(poolOf(Pool::Scratch), m_stream);
        REINSPECT_CUDA(runIndex(call, m_node, m_fault, scratch, m_stream));
        return nullptr;
    }
    const char* select(const void* flags, std::int64_t count, std::int64_t* places,
                       std::int64_t& found) override
    {
        CallScratch scratch(poolOf(Pool::Scratch), m_stream);
        found = 0;
        if (count == 0)
            return nullptr;
        auto* counted = static_cast<std::int64_t*>(scratch.take(sizeof(std::int64_t)));
        if (!counted)
            return failed(cudaErrorMemoryAllocation, "cudaMallocFromPoolAsync(");
        REINSPECT_CUDA(runSelect(flags, count, places, counted, scratch, m_stream));
        return transfer(&found, counted, sizeof found, cudaMemcpyDeviceToHost);
    }
    const char* window(const WindowCall& call) override
    {
        REINSPECT_CUDA(runWindow(call, m_node, m_fault, m_stream));
        return nullptr;
    }
    const char* random(const RandomCall& call) override
    {
        REINSPECT_CUDA(runRandom(call, m_stream));
        return nullptr;
    }
    const char* sort(const SortCall& call) override
    {
        CallScratch scratch(poolOf(Pool::Scratch), m_stream);
        REINSPECT_CUDA(runSort(call, scratch, m_stream));
        return nullptr;
    }

    const char* compare(const CompareCall& call, exec::ElementDifferences& found) override
    {
        CallScratch scratch(poolOf(Pool::Scratch), m_stream);
        REINSPECT_CUDA(runCompare(call, found, scratch, m_stream));
        return nullptr;
    }
    const char* digest(const Array& array, std::uint64_t& sum) override
    {
        CallScratch scratch(poolOf(Pool::Scratch), m_stream);
        REINSPECT_CUDA(runDigest(array, sum, scratch, m_stream));
        return nullptr;
    }

    const char* multiply(const MatrixCall& call) override
    {
        return m_blas.multiply(call, m_stream);
    }
    void allowTf32(bool allowed) override { m_blas.allowTf32(allowed); }
    bool allowsTf32() const override { return m_blas.allowsTf32(); }

    const char* launch(const KernelLaunch& launch) override
    {
        const char* problem = m_driver.launch(launch, m_stream);
        return problem;
    }

    const char* beginRecording() override
    {
        REINSPECT_CUDA(cudaStreamBeginCapture(m_stream, cudaStreamCaptureModeRelaxed));
        return nullptr;
    }

    const char* replay(int times, double* seconds) override
    {
        cudaGraph_t graph = nullptr;
        REINSPECT_CUDA(cudaStreamEndCapture(m_stream, &graph));
        cudaGraphExec_t runnable = nullptr;
        const cudaError_t code =
            cudaGraphInstantiate(&runnable, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
        const char* problem = code == cudaSuccess ? timed(runnable, times, seconds)
                                                  : failed(code, "cudaGraphInstantiate(");
        if (runnable)
            cudaGraphExecDestroy(runnable);
        cudaGraphDestroy(graph);
        return problem;
    }

    void beginNode(int node, bool times) override
    {
        m_node = node;
        if (node == 0)
            m_timed = 0;
        if (times)
            mark();
    }

    const char* finish(IndexFault& fault) override
    {
        if (m_timed > 0)
            mark();
        REINSPECT_CUDA(
            cudaMemcpyAsync(&fault, m_fault, sizeof fault, cudaMemcpyDeviceToHost, m_stream));
        REINSPECT_CUDA(cudaMemsetAsync(m_fault, 0xFF, sizeof(IndexFault), m_stream));
        REINSPECT_CUDA(cudaStreamSynchronize(m_stream));
        return nullptr;
    }

    void nodeSeconds(double* seconds, int count) override
    {
        for (int i = 0; i < count; ++i)
        {
            float milliseconds = 0;
            if (i + 1 < m_timed)
                cudaEventElapsedTime(&milliseconds, m_events[static_cast<std::size_t>(i)],
                                     m_events[static_cast<std::size_t>(i) + 1]);
            seconds[i] = double{milliseconds} / 1000;
        }
    }

private:
    cudaMemPool_t poolOf(Pool pool) const { return m_pools[static_cast<int>(pool)]; }
    static std::int64_t attributeOf(cudaMemPool_t pool, cudaMemPoolAttr attribute)
    {
        std::uint64_t bytes = 0;
        cudaMemPoolGetAttribute(pool, attribute, &bytes);
        return static_cast<std::int64_t>(bytes);
    }

    const char* failed(cudaError_t code, const char* what)
    {
        cudaGetLastError();
        m_message = std::string(cudaGetErrorString(code)) + " (" + cudaGetErrorName(code) + ", "
            + std::string(what).substr(0, std::string(what).find('(')) + ")";
        return m_message.c_str();
    }

    const char* transfer(void* to, const void* from, std::int64_t bytes, cudaMemcpyKind kind)
    {
        if (bytes == 0)
            return nullptr;
        REINSPECT_CUDA(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), kind, m_stream));
        REINSPECT_CUDA(cudaStreamSynchronize(m_stream));
        return nullptr;
    }

    const char* timed(cudaGraphExec_t runnable, int times, double* seconds)
    {
        m_timed = 0;
        mark();
        for (int i = 0; i < times; ++i)
        {
            REINSPECT_CUDA(cudaGraphLaunch(runnable, m_stream));
            mark();
        }
        REINSPECT_CUDA(cudaStreamSynchronize(m_stream));
        nodeSeconds(seconds, times);
        m_timed = 0;
        return nullptr;
    }

    void mark()
    {
        const auto at = static_cast<std::size_t>(m_timed++);
        if (at >= m_events.size())
        {
            m_events.emplace_back();
            cudaEventCreate(&m_events.back());
        }
        cudaEventRecord(m_events[at], m_stream);
    }

    Facts m_facts{};
    cudaStream_t m_stream = nullptr;
    cudaMemPool_t m_pools[2] = {};
    std::int64_t m_before = 0; // bytes of Pool::Nodes when a run began
    Blas m_blas;
    Driver m_driver;
    IndexFault* m_fault = nullptr; // on the device
    int m_node = 0;
    int m_timed = 0;
    std::vector<cudaEvent_t> m_events;
    std::string m_message;
};

} // namespace
} // namespace reinspect::gpu

extern "C" __attribute__((visibility("default"))) reinspect::gpu::Api*
reinspectOpenGpu(std::uint32_t apiVersion, int device, char* message, std::size_t room)
{
    using namespace reinspect::gpu;
    if (apiVersion != kApiVersion)
    {
        std::snprintf(message, room, "the module is of another version of this program");
        return nullptr;
    }
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code == cudaErrorInsufficientDriver || code == cudaErrorSystemDriverMismatch)
    {
        std::snprintf(message, room, "there is no CUDA driver, or it is older than the module (%s)",
                      cudaGetErrorString(code));
        return nullptr;
    }
    if (code != cudaSuccess || count == 0)
    {
        std::snprintf(message, room, "there is no CUDA device (%s)", cudaGetErrorString(code));
        return nullptr;
    }
    auto* cuda = new Cuda;
    if (const char* problem = cuda->open(device))
    {
        std::snprintf(message, room, "%s", problem);
        delete cuda;
        return nullptr;
    }
    return cuda;
}
