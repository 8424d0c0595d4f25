// SPDX-License-Identifier: MIT
#include "app/html_report.h"

#include "core/io/graph_code.h"
#include "core/layout/node_label.h"
#include "core/passes/explain.h"
#include "views/models/tensor_words.h"
#include "views/models/timeline_words.h"
#include "views/session/node_classes.h"
#include "views/session/qt_text.h"
#include "views/session/time_classes.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QSaveFile>

#include <algorithm>

namespace reinspect
{

namespace
{

QString say(const char* text)
{
    return QCoreApplication::translate("HtmlReport", text);
}

QString escaped(std::string_view text)
{
    return toQString(text).toHtmlEscaped();
}

// Verdicts carry a sign as well as a colour.
constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --line: #8884; --kept: #a3201a; --inplace: #176637; }
@media (prefers-color-scheme: dark) { :root { --kept: #ff9a92; --inplace: #7fe0a0; } }
body { font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif; margin: 2rem auto; max-width: 72rem;
       padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: .2rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem;
         border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th, .tight { white-space: nowrap; } td.number { text-align: right; white-space: nowrap; }
.kept { color: var(--kept); font-weight: 600; white-space: nowrap; }
.inplace { color: var(--inplace); font-weight: 600; white-space: nowrap; }
figure { margin: 0; overflow: auto; border: 1px solid var(--line); border-radius: 6px;
         max-height: 85vh; } figure svg { display: block; }
pre { overflow: auto; border: 1px solid var(--line); border-radius: 6px; padding: .8rem;
      font-size: 13px; max-height: 60vh; }
.note { opacity: .75; }
)";

QString row(const QString& name, const QString& value)
{
    return QStringLiteral("<tr><th>%1</th><td>%2</td></tr>\n").arg(name, value);
}

QString totals(const ReportInput& input)
{
    const PassSummary& summary = input.trace.summary;
    QString html = QStringLiteral("<table>\n");
    html += row(say("File"),
                QFileInfo(toQString(input.document.fileName())).fileName().toHtmlEscaped());
    if (!input.document.producer.empty())
        html += row(say("Made by"), escaped(input.document.producer));
    html += row(say("Policy"), escaped(input.trace.policy.name));
    html += row(say("Nodes"), QStringLiteral("%L1").arg(input.trace.initial->size()));
    html += row(say("Arguments tried"), QStringLiteral("%L1").arg(summary.candidates));
    html += row(say("Written in place"), QStringLiteral("%L1").arg(summary.reinplaced));
    html += row(say("Kept as a clone"), QStringLiteral("%L1").arg(summary.kept));
    html += row(say("Missed, as PyTorch counts"),
                QStringLiteral("%L1 (%2)").arg(summary.missed).arg(bytesText(summary.missedBytes)));
    return html + QStringLiteral("</table>\n");
}

QString picture(const ReportInput& input)
{
    if (input.svg.isEmpty())
        return {};
    // The declaration of an SVG file has no place inside of a page.
    const qsizetype start = std::max<qsizetype>(input.svg.indexOf("<svg"), 0);
    return QStringLiteral("<h2>%1</h2>\n<p class=\"note\">%2</p>\n<figure>%3</figure>\n")
        .arg(say("Picture"), input.shown.toHtmlEscaped(), QString::fromUtf8(input.svg.mid(start)));
}

QString headings(std::initializer_list<const char*> titles)
{
    QString html = QStringLiteral("<table>\n<tr>");
    for (const char* title : titles)
        html += QStringLiteral("<th>%1</th>").arg(say(title));
    return html + QStringLiteral("</tr>\n");
}

QString verdictRow(const PassTrace& trace, DecisionIndex index)
{
    const Decision& decision = trace.decision(index);
    const bool isKept = decision.verdict == Verdict::Kept;
    const QString sentence =
        decision.decided ? escaped(explain(trace, decision.decided)) : QString();
    QString why = sentence;
    if (const std::string hint = advice(trace, index); !hint.empty())
        why += QStringLiteral("<br><em>%1</em>").arg(escaped(hint));
    if (decision.certainty == Certainty::Assumed)
        why += QStringLiteral("<br><span class=\"note\">%1</span>")
                   .arg(say("assumed: %1").arg(escaped(decision.assumption)));
    return QStringLiteral("<tr><td>%1</td><td class=\"tight\">%2</td><td "
                          "class=\"tight\">%3</td><td class=\"%4\">%5</td>"
                          "<td>%6</td><td class=\"number\">%7</td><td>%8</td></tr>\n")
        .arg(escaped(trace.nameOf(decision.node)), escaped(decision.operatorName),
             escaped(decision.argument),
             isKept ? QStringLiteral("kept") : QStringLiteral("inplace"),
             isKept ? QStringLiteral("\u2717 kept") : QStringLiteral("\u2713 in place"),
             decision.reason ? escaped(reasonName(*decision.reason)) : QString(),
             bytesText(decision.bytes).toHtmlEscaped(), why);
}

QString verdicts(const PassTrace& trace)
{
    QString html = QStringLiteral("<h2>%1</h2>\n").arg(say("Verdicts"));
    if (trace.decisions.empty())
        return html
            + QStringLiteral("<p>%1</p>\n").arg(say("The pass had nothing to decide here."));
    html += headings({"Node", "Operator", "Argument", "Verdict", "Reason", "Bytes", "Why"});
    for (std::size_t i = 0; i < trace.decisions.size(); ++i)
        html += verdictRow(trace, DecisionIndex(i));
    return html + QStringLiteral("</table>\n");
}

QString memory(const PassTrace& trace)
{
    std::int64_t kept = 0;
    std::int64_t saved = 0;
    std::size_t symbolic = 0;
    for (const Decision& decision : trace.decisions)
    {
        const std::optional<std::int64_t> bytes = decision.bytes.constant();
        symbolic += bytes ? 0 : 1;
        (decision.verdict == Verdict::Kept ? kept : saved) += bytes.value_or(0);
    }
    const std::vector<double> live = liveBytes(trace);
    const auto most = std::ranges::max_element(live);
    QString html = QStringLiteral("<h2>%1</h2>\n<table>\n").arg(say("Memory"));
    html += row(say("Clones that stay"), bytesText(kept));
    html += row(say("Clones that go"), bytesText(saved));
    if (most != live.end() && *most > 0)
        html += row(
            say("Most in use at once, without clones (predicted)"),
            say("%1 at %2")
                .arg(bytesText(static_cast<std::int64_t>(*most)),
                     escaped(trace.nameOf(NodeId(static_cast<std::size_t>(most - live.begin()))))));
    if (symbolic > 0)
        html +=
            row(say("Sizes that are not numbers"), say("%1; they count as 0 here").arg(symbolic));
    return html + QStringLiteral("</table>\n");
}

QString numbers(const QString& name, const QStringList& cells)
{
    QString html = QStringLiteral("<tr><td>%1</td>").arg(name.toHtmlEscaped());
    for (const QString& cell : cells)
        html += QStringLiteral("<td class=\"number\">%1</td>").arg(cell.toHtmlEscaped());
    return html + QStringLiteral("</tr>\n");
}

QString slowest(const TimelineStage& stage)
{
    constexpr std::size_t kMost = 15;
    std::vector<const TimelineNode*> nodes;
    for (const TimelineNode& node : stage.nodes)
        nodes.push_back(&node);
    std::ranges::stable_sort(nodes, std::ranges::greater(), &TimelineNode::seconds);
    nodes.resize(std::min(nodes.size(), kMost));
    QString html = QStringLiteral("<p>%1</p>\n")
                       .arg(say("The slowest nodes of \"%1\"").arg(toQString(stage.stage)));
    html += headings({"Node", "Operator", "Time", "Share", "Bytes", "GB/s", "On"});
    for (const TimelineNode* node : nodes)
        html += numbers(toQString(node->name),
                        {toQString(shortOperator(node->target)), timeText(node->seconds),
                         shareText(stage.shareOf(*node)), bytesText(node->bytes), rateNumber(*node),
                         placeText(stage, *node)});
    return html + QStringLiteral("</table>\n");
}

QString times(const Timeline* timeline)
{
    if (!timeline || timeline->stages.empty())
        return {};
    QString html = QStringLiteral("<h2>%1</h2>\n<p>%2</p>\n")
                       .arg(say("Times"), savedText(*timeline).toHtmlEscaped());
    html += headings({"Graph", "Time of its nodes", "Copies", "Bytes copied"});
    for (const TimelineStage& stage : timeline->stages)
        html += numbers(toQString(stage.stage),
                        {timeText(stage.seconds), QStringLiteral("%L1").arg(stage.copies),
                         bytesText(stage.copiedBytes)});
    const TimelineStage* after = timeline->stage("after");
    return html + QStringLiteral("</table>\n") + slowest(after ? *after : timeline->stages.front());
}

} // namespace

QString htmlReport(const ReportInput& input)
{
    const QString title = input.title.toHtmlEscaped();
    QString html =
        QStringLiteral("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                       "<title>%1</title>\n<style>%2</style></head><body>\n<h1>%1</h1>\n")
            .arg(title, QLatin1String(kStyle));
    html += QStringLiteral("<p class=\"note\">%1</p>\n")
                .arg(say("What the reinplacing pass of PyTorch Inductor decides, and why."));
    html += totals(input) + picture(input) + verdicts(input.trace) + memory(input.trace)
        + times(input.timeline);
    html += QStringLiteral("<h2>%1</h2>\n<details><summary>%2</summary><pre>%3</pre></details>\n")
                .arg(say("Code"), say("The graph before the pass"),
                     escaped(graphCode(*input.trace.initial).text));
    html += QStringLiteral("<details><summary>%1</summary><pre>%2</pre></details>\n")
                .arg(say("The graph after the pass"), escaped(graphCode(*input.trace.result).text));
    return html
        + QStringLiteral("<p class=\"note\">%1</p>\n</body></html>\n")
              .arg(say("Written by Reinspect %1.").arg(QStringLiteral(REINSPECT_VERSION)));
}

Result<void> writeReport(const ReportInput& input, const QString& path)
{
    QSaveFile file(path);
    const QByteArray text = htmlReport(input).toUtf8();
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
        return Error{.message =
                         "the report could not be written: " + toStdString(file.errorString()),
                     .hint = "Is the folder there, and may it be written to?",
                     .file = toStdString(path)};
    return {};
}

static QString cell(std::string_view text)
{
    return toQString(text).replace(u'|', QStringLiteral("\\|"));
}

QString verdictsAsMarkdown(const PassTrace& trace)
{
    QString text =
        QStringLiteral("| node | operator | argument | verdict | reason | bytes | why |\n"
                       "| --- | --- | --- | --- | --- | ---: | --- |\n");
    for (const Decision& decision : trace.decisions)
        text += QStringLiteral("| %1 | %2 | %3 | %4 | %5 | %6 | %7 |\n")
                    .arg(cell(trace.nameOf(decision.node)), cell(decision.operatorName),
                         cell(decision.argument), cell(verdictName(decision.verdict)),
                         decision.reason ? cell(reasonName(*decision.reason)) : QString(),
                         bytesText(decision.bytes),
                         decision.decided ? cell(explain(trace, decision.decided)) : QString());
    return text;
}

} // namespace reinspect
