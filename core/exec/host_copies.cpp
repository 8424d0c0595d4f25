// SPDX-License-Identifier: MIT
#include "core/exec/host_copies.h"

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
    return mapped(value, [&](Tensor tensor) -> Result<Tensor> {
        REINSPECT_TRY(tensor.storage, hostOf(tensor.storage));
        return tensor;
    });
}

Result<Value> HostCopies::toDevice(const Value& value, StorageRole role)
{
    return mapped(value, [&](Tensor tensor) -> Result<Tensor> {
        if (tensor.isOnHost)
            return tensor;
        REINSPECT_TRY(tensor.storage, deviceOf(tensor.storage, role));
        return tensor;
    });
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

} // namespace reinspect::exec
