// SPDX-License-Identifier: MIT
#include "core/exec/host_copies.h"

#include <algorithm>

namespace reinspect::exec
{
namespace
{

// The value with change(tensor) in place of each tensor.
template<typename Change>
Result<Value> mapped(const Value& value, Change&& change)
{
    if (const Tensor* tensor = value.tensor())
    {
        REINSPECT_TRY(Tensor made, change(*tensor));
        return Value(std::move(made));
    }
    if (const std::vector<Value>* items = value.items())
    {
        ListValue list;
        for (const Value& item : *items)
        {
            REINSPECT_TRY(Value made, mapped(item, change));
            list.items.push_back(std::move(made));
        }
        return Value(std::move(list));
    }
    if (const DictValue* dict = value.as<DictValue>())
    {
        DictValue made{dict->keys, {}};
        for (const Value& item : dict->items)
        {
            REINSPECT_TRY(Value one, mapped(item, change));
            made.items.push_back(std::move(one));
        }
        return Value(std::move(made));
    }
    return value;
}

} // namespace

Result<StoragePtr> HostCopies::hostOf(const StoragePtr& storage)
{
    if (!storage->isOnDevice())
        return storage;
    if (const auto known = m_hosts.find(storage); known != m_hosts.end())
        return known->second;
    REINSPECT_TRY(StoragePtr host,
                  m_tracker->allocate(storage->bytes(), DType::UInt8, StorageRole::Scratch));
    REINSPECT_CHECK(m_device.download(*host, *storage));
    m_copied += storage->bytes();
    m_hosts.emplace(storage, host);
    m_devices.emplace(host, storage);
    return host;
}

Result<StoragePtr> HostCopies::deviceOf(const StoragePtr& storage, StorageRole role)
{
    if (storage->isOnDevice())
        return storage;
    if (const auto known = m_devices.find(storage); known != m_devices.end())
        return known->second;
    REINSPECT_TRY(StoragePtr there, m_tracker->allocateOn(m_device, storage->bytes(), role));
    REINSPECT_CHECK(m_device.upload(*there, *storage));
    m_copied += storage->bytes();
    m_hosts.emplace(there, storage);
    m_devices.emplace(storage, there);
    return there;
}

Result<Value> HostCopies::toHost(const Value& value)
{
    return mapped(value, [&](const Tensor& tensor) { return toHost(tensor); });
}

Result<Tensor> HostCopies::toHost(const Tensor& tensor)
{
    Tensor here = tensor;
    REINSPECT_TRY(here.storage, hostOf(tensor.storage));
    return here;
}

Result<Value> HostCopies::toDevice(const Value& value, StorageRole role)
{
    return mapped(value, [&](const Tensor& tensor) {
        return tensor.isOnHost ? Result<Tensor>(tensor) : toDevice(tensor, role);
    });
}

Result<Tensor> HostCopies::toDevice(const Tensor& tensor, StorageRole role)
{
    Tensor there = tensor;
    REINSPECT_TRY(there.storage, deviceOf(tensor.storage, role));
    return there;
}

Result<void> HostCopies::writeBack(const Value& value)
{
    Result<void> outcome;
    forEachTensor(value, [&](const Tensor& tensor) {
        const auto known = m_hosts.find(tensor.storage);
        if (!outcome.ok() || known == m_hosts.end())
            return;
        outcome = m_device.upload(*tensor.storage, *known->second);
        m_copied += tensor.storage->bytes();
    });
    return outcome;
}

Result<void> HostCopies::readBack()
{
    for (const auto& [there, host] : m_hosts)
        REINSPECT_CHECK(m_device.download(*host, *there));
    return {};
}

Result<StoragePtr> OwnCopies::of(const StoragePtr& storage)
{
    if (const auto known = m_copies.find(storage); known != m_copies.end())
        return known->second;
    StoragePtr copy;
    if (DeviceMemory* device = storage->device())
    {
        REINSPECT_TRY(copy, m_tracker->allocateOn(*device, storage->bytes(), StorageRole::Scratch));
        const Tensor from{DType::UInt8, {storage->bytes()}, {1}, 0, storage, false};
        Tensor to = from;
        to.storage = copy;
        REINSPECT_CHECK(device->copy(to, from));
    }
    else
    {
        REINSPECT_TRY(copy,
                      m_tracker->allocate(storage->bytes(), DType::UInt8, StorageRole::Scratch));
        std::copy_n(storage->data(), storage->bytes(), copy->data());
    }
    m_copies.emplace(storage, copy);
    return copy;
}

Result<Value> OwnCopies::of(const Value& value)
{
    return mapped(value, [&](const Tensor& tensor) -> Result<Tensor> {
        Tensor own = tensor;
        REINSPECT_TRY(own.storage, of(tensor.storage));
        return own;
    });
}

Result<Value> broughtHome(const Value& value)
{
    DeviceMemory* device = nullptr;
    std::shared_ptr<StorageTracker> tracker;
    forEachTensor(value, [&](const Tensor& tensor) {
        if (!tensor.storage->isOnDevice())
            return;
        device = tensor.storage->device();
        tracker = tensor.storage->tracker().shared_from_this();
    });
    return device ? HostCopies(*device, tracker).toHost(value) : Result<Value>(value);
}

Result<Tensor> broughtHome(const Tensor& tensor)
{
    if (!tensor.storage->isOnDevice())
        return tensor;
    return HostCopies(*tensor.storage->device(), tensor.storage->tracker().shared_from_this())
        .toHost(tensor);
}

} // namespace reinspect::exec
