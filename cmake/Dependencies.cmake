# SPDX-License-Identifier: MIT
# Finds what the options ask for and sets REINSPECT_HAS_QT, REINSPECT_HAS_GRAPHVIZ, REINSPECT_HAS_CUDA.

include(FeatureSummary)

# reinspect_missing(PART): the message for a part that was demanded with ON and not found.
function(reinspect_missing part)
    if("${REINSPECT_${part}}" STREQUAL "ON")
        message(FATAL_ERROR "REINSPECT_${part} is ON, and what it needs was not found. ${ARGN}")
    endif()
endfunction()

# nlohmann/json is the only library that is always needed. Some systems ship only its header.
find_package(nlohmann_json 3.10 QUIET)
if(NOT nlohmann_json_FOUND)
    find_path(REINSPECT_JSON_INCLUDE nlohmann/json.hpp)
    if(NOT REINSPECT_JSON_INCLUDE)
        message(FATAL_ERROR "nlohmann/json was not found (package nlohmann-json3-dev).")
    endif()
    add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
    target_include_directories(nlohmann_json::nlohmann_json INTERFACE ${REINSPECT_JSON_INCLUDE})
endif()

# Eigen multiplies the matrices of the executor: headers only.
find_path(REINSPECT_EIGEN_INCLUDE Eigen/Core PATH_SUFFIXES eigen3)
if(NOT REINSPECT_EIGEN_INCLUDE)
    message(FATAL_ERROR "Eigen 3 was not found (package libeigen3-dev).")
endif()

set(REINSPECT_HAS_QT OFF)
if(REINSPECT_QT)
    find_package(Qt6 6.4 QUIET COMPONENTS
        Core Gui Widgets Svg PrintSupport Concurrent Network Test)
    set(REINSPECT_HAS_QT ${Qt6_FOUND})
    if(NOT Qt6_FOUND)
        reinspect_missing(QT "Packages: qt6-base-dev and qt6-svg-dev.")
    endif()
endif()

set(REINSPECT_HAS_GRAPHVIZ OFF)
if(REINSPECT_GRAPHVIZ)
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
        pkg_check_modules(REINSPECT_GVC QUIET IMPORTED_TARGET libgvc libcgraph)
    endif()
    if(TARGET PkgConfig::REINSPECT_GVC)
        set(REINSPECT_HAS_GRAPHVIZ ON)
    else()
        reinspect_missing(GRAPHVIZ "Packages: libgraphviz-dev and pkg-config.")
    endif()
endif()

set(REINSPECT_HAS_CUDA OFF)
if(REINSPECT_CUDA AND EXISTS "${PROJECT_SOURCE_DIR}/core/gpu/CMakeLists.txt")
    include(CheckLanguage)
    check_language(CUDA)
    find_package(CUDAToolkit 12.0 QUIET)
    if(CMAKE_CUDA_COMPILER AND CUDAToolkit_FOUND AND TARGET CUDA::cublas
            AND TARGET CUDA::cudart_static)
        set(REINSPECT_HAS_CUDA ON)
    else()
        reinspect_missing(CUDA "The CUDA toolkit, 12.0 or newer, is needed: nvcc, cudart and cuBLAS.")
    endif()
endif()

add_feature_info(Window REINSPECT_HAS_QT
    "reinspect, the window program, and all tests (Qt 6.4: qt6-base-dev, qt6-svg-dev)")
add_feature_info(Graphviz REINSPECT_HAS_GRAPHVIZ
    "layered graph placement by reinspect-layout (libgraphviz-dev, pkg-config)")
add_feature_info(CUDA REINSPECT_HAS_CUDA
    "reinspect-cuda, the module that runs graphs on a GPU (CUDA toolkit)")
