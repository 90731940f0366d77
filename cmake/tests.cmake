# SPDX-License-Identifier: Apache-2.0
# `berth_tests` (every tests/**/*_test.cpp) and the checks of the tree itself.

include(GoogleTest)
enable_testing()

file(GLOB_RECURSE berth_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*_test.cpp")
list(FILTER berth_test_sources EXCLUDE REGEX "/tests/outside_project/")
if(BERTH_SANITIZE)
  list(FILTER berth_test_sources EXCLUDE REGEX "[/_]pack_test\\.cpp$|_dual_test\\.cpp$")
endif()

# Helpers shared by tests have no test of their own name: tests/support/*.cpp.
file(GLOB_RECURSE berth_support_sources CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/tests/support/*.cpp")
list(FILTER berth_support_sources EXCLUDE REGEX "_test\\.cpp$")

if(berth_test_sources)
  add_executable(berth_tests ${berth_test_sources} ${berth_support_sources})
  target_include_directories(berth_tests PRIVATE "${PROJECT_SOURCE_DIR}")
  target_compile_definitions(berth_tests PRIVATE
    BERTH_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    BERTH_PROGRAM="$<TARGET_FILE:berth_app>")
  add_dependencies(berth_tests berth_app)
  target_link_libraries(berth_tests PRIVATE
    berth::berth
    GTest::gtest_main
    rapidcheck
    rapidcheck_gtest
    SUNDIALS::cvode
    SUNDIALS::nvecserial
    tomlplusplus::tomlplusplus
    "${BERTH_HDF5_LIBRARY}")
  target_include_directories(berth_tests SYSTEM PRIVATE "${BERTH_HDF5_HEADERS}")
  berth_set_flags(berth_tests)
  berth_set_pack_flags(${berth_test_sources})

  # Tests are compiled far more often than they run for long: little optimisation, and the headers
  # nearly all of them include read once. Files built for AVX2 cannot share that.
  target_compile_options(berth_tests PRIVATE $<IF:$<BOOL:${BERTH_SANITIZE}>,-O0,-O1>)
  target_precompile_headers(berth_tests PRIVATE
    <gtest/gtest.h>
    <rapidcheck/gtest.h>
    <cmath>
    <string>
    <vector>
    "${PROJECT_SOURCE_DIR}/src/berth/run/driver.h"
    "${PROJECT_SOURCE_DIR}/tests/support/random.h")
  set(berth_pack_tests ${berth_test_sources})
  list(FILTER berth_pack_tests INCLUDE REGEX "[/_]pack_test\\.cpp$")
  set_source_files_properties(${berth_pack_tests} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)

  # Suites whose names end in Soak run for minutes; they wait for `make soak`.
  gtest_discover_tests(berth_tests
    DISCOVERY_MODE PRE_TEST
    TEST_FILTER "-*Soak.*:*Soak/*")
  add_test(NAME soak CONFIGURATIONS soak COMMAND berth_tests)
  set_tests_properties(soak PROPERTIES
    LABELS soak
    ENVIRONMENT "RC_PARAMS=max_success=2000"
    TIMEOUT 86400)
endif()

# The tree is the same in every build; one build checks it.
if(BERTH_SANITIZE)
  return()
endif()

set(tools "${PROJECT_SOURCE_DIR}/tools")
file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/berth_objects.txt"
  CONTENT "$<JOIN:$<TARGET_OBJECTS:berth>,\n>\n")

add_test(NAME layering
  COMMAND Python3::Interpreter "${tools}/check_layering.py" "${PROJECT_SOURCE_DIR}")
add_test(NAME layering_finds_violations
  COMMAND Python3::Interpreter "${tools}/check_layering.py" --self-test)
add_test(NAME spdx
  COMMAND Python3::Interpreter "${tools}/check_spdx.py" "${PROJECT_SOURCE_DIR}")
add_test(NAME no_isa_leak
  COMMAND Python3::Interpreter "${tools}/check_isa_leak.py" --nm "${CMAKE_NM}"
          "${PROJECT_BINARY_DIR}/berth_objects.txt")
add_test(NAME no_isa_leak_finds_leaks
  COMMAND Python3::Interpreter "${tools}/check_isa_leak.py" --self-test
          --nm "${CMAKE_NM}" --cxx "${CMAKE_CXX_COMPILER}")
add_test(NAME format
  COMMAND "${tools}/format.sh" --check)
set_tests_properties(format PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME outside_project
  COMMAND "${CMAKE_COMMAND}"
          "-DBUILD=${PROJECT_BINARY_DIR}"
          "-DSOURCE=${PROJECT_SOURCE_DIR}/tests/outside_project"
          "-DVERSION=${PROJECT_VERSION}"
          "-DGENERATOR=${CMAKE_GENERATOR}"
          -P "${PROJECT_SOURCE_DIR}/cmake/check_outside_project.cmake")
