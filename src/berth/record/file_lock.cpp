// SPDX-License-Identifier: Apache-2.0
#include "berth/record/file_lock.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "berth/record/input_file.h"
#include "berth/record/record_error.h"

namespace berth {
namespace {

constexpr std::size_t kMostText = 4096;

// This machine, and the numbering of processes in it: containers count their own.
std::string find_place() {
  std::array<char, 256> host{}, numbering{};
  ::gethostname(host.data(), host.size() - 1);
  if (::readlink("/proc/self/ns/pid", numbering.data(), numbering.size() - 1) < 0)
    numbering[0] = '\0';
  return fmt::format("{} {}", host.data(), numbering.data());
}

// "host pid:[…]\nprocess\n"
struct Holder {
  std::string place, host;
  int process = 0;

  explicit Holder(const std::string& text) {
    const std::size_t end = text.find('\n');
    if (end == std::string::npos) return;
    place = text.substr(0, end);
    host = place.substr(0, place.rfind(' '));
    process = std::atoi(text.c_str() + end + 1);
  }
  bool is_gone() const {
    return process > 0 && place == find_place() && ::kill(process, 0) != 0 && errno == ESRCH;
  }
};

}  // namespace

FileLock::FileLock(int descriptor, const std::filesystem::path& file) : owner_(::getpid()) {
  is_held_ = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  if (is_held_ || errno == EWOULDBLOCK) return;
  lock_file_ = file;
  lock_file_ += ".lock";
  make_lock_file();
}

void FileLock::make_lock_file() {
  for (int attempt = 0; attempt < 3; ++attempt) {
    const int made = ::open(lock_file_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (made < 0 && errno != EEXIST) throw RecordError(lock_file_.string(), "cannot create", errno);
    if (made >= 0) {
      const std::string text = fmt::format("{}\n{}\n", find_place(), owner_);
      const bool is_written = ::write(made, text.data(), text.size()) == std::ssize(text);
      const int cause = errno;
      ::close(made);
      is_held_ = is_written;
      if (is_written) return;
      ::unlink(lock_file_.c_str());
      throw RecordError(lock_file_.string(), "cannot write", cause);
    }
    const std::string found = InputFile(lock_file_, "").read(kMostText);
    const Holder holder(found);
    holder_ =
        fmt::format("process {} of {}; if it has ended, remove {}", holder.process,
                    holder.host.empty() ? "an unknown host" : holder.host, lock_file_.string());
    if (!holder.is_gone()) return;
    // Out of the way under a name of our own: another may have done the same, and made a lock since.
    const std::string aside = fmt::format("{}-{}", lock_file_.string(), owner_);
    if (::rename(lock_file_.c_str(), aside.c_str()) != 0) continue;
    const bool is_old = InputFile(aside, "").read(kMostText) == found;
    // A new one goes back; where there is yet another by now, that one stands.
    if (!is_old && ::link(aside.c_str(), lock_file_.c_str()) != 0 && errno != EEXIST) return;
    ::unlink(aside.c_str());
  }
}

FileLock::~FileLock() {
  if (is_held_ && !lock_file_.empty() && owner_ == ::getpid()) ::unlink(lock_file_.c_str());
}

}  // namespace berth
