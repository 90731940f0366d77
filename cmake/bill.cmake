# SPDX-License-Identifier: Apache-2.0
# What a program or module is made of, beside it in the build folder: NAME.cdx.json, a bill of materials, and
# NAME.licences.txt, the licences of what it has inside (tools/make_sbom.py). Targets NAME_bill.

find_package(Python3 COMPONENTS Interpreter QUIET)

# What each target compiles from headers or links from archives.
set(berth_contained eigen fmt tomlplusplus nlohmann-json boost-context)
if(BERTH_PORTABLE)
  list(APPEND berth_contained hdf5 libaec zlib)
endif()

# KIND is program or module; CONTAINED is what it has beyond berth_contained.
function(berth_add_bill target name kind)
  if(NOT Python3_Interpreter_FOUND)
    message(STATUS "No Python: ${name} comes without a bill of materials")
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 3 bill "" "NANOBIND" "CONTAINED")
  list(APPEND bill_CONTAINED ${berth_contained})
  list(JOIN bill_CONTAINED "," contained)
  set(options --page "${berth_template}" --page "${berth_sweep_template}" --page "${berth_live_template}")
  if(bill_NANOBIND)
    list(APPEND options --nanobind "${bill_NANOBIND}")
  endif()
  set(script "${PROJECT_SOURCE_DIR}/tools/make_sbom.py")
  set(out "${PROJECT_BINARY_DIR}/${name}")
  add_custom_command(OUTPUT "${out}.cdx.json" "${out}.licences.txt"
    COMMAND Python3::Interpreter "${script}" --kind ${kind} --version ${PROJECT_VERSION}
      --binary "$<TARGET_FILE:${target}>" --contains ${contained} ${options}
      --root "${PROJECT_SOURCE_DIR}" --sbom "${out}.cdx.json" --licences "${out}.licences.txt"
    DEPENDS "${target}" "${script}" viewer "${PROJECT_SOURCE_DIR}/pyproject.toml"
    COMMENT "Listing what ${name} is made of"
    VERBATIM)
  add_custom_target(${name}_bill ALL DEPENDS "${out}.cdx.json" "${out}.licences.txt")
endfunction()
