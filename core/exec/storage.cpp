// SPDX-License-Identifier: MIT
#include "core/exec/storage.h"

#include "core/exec/scalar_types.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <unistd.h>

namespace reinspect::exec
{
namespace
{

// The largest integer of the type, low byte first.
void poisonIntegers(std::byte* data, std::int64_t bytes, std::int64_t width, bool isSigned)
{
    std::memset(data, 0xFF, static_cast<std::size_t>(bytes));
    for (std::int64_t i = width - 1; isSigned && i < bytes; i += width)
        data[i] = std::byte{0x7F};
}

void poison(std::byte* data, std::int64_t bytes, DType dtype)
{
    const bool isSigned = dtype == DType::Int8 || dtype == DType::Int16 || dtype == DType::Int32
        || dtype == DType::Int64;
    if (dtype == DType::Bool)
        std::memset(data, 1, static_cast<std::size_t>(bytes));
    else
        poisonIntegers(data, bytes, std::max<std::int64_t>(dtypeBytes(dtype), 1), isSigned);
}

} // namespace

std::int64_t roundedBytes(std::int64_t bytes)
{
    return (bytes + 511) / 512 * 512;
}

Storage::Storage(std::size_t id, std::int64_t bytes, StorageRole role,
                 std::shared_ptr<StorageTracker> tracker, DeviceMemory* device)
    : m_id(id)
    , m_bytes(bytes)
    , m_role(role)
    , m_tracker(std::move(tracker))
    , m_device(device ? device->shared_from_this() : nullptr)
{
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(roundedBytes(bytes), 512));
    m_data = device ? device->allocate(static_cast<std::int64_t>(size), role)
                    : static_cast<std::byte*>(std::aligned_alloc(512, size));
    m_tracker->born(*this);
}

Storage::~Storage()
{
    m_tracker->died(*this);
    if (m_device)
        m_device->release(m_data, m_role);
    else
        std::free(m_data);
}

void StorageTracker::born(const Storage& storage)
{
    const std::int64_t bytes = roundedBytes(storage.bytes());
    m_lives.push_back(
        {storage.bytes(), storage.role(), m_step, std::numeric_limits<std::size_t>::max()});
    m_total += bytes;
    if (storage.role() != StorageRole::Node || bytes == 0)
        return;
    ++m_allocations;
    m_live += bytes;
    m_high = std::max(m_high, m_live);
    if (m_live > m_peak)
    {
        m_peak = m_live;
        m_peakStep = m_step;
    }
}

void StorageTracker::died(const Storage& storage)
{
    const std::int64_t bytes = roundedBytes(storage.bytes());
    m_lives[storage.id()].died = m_step;
    m_total -= bytes;
    if (storage.role() == StorageRole::Node)
        m_live -= bytes;
}

std::int64_t StorageTracker::takeHigh()
{
    const std::int64_t high = m_high;
    m_high = m_live;
    return high;
}

Result<StoragePtr> StorageTracker::make(std::int64_t bytes, StorageRole role, DeviceMemory* device)
{
    const auto refusal = [&](std::string why) {
        return Error{.message =
                         std::to_string(bytes) + " bytes are asked for, and " + std::move(why),
                     .hint = "Run a smaller graph, or raise the limit with --memory-limit.",
                     .kind = ErrorKind::CannotRunHere};
    };
    if (bytes < 0 || bytes > m_limit || m_total > m_limit - bytes)
        return refusal("the limit is " + std::to_string(m_limit) + " with "
                       + std::to_string(m_total) + " in use");
    auto storage =
        std::make_shared<Storage>(m_lives.size(), bytes, role, shared_from_this(), device);
    if (!storage->isThere())
        return refusal(device ? "the device has not so much memory"
                              : "the machine has not so much memory");
    return storage;
}

Result<StoragePtr> StorageTracker::allocate(std::int64_t bytes, DType poisonFor, StorageRole role)
{
    REINSPECT_TRY(StoragePtr storage, make(bytes, role, nullptr));
    poison(storage->data(), bytes, poisonFor);
    return storage;
}

Result<StoragePtr> StorageTracker::allocateOn(DeviceMemory& device, std::int64_t bytes,
                                              StorageRole role)
{
    return make(bytes, role, &device);
}

std::int64_t defaultMemoryLimit()
{
    const long pages = sysconf(_SC_AVPHYS_PAGES);
    const long pageBytes = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || pageBytes <= 0)
        return std::int64_t{4} << 30;
    return static_cast<std::int64_t>(pages) * pageBytes / 4 * 3;
}

} // namespace reinspect::exec
