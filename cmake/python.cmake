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
file(GLOB berth_python_files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/python/berth"
  "${PROJECT_SOURCE_DIR}/python/berth/*.py" "${PROJECT_SOURCE_DIR}/python/berth/*.pyi"
  "${PROJECT_SOURCE_DIR}/python/berth/py.typed")
# What the environment for agents is made from.
set(docking "${PROJECT_SOURCE_DIR}/scenarios/docking.toml")

# The module, and in the same folder the other half of the package, linked to: edits act at once.
function(berth_add_python_module target folder)
  nanobind_add_module(${target} NB_STATIC NB_SUPPRESS_WARNINGS ${berth_python_sources} ${ARGN})
  berth_set_flags(${target})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME _core
    UNITY_BUILD OFF
    LIBRARY_OUTPUT_DIRECTORY "${folder}/berth")
  file(MAKE_DIRECTORY "${folder}/berth")
  foreach(file ${berth_python_files})
    file(CREATE_LINK "${PROJECT_SOURCE_DIR}/python/berth/${file}" "${folder}/berth/${file}" SYMBOLIC)
  endforeach()
  file(CREATE_LINK "${docking}" "${folder}/berth/docking.toml" SYMBOLIC)
endfunction()

berth_add_python_module(berth_python "${PROJECT_BINARY_DIR}/python")
target_link_libraries(berth_python PRIVATE berth::berth)
# What it does for long, the library does.
target_compile_options(berth_python PRIVATE -O1)
berth_set_hardening_flags(berth_python)
berth_set_hardening_flags(nanobind-static)

if(BERTH_PORTABLE)
  add_dependencies(berth_python berth_portable_hdf5)
  # Nothing of an archive is seen from outside, what nobody calls is left out.
  target_link_options(berth_python PRIVATE
    -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,--as-needed)
endif()
if(SKBUILD)
  install(TARGETS berth_python LIBRARY DESTINATION berth COMPONENT python)
  install(FILES "${docking}" DESTINATION berth COMPONENT python)
  # What it is made of, where packages of Python have it.
  get_filename_component(nanobind_folder "${nanobind_ROOT}" DIRECTORY)
  berth_add_bill(berth_python berth_module module
    CONTAINED nanobind robin-map NANOBIND "${nanobind_folder}")
  if(TARGET berth_module_bill)
    install(FILES "${PROJECT_BINARY_DIR}/berth_module.cdx.json" COMPONENT python
      DESTINATION "${SKBUILD_METADATA_DIR}/sboms" RENAME berth.cdx.json)
    install(FILES "${PROJECT_BINARY_DIR}/berth_module.licences.txt" COMPONENT python
      DESTINATION "${SKBUILD_METADATA_DIR}/licenses" RENAME THIRD_PARTY.txt)
  endif()
endif()
