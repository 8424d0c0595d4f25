// SPDX-License-Identifier: MIT
// The session's run beside a run with a second policy over the same graph. Runs on a lane of its own,
// and only while somebody looks (setActive), since it doubles the work of the pass.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QObject>

#include "core/passes/trace_diff.h"

#include <memory>

namespace reinspect
{

class Session;

struct ComparedTraces
{
    std::shared_ptr<const PassTrace> first; // the session's
    std::shared_ptr<const PassTrace> second;
    TraceDiff diff;
};

class Comparison : public QObject
{
    Q_OBJECT

public:
    explicit Comparison(Session* session, QObject* parent = nullptr);
    ~Comparison() override;

    const ReinplacePolicy& policy() const { return m_policy; } // the second
    // Null until the first run is done; that of the traces before while a new one is on its way.
    const std::shared_ptr<const ComparedTraces>& result() const { return m_result; }
    bool isActive() const { return m_isActive; }
    bool isBusy() const;

    void setPolicy(ReinplacePolicy policy);
    void setActive(bool active);
    void swap(); // the second becomes the session's

signals:
    void policyChanged();
    void resultChanged();
    void busyChanged();

private:
    void run();
    void drop();
    bool isCurrent() const;
    void take(Result<std::shared_ptr<const ComparedTraces>> result);

    Session* m_session;
    ReinplacePolicy m_policy;
    std::shared_ptr<const ComparedTraces> m_result;
    bool m_isActive = false;
    struct Work;
    std::unique_ptr<Work> m_work; // its lane, see lane.h
};

} // namespace reinspect
