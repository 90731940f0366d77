# SPDX-License-Identifier: Apache-2.0
# Other people's libraries. A new one goes here, into tools/setup.sh (its Debian package) and, when
# the library links it, into cmake/berthConfig.cmake.in.

find_package(Eigen3 3.4 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(tomlplusplus 3 REQUIRED)
find_package(nlohmann_json 3 REQUIRED)
set(Boost_USE_STATIC_LIBS ON)
find_package(Boost 1.74 REQUIRED COMPONENTS context)
find_package(CLI11 2 REQUIRED)
# The program alone draws with the first and serves pages with the second.
find_package(PkgConfig REQUIRED)
pkg_check_modules(cairo REQUIRED IMPORTED_TARGET cairo cairo-pdf)
pkg_check_modules(httplib REQUIRED IMPORTED_TARGET cpp-httplib)
# The serial C library alone. CMake's FindHDF5 wants a C compiler and lists by path all that HDF5
# itself links.
find_library(BERTH_HDF5_LIBRARY NAMES hdf5_serial hdf5 REQUIRED)
find_path(BERTH_HDF5_HEADERS hdf5.h PATH_SUFFIXES hdf5/serial REQUIRED)
mark_as_advanced(BERTH_HDF5_LIBRARY BERTH_HDF5_HEADERS)
# By this name in what is exported: no path of this machine (cmake/berthConfig.cmake.in).
add_library(berth::hdf5 UNKNOWN IMPORTED)
if(BERTH_PORTABLE)
  include(portable)
else()
  set_target_properties(berth::hdf5 PROPERTIES IMPORTED_LOCATION "${BERTH_HDF5_LIBRARY}")
endif()

if(BERTH_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  find_package(SUNDIALS 6 REQUIRED COMPONENTS cvode nvecserial)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
endif()

if(BERTH_BENCH)
  find_package(benchmark REQUIRED)
  find_package(Simbody REQUIRED)

  # Peers come as wheels, which have headers and libraries inside (tools/setup.sh bench).
  set(BERTH_PEERS "${PROJECT_BINARY_DIR}/peers" CACHE PATH
    "Folder with the Python packages of python/requirements-bench.lock")
  file(GLOB mujoco_library "${BERTH_PEERS}/mujoco/libmujoco.so.*")
  set(pinocchio_folder "${BERTH_PEERS}/cmeel.prefix")
  if(NOT mujoco_library OR NOT EXISTS "${pinocchio_folder}/include/cppad/cg.hpp")
    message(FATAL_ERROR "${BERTH_PEERS} has no MuJoCo, Pinocchio or CppADCodeGen: tools/setup.sh bench")
  endif()
  add_library(mujoco::mujoco SHARED IMPORTED)
  set_target_properties(mujoco::mujoco PROPERTIES
    IMPORTED_LOCATION "${mujoco_library}"
    INTERFACE_INCLUDE_DIRECTORIES "${BERTH_PEERS}/mujoco/include")
  add_library(pinocchio::pinocchio SHARED IMPORTED)
  set_target_properties(pinocchio::pinocchio PROPERTIES
    IMPORTED_LOCATION "${pinocchio_folder}/lib/libpinocchio_default.so"
    INTERFACE_LINK_LIBRARIES "${pinocchio_folder}/lib/libcppad_lib.so"
    INTERFACE_COMPILE_DEFINITIONS
      "BOOST_MPL_LIMIT_LIST_SIZE=30;BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS")
endif()
