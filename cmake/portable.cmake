# SPDX-License-Identifier: Apache-2.0
# BERTH_PORTABLE: the Python module brings along what other machines lack, HDF5, fmt and toml++.
#
# Debian's libhdf5.a is compiled for programs: in a shared library the linker refuses what it says of
# stdout and stderr, variables of another library, and of these alone. In a copy they are called
# berth_stdout and berth_stderr, variables of the module (python/src/streams.cpp).

find_program(CMAKE_OBJCOPY NAMES objcopy REQUIRED)
foreach(name hdf5 sz aec z)
  find_library(BERTH_STATIC_${name} NAMES lib${name}.a PATH_SUFFIXES hdf5/serial REQUIRED)
  mark_as_advanced(BERTH_STATIC_${name})
endforeach()

set(portable_hdf5 "${PROJECT_BINARY_DIR}/libhdf5_portable.a")
add_custom_command(OUTPUT "${portable_hdf5}"
  COMMAND "${CMAKE_OBJCOPY}" --redefine-sym stdout=berth_stdout --redefine-sym stderr=berth_stderr
    "${BERTH_STATIC_hdf5}" "${portable_hdf5}"
  DEPENDS "${BERTH_STATIC_hdf5}"
  VERBATIM)
add_custom_target(berth_portable_hdf5 DEPENDS "${portable_hdf5}")
set_target_properties(berth::hdf5 PROPERTIES
  IMPORTED_LOCATION "${portable_hdf5}"
  INTERFACE_LINK_LIBRARIES
    "${BERTH_STATIC_sz};${BERTH_STATIC_aec};${BERTH_STATIC_z};${CMAKE_DL_LIBS};m")

# These are there as shared libraries alone, but their headers suffice.
set_target_properties(fmt::fmt PROPERTIES INTERFACE_COMPILE_DEFINITIONS FMT_HEADER_ONLY=1)
set_target_properties(tomlplusplus::tomlplusplus PROPERTIES
  INTERFACE_COMPILE_OPTIONS "" INTERFACE_COMPILE_DEFINITIONS TOML_HEADER_ONLY=1)
