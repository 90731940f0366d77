# SPDX-License-Identifier: Apache-2.0
# Compiler flags, all of them.

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
  endif()
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g0 -DNDEBUG")
  set(CMAKE_COMPILE_WARNING_AS_ERROR ON)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()

# Two builds of one commit are the same bytes wherever their folders are: what the compiler writes of paths begins
# where the tree does, archives carry neither times nor users. Not for stepping through, where debuggers open the
# files. Of two that fit the compiler takes the last.
if(PROJECT_IS_TOP_LEVEL)
  add_compile_options(
    "$<$<CONFIG:Release>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.>"
    "$<$<CONFIG:Release>:-ffile-prefix-map=${PROJECT_BINARY_DIR}=./build>")
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    set(CMAKE_CXX_ARCHIVE_CREATE "<CMAKE_AR> qcD <TARGET> <LINK_FLAGS> <OBJECTS>")
    set(CMAKE_CXX_ARCHIVE_APPEND "<CMAKE_AR> qD <TARGET> <LINK_FLAGS> <OBJECTS>")
    set(CMAKE_CXX_ARCHIVE_FINISH "<CMAKE_RANLIB> -D <TARGET>")
  endif()
endif()

# Files and peers of others are taken for hostile (SECURITY.md). Every program is loaded anywhere in memory, with all
# it calls found at the start and written in no more; what meets these files and peers also checks its stack and the
# sizes of what it copies (berth_set_hardening_flags). What computes is left as fast as it is.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND PROJECT_IS_TOP_LEVEL)
  add_link_options(
    "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-pie>" -Wl,-z,relro,-z,now,-z,noexecstack)
  # What is kept of recorded runs belongs to the build that recorded them (compile/build_id.h).
  add_link_options(-Wl,--build-id=sha1)
endif()
include(CheckCXXCompilerFlag)
set(berth_hardening "")
foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection)
  string(MAKE_C_IDENTIFIER "BERTH_HAS${flag}" known)
  check_cxx_compiler_flag(${flag} ${known})
  if(${known})
    list(APPEND berth_hardening ${flag})
  endif()
endforeach()

# For what is optimised: sizes are known to the compiler only then.
function(berth_set_hardening_flags target)
  target_compile_options(${target} PRIVATE
    ${berth_hardening} -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endfunction()

# The library also goes into a shared one, the Python module. Hidden names keep its calls as direct, and
# its code as fast, as in a program.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

# Most of the time to compile a file goes into headers, and into templates that others instantiate too:
# unity builds take many files at a time.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 16)

# Checks for null and misaligned pointers are left out: address reports both, and they double the
# time to compile.
function(berth_set_sanitizer_flags target)
  set(sanitizers -fsanitize=address,undefined)
  target_compile_options(${target} PRIVATE -O1 -g0 -fno-omit-frame-pointer
    ${sanitizers} -fno-sanitize-recover=all -fno-sanitize=null,alignment,vptr,object-size)
  # Eigen allocates in another way under the sanitizer, unless set; other objects free what it did.
  target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS EIGEN_MALLOC_ALREADY_ALIGNED=1)
  target_link_options(${target} PRIVATE ${sanitizers})
endfunction()

# Fused multiply-add would round differently from one instruction set to the next; without it all
# scalars give the same bits. Programs and tests of this tree instantiate the library's templates, so
# they get the flag too.
function(berth_set_flags target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target}
    PUBLIC $<BUILD_INTERFACE:-ffp-contract=off>
    PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-psabi)
  # Templates fill the memory of the compiler, which spends a fifth of its time on collecting garbage
  # unless it may take a gigabyte.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-expand=400;--param=ggc-min-heapsize=1048576>)
endfunction()

# What reads, checks and writes, but does not compute, is optimised for less and hardened. Its headers are
# compiled once, with what reads.
function(berth_set_light_flags target)
  target_compile_options(${target} PRIVATE -O1)
  berth_set_hardening_flags(${target})
  # Precompiled headers fit one kind of position independence: a program's objects are those of a library.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${target} PRIVATE -fPIC)
  if(NOT target STREQUAL "berth_reading")
    target_precompile_headers(${target} REUSE_FROM berth_reading)
  else()
    target_precompile_headers(${target} PRIVATE
      <algorithm>
      <string>
      <vector>
      <fmt/format.h>
      <nlohmann/json.hpp>
      "${PROJECT_SOURCE_DIR}/src/berth/simulate/summary.h"
      "${PROJECT_SOURCE_DIR}/src/berth/scenario/scenario.h")
  endif()
endfunction()
