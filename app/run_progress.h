// SPDX-License-Identifier: MIT
// How far a run is, as lines for a program that reads them: "reinspect-progress 40 after" is 40 % of the graph
// after the pass. A window that runs a graph on another machine asks for them; they also show that somebody is
// still there to read.
#pragma once

#include "core/base/run_control.h"

#include <ostream>
#include <string>
#include <string_view>

namespace reinspect
{

inline constexpr std::string_view kProgressWord = "reinspect-progress";

class RunProgress
{
public:
    explicit RunProgress(std::ostream& out)
        : m_out(out)
    {}

    void begin(std::string_view stage)
    {
        m_stage = stage;
        m_percent = -1;
        tell(0);
    }
    RunControl control()
    {
        return {{}, [this](double done) { tell(static_cast<int>(done * 100)); }};
    }

private:
    void tell(int percent)
    {
        if (m_percent == percent || m_stage.empty())
            return;
        m_percent = percent;
        m_out << kProgressWord << ' ' << percent << ' ' << m_stage << std::endl;
    }

    std::ostream& m_out;
    std::string m_stage;
    int m_percent = -1;
};

} // namespace reinspect
