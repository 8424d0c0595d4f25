// SPDX-License-Identifier: MIT
// The books of a memory forecast: shadows stand for storages, count themselves in when they are made and out when
// the last value that holds them is dropped.
#pragma once

#include "core/exec/storage.h"
#include "core/proof/memory_forecast.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <memory>

namespace reinspect::proof
{

// The books: what is live, and who allocated it when.
struct Ledger
{
    // Of a life in the forecast, in births and deaths: several may fall into one node.
    struct Moments
    {
        std::size_t born = 0;
        std::size_t died = std::numeric_limits<std::size_t>::max();
    };
    MemoryForecast forecast;
    std::int64_t live = 0;
    std::int64_t high = 0;           // since the last node
    NodeId node;                     // of the outermost graph that runs
    std::vector<Moments> moments;    // by life
    std::deque<TensorMeta> inferred; // where a body has no metadata: stable addresses
    std::size_t moment = 0;          // counts births and deaths
    std::size_t peakMoment = 0;

    std::size_t step() const { return forecast.liveBytes.size(); }

    void endNode()
    {
        forecast.liveBytes.push_back(live);
        forecast.highBytes.push_back(high);
        high = live;
    }

    void listHolders()
    {
        for (std::size_t i = 0; i < moments.size(); ++i)
            if (moments[i].born <= peakMoment && moments[i].died > peakMoment)
                forecast.atPeak.push_back({forecast.lives[i].node, forecast.lives[i].bytes});
        std::ranges::stable_sort(forecast.atPeak, std::ranges::greater{},
                                 &MemoryForecast::Holder::bytes);
    }
};

class Shadow
{
public:
    Shadow(Ledger& ledger, std::int64_t bytes, bool isCounted)
        : exact(bytes)
        , m_ledger(ledger)
        , m_bytes(isCounted ? exec::roundedBytes(bytes) : 0)
        , m_life(ledger.moments.size())
    {
        if (m_bytes == 0)
            return;
        ledger.live += m_bytes;
        ledger.forecast.totalBytes += m_bytes;
        ++ledger.forecast.allocations;
        ledger.moments.push_back({++ledger.moment});
        ledger.forecast.lives.push_back(
            {ledger.node, m_bytes, ledger.step(), std::numeric_limits<std::size_t>::max()});
        ledger.high = std::max(ledger.high, ledger.live);
        if (ledger.live <= ledger.forecast.peakBytes)
            return;
        ledger.forecast.peakBytes = ledger.live;
        ledger.forecast.peakNode = ledger.node;
        ledger.peakMoment = ledger.moment;
    }
    Shadow(const Shadow&) = delete;
    Shadow& operator=(const Shadow&) = delete;
    ~Shadow()
    {
        if (m_bytes == 0)
            return;
        m_ledger.live -= m_bytes;
        m_ledger.moments[m_life].died = ++m_ledger.moment;
        m_ledger.forecast.lives[m_life].died = m_ledger.step();
    }

    const std::int64_t exact;

private:
    Ledger& m_ledger;
    std::int64_t m_bytes;
    std::size_t m_life;
};

struct ShadowValue
{
    std::shared_ptr<Shadow> storage;
    const TensorMeta* meta = nullptr;
    std::vector<std::pair<std::string, ShadowValue>> items; // of a tuple or dict
    bool isSequence = false;
};

} // namespace reinspect::proof
