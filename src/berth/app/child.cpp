// SPDX-License-Identifier: Apache-2.0
#include "berth/app/child.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "berth/compile/program.h"
#include "berth/interruption.h"

namespace berth {
namespace {

constexpr int kPatience = 60'000;  // [ms] until an answer

}  // namespace

Child::Child(std::vector<std::string> words, int from_us, int to_us) : name_(words.front()) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int out : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, out, "/dev/null", O_WRONLY, 0);
  int in[2] = {-1, -1}, out[2] = {-1, -1};
  if (from_us >= 0) {
    make_pipe(in);
    posix_spawn_file_actions_adddup2(&actions, in[0], from_us);
    input_ = in[1];
  }
  if (to_us >= 0) {
    make_pipe(out);
    posix_spawn_file_actions_adddup2(&actions, out[1], to_us);
    output_ = out[0];
  }
  std::vector<char*> arguments;
  for (std::string& w : words) arguments.push_back(w.data());
  arguments.push_back(nullptr);
  const int error =
      posix_spawnp(&child_, name_.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  for (const int end : {in[0], out[1]})
    if (end >= 0) ::close(end);
  if (error != 0) throw std::runtime_error(fmt::format("{}: {}", name_, std::strerror(error)));
}

Child::~Child() {
  close_input();
  if (output_ >= 0) ::close(output_);
  if (child_ <= 0) return;
  ::kill(child_, SIGKILL);
  ::waitpid(child_, nullptr, 0);
}

void Child::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(input_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw std::runtime_error(fmt::format("{} has ended early", name_));
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

std::string Child::read_message() {
  for (;;) {
    if (const std::size_t end = read_.find('\0'); end != std::string::npos) {
      std::string message = read_.substr(0, end);
      read_.erase(0, end + 1);
      return message;
    }
    stop_if_interrupted();
    pollfd ready{output_, POLLIN, 0};
    const int n = ::poll(&ready, 1, kPatience);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) throw std::runtime_error(fmt::format("{} does not answer", name_));
    char bytes[65536];
    const ssize_t got = ::read(output_, bytes, sizeof bytes);
    if (got <= 0) throw std::runtime_error(fmt::format("{} has ended early", name_));
    read_.append(bytes, static_cast<std::size_t>(got));
  }
}

void Child::close_input() {
  if (input_ >= 0) ::close(std::exchange(input_, -1));
}

int Child::wait() {
  close_input();
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace berth
