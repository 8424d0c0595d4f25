// SPDX-License-Identifier: MIT
#include "core/io/document_builder.h"

#include "core/io/stage_marks.h"
#include "core/io/unwrap_log.h"
#include "core/io/unwrap_paste.h"
#include "core/io/unwrap_trace.h"

#include <algorithm>
#include <iterator>

namespace reinspect
{
namespace
{

constexpr std::size_t kMostProblems = 2000; // each graph lists a few hundred at most

std::uint32_t firstLine(const Graph& graph)
{
    return graph.empty() ? 0 : graph[graph.first()].meta.span.line;
}

// Sections in which no line begins a graph matter only when there are no others: bodies alone.
bool isLoose(const Section& section)
{
    return section.origin.line == 0;
}

} // namespace

DocumentBuilder::DocumentBuilder(std::shared_ptr<const SourceText> source,
                                 const RunControl& control, const GraphFound& found)
    : m_source(std::move(source))
    , m_control(control)
    , m_found(found)
    , m_problems(*m_source)
{
    m_document.source = m_source;
}

Result<void> DocumentBuilder::add(const Section& section)
{
    return take(readPart(joinLines(m_source, section.lines), m_control), section);
}

Result<void> DocumentBuilder::add(const std::vector<Section>& sections)
{
    const bool allLoose = std::all_of(sections.begin(), sections.end(), isLoose);
    for (std::size_t i = 0; i < sections.size(); ++i)
    {
        if (!allLoose && isLoose(sections[i]))
            continue;
        REINSPECT_CHECK(add(sections[i]));
        m_control.report(static_cast<double>(i + 1) / static_cast<double>(sections.size()));
    }
    return {};
}

Result<void> DocumentBuilder::addWhole()
{
    return take(readPart(m_source, m_control), {});
}

Result<void> DocumentBuilder::take(Result<Document> part, const Section& section)
{
    if (m_control.stopRequested())
        return Error{.message = "reading was stopped"};
    if (!part)
    {
        if (!m_firstError)
            m_firstError = part.error();
        m_partProblems.push_back({part.error().span, part.error().message, part.error().hint});
        return {};
    }
    if (m_document.graphs.empty())
        m_document.format = part->format;
    for (DocumentGraph& graph : part->graphs)
        takeGraph(std::move(graph), section);
    std::move(part->problems.begin(), part->problems.end(), std::back_inserter(m_partProblems));
    for (const auto& [symbol, facts] : part->shapes.symbols())
        if (facts.hint)
            m_document.shapes.setHint(symbol, *facts.hint);
    if (m_document.facts.kernels.empty())
        m_document.facts.kernels = std::move(part->facts.kernels);
    return {};
}

void DocumentBuilder::takeGraph(DocumentGraph graph, const Section& section)
{
    const std::uint32_t line = firstLine(*graph.graph);
    graph.origin = section.origin;
    if (graph.origin.line == 0 || line > 0)
        graph.origin.line = line;
    // What the wrapping says holds for all it wraps; marks only tell what is plainly later.
    if (section.stage != Stage::Unknown)
        graph.stage = section.stage;
    m_document.graphs.push_back(std::move(graph));
    if (m_found)
        m_found(m_document.graphs.back());
}

Result<Document> DocumentBuilder::finish()
{
    if (m_document.graphs.empty())
        return m_firstError ? *m_firstError
                            : m_source->errorAt(std::size_t{0}, "there is no graph in this text");
    m_document.problems = m_problems.take();
    const std::size_t room = std::min(m_partProblems.size(), kMostProblems);
    std::move(m_partProblems.begin(), m_partProblems.begin() + static_cast<std::ptrdiff_t>(room),
              std::back_inserter(m_document.problems));
    if (room < m_partProblems.size())
        m_document.problems.push_back(
            {{}, "and " + std::to_string(m_partProblems.size() - room) + " more problems", {}});
    return std::move(m_document);
}

Result<Document> readDocument(std::shared_ptr<const SourceText> source, const RunControl& control,
                              const GraphFound& found)
{
    DocumentBuilder builder(source, control, found);
    const std::string_view text = source->text();
    if (isTrace(text))
    {
        builder.setWrapping(Wrapping::Trace);
        REINSPECT_CHECK(unwrapTrace(
            source, control, [&builder](const Section& section) { return builder.add(section); }));
        return builder.finish();
    }
    if (isPlainText(text))
    {
        REINSPECT_CHECK(builder.addWhole());
        return builder.finish();
    }
    TextLines lines = splitLines(*source);
    bool changed = cleanCharacters(lines);
    if (!isLog(lines.lines))
        changed = stripMargins(lines.lines, builder.problems()) || changed;
    if (isLog(lines.lines))
    {
        UnwrappedLog log = unwrapLog(lines.lines);
        builder.setWrapping(Wrapping::Log);
        builder.setPassLog(std::move(log.passLog));
        REINSPECT_CHECK(builder.add(log.sections));
        return builder.finish();
    }
    const std::vector<Section> sections = splitSections(lines.lines, {}, false);
    if (changed || sections.size() > 1)
        builder.setWrapping(Wrapping::Paste);
    REINSPECT_CHECK(builder.add(sections));
    return builder.finish();
}

} // namespace reinspect
