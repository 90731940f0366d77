// SPDX-License-Identifier: Apache-2.0
#include "berth/record/apart.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "berth/record/confine.h"

namespace berth {
namespace {

constexpr std::uint64_t kAsAsked = 0, kRefused = 1, kInMemoryFile = 2;
constexpr std::uint64_t kMostInline = 64 << 10, kLongestQuestion = 64 << 20, kLongestReason = 4096;

struct Head {
  std::uint64_t kind, length;
};

bool send_all(int socket, const void* bytes, std::size_t count) {
  const auto* from = static_cast<const char*>(bytes);
  while (count > 0) {
    const ::ssize_t done = ::send(socket, from, count, MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    from += done;
    count -= static_cast<std::size_t>(done);
  }
  return true;
}

bool receive_all(int socket, void* bytes, std::size_t count) {
  auto* into = static_cast<char*>(bytes);
  while (count > 0) {
    const ::ssize_t done = ::recv(socket, into, count, 0);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    into += done;
    count -= static_cast<std::size_t>(done);
  }
  return true;
}

// Control messages want the alignment of their head.
union FileMessage {
  cmsghdr head;
  char bytes[CMSG_SPACE(sizeof(int))];
};

bool send_file(int socket, Head head, int file) {
  FileMessage control{};
  iovec part{&head, sizeof head};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = &control;
  message.msg_controllen = sizeof control;
  cmsghdr* const c = CMSG_FIRSTHDR(&message);
  c->cmsg_level = SOL_SOCKET;
  c->cmsg_type = SCM_RIGHTS;
  c->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(c), &file, sizeof file);
  return ::sendmsg(socket, &message, MSG_NOSIGNAL) == static_cast<::ssize_t>(sizeof head);
}

// A head, and a descriptor where one came along.
std::optional<std::pair<Head, int>> receive_head(int socket) {
  Head head{};
  FileMessage control{};
  iovec part{&head, sizeof head};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = &control;
  message.msg_controllen = sizeof control;
  ::ssize_t done = 0;
  do {
    done = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
  } while (done < 0 && errno == EINTR);
  int file = -1;
  if (done > 0)
    for (cmsghdr* c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c))
      if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
        std::memcpy(&file, CMSG_DATA(c), sizeof file);
  if (done < 0) return std::nullopt;
  const auto have = static_cast<std::size_t>(done);
  if (have == sizeof head ||
      (have > 0 && receive_all(socket, reinterpret_cast<char*>(&head) + have, sizeof head - have)))
    return std::pair{head, file};
  if (file >= 0) ::close(file);
  return std::nullopt;
}

// --- in the child --------------------------------------------------------------------------------

bool answer_in_memory_file(int socket, const std::string& bytes) {
  const int file = ::memfd_create("answer", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return false;
  bool done = true;
  for (std::size_t at = 0; done && at < bytes.size();) {
    const ::ssize_t n = ::write(file, bytes.data() + at, bytes.size() - at);
    done = n > 0;
    if (done) at += static_cast<std::size_t>(n);
  }
  done =
      done &&
      ::fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) == 0 &&
      send_file(socket, {kInMemoryFile, bytes.size()}, file);
  ::close(file);
  return done;
}

bool refuse(int socket, std::string_view why) {
  why = why.substr(0, kLongestReason);
  const Head head{kRefused, why.size()};
  return send_all(socket, &head, sizeof head) && send_all(socket, why.data(), why.size());
}

bool answer(int socket, const std::string& bytes) {
  if (bytes.size() > kMostInline) return answer_in_memory_file(socket, bytes);
  const Head head{kAsAsked, bytes.size()};
  return send_all(socket, &head, sizeof head) && send_all(socket, bytes.data(), bytes.size());
}

// Until nobody asks any more.
void serve(int socket, const Apart::Begin& begin, const ApartLimits& limits) {
  Apart::Answer find_answer;
  std::string refusal, question, found;
  bool goes_on = true;
  while (goes_on) {
    std::uint64_t length = 0;
    if (!receive_all(socket, &length, sizeof length) || length > kLongestQuestion) return;
    limit_time(limits.seconds);
    try {
      question.resize(length);
      if (!receive_all(socket, question.data(), length)) return;
      if (!find_answer && refusal.empty()) {
        try {
          find_answer = begin();
        } catch (const std::bad_alloc&) {
          throw;
        } catch (const std::exception& e) {
          refusal = e.what();
        }
      }
      if (refusal.empty()) found = find_answer(question);
      goes_on = refusal.empty() ? answer(socket, found) : refuse(socket, refusal);
    } catch (const std::bad_alloc&) {
      goes_on = refuse(socket, "is damaged, or made to be: reading it takes too much memory");
    } catch (const std::exception& e) {
      goes_on = refuse(socket, e.what());
    }
    limit_time(0);
  }
}

}  // namespace

