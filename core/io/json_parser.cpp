// SPDX-License-Identifier: MIT
// JsonTree::parse: RFC 8259, plus the NaN and Infinity that Python's json module writes. One loop
// with its own stack of open values, so that no nesting can exhaust the program's.
#include "core/io/json_tree.h"
#include "core/io/utf8.h"

#include <array>

namespace reinspect
{
namespace
{

bool isBlank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// Four hexadecimal digits; nothing when one of them is something else.
std::optional<char32_t> hexDigits(std::string_view text)
{
    if (text.size() < 4)
        return {};
    char32_t value = 0;
    for (const char c : text.substr(0, 4))
    {
        const bool letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        if (!letter && !isDigit(c))
            return {};
        value = value * 16 + static_cast<char32_t>(letter ? (c | 0x20) - 'a' + 10 : c - '0');
    }
    return value;
}

} // namespace

class JsonParser
{
public:
    explicit JsonParser(std::shared_ptr<const SourceText> source)
        : m_text(source->text())
    {
        m_tree.m_source = std::move(source);
        m_tree.m_entries.reserve(m_text.size() / 12 + 16);
    }

    Result<std::shared_ptr<const JsonTree>> run()
    {
        REINSPECT_CHECK(parseValue());
        while (!m_open.empty())
            REINSPECT_CHECK(parseNext());
        skipBlanks();
        if (m_at < m_text.size())
            return fail("text after the end of the JSON value", "Keep one JSON object a file.");
        return std::make_shared<const JsonTree>(std::move(m_tree));
    }

private:
    using Entry = JsonTree::Entry;

    char current() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    void skipBlanks()
    {
        while (m_at < m_text.size() && isBlank(m_text[m_at]))
            ++m_at;
    }

    Error fail(std::string message, std::string hint = {}) const
    {
        return m_tree.source().errorAt(m_at, std::move(message), std::move(hint));
    }
    Error unexpected(const std::string& wanted) const
    {
        if (m_at >= m_text.size())
            return fail("the JSON ends too early: expected " + wanted,
                        "The file was cut. Copy or write it again.");
        return fail("this is not valid JSON: expected " + wanted);
    }

    std::uint32_t add(JsonKind kind, std::size_t begin, std::size_t end, std::uint32_t count = 0)
    {
        const auto index = static_cast<std::uint32_t>(m_tree.m_entries.size());
        m_tree.m_entries.push_back({static_cast<std::uint32_t>(begin),
                                    static_cast<std::uint32_t>(end - begin), index + 1, count,
                                    kind});
        return index;
    }

    Result<void> parseValue();
    Result<void> parseNext();
    Result<void> parseKey();
    Result<void> parseWord();
    Result<void> parseNumber();
    Result<void> parseString();
    Result<void> resolveEscapes(std::size_t begin, std::size_t end);
    Result<char32_t> resolveCodePoint();
    Result<void> openValue(JsonKind kind);
    void closeValue();

