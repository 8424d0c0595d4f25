// SPDX-License-Identifier: MIT
#include "views/models/rule_classes.h"

#include "views/models/node_search.h"
#include "views/session/qt_text.h"

namespace reinspect
{

NodeClasses classifyByRules(std::shared_ptr<const PassTrace> trace, const QStringList& rules)
{
    NodeClasses classes;
    if (!trace)
        return classes;
    classes.title = classByName(ClassBy::Rules);
    classes.classOf.assign(trace->result->slotCount(), kNoClass);
    const NodeSearch search(trace);
    for (const QString& rule : rules)
    {
        if (rule.trimmed().isEmpty() || classes.labels.size() + 1 >= kNoClass)
            continue;
        const auto number = static_cast<std::uint8_t>(classes.labels.size());
        const Result<std::vector<QueryTerm>> terms = parseQuery(toStdString(rule));
        classes.labels.push_back(
            terms ? rule : QStringLiteral("%1: %2").arg(rule, toQString(terms.error().message)));
        if (!terms)
            continue;
        for (const NodeId node : search.find(*terms))
        {
            if (classes.classOf[node.index()] == kNoClass)
                classes.classOf[node.index()] = number;
        }
    }
    return classes;
}

} // namespace reinspect
