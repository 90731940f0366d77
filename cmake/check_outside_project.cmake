# SPDX-License-Identifier: Apache-2.0
# What is installed serves others: installs BUILD to a fresh prefix, moves it elsewhere, searches for
# paths of this machine in it, builds the projects of SOURCE/examples against it and runs them; the
# first must print VERSION.

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

run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${work}/first")
file(RENAME "${work}/first" "${work}/moved")

# --- what is installed -------------------------------------------------------------------------------

file(GLOB_RECURSE headers RELATIVE "${work}/moved/include" "${work}/moved/include/*")
list(SORT headers)
if(NOT headers STREQUAL "berth/simulation.h;berth/version.h")
  message(FATAL_ERROR "other headers are installed than the public ones: ${headers}")
endif()
file(GLOB_RECURSE scripts "${work}/moved/*.cmake")
foreach(script ${scripts})
  file(STRINGS "${script}" lines)
  foreach(line IN LISTS lines)
    # A path that begins at the root, where an option or a value begins.
    if(line MATCHES "(^|[\"; :>])/[A-Za-z]" AND NOT line MATCHES "^ *#"
       AND NOT line MATCHES "_IMPORT_PREFIX STREQUAL \"/\"")
      message(FATAL_ERROR "${script} names a path of this machine:\n${line}")
    endif()
  endforeach()
endforeach()

# Licences, and what the program is made of.
foreach(file LICENSE berth.licences.txt berth.cdx.json)
  if(NOT EXISTS "${work}/moved/share/doc/berth/${file}")
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()

# --- the examples ------------------------------------------------------------------------------------

run("${CMAKE_COMMAND}" -S "${SOURCE}/examples" -B "${work}/build" -G "${GENERATOR}"
    -DCMAKE_BUILD_TYPE=Release "-DCMAKE_PREFIX_PATH=${work}/moved")
run("${CMAKE_COMMAND}" --build "${work}/build")

# Runs an example, whose output must match.
function(expect example pattern)
  run("${work}/build/${example}/${example}" ${ARGN})
  message("${example}:\n${output}")
  if(NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "${example} should print ${pattern}")
  endif()
endfunction()

expect(run_docking "^berth ${VERSION}: reached_end at .*, verdict captured\nenergy .*\nsoft latched.*\njoint latched"
  "${SOURCE}/scenarios/docking.toml" "${work}/docking.h5")
if(NOT EXISTS "${work}/docking.h5")
  message(FATAL_ERROR "run_docking wrote no result")
endif()
expect(compare_peaks "1000 N/m: .*, 1.00 of the first\n2000 N/m: .*, 1\\.[1-9].*\n4000 N/m: .*, [12]\\."
  "${SOURCE}/papers/contact/hil_contact.toml")
expect(stop_at_contact "touches at 4\\.8958 s with 0\\.0104 m/s\nwithin two seconds [0-9.]+ mm deep"
  "${SOURCE}/papers/contact/hil_contact.toml")
expect(capture_sweep "  0 mm  captured\n.*280 mm  missed\n$"
  "${SOURCE}/scenarios/capture_envelope.toml")
expect(list_problems "^2 problems\nline 7: spacecraft.servicer.mass: .*\nline 12: spacecraft.target.mas: .*did you mean")
expect(own_approach "^gnc: asked every 0\\.1 s\n   20 s .*\n  100 s   1\\.0.* m\nreached_end at 120 s"
  "${SOURCE}/scenarios/own_controller.toml")
