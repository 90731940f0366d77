// SPDX-License-Identifier: Apache-2.0
#include "berth/app/browser.h"

#include <array>
#include <cstring>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "berth/app/command.h"

namespace berth {

void open_in_browser(const std::string& address) {
  std::string program = "xdg-open", argument = address;
  const std::array<char*, 3> words = {program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
  posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", 1, 0);
  pid_t child = 0;
  const int error = posix_spawnp(&child, program.c_str(), &quiet, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&quiet);
  int status = 0;
  if (error == 0) waitpid(child, &status, 0);
  if (error != 0)
    complain("--open  no browser: xdg-open: {}; the page is {}\n", std::strerror(error), address);
  else if (status != 0)
    complain("--open  xdg-open found no browser; the page is {}\n", address);
}

}  // namespace berth
