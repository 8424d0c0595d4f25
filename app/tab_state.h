// SPDX-License-Identifier: MIT
// One open document and the place in it, in words that survive a reload and a session file: names of
// nodes, not their ids.
#pragma once

#include "core/io/document.h"

#include <QJsonObject>
#include <QPointF>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace reinspect
{

class GraphView;
class Session;

struct TabState
{
    QString path;                             // ":/..." for what is no file
    QString text;                             // of a pasted document
    std::shared_ptr<const Document> document; // null: not read yet

    struct Place
    {
        int graph = 0;
        int event = 0;
        QStringList nodes; // chosen, the first is the primary one
        QString scopeName;
        QStringList only;
        QStringList hidden;
        std::vector<int> folded;
        double zoom = 0; // 0: as the view opens by itself
        QPointF anchorAt;
    };
    std::optional<Place> place; // nothing: opens where a fresh document does
    QString coloring;
    QString query;

    QString title() const; // of the tab
};

// Nothing while the pass has not run.
std::optional<TabState::Place> placeOf(const Session& session, const GraphView& view);
// What is no longer there is passed over. The trace of the place's graph must be there.
void restorePlace(Session& session, GraphView& view, const TabState::Place& place);

QJsonObject toJson(const TabState& tab, const QString& folder); // paths relative to the folder
Result<TabState> tabFromJson(const QJsonObject& json, const QString& folder);

} // namespace reinspect
