# SPDX-License-Identifier: Apache-2.0
# The Python package: the module berth._core (python/src), linked to the library, and python/berth beside
# it. In the build folder it is complete: PYTHONPATH=build/python.

find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module)
# nanobind comes with the interpreter's packages.
if(NOT nanobind_ROOT)
  execute_process(COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir
    OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endif()
find_package(nanobind CONFIG REQUIRED)

file(GLOB berth_python_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/src/*.cpp")
nanobind_add_module(berth_python NB_STATIC NB_SUPPRESS_WARNINGS ${berth_python_sources})
target_link_libraries(berth_python PRIVATE berth::berth)
berth_set_flags(berth_python)
# What it does for long, the library does.
target_compile_options(berth_python PRIVATE -O1)
set_target_properties(berth_python PROPERTIES
  OUTPUT_NAME _core
  UNITY_BUILD OFF
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/python/berth")

# The other half of the package, linked to: edits act at once.
file(GLOB berth_python_files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/python/berth"
  "${PROJECT_SOURCE_DIR}/python/berth/*.py" "${PROJECT_SOURCE_DIR}/python/berth/*.pyi"
  "${PROJECT_SOURCE_DIR}/python/berth/py.typed")
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/python/berth")
foreach(file ${berth_python_files})
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/python/berth/${file}"
    "${PROJECT_BINARY_DIR}/python/berth/${file}" SYMBOLIC)
endforeach()

# What the environment for agents is made from.
set(docking "${PROJECT_SOURCE_DIR}/scenarios/docking.toml")
file(CREATE_LINK "${docking}" "${PROJECT_BINARY_DIR}/python/berth/docking.toml" SYMBOLIC)

if(BERTH_PORTABLE)
  add_dependencies(berth_python berth_portable_hdf5)
  # Nothing of an archive is seen from outside, what nobody calls is left out.
  target_link_options(berth_python PRIVATE
    -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,--as-needed)
endif()
if(SKBUILD)
  install(TARGETS berth_python LIBRARY DESTINATION berth COMPONENT python)
  install(FILES "${docking}" DESTINATION berth COMPONENT python)
endif()
