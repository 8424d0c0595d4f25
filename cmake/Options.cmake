# SPDX-License-Identifier: MIT
# Each optional part is ON (must be found), AUTO (used when found) or OFF.

foreach(part IN ITEMS QT GRAPHVIZ CUDA)
    set(REINSPECT_${part} AUTO CACHE STRING "ON, AUTO or OFF")
    set_property(CACHE REINSPECT_${part} PROPERTY STRINGS ON AUTO OFF)
endforeach()

option(REINSPECT_TESTS "Build the tests (they need Qt Test)" ON)
option(REINSPECT_WARNINGS_AS_ERRORS "Fail on any compiler warning" OFF)
option(REINSPECT_FUZZ "Build the fuzz targets of the readers (needs clang)" OFF)
set(REINSPECT_SANITIZERS "" CACHE STRING "Sanitizers for everything, e.g. address,undefined")
