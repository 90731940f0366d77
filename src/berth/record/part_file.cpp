// SPDX-License-Identifier: Apache-2.0
#include "berth/record/part_file.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "berth/record/file_identity.h"
#include "berth/record/record_error.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

std::string part_prefix(const fs::path& target) {
  return "." + target.filename().string() + ".part-";
}

bool is_still_at(int descriptor, const fs::path& path) {
  struct stat open_file {};
  struct stat named {};
  return ::fstat(descriptor, &open_file) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

// Removes the parts of `target` that nobody holds. What cannot be removed stays; no harm done.
void remove_abandoned_parts(const fs::path& target) {
  const std::string prefix = part_prefix(target);
  const auto is_part = [&](const std::string& file) {
    return file.size() > prefix.size() && file.starts_with(prefix) &&
           std::all_of(file.begin() + static_cast<std::ptrdiff_t>(prefix.size()), file.end(),
                       [](char c) { return c == '-' || (c >= '0' && c <= '9'); });
  };
  std::error_code error;
  for (fs::directory_iterator entry(folder_of(target), error), end; !error && entry != end;
       entry.increment(error)) {
    if (!is_part(entry->path().filename().string())) continue;
    const int held = ::open(entry->path().c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (held < 0) continue;
    if (::flock(held, LOCK_EX | LOCK_NB) == 0 && is_still_at(held, entry->path()))
      ::unlink(entry->path().c_str());
    ::close(held);
  }
}

}  // namespace

PartFile::PartFile(const fs::path& wanted)
    : name_(wanted.string()), target_(follow_links(wanted)), owner_(::getpid()) {
  std::error_code error;
  const fs::file_status status = fs::status(wanted, error);
  if (fs::is_directory(status) || !wanted.has_filename())
    throw RecordError(name_, "cannot create a file: this is the name of a folder");

  if (fs::exists(status) && !fs::is_regular_file(status)) {
    descriptor_ = ::open(wanted.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw RecordError(name_, "cannot open", errno);
    return;
  }
  // A rename would replace a write-protected file without notice.
  if (fs::exists(status) && ::access(wanted.c_str(), W_OK) != 0)
    throw RecordError(name_, "cannot replace", errno);
  remove_abandoned_parts(target_);
  create_part();
}

// Between its creation and its lock a part seems abandoned; then it may be gone, and another is
// made.
void PartFile::create_part() {
  for (int attempt = 0;; ++attempt) {
    fs::path part = folder_of(target_) / fmt::format("{}{}", part_prefix(target_), ::getpid());
    if (attempt > 0) part += fmt::format("-{}", attempt);
    const int file = ::open(part.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) throw RecordError(name_, "cannot create", errno);
    // A file system without locks answers with some other error: then nobody can remove it either.
    const bool taken = ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!taken && is_still_at(file, part)) {
      descriptor_ = file;
      part_ = std::move(part);
      return;
    }
    ::close(file);
  }
}

PartFile::~PartFile() {
  if (!part_.empty() && owner_ == ::getpid()) ::unlink(part_.c_str());
  if (descriptor_ >= 0) ::close(descriptor_);
}

void PartFile::check(bool done) {
  if (owner_ != ::getpid())
    throw RecordError(name_, "belongs to another process: this one was forked");
  if (!done && !failure_) failure_ = errno;
  if (failure_) throw RecordError(name_, "cannot write", failure_);
}

void PartFile::write(std::string_view bytes) {
  check(true);
  while (!bytes.empty()) {
    const ::ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    check(written >= 0);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void PartFile::keep() {
  check(true);
  if (!is_device()) {
    // The bytes first, then the name, then the folder that holds the name.
    check(::fsync(descriptor_) == 0);
    if (::rename(part_.c_str(), target_.c_str()) != 0)
      throw RecordError(name_, "cannot rename the finished file", errno);
    part_.clear();
    const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
      ::fsync(folder);
      ::close(folder);
    }
  }
  ::close(std::exchange(descriptor_, -1));
}

}  // namespace berth
