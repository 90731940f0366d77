# SPDX-License-Identifier: Apache-2.0
# `berth_tests` (every tests/**/*_test.cpp), what of them runs under the sanitizers, and the checks
# of the tree itself.

enable_testing()

file(GLOB_RECURSE berth_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*_test.cpp")
# The other files are helpers. Two of them say what a test program is: which build of berth it
# starts, and whether it counts allocations or the sanitizer does.
file(GLOB_RECURSE berth_support_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*.cpp")
list(FILTER berth_support_sources EXCLUDE REGEX "_test\\.cpp$|/fuzz/entry\\.cpp$")
set(berth_kind_sources ${berth_support_sources})
list(FILTER berth_kind_sources INCLUDE REGEX "/support/(allocations|program)\\.cpp$")
list(REMOVE_ITEM berth_support_sources ${berth_kind_sources})
# Targets of `make fuzz` read their corpus once, as tests do.
set(berth_corpus_sources ${berth_support_sources})
list(FILTER berth_corpus_sources INCLUDE REGEX "/tests/fuzz/")
list(REMOVE_ITEM berth_support_sources ${berth_corpus_sources})
# And one is a library that the program under test is started with.
set(berth_inject_source "${PROJECT_SOURCE_DIR}/tests/faults/inject.cpp")
list(REMOVE_ITEM berth_support_sources ${berth_inject_source})
# Of the program that draws the papers, what is tested without starting it.
list(APPEND berth_support_sources
  "${PROJECT_SOURCE_DIR}/papers/gallery/expression.cpp"
  "${PROJECT_SOURCE_DIR}/papers/gallery/run_table.cpp")
# Likewise of berth itself: the server of the live page.
list(APPEND berth_support_sources
  "${PROJECT_SOURCE_DIR}/src/berth/app/live_page.cpp"
  "${PROJECT_SOURCE_DIR}/src/berth/app/page_server.cpp")

# --- programs ------------------------------------------------------------------------------------

# The tests are compiled once and linked to each kind of library. They are compiled far more often
# than they run for long: many files at a time, without optimisation. What helpers compute takes
# longer.
add_library(berth_test_objects OBJECT ${berth_test_sources} ${berth_corpus_sources})
add_library(berth_test_support OBJECT ${berth_support_sources})
target_compile_options(berth_test_objects PRIVATE -O0)
set_target_properties(berth_test_objects PROPERTIES UNITY_BUILD_BATCH_SIZE 32)
target_compile_options(berth_test_support PRIVATE -O1)
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/berth/app/page_server.cpp" PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON)
# Two files may use the same name: each has a namespace of its own. One that has none is compiled
# alone.
foreach(file ${berth_test_sources})
  file(STRINGS "${file}" own LIMIT_COUNT 1 REGEX "^namespace berth::([a-z_0-9]+::)*[a-z_0-9]+_test {")
  if(NOT own)
    set_source_files_properties("${file}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endforeach()
# What it defines are functions of the C library, under their own names.
add_library(berth_faults MODULE ${berth_inject_source})
berth_set_flags(berth_faults)
target_include_directories(berth_faults PRIVATE "${PROJECT_SOURCE_DIR}")
target_compile_options(berth_faults PRIVATE -U_FORTIFY_SOURCE -fno-builtin -fno-exceptions)
target_link_libraries(berth_faults PRIVATE ${CMAKE_DL_LIBS})
target_precompile_headers(berth_test_objects PRIVATE
  <gtest/gtest.h>
  <rapidcheck/gtest.h>
  <Eigen/Core>
  <fmt/format.h>
  <nlohmann/json.hpp>
  <cmath>
  <string>
  <vector>
  "${PROJECT_SOURCE_DIR}/src/berth/simulate.h"
  "${PROJECT_SOURCE_DIR}/tests/support/random.h")

# Of a template that tests and library both instantiate the linker keeps the first copy: the
# library's, which is optimised, or checked.
set(berth_tested
  $<TARGET_OBJECTS:berth_test_support> $<TARGET_OBJECTS:berth_test_objects> ${berth_kind_sources})
set(berth_computing $<TARGET_OBJECTS:berth> $<TARGET_OBJECTS:berth_scalars>)
add_executable(berth_tests
  ${berth_computing} $<TARGET_OBJECTS:berth_loop> $<TARGET_OBJECTS:berth_reading>
  $<TARGET_OBJECTS:berth_studies> ${berth_tested})
target_compile_definitions(berth_tests PRIVATE BERTH_PROGRAM="$<TARGET_FILE:berth_app>")
add_dependencies(berth_tests berth_app berth_gallery berth_faults)

# What is checked under the sanitizers is compiled once more; the rest of the library is what it is.
add_library(berth_loop_sanitized OBJECT ${berth_loop_sources})
add_library(berth_reading_sanitized OBJECT ${berth_reading_sources})
add_executable(berth_tests_sanitized
  $<TARGET_OBJECTS:berth_loop_sanitized> $<TARGET_OBJECTS:berth_reading_sanitized>
  ${berth_computing} $<TARGET_OBJECTS:berth_studies> ${berth_tested})
target_compile_definitions(berth_tests_sanitized PRIVATE
  BERTH_PROGRAM="$<TARGET_FILE:berth_app>")
add_dependencies(berth_tests_sanitized berth_app berth_gallery berth_faults)

# And everything, for `make soak`, but for Dual: what differs in it is its arithmetic, not the memory it
# touches. What does not compute for long is built without optimisation.
add_library(berth_computing_sanitized OBJECT EXCLUDE_FROM_ALL ${berth_sources})
add_library(berth_studies_sanitized OBJECT EXCLUDE_FROM_ALL ${berth_study_sources})
add_dependencies(berth_studies_sanitized viewer)
set(berth_all_sanitized
  $<TARGET_OBJECTS:berth_computing_sanitized> $<TARGET_OBJECTS:berth_loop_sanitized>
  $<TARGET_OBJECTS:berth_reading_sanitized> $<TARGET_OBJECTS:berth_studies_sanitized>
  $<TARGET_OBJECTS:berth_scalars>)
add_executable(berth_tests_all_sanitized EXCLUDE_FROM_ALL ${berth_all_sanitized} ${berth_tested})
add_executable(berth_app_sanitized EXCLUDE_FROM_ALL ${berth_all_sanitized} ${berth_app_sources})
target_link_libraries(berth_app_sanitized PRIVATE CLI11::CLI11 PkgConfig::cairo PkgConfig::httplib)
target_compile_definitions(berth_tests_all_sanitized PRIVATE
  BERTH_PROGRAM="$<TARGET_FILE:berth_app_sanitized>")
add_dependencies(berth_tests_all_sanitized berth_app_sanitized berth_gallery berth_faults)

set(sanitized_targets
  berth_loop_sanitized berth_reading_sanitized berth_computing_sanitized berth_studies_sanitized
  berth_tests_sanitized berth_tests_all_sanitized berth_app_sanitized)
foreach(target ${sanitized_targets})
  berth_set_sanitizer_flags(${target})
endforeach()
foreach(target berth_reading_sanitized berth_studies_sanitized berth_app_sanitized)
  target_compile_options(${target} PRIVATE -O0)
endforeach()

foreach(target berth_test_objects berth_test_support berth_tests ${sanitized_targets})
  berth_set_flags(${target})
  target_include_directories(${target} PRIVATE
    "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/src" "${PROJECT_BINARY_DIR}/include")
  target_include_directories(${target} SYSTEM PRIVATE "${BERTH_HDF5_HEADERS}")
  target_link_libraries(${target} PRIVATE
    Eigen3::Eigen
    fmt::fmt
    nlohmann_json::nlohmann_json
    tomlplusplus::tomlplusplus
    Boost::context
    "${BERTH_HDF5_LIBRARY}"
    ${CMAKE_DL_LIBS} PkgConfig::httplib)
endforeach()
foreach(target berth_test_objects berth_test_support
               berth_tests berth_tests_sanitized berth_tests_all_sanitized)
  target_compile_definitions(${target} PRIVATE
    BERTH_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    BERTH_FAULTS="$<TARGET_FILE:berth_faults>"
    BERTH_GALLERY="$<TARGET_FILE:berth_gallery>")
  target_link_libraries(${target} PRIVATE
    GTest::gtest_main
    rapidcheck
    rapidcheck_gtest
    SUNDIALS::cvode
    SUNDIALS::nvecserial)
endforeach()

# --- runs ----------------------------------------------------------------------------------------

# A process takes longer to start than most tests to run: they share a few. Suites whose names end
# in Soak run for minutes; they wait for `make soak`.
set(soak "*Soak.*:*Soak/*")
function(berth_add_shards name program filter count)
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    add_test(NAME ${name}_${i} COMMAND ${program} "--gtest_filter=${filter}" --gtest_brief=1)
    set_tests_properties(${name}_${i} PROPERTIES
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${count};GTEST_SHARD_INDEX=${i};${ARGN}"
      TIMEOUT 1500)
  endforeach()
endfunction()
berth_add_shards(tests berth_tests "-${soak}" 8)

# Readers, the loop, runs abreast and the system: the suites of these files, but for what starts the program (it
# is another build) and a few that walk the same paths for long.
set(checked "")
file(GLOB checked_files CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/tests/integrate/*_test.cpp"
  "${PROJECT_SOURCE_DIR}/tests/system/*_test.cpp"
  "${PROJECT_SOURCE_DIR}/tests/run/*_test.cpp"
  "${PROJECT_SOURCE_DIR}/tests/ensemble/*_test.cpp"
  "${PROJECT_SOURCE_DIR}/tests/sensors/*_test.cpp"
  "${PROJECT_SOURCE_DIR}/tests/record/*_test.cpp"
  "${PROJECT_SOURCE_DIR}/tests/scenario/*_test.cpp"
  "${PROJECT_SOURCE_DIR}/tests/simulate/*_test.cpp"
  "${PROJECT_SOURCE_DIR}/tests/analysis/sweep*_test.cpp"
  "${PROJECT_SOURCE_DIR}/tests/report/*_test.cpp"
  "${PROJECT_SOURCE_DIR}/tests/live/*_test.cpp"
  "${PROJECT_SOURCE_DIR}/tests/fuzz/*_test.cpp")
list(FILTER checked_files EXCLUDE REGEX "/live/live_test\\.cpp$")
foreach(file ${checked_files})
  file(STRINGS "${file}" lines REGEX "^(TEST|TEST_F|TEST_P|RC_GTEST_PROP)\\(")
  foreach(line ${lines})
    if(line MATCHES "^[A-Z_]+\\(([A-Za-z0-9]+),")
      list(APPEND checked "${CMAKE_MATCH_1}")
    endif()
  endforeach()
endforeach()
list(REMOVE_DUPLICATES checked)
list(TRANSFORM checked REPLACE "(.+)" "\\1.*:*/\\1.*")
list(JOIN checked ":" checked)
string(CONCAT too_long
  "*Program*:Compare*:ContactLedgers.*:RestFriction.WhateverIsDropped*:RestFriction.EveryMethod*:"
  "Impact.OfAnyKind*:Latch.WorksUnderAStiff*:ContactLoop.Radau*:Release.LeavesTwoCraft*:"
  "Recording.GivesTheSameBytes*:Recording.OfAMillion*:ShippedRuns.*:KeptGraphs.*:DatagramFiles.*:"
  "ExternalBits.AreThose*:ContactEquilibrium.APowerLaw*")
berth_add_shards(sanitized berth_tests_sanitized
  "${checked}:ScenarioFuzz.NoDamageEnds*-${soak}:${too_long}" 4 "RC_PARAMS=max_success=25;BERTH_FUZZ_CASES=300")
foreach(i RANGE 3)
  set_tests_properties(sanitized_${i} PROPERTIES LABELS sanitized)
endforeach()

add_test(NAME soak CONFIGURATIONS soak COMMAND berth_tests)
set_tests_properties(soak PROPERTIES
  LABELS soak ENVIRONMENT "RC_PARAMS=max_success=2000" TIMEOUT 86400)
add_test(NAME soak_sanitized CONFIGURATIONS soak
  COMMAND berth_tests_all_sanitized "--gtest_filter=-${soak}")
set_tests_properties(soak_sanitized PROPERTIES LABELS soak TIMEOUT 86400)

# --- pages, in a browser -------------------------------------------------------------------------

if(BERTH_NPM AND NOT BERTH_TEMPLATE)
  file(GLOB viewer_tests CONFIGURE_DEPENDS RELATIVE "${viewer_source}"
    "${viewer_source}/tests/*" "${viewer_source}/playwright.config.ts")
  foreach(file ${viewer_tests})
    configure_file("${viewer_source}/${file}" "${viewer_build}/${file}" COPYONLY)
  endforeach()
  file(MAKE_DIRECTORY "${viewer_build}/pages" "${viewer_build}/all_pages")
  # A docking and a contact without a capture; all scenarios in `make soak`.
  foreach(scenario docking hil_compensated)
    add_test(NAME page_of_${scenario} COMMAND berth_app run
      "${PROJECT_SOURCE_DIR}/scenarios/${scenario}.toml" --quiet --out "${viewer_build}/pages/${scenario}.h5")
    set_tests_properties(page_of_${scenario} PROPERTIES FIXTURES_SETUP scenario_pages)
  endforeach()
  file(GLOB scenario_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/scenarios/*.toml")
  # Without its laboratory nothing of this happens.
  list(FILTER scenario_files EXCLUDE REGEX "/facility[a-z_]*\\.toml$")
  foreach(file ${scenario_files})
    get_filename_component(scenario "${file}" NAME_WE)
    add_test(NAME soak_page_of_${scenario} CONFIGURATIONS soak
      COMMAND berth_app run "${file}" --quiet --out "${viewer_build}/all_pages/${scenario}.h5")
    set_tests_properties(soak_page_of_${scenario} PROPERTIES FIXTURES_SETUP all_pages LABELS soak)
  endforeach()
  add_test(NAME page_of_a_sweep COMMAND berth_app sweep
    "${PROJECT_SOURCE_DIR}/scenarios/capture_envelope.toml"
    --samples 300 --fresh --quiet --out "${viewer_build}/capture_sweep.h5")
  set_tests_properties(page_of_a_sweep PROPERTIES FIXTURES_SETUP sweep_page)
  # Paces are measured with nothing beside them.
  add_test(NAME viewer COMMAND "${BERTH_NPM}" test -- --grep-invert "@pace|@soak"
    WORKING_DIRECTORY "${viewer_build}")
  add_test(NAME viewer_pace COMMAND "${BERTH_NPM}" test -- --grep @pace
    WORKING_DIRECTORY "${viewer_build}")
  set_tests_properties(viewer_pace PROPERTIES RUN_SERIAL ON)
  # The longest of all begins first: nothing would run beside its end.
  set_tests_properties(viewer PROPERTIES COST 1000)
  set_tests_properties(viewer viewer_pace PROPERTIES
    FIXTURES_REQUIRED "scenario_pages;sweep_page"
    ENVIRONMENT "BERTH_PAGE=${viewer_build}/pages/docking.html;BERTH_PAGES=${viewer_build}/pages;BERTH_SWEEP_PAGE=${viewer_build}/capture_sweep.html"
    TIMEOUT 600)
  add_test(NAME soak_viewer CONFIGURATIONS soak COMMAND "${BERTH_NPM}" test -- --grep "@pages|@soak"
    WORKING_DIRECTORY "${viewer_build}")
  set_tests_properties(soak_viewer PROPERTIES
    FIXTURES_REQUIRED all_pages LABELS soak TIMEOUT 3600
    ENVIRONMENT "BERTH_PAGES=${viewer_build}/all_pages;BERTH_KEYS=1")
endif()

# --- the tutorial, as a reader does it --------------------------------------------------------------

add_test(NAME tutorial
  COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tools/run_page.py"
          "${PROJECT_SOURCE_DIR}/docs/tutorial.md" "$<TARGET_FILE:berth_app>")
set_tests_properties(tutorial PROPERTIES TIMEOUT 600)

# --- the Python package -------------------------------------------------------------------------------

if(BERTH_PYTHON)
  set(pytest "${Python_EXECUTABLE}" -m pytest -q "${PROJECT_SOURCE_DIR}/python/tests")
  set(python_environment "PYTHONPATH=${PROJECT_BINARY_DIR}/python;PYTHONDONTWRITEBYTECODE=1"
    "BERTH_PROGRAM=$<TARGET_FILE:berth_app>")
  add_test(NAME python COMMAND ${pytest} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(python PROPERTIES ENVIRONMENT "${python_environment}" TIMEOUT 600)
  add_test(NAME soak_python CONFIGURATIONS soak COMMAND ${pytest} -m soak
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(soak_python PROPERTIES
    LABELS soak ENVIRONMENT "${python_environment}" TIMEOUT 86400)

  # Settings and arguments of any kind, under the sanitizers. Their runtime must be there before the
  # interpreter, and what throws, which they intercept; what the interpreter leaves behind is its own.
  berth_add_python_module(berth_python_sanitized "${PROJECT_BINARY_DIR}/python_sanitized"
    ${berth_all_sanitized})
  berth_set_sanitizer_flags(berth_python_sanitized)
  set_target_properties(berth_python_sanitized PROPERTIES EXCLUDE_FROM_ALL ON)
  target_include_directories(berth_python_sanitized PRIVATE
    "${PROJECT_SOURCE_DIR}/src" "${PROJECT_BINARY_DIR}/include")
  target_link_libraries(berth_python_sanitized PRIVATE
    Eigen3::Eigen fmt::fmt nlohmann_json::nlohmann_json tomlplusplus::tomlplusplus Boost::context
    "${BERTH_HDF5_LIBRARY}" ${CMAKE_DL_LIBS})
  foreach(library asan stdc++)
    execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=lib${library}.so
      OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND preloaded "${found}")
  endforeach()
  list(JOIN preloaded ":" preloaded)
  add_test(NAME soak_python_sanitized CONFIGURATIONS soak
    COMMAND ${pytest} -k never_crash -m "soak or not soak" WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(soak_python_sanitized PROPERTIES LABELS soak TIMEOUT 86400
    ENVIRONMENT "PYTHONPATH=${PROJECT_BINARY_DIR}/python_sanitized;PYTHONDONTWRITEBYTECODE=1;LD_PRELOAD=${preloaded};ASAN_OPTIONS=detect_leaks=0")
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
add_test(NAME elementary
  COMMAND Python3::Interpreter "${tools}/check_elementary.py" "${PROJECT_SOURCE_DIR}")
add_test(NAME elementary_finds_violations
  COMMAND Python3::Interpreter "${tools}/check_elementary.py" --self-test)
add_test(NAME spdx
  COMMAND Python3::Interpreter "${tools}/check_spdx.py" "${PROJECT_SOURCE_DIR}")
add_test(NAME digits
  COMMAND Python3::Interpreter "${tools}/check_digits.py" "${PROJECT_SOURCE_DIR}")
add_test(NAME digits_finds_repetitions
  COMMAND Python3::Interpreter "${tools}/check_digits.py" --self-test)
add_test(NAME sizes
  COMMAND Python3::Interpreter "${tools}/check_sizes.py" "${PROJECT_SOURCE_DIR}")
add_test(NAME sizes_finds_violations
  COMMAND Python3::Interpreter "${tools}/check_sizes.py" --self-test)
add_test(NAME words
  COMMAND Python3::Interpreter "${tools}/check_words.py" "${PROJECT_SOURCE_DIR}")
add_test(NAME words_finds_violations
  COMMAND Python3::Interpreter "${tools}/check_words.py" --self-test)
add_test(NAME adding
  COMMAND Python3::Interpreter "${tools}/check_adding.py" "${PROJECT_SOURCE_DIR}")
add_test(NAME adding_finds_violations
  COMMAND Python3::Interpreter "${tools}/check_adding.py" --self-test)
add_test(NAME locks
  COMMAND Python3::Interpreter "${tools}/check_locks.py" "${PROJECT_SOURCE_DIR}")
add_test(NAME locks_finds_violations
  COMMAND Python3::Interpreter "${tools}/check_locks.py" --self-test)
# What is built is hardened.
set(hardened "$<TARGET_FILE:berth_app>" "$<TARGET_FILE:berth_gallery>")
if(BERTH_PYTHON)
  list(APPEND hardened "$<TARGET_FILE:berth_python>")
endif()
add_test(NAME hardening
  COMMAND Python3::Interpreter "${tools}/check_hardening.py" ${hardened})
add_test(NAME hardening_finds_violations
  COMMAND Python3::Interpreter "${tools}/check_hardening.py" --self-test)
# It is listed, with its licences; bills of materials are held to their schema where the tests of the Python package
# are.
set(bill_python "$<TARGET_FILE:Python3::Interpreter>")
if(BERTH_PYTHON)
  set(bill_python "${Python_EXECUTABLE}")
endif()
add_test(NAME sbom
  COMMAND "${bill_python}" "${tools}/check_sbom.py" "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
add_test(NAME sbom_finds_violations
  COMMAND "${bill_python}" "${tools}/check_sbom.py" --self-test)
# It is the same bytes wherever it is built.
foreach(kind program wheel)
  add_test(NAME soak_reproducible_${kind} CONFIGURATIONS soak
    COMMAND "${tools}/check_reproducible.sh" "${PROJECT_BINARY_DIR}/reproducible_${kind}" ${kind})
  set_tests_properties(soak_reproducible_${kind} PROPERTIES LABELS soak TIMEOUT 86400)
endforeach()
# The toy parts of every kind, built into a copy of the tree.
add_test(NAME soak_adding CONFIGURATIONS soak
  COMMAND Python3::Interpreter "${tools}/check_adding.py" "${PROJECT_SOURCE_DIR}"
          --build "${PROJECT_BINARY_DIR}/adding")
set_tests_properties(soak_adding PROPERTIES LABELS soak TIMEOUT 86400)
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
