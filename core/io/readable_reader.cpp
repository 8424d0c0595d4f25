// SPDX-License-Identifier: MIT
#include "core/io/readable_reader.h"

#include <algorithm>

namespace reinspect
{

Result<std::vector<Graph>> ReadableReader::graphs()
{
    std::size_t lines = 0;
    do
    {
        while (m_tools.tokens.current().kind != TokenKind::End)
        {
            if (++lines % 1024 == 0 && m_control.stopRequested())
                return Error{.message = "reading was stopped"};
            REINSPECT_CHECK(line());
        }
        closeFrames(0); // a body alone is now read again
    } while (m_tools.tokens.current().kind != TokenKind::End);
    if (m_outside > 0 && !m_graphs.empty())
        m_problems.add(m_firstOutside,
                       std::to_string(m_outside) + " lines outside of any forward were not read");
    if (m_graphs.empty() && m_headerError)
        return *m_headerError;
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
    if (m_headerless && beginsStatement())
        return openBody();
    outsideLine(first.offset);
    return {};
}

// A module's repr stands in front of the code that print(gm) gives, wrap() in front of forward.
void ReadableReader::outsideLine(std::size_t offset)
{
    const std::string_view text = m_tools.tokens.text();
    const std::string_view line = text.substr(offset, nextLineStart(text, offset) - offset);
    const std::string_view end = line.substr(0, line.find_last_not_of(" \r\n") + 1);
    const bool isRepr = line.starts_with("(") || line.starts_with(")") || end.ends_with("Module()")
        || end.ends_with("Module(") || end == "<lambda>()" || end == "<lambda>("
        || line.starts_with("wrap(") || end == "return" || line.starts_with("torch.fx.");
    if (!isRepr && m_outside++ == 0)
        m_firstOutside = offset;
    skipLine();
}

// "name = ...", "name: ... = ...", "return ..." where no forward is.
bool ReadableReader::beginsStatement() const
{
    const TokenStream& tokens = m_tools.tokens;
    const Token& first = tokens.current();
    const char following = tokens.following();
    return first.isName("return")
        || (first.kind == TokenKind::Name && (following == '=' || following == ':'));
}

// A body without its header. What it uses and does not define are its inputs, which is known at its end
// only: it is read twice.
Result<void> ReadableReader::openBody()
{
    if (!m_frames.empty())
    {
        // The body before this one has ended.
        closeFrames(0);
        return {};
    }
    m_bodyProblems = m_problems.mark();
    m_frames.push_back({0, {}, m_tools.tokens.current().offset, std::nullopt});
    m_frames.back().forward.emplace(m_tools, std::string());
    ForwardReader& forward = *m_frames.back().forward;
    forward.setHeaderless();
    for (const std::string_view name : m_bodyInputs)
        forward.addInput(name,
                         static_cast<std::size_t>(name.data() - m_tools.tokens.text().data()));
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
    if (header.ok())
        return {};
    if (header.error().hint.empty())
        header.error().hint = "A graph cannot be read without its parameters; the text may be cut.";
    // Other graphs may follow.
    m_problems.add(header.error().span, header.error().message, header.error().hint);
    if (!m_headerError)
        m_headerError = header.error();
    frame.forward.reset();
    m_tools.tokens.seek(nextLineStart(m_tools.tokens.text(), keyword.offset));
    return {};
}

Result<void> ReadableReader::bodyLine(ForwardReader& forward)
{
    TokenStream& tokens = m_tools.tokens;
    const std::size_t begin = tokens.current().offset;
    const std::string_view text = tokens.text();
    const std::size_t end = nextLineStart(text, begin);
    Result<void> read = forward.statement();
    for (std::size_t missing = 0; !read && missing < kMissingLimit; ++missing)
    {
        const std::string_view name = forward.unknownName();
        if (name.empty() || isCutAt(end) || !namesNode(begin, name, end))
            break;
        addMissing(forward, name, read.error());
        tokens.seek(std::max(begin, forward.partBegin()));
        read = forward.statement();
    }
    if (read.ok())
        return {};
    const bool cut = tokens.current().kind == TokenKind::End || isCutAt(end);
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

bool ReadableReader::isCutAt(std::size_t lineEnd) const
{
    const std::string_view text = m_tools.tokens.text();
    return lineEnd == text.size() && !text.ends_with('\n');
}

// Only a line that has the form of a statement speaks of nodes; and a name further down belongs to a
// line that an open bracket above has swallowed.
bool ReadableReader::namesNode(std::size_t begin, std::string_view name, std::size_t end) const
{
    const std::string_view text = m_tools.tokens.text();
    const auto at = static_cast<std::size_t>(name.data() - text.data());
    Lexer lexer(text.substr(0, end), begin);
    const Token first = lexer.next();
    const Token second = lexer.next();
    return at < end
        && (first.isName("return")
            || (first.kind == TokenKind::Name
                && (second.is("=") || second.is(":") || second.is("[")
                    || second.text.ends_with("="))));
}

void ReadableReader::addMissing(ForwardReader& forward, std::string_view name, const Error& error)
{
    const auto offset = static_cast<std::size_t>(name.data() - m_tools.tokens.text().data());
    if (!forward.isHeaderless())
    {
        const Error placed = m_problems.isFull() ? error : withDefinitionPlace(error, name, offset);
        m_problems.add(placed.span, placed.message, placed.hint);
    }
    forward.addMissing(name, offset);
}

// An unknown name that is defined further down is a matter of order, not of spelling.
Error ReadableReader::withDefinitionPlace(Error error, std::string_view name,
                                          std::size_t offset) const
{
    const SourceText& source = m_problems.source();
    constexpr std::size_t kLinesSearched = 20'000;
    const std::size_t begin = source.lineOf(offset);
    const std::size_t last = std::min(source.lineCount(), begin + kLinesSearched);
    for (std::size_t number = begin; number <= last; ++number)
    {
        std::string_view line = source.line(number);
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (line.starts_with("class ") || line.starts_with("def "))
            break;
        const std::string_view rest = line.substr(std::min(name.size(), line.size()));
        if (!line.starts_with(name) || (!rest.starts_with(':') && !rest.starts_with(" =")))
            continue;
        const auto at = static_cast<std::size_t>(line.data() - source.text().data());
        error.message = "node '" + std::string(name) + "' is used before it is defined";
        error.hint = "It is defined in line " + std::to_string(source.spanAt(at).line)
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
    if (frame.forward->isHeaderless() && !m_readsAgain)
    {
        m_readsAgain = true;
        m_bodyInputs = frame.forward->inputs();
        m_problems.rewind(m_bodyProblems);
        m_tools.tokens.seek(frame.offset);
        return;
    }
    m_readsAgain = false;
    m_bodyInputs.clear();
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
