// SPDX-License-Identifier: MIT
// What a long core call needs from its caller: may it go on, and whom does it tell how far it is.
// Passed down by const&. A default RunControl never stops and reports to nobody.
#pragma once

#include <functional>
#include <stop_token>

namespace reinspect
{

struct RunControl
{
    std::stop_token stop = {};
    std::function<void(double)> progress = {}; // 0 to 1

    bool stopRequested() const { return stop.stop_requested(); }
    void report(double done) const
    {
        if (progress)
            progress(done);
    }
};

} // namespace reinspect
