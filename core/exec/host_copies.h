// SPDX-License-Identifier: MIT
// Values on a device and their copies in the host's memory. A storage is copied once and whole, so that views of
// one storage stay views of one storage on the other side.
#pragma once

#include "core/exec/value.h"

#include <map>

namespace reinspect::exec
{

class HostCopies
{
public:
    HostCopies(DeviceMemory& device, std::shared_ptr<StorageTracker> tracker)
        : m_device(device)
        , m_tracker(std::move(tracker))
    {}

    // The same value with every storage on the host. What is there already stays as it is.
    Result<Value> toHost(const Value& value);
    // The same with every storage on the device; a storage that was copied before is the one it was copied from.
    // Tensors that a device graph keeps on the host (Tensor::isOnHost) stay.
    Result<Value> toDevice(const Value& value, StorageRole role);
    Result<Tensor> toHost(const Tensor& tensor);
    Result<Tensor> toDevice(const Tensor& tensor, StorageRole role);
    // What the host wrote into the copies of this value's storages goes to the device.
    Result<void> writeBack(const Value& value);
    // What the device wrote into the copies goes to the host: every pair known.
    Result<void> readBack();

    std::int64_t copiedBytes() const { return m_copied; } // in both directions

private:
    Result<StoragePtr> hostOf(const StoragePtr& storage);
    Result<StoragePtr> deviceOf(const StoragePtr& storage, StorageRole role);

    DeviceMemory& m_device;
    std::shared_ptr<StorageTracker> m_tracker;
    std::map<StoragePtr, StoragePtr> m_hosts;   // by the device's
    std::map<StoragePtr, StoragePtr> m_devices; // by the host's
    std::int64_t m_copied = 0;
};

// Values on the host again, in storages of their own that are shared as the given ones are.
class OwnCopies
{
public:
    explicit OwnCopies(std::shared_ptr<StorageTracker> tracker)
        : m_tracker(std::move(tracker))
    {}

    Result<Value> of(const Value& value);

private:
    Result<StoragePtr> of(const StoragePtr& storage);

    std::shared_ptr<StorageTracker> m_tracker;
    std::map<StoragePtr, StoragePtr> m_copies; // by what they are copies of
};

// The same on the host, wherever it lies.
Result<Value> broughtHome(const Value& value);
Result<Tensor> broughtHome(const Tensor& tensor);

} // namespace reinspect::exec
