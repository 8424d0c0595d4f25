// SPDX-License-Identifier: MIT
// Result<T>: a value, or an Error that a person can act on. Used for everything that the input or
// the machine can break; what only a bug can break is an assert. Hand errors up with REINSPECT_TRY
// and show them once, at the edge (a strip in the window, stderr).
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace reinspect
{

// A place in a text. Lines and columns count from 1; line 0 means "no place is known".
struct TextSpan
{
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t length = 0;

    friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

enum class ErrorKind
{
    BadUsage,      // the command was wrong: exit code 2
    BadInput,      // the file was wrong: exit code 3
    CannotRunHere, // no device, operator not executable, part not built: exit code 4
};

struct Error
{
    std::string message;      // one sentence, without a full stop at the end
    std::string hint = {};    // what to do, when we know the way out
    std::string file = {};    // as the user named it
    TextSpan span = {};       // where in the file
    std::string excerpt = {}; // the line of text at span, for the caret
    ErrorKind kind = ErrorKind::BadInput;
};

// "file:line:col: message", then the line with a caret under the span, then the hint.
std::string toText(const Error& error);

template<typename T>
class [[nodiscard]] Result
{
public:
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value))
    {}
    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error))
    {}

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    T& value()
    {
        assert(ok());
        return std::get<0>(m_state);
    }
    const T& value() const
    {
        assert(ok());
        return std::get<0>(m_state);
    }
    T& operator*() { return value(); }
    const T& operator*() const { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    Error& error()
    {
        assert(!ok());
        return std::get<1>(m_state);
    }
    const Error& error() const
    {
        assert(!ok());
        return std::get<1>(m_state);
    }

private:
    std::variant<T, Error> m_state;
};

template<>
class [[nodiscard]] Result<void>
{
public:
    Result() = default;
    Result(Error error)
        : m_error(std::move(error))
        , m_failed(true)
    {}

    bool ok() const { return !m_failed; }
    explicit operator bool() const { return ok(); }
    Error& error()
    {
        assert(m_failed);
        return m_error;
    }
    const Error& error() const
    {
        assert(m_failed);
        return m_error;
    }

private:
    Error m_error{};
    bool m_failed = false;
};

} // namespace reinspect

#define REINSPECT_JOIN_INNER(a, b) a##b
#define REINSPECT_JOIN(a, b) REINSPECT_JOIN_INNER(a, b)

#define REINSPECT_TRY_INNER(name, declaration, expression)                                         \
    auto name = (expression);                                                                      \
    if (!name.ok())                                                                                \
        return std::move(name.error());                                                            \
    declaration = std::move(name.value())

// REINSPECT_TRY(Graph graph, parseGraph(text)); returns the Error from the enclosing function.
#define REINSPECT_TRY(declaration, expression)                                                     \
    REINSPECT_TRY_INNER(REINSPECT_JOIN(reinspectResult, __LINE__), declaration, expression)

// The same for Result<void>.
#define REINSPECT_CHECK(expression)                                                                \
    do                                                                                             \
    {                                                                                              \
        auto reinspectChecked = (expression);                                                      \
        if (!reinspectChecked.ok())                                                                \
            return std::move(reinspectChecked.error());                                            \
    } while (false)
