// SPDX-License-Identifier: Apache-2.0
#include "berth/record/input_file.h"

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace berth {
namespace {

constexpr std::size_t kBlock = 1 << 16;  // [bytes]

class Memory {
 public:
  static Memory& of_this_process() {
    static Memory memory;
    return memory;
  }
  void begin() {
    const std::scoped_lock lock(mutex_);
    is_kept_ = true;
  }
  void add(KnownInput input) {
    const std::scoped_lock lock(mutex_);
    const bool is_known = std::any_of(list_.begin(), list_.end(), [&](const KnownInput& other) {
      return other.role == input.role && are_same(other.identity, input.identity);
    });
    if (is_kept_ && !is_known) list_.push_back(std::move(input));
  }
  bool is_kept() const {
    const std::scoped_lock lock(mutex_);
    return is_kept_;
  }
  std::vector<KnownInput> list() const {
    const std::scoped_lock lock(mutex_);
    return list_;
  }

 private:
  mutable std::mutex mutex_;
  bool is_kept_ = false;
  std::vector<KnownInput> list_;
};

}  // namespace

std::string find_kind_problem(unsigned mode) {
  if (S_ISREG(mode)) return "";
  if (S_ISDIR(mode)) return "is a folder, not a file";
  if (S_ISFIFO(mode)) return "is a pipe, not a file: save what comes out of it to one first";
  if (S_ISSOCK(mode)) return "is a socket, not a file";
  return "is a device, not a file";
}

InputFile::InputFile(const std::filesystem::path& path, const std::string& role) {
  open(path, role);
}

// Opening some devices does something to them, and opening a pipe may wait: the kind comes first. It is asked
// of the descriptor once more, since the name may be that of something else by then.
void InputFile::open(const std::filesystem::path& path, const std::string& role) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return refuse(errno);
  problem_ = find_kind_problem(facts.st_mode);
  if (!problem_.empty()) return;
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor_ < 0 || ::fstat(descriptor_, &facts) != 0) return refuse(errno);
  problem_ = find_kind_problem(facts.st_mode);
  if (!problem_.empty() || role.empty() || !Memory::of_this_process().is_kept()) return;
  KnownInput input{role, path.string(), FileIdentity::find(path)};
  input.identity.exists = true;
  input.identity.device = facts.st_dev;
  input.identity.inode = facts.st_ino;
  Memory::of_this_process().add(std::move(input));
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void InputFile::refuse(int cause) {
  is_missing_ = cause == ENOENT || cause == ENOTDIR;
  problem_ = is_missing_
                 ? "there is no such file"
                 : fmt::format("cannot be read: {}", std::generic_category().message(cause));
}

std::string InputFile::read(std::size_t most) {
  std::string text;
  while (problem_.empty() && text.size() < most) {
    const std::size_t have = text.size();
    text.resize(std::min(most, have + kBlock));
    const ::ssize_t n = ::read(descriptor_, text.data() + have, text.size() - have);
    text.resize(have + static_cast<std::size_t>(std::max<::ssize_t>(n, 0)));
    if (n < 0 && errno != EINTR) refuse(errno);
    if (n == 0) break;
  }
  return problem_.empty() ? text : "";
}

bool LineReader::next(std::string& line) {
  line.clear();
  for (;;) {
    const std::size_t end = block_.find('\n', from_);
    line.append(block_, from_, end == std::string::npos ? end : end - from_);
    if (end != std::string::npos) {
      from_ = end + 1;
      return true;
    }
    block_.resize(kBlock);
    from_ = 0;
    ::ssize_t n = 0;
    do {
      n = ::pread(descriptor_, block_.data(), block_.size(), static_cast<::off_t>(at_));
    } while (n < 0 && errno == EINTR);
    block_.resize(static_cast<std::size_t>(std::max<::ssize_t>(n, 0)));
    at_ += block_.size();
    if (n < 0) error_ = errno;
    if (n <= 0) return false;
  }
}

void remember_inputs() { Memory::of_this_process().begin(); }

void note_input(const std::string& role, const std::filesystem::path& path) {
  if (Memory::of_this_process().is_kept())
    Memory::of_this_process().add({role, path.string(), FileIdentity::find(path)});
}

std::vector<KnownInput> list_inputs() { return Memory::of_this_process().list(); }

}  // namespace berth
