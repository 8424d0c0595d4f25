// SPDX-License-Identifier: MIT
#include "app/tab_state.h"

#include "views/canvas/graph_view.h"
#include "views/session/qt_text.h"
#include "views/session/scope_history.h"
#include "views/session/session.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>

#include <algorithm>
#include <unordered_map>

namespace reinspect
{

QString TabState::title() const
{
    // Every capture has a before.json: its folder tells them apart.
    const QFileInfo file(path);
    if (file.fileName() == QLatin1String("before.json"))
        return file.dir().dirName() + u'/' + file.fileName();
    return file.fileName();
}

static QStringList namesOf(const PassTrace& trace, const std::vector<NodeId>& nodes)
{
    QStringList names;
    for (const NodeId node : nodes)
        names.append(toQString(trace.nameOf(node)));
    return names;
}

std::optional<TabState::Place> placeOf(const Session& session, const GraphView& view)
{
    const auto& trace = session.trace();
    if (!trace)
        return {};
    const Scope& scope = view.scopes()->current();
    const ViewPlace place = view.viewPlace();
    TabState::Place state;
    state.graph = static_cast<int>(session.graphIndex());
    state.event = session.event() ? static_cast<int>(session.event().index()) : 0;
    state.nodes = namesOf(*trace, session.selection().nodes);
    state.scopeName = toQString(scope.name);
    state.only = namesOf(*trace, scope.only);
    state.hidden = namesOf(*trace, scope.hidden);
    state.folded.assign(scope.folded.begin(), scope.folded.end());
    state.zoom = place.zoom;
    state.anchorAt = place.anchorAt;
    return state;
}

namespace
{

class Names
{
public:
    explicit Names(const PassTrace& trace)
    {
        for (std::size_t slot = 0; slot < trace.result->slotCount(); ++slot)
            m_byName.emplace(trace.nameOf(NodeId(slot)), NodeId(slot));
    }
    std::vector<NodeId> find(const QStringList& names) const
    {
        std::vector<NodeId> nodes;
        for (const QString& name : names)
        {
            const auto found = m_byName.find(toStdString(name));
            if (found != m_byName.end())
                nodes.push_back(found->second);
        }
        return nodes;
    }

private:
    std::unordered_map<std::string, NodeId> m_byName;
};

} // namespace

void restorePlace(Session& session, GraphView& view, const TabState::Place& place)
{
    const PassTrace& trace = *session.trace();
    const Names names(trace);
    Scope scope;
    scope.name = toStdString(place.scopeName);
    scope.only = names.find(place.only);
    scope.hidden = names.find(place.hidden);
    std::ranges::sort(scope.only);
    std::ranges::sort(scope.hidden);
    for (const int group : place.folded)
        scope.folded.insert(static_cast<std::uint32_t>(group));
    const bool isLost = !place.only.isEmpty() && scope.only.empty();
    if (!isLost)
        view.scopes()->reset(std::move(scope));
    if (!trace.events.empty())
        session.goTo(EventIndex(
            std::min(static_cast<std::size_t>(std::max(place.event, 0)), trace.events.size() - 1)));
    if (std::vector<NodeId> nodes = names.find(place.nodes); !nodes.empty())
        session.setSelection({.nodes = std::move(nodes), .storage = {}});
    if (place.zoom > 0)
        view.setViewPlace({place.zoom, place.anchorAt});
}

static QJsonArray jsonOf(const std::vector<int>& numbers)
{
    QJsonArray array;
    for (const int number : numbers)
        array.append(number);
    return array;
}

static QStringList textsOf(const QJsonValue& value)
{
    QStringList texts;
    for (const QJsonValue item : value.toArray())
        texts.append(item.toString());
    return texts;
}

QJsonObject toJson(const TabState& tab, const QString& folder)
{
    const bool isFile = !tab.path.startsWith(QLatin1String(":/"));
    QJsonObject json{
        {QStringLiteral("path"), isFile ? QDir(folder).relativeFilePath(tab.path) : tab.path},
        {QStringLiteral("coloring"), tab.coloring},
        {QStringLiteral("query"), tab.query}};
    if (!tab.text.isEmpty())
        json[QStringLiteral("text")] = tab.text;
    if (!tab.place)
        return json;
    const TabState::Place& place = *tab.place;
    json[QStringLiteral("graph")] = place.graph;
    json[QStringLiteral("event")] = place.event;
    json[QStringLiteral("nodes")] = QJsonArray::fromStringList(place.nodes);
    json[QStringLiteral("zoom")] = place.zoom;
    json[QStringLiteral("anchor")] = QJsonArray{place.anchorAt.x(), place.anchorAt.y()};
    json[QStringLiteral("scope")] =
        QJsonObject{{QStringLiteral("name"), place.scopeName},
                    {QStringLiteral("only"), QJsonArray::fromStringList(place.only)},
                    {QStringLiteral("hidden"), QJsonArray::fromStringList(place.hidden)},
                    {QStringLiteral("folded"), jsonOf(place.folded)}};
    return json;
}

Result<TabState> tabFromJson(const QJsonObject& json, const QString& folder)
{
    TabState tab;
    tab.path = json[QStringLiteral("path")].toString();
    tab.text = json[QStringLiteral("text")].toString();
    tab.coloring = json[QStringLiteral("coloring")].toString();
    tab.query = json[QStringLiteral("query")].toString();
    if (tab.path.isEmpty())
        return Error{.message = "a tab of the session names no file"};
    if (!tab.path.startsWith(QLatin1String(":/")))
        tab.path = QDir::cleanPath(QDir(folder).absoluteFilePath(tab.path));
    if (!json.contains(QStringLiteral("event")))
        return tab;
    const QJsonObject scope = json[QStringLiteral("scope")].toObject();
    const QJsonArray anchor = json[QStringLiteral("anchor")].toArray();
    TabState::Place place;
    place.graph = json[QStringLiteral("graph")].toInt();
    place.event = json[QStringLiteral("event")].toInt();
    place.nodes = textsOf(json[QStringLiteral("nodes")]);
    place.zoom = std::clamp(json[QStringLiteral("zoom")].toDouble(), 0.0, 4.0);
    place.anchorAt = {anchor.at(0).toDouble(), anchor.at(1).toDouble()};
    place.scopeName = scope[QStringLiteral("name")].toString();
    place.only = textsOf(scope[QStringLiteral("only")]);
    place.hidden = textsOf(scope[QStringLiteral("hidden")]);
    for (const QJsonValue item : scope[QStringLiteral("folded")].toArray())
        place.folded.push_back(item.toInt());
    tab.place = std::move(place);
    return tab;
}

} // namespace reinspect