Apart::Apart(const Begin& begin, std::span<const int> files, const ApartLimits& limits)
    : owner_(::getpid()), limits_(limits) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw ApartError(fmt::format("cannot be read: no socket to another process: {}",
                                 std::generic_category().message(errno)));
  std::vector<int> kept(files.begin(), files.end());
  kept.push_back(ends[1]);
  child_ = ::fork();
  if (child_ == 0) {
    close_others(kept);
    confine(limits.megabytes);
    serve(ends[1], begin, limits);
    ::_exit(0);
  }
  const int failure = errno;
  ::close(ends[1]);
  socket_ = ends[0];
  if (child_ < 0) {
    ::close(socket_);
    throw ApartError(fmt::format("cannot be read: no process to read it in: {}",
                                 std::generic_category().message(failure)));
  }
}

Apart::~Apart() {
  ::close(socket_);
  if (owner_ == ::getpid() && ended_.empty()) find_end();
}

std::string Apart::ask(std::string_view question, std::uint64_t most) {
  const std::lock_guard alone(alone_);
  if (owner_ != ::getpid()) throw ApartError("was opened by another process: this one was forked");
  if (!ended_.empty()) throw ApartError(ended_);
  const std::uint64_t length = question.size();
  const auto give_up = [&](const char* why = nullptr) {
    ended_ = find_end();
    if (why) ended_ = why;
    throw ApartError(ended_);
  };
  if (!send_all(socket_, &length, sizeof length) ||
      !send_all(socket_, question.data(), question.size()))
    give_up();
  const auto received = receive_head(socket_);
  if (!received) give_up();
  const auto [head, file] = *received;
  struct Closed {
    int file;
    ~Closed() {
      if (file >= 0) ::close(file);
    }
  } const closed{file};
  const std::uint64_t limit = head.kind == kRefused ? kLongestReason : most;
  if (head.kind > kInMemoryFile || head.length > limit ||
      (head.kind == kInMemoryFile) != (file >= 0))
    give_up("is damaged: what was read of it makes no sense");
  std::string bytes(head.length, '\0');
  if (head.kind == kInMemoryFile) {
    constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
    if ((::fcntl(file, F_GET_SEALS) & kSeals) != kSeals)
      give_up("is damaged: what was read of it makes no sense");
    for (std::size_t at = 0; at < bytes.size();) {
      const ::ssize_t n =
          ::pread(file, bytes.data() + at, bytes.size() - at, static_cast<::off_t>(at));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) give_up("is damaged: what was read of it makes no sense");
      at += static_cast<std::size_t>(n);
    }
  } else if (!receive_all(socket_, bytes.data(), bytes.size())) {
    give_up();
  }
  if (head.kind == kRefused) throw ApartError(bytes);
  return bytes;
}

// Ends the child, and says how it ended. A process number is only used while the child is ours to wait for.
std::string Apart::find_end() {
  int status = 0;
  ::pid_t ended = 0;
  // It ends when the socket has closed, unless it is busy.
  for (int i = 0; i < 50 && ended == 0; ++i) {
    ended = ::waitpid(child_, &status, WNOHANG);
    if (ended == 0) ::usleep(i < 40 ? 50 : 1000);
  }
  if (ended == 0) {
    ::kill(child_, SIGKILL);
    do {
      ended = ::waitpid(child_, &status, 0);
    } while (ended < 0 && errno == EINTR);
  }
  if (ended == child_ && WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGPROF)
      return fmt::format("is damaged, or made to be: reading it did not end in {} s",
                         limits_.seconds);
    if (signal == SIGSYS) return "is damaged, or made to be: reading it tried what it may not do";
    return fmt::format("is damaged: the library that reads it failed (signal {})", signal);
  }
  return "cannot be read: the process that reads it has ended";
}

std::string ask_apart(const Apart::Answer& answer, std::string_view question, std::uint64_t most) {
  return Apart([&] { return answer; }, {}).ask(question, most);
}

}  // namespace berth
