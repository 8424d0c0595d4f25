// SPDX-License-Identifier: MIT
// reinspect-cli: core only, no Qt, so that it runs on a bare GPU server.
#include "app/commands.h"

#include <algorithm>
#include <iostream>

int main(int argc, char** argv)
{
    std::ios::sync_with_stdio(false);
    const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    return reinspect::runCommandLine(arguments, {std::cout, std::cerr});
}
