# SPDX-License-Identifier: MIT
# What must be known before project(): the build type and its flags.
# Assertions stay on in every build type, so NDEBUG is never defined.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo")
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2" CACHE STRING "Flags of Release")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g" CACHE STRING "Flags of RelWithDebInfo")
