// SPDX-License-Identifier: Apache-2.0
#include "berth/program/process.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

#include "berth/interruption.h"
#include "berth/program/last_resort.h"
#include "berth/record/input_file.h"

namespace berth {

std::atomic<int> g_signal = 0;

namespace {

std::atomic<bool> g_knows = false;  // somebody ends with what there is

void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest number that is free: this one.
    const int opened = ::open("/dev/null", stream == STDIN_FILENO ? O_RDONLY : O_WRONLY);
    if (opened != stream) std::_Exit(1);
  }
}

}  // namespace

void prepare_process() {
  open_standard_streams();
  prepare_last_resort();
  struct sigaction action = {};
  action.sa_handler = [](int s) { g_signal = s; };
  action.sa_flags = SA_RESETHAND;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  // A file limit or a closed pipe is an error to report, not a reason to die.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  set_interruption([] { return g_signal != 0 && !g_knows; });
  remember_inputs();
}

bool is_asked_to_end() {
  if (g_signal == 0) return false;
  g_knows = true;
  return true;
}

}  // namespace berth
