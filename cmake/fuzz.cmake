# SPDX-License-Identifier: Apache-2.0
# `build-fuzz/fuzz/<target>`: what reads the input of strangers, each reader under libFuzzer in a program of its own, with
# the address and undefined-behaviour sanitizers. Target `fuzzers` builds them, tools/run_fuzz.py runs them.

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "libFuzzer comes with clang: cmake --preset fuzz")
endif()

# Of the library what reads, checks and builds, and a step of a run. What `berth check` computes on Dual differs in its
# arithmetic, not in the memory it touches: it is compiled without the sanitizers.
set(berth_fuzzed_sources
  ${berth_sources} ${berth_loop_sources} ${berth_reading_sources} ${berth_study_sources})
list(FILTER berth_fuzzed_sources EXCLUDE REGEX
  "/src/berth/(analysis|export|ensemble|report|search)/|/live/(datagram_[a-z_]*|identification)\\.cpp$|/simulate/simulation_group\\.cpp$")
foreach(name check criterion goal vary sweep_journal case_store)
  list(APPEND berth_fuzzed_sources "${PROJECT_SOURCE_DIR}/src/berth/analysis/${name}.cpp")
endforeach()
add_library(berth_fuzzed STATIC EXCLUDE_FROM_ALL ${berth_fuzzed_sources})
set(berth_fuzz_scalars ${berth_scalar_sources})
list(FILTER berth_fuzz_scalars INCLUDE REGEX "/instances/dual[^/]*\\.cpp$|/system/linear[^/]*\\.cpp$")
add_library(berth_fuzz_scalars STATIC EXCLUDE_FROM_ALL ${berth_fuzz_scalars})

# What the targets share, and what makes them run.
file(GLOB berth_fuzz_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fuzz/*.cpp")
list(FILTER berth_fuzz_files EXCLUDE REGEX "_test\\.cpp$|/entry\\.cpp$")
set(berth_fuzz_shared ${berth_fuzz_files})
list(FILTER berth_fuzz_shared INCLUDE REGEX "_promises\\.cpp$")
list(REMOVE_ITEM berth_fuzz_files ${berth_fuzz_shared})
add_dependencies(berth_fuzzed viewer)
target_sources(berth_fuzzed PRIVATE ${berth_fuzz_shared})

# Keys and types that scenarios have, as libFuzzer wants words that are worth trying.
file(GLOB_RECURSE berth_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/berth/*.h")
set(words "")
foreach(file ${berth_headers})
  file(STRINGS "${file}" lines REGEX "Field{\"[a-z]|string_view type = \"[a-z]")
  foreach(line ${lines})
    string(REGEX MATCHALL "(Field{|type = )\"[A-Za-z_0-9]+\"" found "${line}")
    list(APPEND words ${found})
  endforeach()
endforeach()
list(TRANSFORM words REPLACE "^.*(\".*\")$" "\\1")
list(REMOVE_DUPLICATES words)
list(SORT words)
list(JOIN words "\n" words)
file(WRITE "${PROJECT_BINARY_DIR}/fuzz/keys.dict" "${words}\n")

add_custom_target(fuzzers)
set(fuzz_targets "")
foreach(file ${berth_fuzz_files})
  get_filename_component(name "${file}" NAME_WE)
  add_executable(fuzz_${name} EXCLUDE_FROM_ALL "${file}" "${PROJECT_SOURCE_DIR}/tests/fuzz/entry.cpp")
  set_target_properties(fuzz_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
  target_compile_definitions(fuzz_${name} PRIVATE BERTH_FUZZ_TARGET=fuzz_${name})
  target_link_libraries(fuzz_${name} PRIVATE
    berth_fuzzed berth_fuzz_scalars "${BERTH_HDF5_LIBRARY}" Boost::context ${CMAKE_DL_LIBS})
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  add_dependencies(fuzzers fuzz_${name})
  list(APPEND fuzz_targets fuzz_${name})
endforeach()

foreach(target berth_fuzzed berth_fuzz_scalars ${fuzz_targets})
  berth_set_flags(${target})
  target_compile_options(${target} PRIVATE -w)
  # What the sanitizers add to allocation is the same everywhere.
  target_compile_definitions(${target} PRIVATE
    EIGEN_MALLOC_ALREADY_ALIGNED=1 BERTH_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_include_directories(${target} PRIVATE
    "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/src" "${PROJECT_BINARY_DIR}/include")
  target_include_directories(${target} SYSTEM PRIVATE "${BERTH_HDF5_HEADERS}")
  target_link_libraries(${target} PRIVATE
    Eigen3::Eigen fmt::fmt nlohmann_json::nlohmann_json tomlplusplus::tomlplusplus)
endforeach()
# A number too large for the integer it is cut to is undefined, too, but no part of `undefined`.
foreach(target berth_fuzzed ${fuzz_targets})
  berth_set_sanitizer_flags(${target})
  target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link,float-cast-overflow -gline-tables-only)
endforeach()
