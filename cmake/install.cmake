# SPDX-License-Identifier: Apache-2.0
# `cmake --install build --prefix DIR` leaves what `find_package(berth)` needs.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(berth_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/berth")

install(TARGETS berth EXPORT berthTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
# The public face: headers that need the standard library alone. All others are the library's own.
install(FILES
  "${PROJECT_SOURCE_DIR}/src/berth/simulation.h"
  "${PROJECT_BINARY_DIR}/include/berth/version.h"
  DESTINATION include/berth)
if(TARGET berth_app)
  install(TARGETS berth_app RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  # What --help says, for man and for shells.
  add_custom_command(TARGET berth_app POST_BUILD
    COMMAND berth_app man > "${PROJECT_BINARY_DIR}/berth.1"
    COMMAND berth_app completion bash > "${PROJECT_BINARY_DIR}/berth.bash"
    COMMAND berth_app completion zsh > "${PROJECT_BINARY_DIR}/_berth")
  install(FILES "${PROJECT_BINARY_DIR}/berth.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  install(FILES "${PROJECT_BINARY_DIR}/berth.bash" RENAME berth
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${PROJECT_BINARY_DIR}/_berth"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
  # What it is made of. The archive has nothing inside that the program has not.
  berth_add_bill(berth_app berth program CONTAINED cli11 cpp-httplib)
  if(TARGET berth_bill)
    add_dependencies(program berth_bill)
    install(FILES "${PROJECT_BINARY_DIR}/berth.cdx.json" "${PROJECT_BINARY_DIR}/berth.licences.txt"
      DESTINATION "${CMAKE_INSTALL_DOCDIR}")
  endif()
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

install(EXPORT berthTargets NAMESPACE berth:: DESTINATION "${berth_package_dir}")
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/berthConfig.cmake.in" "${PROJECT_BINARY_DIR}/berthConfig.cmake"
  INSTALL_DESTINATION "${berth_package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/berthConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(
  FILES "${PROJECT_BINARY_DIR}/berthConfig.cmake" "${PROJECT_BINARY_DIR}/berthConfigVersion.cmake"
  DESTINATION "${berth_package_dir}")
