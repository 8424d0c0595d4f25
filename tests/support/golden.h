// SPDX-License-Identifier: MIT
// Printed results beside tests/golden: REINSPECT_UPDATE_GOLDEN=1 rewrites the files, so that a
// change of behaviour is a diff to read.
#pragma once

#include "tests/support/test_data.h"

#include <cstdlib>
#include <filesystem>

namespace reinspect
{

// What tests/golden/NAME holds; `text` itself after writing it there, when an update was asked for.
inline std::string goldenText(const std::string& name, const std::string& text)
{
    const std::filesystem::path path = REINSPECT_SOURCE_DIR "/tests/golden/" + name;
    if (std::getenv("REINSPECT_UPDATE_GOLDEN"))
    {
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
        return text;
    }
    std::ifstream file(path, std::ios::binary);
    std::ostringstream expected;
    expected << file.rdbuf();
    return expected.str();
}

} // namespace reinspect

#define COMPARE_GOLDEN(name, text) COMPARE_TEXT(text, reinspect::goldenText(name, text))
