// SPDX-License-Identifier: MIT
// Places a graph: the row layout at once, on the calling thread, then reinspect-layout behind it.
// The helper is a process so that it can be stopped at any moment. A newer request kills the older
// helper; only the newest result is delivered. When the helper is missing, crashes, takes too long
// or refuses, the row layout stays and failed() says why in one sentence.
#pragma once

#include "core/layout/graph_layout.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <optional>

class QProcess;
class QTimer;

namespace reinspect
{

class LayoutService : public QObject
{
    Q_OBJECT

public:
    explicit LayoutService(QObject* parent = nullptr);
    ~LayoutService() override;

    // resultReady() with the row layout before this returns, and again when the helper is done.
    void place(LayoutRequest request);
    // Stops the helper at once; the row layout stays.
    void cancel();
    bool isBusy() const { return m_process != nullptr; }

    // Beside this program, or where the environment variable REINSPECT_LAYOUT points.
    static QString helperPath();
    // Where finished layouts are kept by what was asked for; empty (at first): nowhere.
    void setCacheFolder(const QString& folder) { m_cacheFolder = folder; }
    // Where the answer to a request is kept; empty: nowhere.
    QString cacheFile(const std::string& requestJson) const;
    int elapsed() const; // milliseconds since the helper was started; 0 when nothing runs
    std::optional<int> percent() const { return m_percent; } // of its groups; nothing: not told
    void setTimeLimit(int milliseconds) { m_timeLimit = milliseconds; }

signals:
    void resultReady(const reinspect::LayoutResult& result);
    void failed(const QString& message);
    void busyChanged(bool busy);

private:
    void startHelper(const std::string& json);
    bool takeCached(const QString& path);
    void keep(const QString& path, const QByteArray& output) const;
    void readErrors();
    void helperFinished(int exitCode, bool crashed);
    void timeOver();
    void giveUp(const QString& message);
    void dropHelper();

    LayoutRequest m_request;
    QProcess* m_process = nullptr; // null: nothing runs
    QTimer* m_timer;
    QElapsedTimer m_started;
    QString m_cacheFolder;
    std::optional<int> m_percent;
    QByteArray m_errors; // what the helper said beside how far it is
    QString m_cachePath; // where the running helper's answer goes
    int m_timeLimit = 60'000;
};

} // namespace reinspect
