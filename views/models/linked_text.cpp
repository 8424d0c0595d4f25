// SPDX-License-Identifier: MIT
#include "views/models/linked_text.h"

#include "core/passes/explain.h"
#include "views/session/qt_text.h"

#include <algorithm>

namespace reinspect
{

static bool isNameLetter(QChar c)
{
    return c.isLetterOrNumber() || c == u'_';
}

static qsizetype wordEnd(const QString& text, qsizetype start)
{
    qsizetype end = start;
    while (end < text.size() && isNameLetter(text[end]))
        ++end;
    return end;
}

QString linkedHtml(const QString& text, const std::vector<NamedNode>& nodes)
{
    QString html;
    for (qsizetype at = 0; at < text.size();)
    {
        const qsizetype end = wordEnd(text, at);
        if (end == at)
        {
            html += text.mid(at++, 1).toHtmlEscaped();
            continue;
        }
        const QString word = text.mid(at, end - at);
        const auto found = std::find_if(nodes.begin(), nodes.end(),
                                        [&word](const NamedNode& node) { return node.first == word; });
        html += found == nodes.end()
            ? word.toHtmlEscaped()
            : QStringLiteral("<a href=\"node:%1\">%2</a>").arg(found->second.index()).arg(word);
        at = end;
    }
    return html;
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
