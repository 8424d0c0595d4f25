// SPDX-License-Identifier: MIT
// splitSections of unwrap_paste.h.
#include "core/io/unwrap_paste.h"

namespace reinspect
{
namespace
{

enum class Grammar
{
    None,
    Code,
    Ir,
    Dot,
    Fragment,
};

constexpr std::string_view kFragment = "# Graph fragment";

Grammar grammarOf(std::string_view text)
{
    if (text.starts_with("class ") || text.starts_with("def forward(") || gluedPathLength(text) > 0)
        return Grammar::Code;
    if (text.starts_with("graph(")
        || (text.starts_with('%') && text.find("[target=") != std::string_view::npos))
        return Grammar::Ir;
    if (text.starts_with("digraph ") || text.starts_with("digraph{")
        || text.starts_with("strict digraph"))
        return Grammar::Dot;
    return text.starts_with(kFragment) ? Grammar::Fragment : Grammar::None;
}

bool isFence(std::string_view text)
{
    return text.starts_with("```") || text.starts_with("~~~");
}

class Splitter
{
public:
    Splitter(const Section& base, bool inLog)
        : m_base(base)
        , m_inLog(inLog)
    {
        restart({});
    }

    void line(TextLine line);
    std::vector<Section> finish()
    {
        restart({});
        return std::move(m_sections);
    }

private:
    void restart(std::string_view title);
    bool fragmentLine(TextLine line);
    bool closesGraph(const TextLine& line, Grammar grammar) const;

    const Section& m_base;
    bool m_inLog;
    Section m_current;
    Grammar m_grammar = Grammar::None;
    bool m_closed = false; // the graph of this section has ended; only another can follow
    std::vector<Section> m_sections;
};

// Ends the section; it is kept when a graph may be in it.
void Splitter::restart(std::string_view title)
{
    const bool loose = m_grammar == Grammar::None && !m_inLog && !m_current.lines.empty();
    if (m_grammar != Grammar::None || loose)
        m_sections.push_back(std::move(m_current));
    m_current = {m_base.origin, m_base.stage, {}};
    m_grammar = Grammar::None;
    m_closed = false;
    if (title.empty())
        return;
    m_current.origin.title = title;
    if (const Stage stage = stageOfTitle(title); stage != Stage::Unknown)
        m_current.stage = stage;
}

// In a log other messages follow a graph, at the left margin.
bool Splitter::closesGraph(const TextLine& line, Grammar grammar) const
{
    return m_inLog && m_grammar != Grammar::None && grammar == Grammar::None && !line.text.empty()
        && line.text.front() != ' ' && line.text.front() != '\t' && line.text.front() != '#'
        && !line.text.starts_with("return") && !line.text.starts_with(")");
}

// "#   %a : Tensor ... = PlaceHolder[target=a]": the lines of a fragment are comments.
bool Splitter::fragmentLine(TextLine line)
{
    if (m_grammar != Grammar::Fragment)
        return false;
    const std::size_t begin = line.text.find_first_not_of(" \t#");
    const std::string_view rest =
        begin == std::string_view::npos ? std::string_view() : line.text.substr(begin);
    const bool isComment = trimmedLine(line.text).starts_with('#');
    if (isComment && (rest.starts_with('%') || rest.starts_with("return ")))
    {
        line.drop(begin);
        m_current.lines.push_back(line);
        return true;
    }
    restart({});
    return false;
}

void Splitter::line(TextLine line)
{
    const std::string_view text = trimmedLine(line.text);
    if (fragmentLine(line))
        return;
    if (isFence(text) || text.starts_with("TRACED GRAPH"))
        return restart({});
    if (const std::string_view title = bannerTitle(text); !title.empty())
        return restart(title);
    const Grammar grammar = grammarOf(text);
    const bool other =
        grammar != Grammar::None && m_grammar != Grammar::None && grammar != m_grammar;
    if (other || (m_closed && grammar != Grammar::None))
        restart(m_current.origin.title);
    if (closesGraph(line, grammar))
        m_closed = true;
    if (m_closed)
        return;
    if (grammar == Grammar::Fragment)
    {
        restart({});
        m_current.stage = Stage::Fragment;
        m_current.origin.title = text.substr(2, text.find_last_not_of(": ") - 1);
        m_current.origin.line = line.line;
        m_grammar = grammar;
        return;
    }
    if (grammar == Grammar::Code)
        line.drop(gluedPathLength(line.text));
    if (m_grammar == Grammar::None && grammar != Grammar::None)
    {
        m_grammar = grammar;
        m_current.origin.line = line.line;
    }
    if (m_current.lines.empty() && text.empty())
        return;
    m_current.lines.push_back(line);
}

} // namespace

std::vector<Section> splitSections(const std::vector<TextLine>& lines, const Section& base,
                                   bool inLog)
{
    Splitter splitter(base, inLog);
    for (const TextLine& line : lines)
        splitter.line(line);
    return splitter.finish();
}

} // namespace reinspect
