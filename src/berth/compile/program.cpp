// SPDX-License-Identifier: Apache-2.0
#include "berth/compile/program.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace berth {

namespace {

constexpr int kStopInterval = 20;         // [ms] between two glances at the request to stop
constexpr std::size_t kMostText = 65536;  // [bytes]
constexpr int kNiceness = 10;

bool is_program(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
}

// Ours, with some names set anew.
std::vector<std::string> make_environment(const std::vector<std::string>& changes) {
  std::vector<std::string> all = changes;
  const auto is_changed = [&](std::string_view entry) {
    const std::string_view name = entry.substr(0, entry.find('='));
    return std::any_of(changes.begin(), changes.end(), [&](const std::string& c) {
      return std::string_view(c).substr(0, c.find('=')) == name;
    });
  };
  for (char** entry = environ; *entry; ++entry)
    if (!is_changed(*entry)) all.emplace_back(*entry);
  return all;
}

std::vector<char*> list_pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (std::string& w : words) all.push_back(w.data());
  all.push_back(nullptr);
  return all;
}

// Started with the signals of a new program: what we ignore or block is our affair.
pid_t start_program(std::vector<std::string>& words, const std::vector<std::string>& changes,
                    int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  for (const int s : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGCHLD}) sigaddset(&usual, s);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);

  std::vector<std::string> environment = make_environment(changes);
  pid_t child = -1;
  const int error = posix_spawn(&child, words.front().c_str(), &actions, &attributes,
                                list_pointers(words).data(), list_pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) throw std::runtime_error(words.front() + ": " + std::strerror(error));
  ::setpriority(PRIO_PGRP, static_cast<id_t>(child), kNiceness);
  return child;
}

}  // namespace

std::string find_program(const std::vector<std::string>& names) {
  const char* path = std::getenv("PATH");
  for (const std::string& name : names) {
    if (name.find('/') != std::string::npos && is_program(name)) return name;
    if (name.empty() || name.find('/') != std::string::npos) continue;
    std::string_view rest = path ? path : "";
    while (!rest.empty()) {
      const std::size_t end = rest.find(':');
      const std::filesystem::path file = std::filesystem::path(rest.substr(0, end)) / name;
      if (is_program(file)) return file.string();
      rest = end == rest.npos ? "" : rest.substr(end + 1);
    }
  }
  return "";
}

void make_pipe(int (&ends)[2]) {
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe to another program");
  for (int& end : ends) {
    const int high = ::fcntl(end, F_DUPFD_CLOEXEC, 10);
    ::close(std::exchange(end, high));
  }
}

ProgramEnd execute_program(std::vector<std::string> words, const ProgramOptions& options) {
  int ends[2];
  make_pipe(ends);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  pid_t child = -1;
  try {
    child = start_program(words, options.environment, ends[1]);
  } catch (...) {
    ::close(ends[0]), ::close(ends[1]);
    throw;
  }
  ::close(ends[1]);

  ProgramEnd end;
  bool is_open = true;
  const auto read_some = [&] {
    for (;;) {
      char bytes[4096];
      const ssize_t n = ::read(ends[0], bytes, sizeof bytes);
      if (n > 0)
        end.text.append(bytes, std::min(static_cast<std::size_t>(n), kMostText - end.text.size()));
      else if (n == 0)
        is_open = false;
      if (n <= 0) return;
    }
  };
  const auto until = std::chrono::steady_clock::now() + options.patience;
  int status = 0;
  for (;;) {
    // Its end closes the pipe, unless something it started holds it.
    pollfd ready{ends[0], POLLIN, 0};
    if (is_open)
      ::poll(&ready, 1, kStopInterval);
    else
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    read_some();
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) {  // someone else has waited for it: how it ended is not known
      status = -1;
      break;
    }
    if (options.stop.stop_requested() || std::chrono::steady_clock::now() > until) {
      end.stopped = true;
      ::kill(-child, SIGKILL);
      while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
      // What it has started is gone when nobody holds the pipe.
      for (int wait = 0; is_open && wait < 50; ++wait) {
        ::poll(&ready, 1, kStopInterval);
        read_some();
      }
      break;
    }
  }
  read_some();
  ::close(ends[0]);
  end.code = status != -1 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return end;
}

}  // namespace berth
