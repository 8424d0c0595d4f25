# SPDX-License-Identifier: MIT
# How everything here is compiled: reinspect_rules for all targets, reinspect_qt_rules for those with Qt.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

include(GNUInstallDirs)
include(CheckLinkerFlag)

# ccache looks through precompiled headers only when told to be lenient about them.
find_program(REINSPECT_CCACHE ccache)
if(REINSPECT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER
        "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${REINSPECT_CCACHE}")
endif()

add_library(reinspect_rules INTERFACE)
target_compile_features(reinspect_rules INTERFACE cxx_std_20)
target_include_directories(reinspect_rules INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(reinspect_rules INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    $<$<BOOL:${REINSPECT_WARNINGS_AS_ERRORS}>:-Werror>
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${REINSPECT_CCACHE}>>:-fpch-preprocess>)
target_link_options(reinspect_rules INTERFACE -Wl,--as-needed)

# lld first: mold 1.10 takes more members out of a static library than a program asks for.
foreach(linker IN ITEMS lld mold)
    check_linker_flag(CXX -fuse-ld=${linker} REINSPECT_LINKS_WITH_${linker})
    if(REINSPECT_LINKS_WITH_${linker})
        target_link_options(reinspect_rules INTERFACE -fuse-ld=${linker})
        break()
    endif()
endforeach()

if(REINSPECT_SANITIZERS)
    target_compile_options(reinspect_rules INTERFACE
        -fsanitize=${REINSPECT_SANITIZERS} -fno-sanitize-recover=all -fno-omit-frame-pointer
        # GCC's manual: the sanitizers' own code makes this warning speak of what is initialized.
        $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    target_compile_definitions(reinspect_rules INTERFACE _GLIBCXX_ASSERTIONS)
    target_link_options(reinspect_rules INTERFACE -fsanitize=${REINSPECT_SANITIZERS})
endif()

if(REINSPECT_FUZZ)
    target_compile_options(reinspect_rules INTERFACE -fsanitize=fuzzer-no-link)
endif()

add_library(reinspect_qt_rules INTERFACE)
target_compile_definitions(reinspect_qt_rules INTERFACE
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_FOREACH)
