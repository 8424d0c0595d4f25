// SPDX-License-Identifier: MIT
#include "core/io/log_prefix.h"

#include <algorithm>

namespace reinspect
{
namespace
{

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isWordCharacter(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Matches piece by piece; after the first failure nothing matches any more.
class Matcher
{
public:
    explicit Matcher(std::string_view text)
        : m_text(text)
    {}

    // 'd' is a digit, 'L' a level's letter, anything else itself.
    bool pattern(std::string_view shape)
    {
        bool fits = shape.size() <= m_text.size() - m_at;
        for (std::size_t i = 0; fits && i < shape.size(); ++i)
        {
            const char c = m_text[m_at + i];
            fits = shape[i] == 'd' ? isDigit(c)
                : shape[i] == 'L'  ? std::string_view("VDIWEC").find(c) != std::string_view::npos
                                   : c == shape[i];
        }
        m_at += fits ? shape.size() : 0;
        return fits;
    }
    template<typename Accepts>
    std::string_view many(Accepts accepts)
    {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && accepts(m_text[m_at]))
            ++m_at;
        return m_text.substr(begin, m_at - begin);
    }
    // "[...]" of such characters, with what stands between the brackets; empty when it is none.
    template<typename Accepts>
    std::string_view bracketed(Accepts accepts)
    {
        const std::size_t begin = m_at;
        if (pattern("["))
        {
            const std::string_view inside = many(accepts);
            if (!inside.empty() && pattern("]"))
                return inside;
        }
        m_at = begin;
        return {};
    }
    std::size_t at() const { return m_at; }
    void seek(std::size_t at) { m_at = at; }
    std::string_view rest() const { return m_text.substr(m_at); }
    bool atEnd() const { return m_at == m_text.size(); }

private:
    std::string_view m_text;
    std::size_t m_at = 0;
};

// "[0/0]", "[3/1_2]", "[!0/3/0_1]", "[!0]", "[0/0/1]"
std::string_view compileId(Matcher& matcher)
{
    const std::size_t begin = matcher.at();
    const std::string_view id =
        matcher.bracketed([](char c) { return isDigit(c) || c == '/' || c == '_' || c == '!'; });
    const bool fits = id.starts_with('!') || id.find('/') != std::string_view::npos;
    if (!fits)
        matcher.seek(begin);
    return fits ? id : std::string_view();
}

// "[__aot_graphs]"
std::string_view artifact(Matcher& matcher)
{
    const std::size_t begin = matcher.at();
    const std::string_view name = matcher.bracketed(isWordCharacter);
    if (name.starts_with("__") && name.size() > 2)
        return name.substr(2);
    matcher.seek(begin);
    return {};
}

// The one blank that separates the prefix; missing where trailing blanks were stripped.
std::optional<LogPrefix> finished(std::string_view line, Matcher& matcher, LogPrefix prefix)
{
    prefix.whole = line.substr(0, matcher.at());
    if (!matcher.pattern(" ") && !matcher.atEnd())
        return {};
    prefix.length = matcher.at();
    return prefix;
}

// " [0/0] [__aot_graphs]", both optional, behind "path:133]".
void readTags(Matcher& matcher, LogPrefix& prefix)
{
    const std::size_t begin = matcher.at();
    if (matcher.pattern(" ") && (prefix.compileId = compileId(matcher)).empty())
        matcher.seek(begin);
    const std::size_t middle = matcher.at();
    if (matcher.pattern(" ") && (prefix.artifact = artifact(matcher)).empty())
        matcher.seek(middle);
}

std::string_view rankOf(Matcher& matcher)
{
    const std::size_t begin = matcher.at();
    const std::string_view name = matcher.bracketed(isWordCharacter);
    if (name.starts_with("rank") && matcher.pattern(":"))
    {
        matcher.many([](char c) { return c == ' '; });
        return name;
    }
    matcher.seek(begin);
    return {};
}

// PATH:133], where PATH may hold anything but a line number in front of a bracket.
bool readPlace(Matcher& matcher, LogPrefix& prefix)
{
    const std::string_view rest = matcher.rest();
    for (std::size_t close = rest.find(']'); close != std::string_view::npos;
         close = rest.find(']', close + 1))
    {
        std::size_t digits = close;
        while (digits > 0 && isDigit(rest[digits - 1]))
            --digits;
        if (digits == close || digits == 0 || rest[digits - 1] != ':')
            continue;
        prefix.logger = rest.substr(0, close);
        matcher.seek(matcher.at() + close + 1);
        return true;
    }
    return false;
}

// What tells one process from another; "E   " of pytest and ">> " do not.
std::string_view launcherOf(std::string_view text)
{
    const std::string_view name = text.substr(0, text.find_last_not_of(" |:") + 1);
    return std::count_if(name.begin(), name.end(), isWordCharacter) > 1 ? name : std::string_view();
}

std::optional<LogPrefix> modern(std::string_view line, std::size_t begin)
{
    Matcher matcher(line);
    matcher.seek(begin);
    LogPrefix prefix;
    prefix.rank = rankOf(matcher);
    if (!matcher.pattern("Ldddd dd:dd:dd.dddddd "))
        return {};
    if (matcher.many(isDigit).empty() || !matcher.pattern(" ") || !readPlace(matcher, prefix))
        return {};
    readTags(matcher, prefix);
    if (prefix.rank.empty() && begin > 0)
        prefix.rank = launcherOf(line.substr(0, begin));
    return finished(line, matcher, prefix);
}

std::optional<LogPrefix> dated(std::string_view line)
{
    Matcher matcher(line);
    LogPrefix prefix;
    prefix.rank = rankOf(matcher);
    if (!matcher.pattern("[dddd-dd-dd dd:dd:dd,ddd] "))
        return {};
    prefix.compileId = compileId(matcher);
    if (!prefix.compileId.empty() && !matcher.pattern(" "))
        return {};
    prefix.logger = matcher.many([](char c) { return isWordCharacter(c) || c == '.'; });
    if (!matcher.pattern(": ") || matcher.bracketed(isWordCharacter).empty())
        return {};
    prefix.everyLine = false;
    return finished(line, matcher, prefix);
}

std::optional<LogPrefix> levelOnly(std::string_view line)
{
    constexpr std::string_view kLevels[] = {"DEBUG:", "INFO:", "WARNING:", "ERROR:"};
    const auto level = std::find_if(std::begin(kLevels), std::end(kLevels),
                                    [line](std::string_view l) { return line.starts_with(l); });
    if (level == std::end(kLevels))
        return {};
    Matcher matcher(line);
    matcher.seek(level->size());
    LogPrefix prefix;
    prefix.everyLine = false;
    const std::size_t begin = matcher.at();
    prefix.logger = matcher.many([](char c) { return isWordCharacter(c) || c == '.'; });
    if (prefix.logger.empty() || !matcher.pattern(":"))
    {
        matcher.seek(begin);
        prefix.logger = {};
        return finished(line, matcher, prefix);
    }
    prefix.whole = line.substr(0, matcher.at());
    prefix.length = matcher.at();
    return prefix;
}

std::optional<LogPrefix> trimmedByHand(std::string_view line)
{
    Matcher matcher(line);
    LogPrefix prefix;
    prefix.rank = rankOf(matcher);
    prefix.compileId = compileId(matcher);
    if (!prefix.compileId.empty() && !matcher.pattern(" "))
        return {};
    prefix.artifact = artifact(matcher);
    if (prefix.artifact.empty())
        return {};
    return finished(line, matcher, prefix);
}

// "09:14:55": most lines hold no time and need no closer look.
bool mayHoldTime(std::string_view line)
{
    for (std::size_t at = line.find(':'); at != std::string_view::npos; at = line.find(':', at + 1))
        if (at + 3 < line.size() && line[at + 3] == ':')
            return true;
    return false;
}

// Where a date of the first form stands behind a launcher's text; 0: nowhere.
std::size_t modernInside(std::string_view line)
{
    constexpr std::size_t kLongestLauncher = 120;
    constexpr std::string_view kShape = "Ldddd dd:dd:dd.dddddd ";
    for (std::size_t at = 1; at < std::min(kLongestLauncher, line.size()); ++at)
    {
        Matcher matcher(line);
        matcher.seek(at);
        const bool boundary = !isWordCharacter(line[at - 1]);
        if (boundary && (line[at] == '[' ? !rankOf(matcher).empty() : true)
            && matcher.pattern(kShape))
            return at;
    }
    return 0;
}

} // namespace

std::optional<LogPrefix> logPrefixOf(std::string_view line)
{
    const bool mayBeDated = mayHoldTime(line);
    std::optional<LogPrefix> found;
    if (mayBeDated)
        found = modern(line, 0);
    if (mayBeDated && !found)
        found = dated(line);
    if (!found)
        found = levelOnly(line);
    if (!found)
        found = trimmedByHand(line);
    if (found || !mayBeDated)
    {
        // Before 2.3 the artifact is the last part of the logger's name.
        if (found && found->artifact.empty())
        {
            const std::size_t part = found->logger.rfind(".__");
            if (part != std::string_view::npos)
                found->artifact = found->logger.substr(part + 3);
        }
        return found;
    }
    const std::size_t begin = modernInside(line);
    return begin == 0 ? std::nullopt : modern(line, begin);
}

} // namespace reinspect
