// SPDX-License-Identifier: MIT
#include "views/models/linked_text.h"

#include "core/passes/explain.h"
#include "views/session/qt_text.h"

#include <algorithm>

namespace reinspect
{

static NodeId nodeNamed(const std::vector<NamedNode>& nodes, const QString& word)
{
    const auto found = std::find_if(nodes.begin(), nodes.end(),
                                    [&word](const NamedNode& node) { return node.first == word; });
    return found == nodes.end() ? NodeId{} : found->second;
}

QString linkedHtml(const QString& text, const std::vector<NamedNode>& nodes)
{
    QString html;
    qsizetype at = 0;
    while (at < text.size())
    {
        const qsizetype open = text.indexOf(u'"', at);
        const qsizetype close = open < 0 ? -1 : text.indexOf(u'"', open + 1);
        if (close < 0)
            break;
        const QString word = text.mid(open + 1, close - open - 1);
        html += text.mid(at, open - at).toHtmlEscaped();
        const NodeId node = nodeNamed(nodes, word);
        html += node ? QStringLiteral("<a href=\"node:%1\">%2</a>")
                           .arg(node.index())
                           .arg(word.toHtmlEscaped())
                     : QStringLiteral("&quot;%1&quot;").arg(word.toHtmlEscaped());
        at = close + 1;
    }
    return html + text.mid(at).toHtmlEscaped();
}

QString linkedSentence(const PassTrace& trace, EventIndex event)
{
    std::vector<NamedNode> nodes;
    for (const Witness& witness : witnesses(trace, event))
    {
        if (witness.node)
            nodes.emplace_back(toQString(trace.nameOf(witness.node)), witness.node);
    }
    return linkedHtml(toQString(explain(trace, event)), nodes);
}

NodeId nodeOfLink(const QString& link)
{
    bool isNumber = false;
    const QString prefix = QStringLiteral("node:");
    const qulonglong index = link.mid(prefix.size()).toULongLong(&isNumber);
    return link.startsWith(prefix) && isNumber ? NodeId(static_cast<std::size_t>(index)) : NodeId{};
}

} // namespace reinspect
