// SPDX-License-Identifier: MIT
// The verdict table's words, in its cells and as a text to paste elsewhere.
#include "views/models/tensor_words.h"
#include "views/models/verdict_table_model.h"
#include "views/session/qt_text.h"

#include <QCoreApplication>

namespace reinspect
{

static QString say(const char* text)
{
    return QCoreApplication::translate("VerdictTable", text);
}

QString verdictHeading(VerdictColumn column)
{
    switch (column)
    {
    case VerdictColumn::Node: return say("Node");
    case VerdictColumn::Argument: return say("Argument");
    case VerdictColumn::Verdict: return say("Verdict");
    case VerdictColumn::Reason: return say("Reason");
    case VerdictColumn::Bytes: return say("Bytes");
    case VerdictColumn::Missed: return say("Missed");
    case VerdictColumn::Hazards: return say("Hazards");
    case VerdictColumn::Opportunity: return say("Opportunity");
    case VerdictColumn::Kind: return say("Kind");
    case VerdictColumn::Operator: return say("Operator");
    case VerdictColumn::Written: return say("Would Write");
    case VerdictColumn::Certainty: return say("Certainty");
    }
    return {};
}

static QString hazardNames(const Decision& decision)
{
    QStringList names;
    for (const Hazard& hazard : decision.hazards)
        if (const QString name = toQString(hazardName(hazard.kind)); !names.contains(name))
            names.append(name);
    return names.join(QStringLiteral(", "));
}

static QString writtenNames(const PassTrace& trace, const Decision& decision)
{
    QStringList names;
    for (const NodeId node : decision.mutated)
        names.append(toQString(trace.nameOf(node)));
    return names.join(QStringLiteral(", "));
}

static QString verdictWord(const Decision& decision)
{
    const QString word = toQString(verdictName(decision.verdict));
    if (decision.forced)
        return say("%1, forced").arg(word);
    return decision.reason == Reason::ForbiddenByUser ? say("%1, forbidden").arg(word) : word;
}

QString verdictCell(const PassTrace& trace, const Decision& decision, VerdictColumn column)
{
    switch (column)
    {
    case VerdictColumn::Node: return toQString(trace.nameOf(decision.node));
    case VerdictColumn::Argument: return toQString(decision.argument);
    case VerdictColumn::Verdict: return verdictWord(decision);
    case VerdictColumn::Reason:
        return decision.reason ? toQString(reasonName(*decision.reason)) : QString();
    case VerdictColumn::Bytes: return bytesText(decision.bytes);
    case VerdictColumn::Missed: return decision.missed ? badgeWord(Badge::Missed) : QString();
    case VerdictColumn::Hazards: return hazardNames(decision);
    case VerdictColumn::Opportunity: return decision.safe ? say("opportunity") : QString();
    case VerdictColumn::Kind: return toQString(candidateKindName(decision.kind));
    case VerdictColumn::Operator: return toQString(decision.operatorName);
    case VerdictColumn::Written: return writtenNames(trace, decision);
    case VerdictColumn::Certainty: return toQString(certaintyName(decision.certainty));
    }
    return {};
}

namespace
{
QString line(const QStringList& cells, TableText form)
{
    return form == TableText::Tabs
        ? cells.join(u'\t') + u'\n'
        : QStringLiteral("| %1 |\n").arg(cells.join(QStringLiteral(" | ")));
}

QString escaped(QString cell, TableText form)
{
    cell.replace(u'\t', u' ').replace(u'\n', u' ');
    return form == TableText::Markdown ? cell.replace(u'|', QStringLiteral("\\|")) : cell;
}
} // namespace

QString verdictTable(const PassTrace& trace, std::span<const DecisionIndex> rows, TableText form)
{
    QStringList headings;
    QStringList rules;
    for (int column = 0; column < kVerdictColumns; ++column)
    {
        headings.append(verdictHeading(static_cast<VerdictColumn>(column)));
        rules.append(static_cast<VerdictColumn>(column) == VerdictColumn::Bytes
                         ? QStringLiteral("---:")
                         : QStringLiteral("---"));
    }
    QString text = line(headings, form);
    if (form == TableText::Markdown)
        text += line(rules, form);
    for (const DecisionIndex row : rows)
    {
        QStringList cells;
        for (int column = 0; column < kVerdictColumns; ++column)
            cells.append(escaped(
                verdictCell(trace, trace.decision(row), static_cast<VerdictColumn>(column)), form));
        text += line(cells, form);
    }
    return text;
}

} // namespace reinspect
