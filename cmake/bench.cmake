# SPDX-License-Identifier: Apache-2.0
# `build/bench/berth_bench`: every .cpp under bench/ in one program, peers included.

file(GLOB_RECURSE berth_bench_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.cpp")

if(berth_bench_sources)
  add_executable(berth_bench ${berth_bench_sources})
  # Each file separately: what is measured in one is of no use to another.
  set_target_properties(berth_bench PROPERTIES UNITY_BUILD OFF)
  set_target_properties(berth_bench PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench")
  target_include_directories(berth_bench PRIVATE "${PROJECT_SOURCE_DIR}")
  target_compile_definitions(berth_bench PRIVATE BERTH_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(berth_bench PRIVATE
    berth::berth
    benchmark::benchmark
    mujoco::mujoco
    pinocchio::pinocchio
    SimTKsimbody
    SimTKmath
    SimTKcommon)
  berth_set_flags(berth_bench)

  # Simbody's index types have comparisons that C++20 finds ambiguous; and Debian's library is built
  # with its assertions, which add members to classes that its headers define inline. The options of
  # a file come after those of the program.
  set(simbody_files ${berth_bench_sources})
  list(FILTER simbody_files INCLUDE REGEX "/simbody[^/]*\\.cpp$")
  set_source_files_properties(${simbody_files} PROPERTIES COMPILE_OPTIONS "-std=c++17;-UNDEBUG")

  # Its headers, Boost's among them, are for its own file alone. What it generates is loaded from a library.
  set(pinocchio_files ${berth_bench_sources})
  list(FILTER pinocchio_files INCLUDE REGEX "/pinocchio_peer\\.cpp$")
  set_source_files_properties(${pinocchio_files} PROPERTIES
    COMPILE_OPTIONS "-isystem;${pinocchio_folder}/include;-Wno-conversion;-Wno-shadow;-Wno-pedantic")
endif()
