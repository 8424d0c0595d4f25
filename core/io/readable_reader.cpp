// SPDX-License-Identifier: MIT
#include "core/io/readable_reader.h"

#include <algorithm>

namespace reinspect
{

Result<std::vector<Graph>> ReadableReader::graphs()
{
    std::size_t lines = 0;
    while (m_tools.tokens.current().kind != TokenKind::End)
    {
        if (++lines % 1024 == 0 && m_control.stopRequested())
            return Error{.message = "reading was stopped"};
        REINSPECT_CHECK(line());
    }
    closeFrames(0);
    if (m_outside > 0 && !m_graphs.empty())
        m_problems.add(m_firstOutside,
                       std::to_string(m_outside) + " lines outside of any forward were not read");
    if (m_graphs.empty())
        return m_problems.source().errorAt(std::size_t{0}, "there is no graph in this text",
                                           "A graph begins with \"def forward(self, ...):\".");
    return std::move(m_graphs);
}

Result<void> ReadableReader::line()
{
    TokenStream& tokens = m_tools.tokens;
    const Token first = tokens.current();
    Frame* const frame = m_frames.empty() ? nullptr : &m_frames.back();
    ForwardReader* const forward = frame && frame->forward ? &*frame->forward : nullptr;
    if (first.kind == TokenKind::Comment && forward)
        forward->comment(first.text);
    if (first.kind == TokenKind::Comment || first.kind == TokenKind::LineBreak)
    {
        tokens.take();
        return {};
    }
    if (first.isName("class"))
        return openClass();
    if (first.isName("def"))
        return openFunction();
    if (forward && !forward->returned())
        return bodyLine(*forward);
    if (first.kind == TokenKind::String)
    {
        tokens.take();
        return {};
    }
    if (m_outside++ == 0)
        m_firstOutside = first.offset;
    skipLine();
    return {};
}

// class NAME(torch.nn.Module): NAME may be "<lambda>", and may be missing where a web page ate it.
Result<void> ReadableReader::openClass()
{
    const Token keyword = m_tools.tokens.current();
    const std::size_t column = columnOf(keyword.offset);
    closeFrames(column);
    if (m_frames.size() >= kDepthLimit)
        return m_problems.source().errorAt(keyword.offset,
                                           "classes nested deeper than "
                                               + std::to_string(kDepthLimit) + " levels");
    const std::size_t end = nextLineStart(m_tools.tokens.text(), keyword.offset);
    std::string_view name = m_tools.tokens.text(keyword.end(), end);
    name = name.substr(0, name.find_first_of("(:\r\n"));
    name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
    m_frames.push_back({column, std::string(name), keyword.offset, std::nullopt});
    skipLine();
    return {};
}

Result<void> ReadableReader::openFunction()
{
    const Token keyword = m_tools.tokens.take();
    const std::size_t column = columnOf(keyword.offset);
    if (!m_tools.tokens.current().isName("forward"))
    {
        skipLine();
        return {};
    }
    m_tools.tokens.take();
    // A second forward, or one outside of any class.
    const bool inClass =
        !m_frames.empty() && !m_frames.back().forward && m_frames.back().column <= column;
    if (!inClass)
    {
        closeFrames(column);
        m_frames.push_back({column, {}, keyword.offset, std::nullopt});
    }
    Frame& frame = m_frames.back();
    frame.forward.emplace(m_tools, frame.name);
    Result<void> header = frame.forward->header();
    if (!header.ok() && header.error().hint.empty())
        header.error().hint = "A graph cannot be read without its parameters; the text may be cut.";
    return header;
}

Result<void> ReadableReader::bodyLine(ForwardReader& forward)
{
    TokenStream& tokens = m_tools.tokens;
    const std::size_t begin = tokens.current().offset;
    const Result<void> read = forward.statement();
    if (read.ok())
        return {};
    const std::string_view text = tokens.text();
    const std::size_t end = nextLineStart(text, begin);
    const bool cut =
        tokens.current().kind == TokenKind::End || (end == text.size() && !text.ends_with('\n'));
    // A name further down belongs to a line that an open bracket above has swallowed.
    const bool inFirstLine = read.error().span.line == m_problems.source().spanAt(begin).line;
    if (!cut && inFirstLine && forward.lastErrorIsAboutNames())
        return withDefinitionPlace(read.error());
    if (cut)
        m_problems.add(begin, "the text is cut in this line, which was left out",
                       "Copy the dump again to have it all.");
    else
        m_problems.add(read.error().span, "this line was not understood: " + read.error().message,
                       read.error().hint);
    forward.keepUnreadable(begin, end, cut);
    tokens.seek(end);
    return {};
}

// An unknown name that is defined further down is a matter of order, not of spelling.
Error ReadableReader::withDefinitionPlace(Error error) const
{
    const SourceText& source = m_problems.source();
    constexpr std::string_view kUnknown = "unknown node ";
    if (!error.message.starts_with(kUnknown))
        return error;
    const std::string quoted = error.message.substr(kUnknown.size());
    const std::string_view name = std::string_view(quoted).substr(1, quoted.size() - 2);
    for (std::size_t number = error.span.line; number <= source.lineCount(); ++number)
    {
        std::string_view line = source.line(number);
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (line.starts_with("class ") || line.starts_with("def "))
            break;
        const std::string_view rest = line.substr(std::min(name.size(), line.size()));
        if (!line.starts_with(name) || (!rest.starts_with(':') && !rest.starts_with(" =")))
            continue;
        error.message = "node " + quoted + " is used before it is defined";
        error.hint = "It is defined in line " + std::to_string(number)
            + ". The graph is out of order or has a cycle.";
        break;
    }
    return error;
}

void ReadableReader::closeFrames(std::size_t column)
{
    while (!m_frames.empty() && m_frames.back().column >= column)
        closeFrame();
}

void ReadableReader::closeFrame()
{
    Frame frame = std::move(m_frames.back());
    m_frames.pop_back();
    if (!frame.forward)
        return;
    if (!frame.forward->returned())
        m_problems.add(frame.offset, "this graph has no return",
                       "What it returns is not known; the text may be cut.");
    Graph graph = frame.forward->takeGraph();
    if (!m_frames.empty() && m_frames.back().forward)
        m_frames.back().forward->addSubgraph(frame.name, std::move(graph));
    else
        m_graphs.push_back(std::move(graph));
}

void ReadableReader::skipLine()
{
    m_tools.tokens.seek(nextLineStart(m_tools.tokens.text(), m_tools.tokens.current().offset));
}

// Where the line of `offset` begins to hold text.
std::size_t ReadableReader::columnOf(std::size_t offset) const
{
    const std::string_view text = m_tools.tokens.text();
    const std::size_t lineBreak =
        offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
    return offset - (lineBreak == std::string_view::npos ? 0 : lineBreak + 1);
}

} // namespace reinspect