    JsonTree m_tree;
    std::string_view m_text;
    std::size_t m_at = 0;
    std::vector<std::uint32_t> m_open; // entries of the arrays and objects around m_at
};

Result<void> JsonParser::parseValue()
{
    skipBlanks();
    switch (current())
    {
    case '{': return openValue(JsonKind::Object);
    case '[': return openValue(JsonKind::Array);
    case '"': return parseString();
    default: break;
    }
    if (isDigit(current())
        || (current() == '-' && m_at + 1 < m_text.size() && isDigit(m_text[m_at + 1])))
        return parseNumber();
    return parseWord();
}

// One step inside the innermost open value: its end, or one more item.
Result<void> JsonParser::parseNext()
{
    Entry& open = m_tree.m_entries[m_open.back()];
    const bool isObject = open.kind == JsonKind::Object;
    const char close = isObject ? '}' : ']';
    skipBlanks();
    if (current() == close)
    {
        closeValue();
        return {};
    }
    if (open.count > 0)
    {
        if (current() != ',')
            return unexpected(isObject ? "',' or '}'" : "',' or ']'");
        ++m_at;
    }
    ++open.count;
    if (isObject)
        REINSPECT_CHECK(parseKey());
    return parseValue();
}

Result<void> JsonParser::parseKey()
{
    skipBlanks();
    if (current() != '"')
        return unexpected("a key in double quotes");
    REINSPECT_CHECK(parseString());
    skipBlanks();
    if (current() != ':')
        return unexpected("':' after the key");
    ++m_at;
    return {};
}

Result<void> JsonParser::openValue(JsonKind kind)
{
    if (m_open.size() >= JsonTree::kDepthLimit)
        return fail("nested deeper than " + std::to_string(JsonTree::kDepthLimit) + " levels");
    m_open.push_back(add(kind, m_at, m_at));
    ++m_at;
    return {};
}

void JsonParser::closeValue()
{
    ++m_at;
    Entry& open = m_tree.m_entries[m_open.back()];
    open.length = static_cast<std::uint32_t>(m_at) - open.offset;
    open.next = static_cast<std::uint32_t>(m_tree.m_entries.size());
    m_open.pop_back();
}

Result<void> JsonParser::parseWord()
{
    struct Word
    {
        std::string_view text;
        JsonKind kind;
    };
    constexpr std::array<Word, 6> kWords = {{{"null", JsonKind::Null},
                                             {"true", JsonKind::True},
                                             {"false", JsonKind::False},
                                             {"NaN", JsonKind::Number},
                                             {"Infinity", JsonKind::Number},
                                             {"-Infinity", JsonKind::Number}}};
    for (const Word& word : kWords)
    {
        if (m_text.substr(m_at, word.text.size()) != word.text)
            continue;
        add(word.kind, m_at, m_at + word.text.size());
        m_at += word.text.size();
        return {};
    }
    return unexpected("a value");
}

Result<void> JsonParser::parseNumber()
{
    const std::size_t begin = m_at;
    const auto skipDigits = [this] {
        const std::size_t first = m_at;
        while (isDigit(current()))
            ++m_at;
        return m_at > first;
    };
    if (current() == '-')
        ++m_at;
    bool complete = skipDigits();
    if (complete && current() == '.')
    {
        ++m_at;
        complete = skipDigits();
    }
    if (complete && (current() == 'e' || current() == 'E'))
    {
        ++m_at;
        if (current() == '+' || current() == '-')
            ++m_at;
        complete = skipDigits();
    }
    if (!complete)
        return unexpected("a digit");
    add(JsonKind::Number, begin, m_at);
    return {};
}

Result<void> JsonParser::parseString()
{
    const std::size_t begin = m_at++;
    bool escaped = false;
    while (m_at < m_text.size() && m_text[m_at] != '"')
    {
        if (static_cast<unsigned char>(m_text[m_at]) < 0x20)
            return unexpected("a closing '\"' before the end of the line");
        escaped = escaped || m_text[m_at] == '\\';
        m_at += m_text[m_at] == '\\' ? 2 : 1;
    }
    if (m_at >= m_text.size())
    {
        m_at = m_text.size();
        return unexpected("a closing '\"'");
    }
    ++m_at;
    if (escaped)
        return resolveEscapes(begin, m_at);
    add(JsonKind::String, begin, m_at);
    return {};
}

Result<void> JsonParser::resolveEscapes(std::size_t begin, std::size_t end)
{
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    std::string value;
    m_at = begin + 1;
    while (m_at < end - 1)
    {
        if (m_text[m_at] != '\\')
        {
            value += m_text[m_at++];
            continue;
        }
        const char letter = m_text[++m_at];
        const std::size_t known = kLetters.find(letter);
        if (known == std::string_view::npos && letter != 'u')
            return fail("this is not valid JSON: unknown escape");
        ++m_at;
        if (known != std::string_view::npos)
        {
            value += kMeanings[known];
            continue;
        }
        REINSPECT_TRY(const char32_t code, resolveCodePoint());
        appendUtf8(value, code);
    }
    m_at = end;
    m_tree.m_strings.push_back(std::make_unique<const std::string>(std::move(value)));
    add(JsonKind::String, begin, end, static_cast<std::uint32_t>(m_tree.m_strings.size()));
    return {};
}

// The digits behind "\u", and those of a second escape when the first is half of a surrogate pair.
Result<char32_t> JsonParser::resolveCodePoint()
{
    const std::optional<char32_t> first = hexDigits(m_text.substr(m_at));
    if (!first)
        return unexpected("four hexadecimal digits");
    m_at += 4;
    if (*first < 0xD800 || *first > 0xDBFF || m_text.substr(m_at, 2) != "\\u")
        return *first;
    const std::optional<char32_t> second = hexDigits(m_text.substr(m_at + 2));
    if (!second || *second < 0xDC00 || *second > 0xDFFF)
        return *first;
    m_at += 6;
    return 0x10000 + ((*first - 0xD800) << 10) + (*second - 0xDC00);
}

Result<std::shared_ptr<const JsonTree>> JsonTree::parse(std::shared_ptr<const SourceText> text)
{
    return JsonParser(std::move(text)).run();
}

} // namespace reinspect
