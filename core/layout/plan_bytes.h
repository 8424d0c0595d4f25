// SPDX-License-Identifier: MIT
// Plans of parts as bytes, for the way between a process and its own copy: no format to be kept.
#pragma once

#include "core/layout/part.h"

#include <cstring>

namespace reinspect
{

class PlanWriter
{
public:
    void add(double value) { append(&value, sizeof(value)); }
    void add(std::size_t value) { append(&value, sizeof(value)); }
    void add(const std::vector<LayoutPoint>& points);
    void add(const PartPlan& plan);
    void add(const std::string& text);
    const std::string& bytes() const { return m_bytes; }

private:
    void append(const void* data, std::size_t size)
    {
        m_bytes.append(static_cast<const char*>(data), size);
    }

    std::string m_bytes;
};

// In the order in which it was added. What is missing reads as nothing, and isBroken() tells.
class PlanReader
{
public:
    explicit PlanReader(const std::string& bytes)
        : m_bytes(bytes)
    {}
    bool isBroken() const { return m_isBroken; }
    bool atEnd() const { return m_at == m_bytes.size(); }

    std::size_t takeNumber();
    std::string takeText();
    PartPlan takePlan(std::size_t routes);

private:
    double takeLength();
    std::vector<LayoutPoint> takePoints();
    std::size_t takeCount(std::size_t size); // of things of that size, no more than there are bytes
    void copy(void* to, std::size_t size);

    const std::string& m_bytes;
    std::size_t m_at = 0;
    bool m_isBroken = false;
};

} // namespace reinspect
