// SPDX-License-Identifier: MIT
// A value that lives on the heap: keeps a variant small when only a rare alternative is large. Copies are
// deep, so it behaves as the value itself does.
#pragma once

#include <memory>
#include <utility>

namespace reinspect
{

template<typename T>
class Boxed
{
public:
    Boxed(T value)
        : m_value(std::make_unique<T>(std::move(value)))
    {}
    Boxed(const Boxed& other)
        : m_value(std::make_unique<T>(*other))
    {}
    Boxed(Boxed&& other) noexcept = default;
    Boxed& operator=(const Boxed& other)
    {
        if (this != &other)
            m_value = std::make_unique<T>(*other);
        return *this;
    }
    Boxed& operator=(Boxed&& other) noexcept = default;
    ~Boxed() = default;

    // Not after it was moved from.
    const T& operator*() const { return *m_value; }
    T& operator*() { return *m_value; }
    operator const T&() const { return *m_value; }

    friend bool operator==(const Boxed& a, const Boxed& b) { return *a == *b; }

private:
    std::unique_ptr<T> m_value;
};

} // namespace reinspect
