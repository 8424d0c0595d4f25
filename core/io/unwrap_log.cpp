// SPDX-License-Identifier: MIT
#include "core/io/unwrap_log.h"

#include "core/io/fx_line.h"
#include "core/io/join_wraps.h"
#include "core/io/log_prefix.h"
#include "core/io/unwrap_paste.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace reinspect
{
namespace
{

// Lines with the same prefix, time included: one message, or a few of the same moment.
struct Stream
{
    LogPrefix prefix;
    std::vector<TextLine> lines;
    std::ptrdiff_t open = 0; // brackets, since the last line with a prefix
};

class LogReader
{
public:
    LogReader(std::optional<std::size_t> width, std::deque<std::string>& owned)
        : m_width(width)
        , m_owned(owned)
    {}
    void line(TextLine line)
    {
        const std::optional<LogPrefix> prefix = logPrefixOf(line.text);
        if (prefix)
            prefixed(*prefix, line);
        else
            bare(line);
        m_isFull = m_width == widthOf(line);
    }
    UnwrappedLog finish();

private:
    void prefixed(const LogPrefix& prefix, TextLine line);
    void bare(TextLine line);
    void finishStream(Stream& stream, UnwrappedLog& log) const;

    std::optional<std::size_t> m_width; // of the terminal that wrapped the log
    std::deque<std::string>& m_owned;
    bool m_isFull = false; // the line before fills it
    std::vector<Stream> m_streams;
    std::unordered_map<std::string_view, std::size_t> m_byPrefix;
    std::size_t m_last = 0; // stream of the line before; with m_streams only
};

void LogReader::prefixed(const LogPrefix& prefix, TextLine line)
{
    line.drop(prefix.length);
    const auto [found, isNew] = m_byPrefix.emplace(prefix.whole, m_streams.size());
    if (isNew)
        m_streams.push_back({prefix, {}, 0});
    m_last = found->second;
    m_streams[m_last].open = openBrackets(line.text);
    m_streams[m_last].lines.push_back(line);
}

// Without a prefix: the rest of a message whose style prints it once, or of a line that was wrapped.
void LogReader::bare(TextLine line)
{
    if (m_streams.empty())
        return;
    Stream& stream = m_streams[m_last];
    if (stream.prefix.everyLine && stream.open <= 0 && !m_isFull
        && !lacksRest(trimmedLine(stream.lines.back().text)))
        return;
    stream.open += openBrackets(line.text);
    stream.lines.push_back(line);
}

void LogReader::finishStream(Stream& stream, UnwrappedLog& log) const
{
    joinWraps(stream.lines, m_owned);
    Section base;
    base.origin.artifact = stream.prefix.artifact;
    base.origin.compileId = stream.prefix.compileId;
    base.origin.rank = stream.prefix.rank;
    base.stage = stageOfArtifact(stream.prefix.artifact);
    const std::string_view first = stream.lines.front().text;
    if (std::optional<PassLogLine> own = passLogLine(first))
    {
        own->origin = base.origin;
        own->origin.line = stream.lines.front().line;
        log.passLog.push_back(std::move(*own));
    }
    for (Section& section : splitSections(stream.lines, base, true))
        log.sections.push_back(std::move(section));
}

UnwrappedLog LogReader::finish()
{
    UnwrappedLog log;
    for (Stream& stream : m_streams)
        finishStream(stream, log);
    std::stable_sort(
        log.sections.begin(), log.sections.end(),
        [](const Section& a, const Section& b) { return a.origin.line < b.origin.line; });
    return log;
}

// "['a', 'b']", "[0]", "range(0, 2)": the items as texts. Takes the list off `text`.
std::vector<std::string> takeList(std::string_view& text)
{
    std::vector<std::string> items;
    const bool isRange = text.starts_with("range(");
    const std::size_t open = text.find_first_of("[(");
    const std::size_t close = text.find_first_of("])", std::min(open, text.size()));
    if (open == std::string_view::npos || close == std::string_view::npos)
        return items;
    std::string_view inside = text.substr(open + 1, close - open - 1);
    while (!inside.empty())
    {
        const std::size_t end = std::min(inside.find(','), inside.size());
        std::string_view item = trimmedLine(inside.substr(0, end));
        if (item.size() >= 2 && (item.front() == '\'' || item.front() == '"'))
            item = item.substr(1, item.size() - 2);
        items.emplace_back(item);
        inside.remove_prefix(std::min(end + 1, inside.size()));
    }
    text.remove_prefix(close + 1);
    if (!isRange || items.size() != 2)
        return items;
    int begin = 0;
    int end = 0;
    std::from_chars(items[0].data(), items[0].data() + items[0].size(), begin);
    std::from_chars(items[1].data(), items[1].data() + items[1].size(), end);
    items.clear();
    for (int i = begin; i < std::min(end, begin + 1000); ++i)
        items.push_back(std::to_string(i));
    return items;
}

bool skipBehind(std::string_view& text, std::string_view words)
{
    const std::size_t at = text.find(words);
    if (at == std::string_view::npos)
        return false;
    text.remove_prefix(at + words.size());
    return true;
}

} // namespace

std::optional<PassLogLine> passLogLine(std::string_view message)
{
    constexpr std::string_view kBegin = "For node ";
    constexpr std::string_view kAttempted = ", attempted to reinplace ";
    const std::size_t attempted = message.find(kAttempted);
    if (!message.starts_with(kBegin) || attempted == std::string_view::npos)
        return {};
    PassLogLine line;
    line.node = message.substr(kBegin.size(), attempted - kBegin.size());
    std::string_view rest = message.substr(attempted + kAttempted.size());
    line.attempted = takeList(rest);
    if (skipBehind(rest, "unable to reinplace "))
        line.unable = takeList(rest);
    if (skipBehind(rest, "; "))
        line.missed = takeList(rest);
    std::int64_t bytes = 0;
    if (skipBehind(rest, ": ")
        && std::from_chars(rest.data(), rest.data() + rest.size(), bytes).ec == std::errc())
        line.missedBytes = bytes;
    return line;
}

bool isLog(const std::vector<TextLine>& lines)
{
    return std::any_of(lines.begin(), lines.end(), [](const TextLine& line) {
        const std::optional<LogPrefix> prefix = logPrefixOf(line.text);
        return prefix
            && (!prefix->artifact.empty() || prefix->everyLine
                || line.text.ends_with("TRACED GRAPH"));
    });
}

UnwrappedLog unwrapLog(const std::vector<TextLine>& lines, std::deque<std::string>& owned)
{
    LogReader reader(wrapWidth(lines), owned);
    for (const TextLine& line : lines)
        reader.line(line);
    return reader.finish();
}

} // namespace reinspect
