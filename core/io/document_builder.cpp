// SPDX-License-Identifier: MIT
#include "core/io/document_builder.h"

#include "core/io/dot_document.h"
#include "core/io/fx_text.h"
#include "core/io/join_wraps.h"
#include "core/io/readable_code.h"
#include "core/io/unwrap_log.h"
#include "core/io/unwrap_paste.h"
#include "core/io/unwrap_trace.h"
#include "core/ir/meta_rules.h"

#include <algorithm>
#include <array>
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

// "fx_graph_transformed.py", "aot_forward_graph_3.txt": names that compilers give say what is inside.
Stage stageOfFileName(std::string_view path)
{
    constexpr std::array<std::string_view, 6> kPrefixes = {
        "fx_graph_", "aot_", "inductor_", "before_", "after_", "dynamo_output_graph"};
    const std::string_view name = path.substr(path.find_last_of("/\\") + 1);
    const bool isKnown = std::any_of(kPrefixes.begin(), kPrefixes.end(),
                                     [name](std::string_view p) { return name.starts_with(p); });
    return isKnown ? stageOfArtifact(name) : Stage::Unknown;
}

// Sections in which no line begins a graph matter only when there are no others: bodies alone.
bool isLoose(const Section& section)
{
    return section.origin.line == 0;
}

// Captures, drawings and scripts are whole files: nothing is wrapped around them, and their lines may
// look like a wrapping.
bool isWholeFile(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if ((first != std::string_view::npos && text[first] == '{') || isDotText(text))
        return true;
    const bool isScript = text.starts_with("class Repro(") || holdsText(text, "\nclass Repro(")
        || holdsText(text, "\ndef load_args(reader)");
    return isScript && !text.starts_with("```") && !holdsText(text, "\n```");
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
    m_fileStage = stageOfFileName(m_source->fileName());
}

Result<void> DocumentBuilder::add(const Section& section)
{
    const std::optional<TextLines> renamed = joinSpacedNames(section.lines, m_problems);
    return take(readPart(joinLines(m_source, renamed ? renamed->lines : section.lines), m_control),
                section);
}

Result<void> DocumentBuilder::add(const std::vector<Section>& sections)
{
    const bool allLoose = std::all_of(sections.begin(), sections.end(), isLoose);
    for (std::size_t i = 0; i < sections.size(); ++i)
    {
        if (!allLoose && isLoose(sections[i]))
        {
            listTables(sections[i]);
            continue;
        }
        REINSPECT_CHECK(add(sections[i]));
        m_control.report(static_cast<double>(i + 1) / static_cast<double>(sections.size()));
    }
    return {};
}

// What is known besides the graphs is that of the first part; later ones add what it lacks.
void DocumentBuilder::takeFacts(Document& part)
{
    m_document.format = part.format;
    m_document.shapes = std::move(part.shapes);
    m_document.facts = std::move(part.facts);
    m_document.caseName = std::move(part.caseName);
    m_document.producer = std::move(part.producer);
}

// A printed table of a graph is the one thing between graphs that somebody may miss.
void DocumentBuilder::listTables(const Section& section)
{
    for (const TextLine& line : section.lines)
        if (line.text.starts_with("opcode ") && line.text.find("target") != std::string_view::npos)
            m_problems.add(TextSpan{line.line, line.column, 6},
                           "this table of a graph (print_tabular) was left out",
                           "Print the graph with print_readable() instead.");
}

Result<void> DocumentBuilder::add(Result<Document> whole)
{
    return take(std::move(whole), {});
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
        takeFacts(*part);
    else
        for (const auto& [symbol, facts] : part->shapes.symbols())
            if (facts.hint)
                m_document.shapes.setHint(symbol, *facts.hint);
    if (m_document.facts.kernels.empty() && !part->facts.kernels.empty())
        m_document.facts = std::move(part->facts);
    for (DocumentGraph& graph : part->graphs)
        takeGraph(std::move(graph), section);
    std::move(part->problems.begin(), part->problems.end(), std::back_inserter(m_partProblems));
    return {};
}

void DocumentBuilder::takeGraph(DocumentGraph graph, const Section& section)
{
    const std::uint32_t line = firstLine(*graph.graph);
    graph.graph = withInferredMeta(std::move(graph.graph));
    graph.origin = section.origin;
    if (graph.origin.line == 0 || line > 0)
        graph.origin.line = line;
    // What the wrapping says holds for all it wraps; marks only tell what is plainly later.
    if (section.stage != Stage::Unknown)
        graph.stage = section.stage;
    else if (m_fileStage != Stage::Unknown && m_document.wrapping != Wrapping::Log
             && m_document.wrapping != Wrapping::Trace)
        graph.stage = m_fileStage;
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
    const bool isObject = text.substr(0, 64).find_first_not_of(" \t\r\n") != std::string_view::npos
        && text[text.find_first_not_of(" \t\r\n")] == '{';
    const PlainForm form = isObject ? PlainForm::None : plainForm(text);
    if (form != PlainForm::None)
    {
        REINSPECT_CHECK(builder.add(form == PlainForm::Code ? readReadableCode(source, control)
                                                            : readFxText(source, control)));
        return builder.finish();
    }
    if (isWholeFile(text))
    {
        REINSPECT_CHECK(builder.add(readPart(source, control)));
        return builder.finish();
    }
    TextLines lines = splitLines(*source);
    bool changed = cleanCharacters(lines, text);
    changed = stripProgressBars(lines.lines, text) || changed;
    bool isOfLogger = isLog(lines.lines);
    if (!isOfLogger && stripMargins(lines.lines, builder.problems()))
    {
        changed = true;
        isOfLogger = isLog(lines.lines);
    }
    if (isOfLogger)
    {
        UnwrappedLog log = unwrapLog(lines.lines, lines.owned);
        builder.setWrapping(Wrapping::Log);
        builder.setPassLog(std::move(log.passLog));
        REINSPECT_CHECK(builder.add(log.sections));
        return builder.finish();
    }
    changed = joinWraps(lines.lines, lines.owned) || changed;
    const std::vector<Section> sections = splitSections(lines.lines, {}, false);
    if (changed || sections.size() > 1)
        builder.setWrapping(Wrapping::Paste);
    REINSPECT_CHECK(builder.add(sections));
    return builder.finish();
}

} // namespace reinspect
