# SPDX-License-Identifier: Apache-2.0
# The templates of the report pages, which the program carries: viewer/ bundled by npm in the build
# folder, one for runs, one for sweeps and one for live runs. Without npm the pages are plain.
# BERTH_TEMPLATE, BERTH_SWEEP_TEMPLATE and BERTH_LIVE_TEMPLATE name templates that are there already;
# where only the first is given, the other pages are plain. A source package has them in viewer/dist. Beside each is
# a list of the libraries that it has parts of, NAME.html.json.

set(BERTH_TEMPLATE "" CACHE FILEPATH "Template of the pages of runs; empty = built from viewer/")
set(BERTH_SWEEP_TEMPLATE "" CACHE FILEPATH "Template of the pages of sweeps, beside BERTH_TEMPLATE")
set(BERTH_LIVE_TEMPLATE "" CACHE FILEPATH "Template of the pages of live runs, beside BERTH_TEMPLATE")
find_program(BERTH_NPM npm)
mark_as_advanced(BERTH_NPM)

set(viewer_source "${PROJECT_SOURCE_DIR}/viewer")
set(viewer_build "${PROJECT_BINARY_DIR}/viewer")

set(berth_sweep_template "${PROJECT_SOURCE_DIR}/cmake/plain_template.html")
set(berth_live_template "${PROJECT_SOURCE_DIR}/cmake/plain_template.html")
if(SKBUILD_STATE STREQUAL "sdist" AND BERTH_NPM)
  # The source package is being made: the templates, now.
  file(COPY "${viewer_source}/" DESTINATION "${viewer_build}" PATTERN dist EXCLUDE)
  execute_process(COMMAND "${BERTH_NPM}" ci --ignore-scripts --no-audit --no-fund --loglevel=error
    WORKING_DIRECTORY "${viewer_build}" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${BERTH_NPM}" run --silent build
    WORKING_DIRECTORY "${viewer_build}" COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB made "${viewer_build}/dist/*.html" "${viewer_build}/dist/*.html.json")
  file(COPY ${made} DESTINATION "${viewer_source}/dist")
endif()

if(BERTH_TEMPLATE)
  set(berth_template "${BERTH_TEMPLATE}")
  if(BERTH_SWEEP_TEMPLATE)
    set(berth_sweep_template "${BERTH_SWEEP_TEMPLATE}")
  endif()
  if(BERTH_LIVE_TEMPLATE)
    set(berth_live_template "${BERTH_LIVE_TEMPLATE}")
  endif()
elseif(EXISTS "${viewer_source}/dist/live_template.html"
       AND NOT (BERTH_NPM AND EXISTS "${PROJECT_SOURCE_DIR}/.git"))
  set(berth_template "${viewer_source}/dist/template.html")
  set(berth_sweep_template "${viewer_source}/dist/sweep_template.html")
  set(berth_live_template "${viewer_source}/dist/live_template.html")
elseif(BERTH_NPM AND EXISTS "${viewer_source}/package-lock.json")
  set(berth_template "${viewer_build}/dist/template.html")
  set(berth_sweep_template "${viewer_build}/dist/sweep_template.html")
  set(berth_live_template "${viewer_build}/dist/live_template.html")
  file(GLOB viewer_files CONFIGURE_DEPENDS RELATIVE "${viewer_source}"
    "${viewer_source}/*.html" "${viewer_source}/*.json" "${viewer_source}/vite.config.ts")
  file(GLOB_RECURSE viewer_scripts CONFIGURE_DEPENDS RELATIVE "${viewer_source}"
    "${viewer_source}/src/*")
  list(APPEND viewer_files ${viewer_scripts})
  set(viewer_copies "")
  foreach(file ${viewer_files})
    add_custom_command(OUTPUT "${viewer_build}/${file}"
      COMMAND "${CMAKE_COMMAND}" -E copy "${viewer_source}/${file}" "${viewer_build}/${file}"
      DEPENDS "${viewer_source}/${file}"
      VERBATIM)
    list(APPEND viewer_copies "${viewer_build}/${file}")
  endforeach()
  # What it is bundled from, as pinned in package-lock.json by version and hash; none runs a script of its own.
  add_custom_command(OUTPUT "${viewer_build}/node_modules/.package-lock.json"
    COMMAND "${BERTH_NPM}" ci --ignore-scripts --no-audit --no-fund --loglevel=error
    COMMAND "${CMAKE_COMMAND}" -E touch "${viewer_build}/node_modules/.package-lock.json"
    DEPENDS "${viewer_build}/package.json" "${viewer_build}/package-lock.json"
    WORKING_DIRECTORY "${viewer_build}"
    COMMENT "Fetching what the viewer is bundled from"
    VERBATIM)
  add_custom_command(OUTPUT "${berth_template}" "${berth_sweep_template}" "${berth_live_template}"
    COMMAND "${BERTH_NPM}" run --silent build
    DEPENDS ${viewer_copies} "${viewer_build}/node_modules/.package-lock.json"
    WORKING_DIRECTORY "${viewer_build}"
    COMMENT "Bundling the viewer"
    VERBATIM)
else()
  message(STATUS "No npm, or no viewer/: report pages will be plain")
  set(berth_template "${PROJECT_SOURCE_DIR}/cmake/plain_template.html")
endif()

add_custom_target(viewer DEPENDS
  "${berth_template}" "${berth_sweep_template}" "${berth_live_template}")
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/berth/report/template.cpp" PROPERTIES
  OBJECT_DEPENDS "${berth_template};${berth_sweep_template};${berth_live_template}"
  COMPILE_DEFINITIONS "BERTH_PAGE_TEMPLATE=\"${berth_template}\";BERTH_SWEEP_TEMPLATE=\"${berth_sweep_template}\";BERTH_LIVE_TEMPLATE=\"${berth_live_template}\""
  SKIP_UNITY_BUILD_INCLUSION ON)
