// SPDX-License-Identifier: MIT
// Keeps the memory curves of the session's trace, predicted at first and measured once it was run. Works on a
// lane, and only while somebody looks (setActive). Lives on the GUI thread.
#pragma once

// First, because moc of Qt 6.4 cannot read <compare> (of our ids) before it.
#include <QObject>

#include "core/proof/saved_bytes.h"
#include "views/session/memory_curves.h"

#include <memory>

namespace reinspect
{

class RunService;

class MemoryService : public QObject
{
    Q_OBJECT

public:
    explicit MemoryService(RunService* runs, QObject* parent = nullptr);
    ~MemoryService() override;

    // Null until the first are made; those before while new ones are on their way.
    const std::shared_ptr<const MemoryCurves>& curves() const { return m_curves; }
    // Of the curves' trace, made after them; null while they are on their way.
    const std::shared_ptr<const std::vector<proof::SavedBytes>>& saved() const { return m_saved; }
    bool isBusy() const;
    void setActive(bool active);

signals:
    void curvesChanged();
    void savedChanged();

private:
    void update();
    void drop();
    void countSaved();

    RunService* m_runs;
    bool m_isActive = false;
    bool m_isDue = true;
    std::shared_ptr<const MemoryCurves> m_curves;
    std::shared_ptr<const std::vector<proof::SavedBytes>> m_saved;
    struct Work;
    std::unique_ptr<Work> m_work; // its lane, see lane.h
};

} // namespace reinspect
