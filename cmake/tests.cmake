# SPDX-License-Identifier: Apache-2.0
# `berth_tests` (every tests/**/*_test.cpp) and the checks of the tree itself.

include(GoogleTest)
enable_testing()

file(GLOB_RECURSE berth_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*_test.cpp")

# Helpers shared by tests have no test of their own name: tests/support/*.cpp.
file(GLOB_RECURSE berth_support_sources CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/tests/support/*.cpp")
list(FILTER berth_support_sources EXCLUDE REGEX "_test\\.cpp$")
# Of the program that draws the papers, what is tested without starting it.
list(APPEND berth_support_sources
  "${PROJECT_SOURCE_DIR}/papers/gallery/expression.cpp"
  "${PROJECT_SOURCE_DIR}/papers/gallery/run_table.cpp")
# The mechanics on Trace, which takes a while to compile, is compiled once, like the tests.
set(berth_traced_source "${PROJECT_SOURCE_DIR}/tests/support/traced.cpp")
list(REMOVE_ITEM berth_support_sources "${berth_traced_source}")

# The tests are compiled once and linked twice: to the library, and to the library under the
# sanitizers. They are compiled far more often than they run for long, so with little optimisation.
add_library(berth_test_objects OBJECT ${berth_test_sources} "${berth_traced_source}")
set_target_properties(berth_test_objects PROPERTIES UNITY_BUILD OFF)
target_precompile_headers(berth_test_objects PRIVATE
  <gtest/gtest.h>
  <rapidcheck/gtest.h>
  <Eigen/Dense>
  <fmt/format.h>
  <nlohmann/json.hpp>
  <cmath>
  <string>
  <vector>
  "${PROJECT_SOURCE_DIR}/src/berth/simulate.h"
  "${PROJECT_SOURCE_DIR}/tests/support/random.h")

add_executable(berth_tests ${berth_support_sources} $<TARGET_OBJECTS:berth_test_objects>)
target_link_libraries(berth_tests PRIVATE berth::berth)
add_dependencies(berth_tests berth_app berth_gallery)

# Of a template that tests and library both instantiate the linker keeps the first copy: the
# library's, which is checked. Dual comes along unchecked: what differs in it is its
# arithmetic, not the memory it touches.
#
# What reads, writes and reports is built without optimisation: it takes half as long to compile.
set(berth_reporting_sources ${berth_sources})
list(FILTER berth_reporting_sources INCLUDE REGEX
  "/src/berth/(scenario|analysis|record|report)/|/src/berth/simulate")
set(berth_computing_sources ${berth_sources})
list(REMOVE_ITEM berth_computing_sources ${berth_reporting_sources})
add_library(berth_sanitized OBJECT ${berth_computing_sources})
add_library(berth_sanitized_reporting OBJECT ${berth_reporting_sources})
add_dependencies(berth_sanitized_reporting viewer)
foreach(target berth_sanitized berth_sanitized_reporting)
  target_include_directories(${target} SYSTEM PRIVATE "${BERTH_HDF5_HEADERS}")
  target_link_libraries(${target} PRIVATE
    fmt::fmt nlohmann_json::nlohmann_json tomlplusplus::tomlplusplus TBB::tbb)
endforeach()
add_executable(berth_tests_sanitized
  $<TARGET_OBJECTS:berth_sanitized>
  $<TARGET_OBJECTS:berth_sanitized_reporting>
  $<TARGET_OBJECTS:berth_scalars>
  ${berth_support_sources}
  $<TARGET_OBJECTS:berth_test_objects>)
target_link_libraries(berth_tests_sanitized PRIVATE fmt::fmt TBB::tbb)
add_executable(berth_app_sanitized
  $<TARGET_OBJECTS:berth_sanitized>
  $<TARGET_OBJECTS:berth_sanitized_reporting>
  $<TARGET_OBJECTS:berth_scalars>
  ${berth_app_sources})
target_link_libraries(berth_app_sanitized PRIVATE
  fmt::fmt nlohmann_json::nlohmann_json tomlplusplus::tomlplusplus TBB::tbb CLI11::CLI11
  "${BERTH_HDF5_LIBRARY}")

foreach(target berth_test_objects berth_tests
               berth_sanitized berth_sanitized_reporting berth_tests_sanitized
               berth_app_sanitized)
  berth_set_flags(${target})
  target_include_directories(${target} PRIVATE
    "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/src" "${PROJECT_BINARY_DIR}/include")
  target_include_directories(${target} SYSTEM PRIVATE "${BERTH_HDF5_HEADERS}")
  target_link_libraries(${target} PRIVATE Eigen3::Eigen)
endforeach()
foreach(target berth_test_objects berth_tests berth_tests_sanitized)
  target_compile_options(${target} PRIVATE -O1)
  target_compile_definitions(${target} PRIVATE
    BERTH_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    BERTH_GALLERY="$<TARGET_FILE:berth_gallery>")
  target_link_libraries(${target} PRIVATE
    fmt::fmt
    nlohmann_json::nlohmann_json
    GTest::gtest_main
    rapidcheck
    rapidcheck_gtest
    SUNDIALS::cvode
    SUNDIALS::nvecserial
    tomlplusplus::tomlplusplus
    "${BERTH_HDF5_LIBRARY}")
endforeach()
target_compile_definitions(berth_tests PRIVATE BERTH_PROGRAM="$<TARGET_FILE:berth_app>")
target_compile_definitions(berth_tests_sanitized PRIVATE
  BERTH_PROGRAM="$<TARGET_FILE:berth_app_sanitized>")
foreach(target berth_sanitized berth_sanitized_reporting berth_tests_sanitized berth_app_sanitized)
  berth_set_sanitizer_flags(${target})
endforeach()
foreach(target berth_sanitized_reporting berth_app_sanitized)
  target_compile_options(${target} PRIVATE -O0)
endforeach()
add_dependencies(berth_tests_sanitized berth_app_sanitized berth_gallery)

# Suites whose names end in Soak run for minutes; they wait for `make soak`.
set(short "-*Soak.*:*Soak/*")
gtest_discover_tests(berth_tests DISCOVERY_MODE PRE_TEST TEST_FILTER "${short}")
add_test(NAME soak CONFIGURATIONS soak COMMAND berth_tests)
set_tests_properties(soak PROPERTIES
  LABELS soak
  ENVIRONMENT "RC_PARAMS=max_success=2000"
  TIMEOUT 86400)

# A process under the sanitizers takes longer to start than most tests to run: there they share one.
# Verification walks the paths the others walk, for longer.
set(long_ones "Shipped/Reproducible.*:Servicer.*:SliderCrank.*:FourBar.*:PostDocking.*:ContactBooks.*:HilContact.*:DelayStability.*:Conservation.*:StiffLimit.*:Recentring.*:*Compare*:*Dual*")
foreach(i RANGE 7)
  add_test(NAME sanitized_${i}
    COMMAND berth_tests_sanitized "--gtest_filter=${short}:${long_ones}" --gtest_brief=1)
  set_tests_properties(sanitized_${i} PROPERTIES
    ENVIRONMENT "GTEST_TOTAL_SHARDS=8;GTEST_SHARD_INDEX=${i};RC_PARAMS=max_success=25"
    TIMEOUT 1500)
endforeach()

# --- pages, in a browser -------------------------------------------------------------------------

if(BERTH_NPM AND NOT BERTH_TEMPLATE)
  file(GLOB viewer_tests CONFIGURE_DEPENDS RELATIVE "${viewer_source}"
    "${viewer_source}/tests/*" "${viewer_source}/playwright.config.ts")
  foreach(file ${viewer_tests})
    configure_file("${viewer_source}/${file}" "${viewer_build}/${file}" COPYONLY)
  endforeach()
  add_test(NAME page_of_a_docking COMMAND berth_app run "${PROJECT_SOURCE_DIR}/scenarios/docking.toml"
    --quiet --out "${viewer_build}/docking.h5")
  set_tests_properties(page_of_a_docking PROPERTIES FIXTURES_SETUP docking_page)
  add_test(NAME viewer COMMAND "${BERTH_NPM}" test WORKING_DIRECTORY "${viewer_build}")
  set_tests_properties(viewer PROPERTIES
    FIXTURES_REQUIRED docking_page
    ENVIRONMENT "BERTH_PAGE=${viewer_build}/docking.html"
    RUN_SERIAL ON
    TIMEOUT 600)
endif()

# --- the tree itself -----------------------------------------------------------------------------

set(tools "${PROJECT_SOURCE_DIR}/tools")
add_test(NAME layering
  COMMAND Python3::Interpreter "${tools}/check_layering.py" "${PROJECT_SOURCE_DIR}")
add_test(NAME layering_finds_violations
  COMMAND Python3::Interpreter "${tools}/check_layering.py" --self-test)
add_test(NAME probing
  COMMAND Python3::Interpreter "${tools}/check_probing.py" "${PROJECT_SOURCE_DIR}")
add_test(NAME probing_finds_violations
  COMMAND Python3::Interpreter "${tools}/check_probing.py" --self-test)
add_test(NAME spdx
  COMMAND Python3::Interpreter "${tools}/check_spdx.py" "${PROJECT_SOURCE_DIR}")
add_test(NAME digits
  COMMAND Python3::Interpreter "${tools}/check_digits.py" "${PROJECT_SOURCE_DIR}")
add_test(NAME digits_finds_repetitions
  COMMAND Python3::Interpreter "${tools}/check_digits.py" --self-test)
add_test(NAME format
  COMMAND "${tools}/format.sh" --check)
set_tests_properties(format PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME outside_project
  COMMAND "${CMAKE_COMMAND}"
          "-DBUILD=${PROJECT_BINARY_DIR}"
          "-DSOURCE=${PROJECT_SOURCE_DIR}"
          "-DVERSION=${PROJECT_VERSION}"
          "-DGENERATOR=${CMAKE_GENERATOR}"
          -P "${PROJECT_SOURCE_DIR}/cmake/check_outside_project.cmake")
