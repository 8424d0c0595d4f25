// SPDX-License-Identifier: MIT
#include "core/layout/plan_bytes.h"

namespace reinspect
{

void PlanWriter::add(const std::vector<LayoutPoint>& points)
{
    add(points.size());
    append(points.data(), points.size() * sizeof(LayoutPoint));
}

void PlanWriter::add(const PartPlan& plan)
{
    add(plan.width);
    add(plan.height);
    add(plan.corners);
    for (const std::vector<LayoutPoint>& route : plan.routes)
        add(route);
}

void PlanWriter::add(const std::string& text)
{
    add(text.size());
    append(text.data(), text.size());
}

void PlanReader::copy(void* to, std::size_t size)
{
    m_isBroken = m_isBroken || size > m_bytes.size() - m_at;
    if (m_isBroken || size == 0)
        return;
    std::memcpy(to, m_bytes.data() + m_at, size);
    m_at += size;
}

std::size_t PlanReader::takeNumber()
{
    std::size_t value = 0;
    copy(&value, sizeof(value));
    return value;
}

double PlanReader::takeLength()
{
    double value = 0;
    copy(&value, sizeof(value));
    return value;
}

std::size_t PlanReader::takeCount(std::size_t size)
{
    const std::size_t count = takeNumber();
    m_isBroken = m_isBroken || count > (m_bytes.size() - m_at) / size;
    return m_isBroken ? 0 : count;
}

std::vector<LayoutPoint> PlanReader::takePoints()
{
    std::vector<LayoutPoint> points(takeCount(sizeof(LayoutPoint)));
    copy(points.data(), points.size() * sizeof(LayoutPoint));
    return points;
}

std::string PlanReader::takeText()
{
    std::string text(takeCount(1), '\0');
    copy(text.data(), text.size());
    return text;
}

PartPlan PlanReader::takePlan(std::size_t routes)
{
    PartPlan plan;
    plan.width = takeLength();
    plan.height = takeLength();
    plan.corners = takePoints();
    for (std::size_t i = 0; i < routes && !m_isBroken; ++i)
        plan.routes.push_back(takePoints());
    return plan;
}

} // namespace reinspect
