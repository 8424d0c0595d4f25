// SPDX-License-Identifier: MIT
// Memory of tensors, and the count of it. A storage lives as long as a tensor or view of it; the tracker
// knows live and peak bytes as PyTorch's caching allocator would count them: rounded up to 512 bytes, nothing
// for an empty tensor. Inputs are given, not allocated: they are counted apart. Memory that nothing wrote
// holds a poison pattern (NaN; the largest integer), so that a read of it shows.
#pragma once

#include "core/base/result.h"
#include "core/ir/dtype.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace reinspect::exec
{

std::int64_t roundedBytes(std::int64_t bytes); // to 512

class StorageTracker;

enum class StorageRole : std::uint8_t
{
    Node,    // allocated by a node of the graph: what the memory chart counts
    Input,   // given
    Scratch, // inside an operator, or on the host beside a graph on a device: not counted
};

class Storage;
struct Tensor;
struct DifferenceLimits;
struct ElementDifferences;

// Memory that only a device reads and writes, owned by a shared pointer: its storages keep it. What fails is kept and
// said at the end of the run as well.
class DeviceMemory : public std::enable_shared_from_this<DeviceMemory>
{
public:
    virtual ~DeviceMemory() = default;
    virtual std::byte* allocate(std::int64_t bytes,
                                StorageRole role) = 0; // null: there is not so much
    virtual void release(std::byte* data, StorageRole role) = 0;
    // As memory of the host that nothing wrote.
    virtual Result<void> poison(const Storage& storage, DType dtype) = 0;
    // Storages of equal size, one on the host and one here. Waits for what the device still has to do.
    virtual Result<void> upload(const Storage& to, const Storage& from) = 0;
    virtual Result<void> download(const Storage& to, const Storage& from) = 0;
    // Elements with conversion; equal sizes, both here, and they may overlap.
    virtual Result<void> copy(const Tensor& to, const Tensor& from) = 0;

    // Tensors of equal sizes and one dtype, both here; the scale is the expected one's, whatever the limits say. Waits.
    virtual Result<ElementDifferences> compare(const Tensor& expected, const Tensor& found,
                                               const DifferenceLimits& limits) = 0;
    // The sum of elementDigest() of its elements. Waits.
    virtual Result<std::uint64_t> digest(const Tensor& tensor) = 0;
    virtual std::int64_t freeBytes() = 0; // that can be allocated
};

class Storage
{
public:
    // `device` null: on the host.
    Storage(std::size_t id, std::int64_t bytes, StorageRole role,
            std::shared_ptr<StorageTracker> tracker, DeviceMemory* device = nullptr);
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;
    ~Storage();

    std::byte* data()
    {
        assert(!m_device);
        return m_data;
    }
    const std::byte* data() const
    {
        assert(!m_device);
        return m_data;
    }
    std::byte* address() const { return m_data; } // of a device, or the host's
    bool isOnDevice() const { return m_device != nullptr; }
    DeviceMemory* device() const { return m_device.get(); }
    StorageTracker& tracker() const { return *m_tracker; }
    std::int64_t bytes() const { return m_bytes; }
    std::size_t id() const { return m_id; } // by order of allocation in its tracker
    StorageRole role() const { return m_role; }
    bool isThere() const { return m_data != nullptr; }

private:
    std::size_t m_id;
    std::int64_t m_bytes;
    StorageRole m_role;
    std::byte* m_data = nullptr; // null: the machine has not so much memory
    std::shared_ptr<StorageTracker> m_tracker;
    std::shared_ptr<DeviceMemory> m_device;
};

using StoragePtr = std::shared_ptr<Storage>;

// A storage's life, in numbers of nodes run before.
struct StorageLife
{
    std::int64_t bytes = 0; // as asked for
    StorageRole role = StorageRole::Node;
    std::size_t born = 0;
    std::size_t died = 0; // beyond the last node while it lives
};

class StorageTracker : public std::enable_shared_from_this<StorageTracker>
{
public:
    // `usedBytes`: what lives beside it and counts against the limit.
    explicit StorageTracker(std::int64_t limitBytes, std::int64_t usedBytes = 0)
        : m_limit(limitBytes)
        , m_total(usedBytes)
    {}

    // Poisoned for the dtype. CannotRunHere beyond the limit, and where the machine has no more.
    Result<StoragePtr> allocate(std::int64_t bytes, DType poisonFor,
                                StorageRole role = StorageRole::Node);
    // On the device, not poisoned.
    Result<StoragePtr> allocateOn(DeviceMemory& device, std::int64_t bytes, StorageRole role);

    std::int64_t limit() const { return m_limit; }
    std::int64_t liveBytes() const { return m_live; } // rounded; nodes' only
    std::int64_t peakBytes() const { return m_peak; }
    std::size_t allocations() const { return m_allocations; } // nodes' only, empty ones left out
    const std::vector<StorageLife>& lives() const { return m_lives; }

    // Which node runs: dates births, deaths and the peak.
    void setStep(std::size_t step) { m_step = step; }
    std::size_t peakStep() const { return m_peakStep; }
    // The most live bytes since the last call.
    std::int64_t takeHigh();

private:
    friend class Storage;
    Result<StoragePtr> make(std::int64_t bytes, StorageRole role, DeviceMemory* device);
    void born(const Storage& storage);
    void died(const Storage& storage);

    std::int64_t m_limit;
    std::int64_t m_total; // everything
    std::int64_t m_live = 0;
    std::int64_t m_peak = 0;
    std::int64_t m_high = 0;
    std::size_t m_allocations = 0;
    std::size_t m_step = 0;
    std::size_t m_peakStep = 0;
    std::vector<StorageLife> m_lives; // by id
};

// A share of what the machine has.
std::int64_t defaultMemoryLimit();

} // namespace reinspect::exec
