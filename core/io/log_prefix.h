// SPDX-License-Identifier: MIT
// What PyTorch's loggers put in front of a line, by age:
//     [rank1]:V0211 09:14:55.402000 7731 torch/a.py:133] [0/0] [__aot_graphs] TEXT    from 2.3 on
//     [2023-11-08 09:22:26,204] [0/0] torch.x.__aot_graphs: [INFO] TEXT               2.0 to 2.2
//     INFO: TEXT, DEBUG:torch.x.__aot_graphs:TEXT                                     own formats
//     [0/0] [__aot_graphs] TEXT, [__aot_graphs] TEXT                                  trimmed by hand
// A launcher may stand in front of the first form: "(Worker_TP0 pid=101) ".
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace reinspect
{

struct LogPrefix
{
    std::string_view whole;     // the lines of one message share it, time included
    std::string_view rank;      // "rank1", or the launcher's text; empty when there is none
    std::string_view compileId; // "0/0", "!0/3/0_1"; empty outside of a compilation
    std::string_view artifact;  // "aot_graphs"; empty for ordinary loggers
    std::string_view logger;    // "torch/a.py:133"
    std::size_t length = 0;     // of the prefix and the one blank behind it
    bool everyLine = true; // false: this style may print it on the first line of a message only
};

std::optional<LogPrefix> logPrefixOf(std::string_view line);

} // namespace reinspect
