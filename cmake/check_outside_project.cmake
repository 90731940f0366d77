# SPDX-License-Identifier: Apache-2.0
# Installs BUILD to a fresh prefix, builds the project SOURCE against it and runs the result, which
# must print VERSION first.

set(work "${BUILD}/outside_project")
file(REMOVE_RECURSE "${work}")

function(run)
  execute_process(COMMAND ${ARGN}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with status ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${work}/prefix")
run("${CMAKE_COMMAND}" -S "${SOURCE}" -B "${work}/build" -G "${GENERATOR}"
    -DCMAKE_BUILD_TYPE=Release "-DCMAKE_PREFIX_PATH=${work}/prefix")
run("${CMAKE_COMMAND}" --build "${work}/build")
run("${work}/build/outside_project")

message("${output}")
string(FIND "${output}" "berth ${VERSION}" position)
if(NOT position EQUAL 0)
  message(FATAL_ERROR "expected the output to begin with \"berth ${VERSION}\"")
endif()
