// SPDX-License-Identifier: Apache-2.0
#include "berth/compile/cache_folder.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "berth/compile/digest.h"

namespace berth {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kEntryHeader = "berth library 1\n";
constexpr std::string_view kEntrySuffix = ".berth";
constexpr std::string_view kUnfinished = ".new";
constexpr std::size_t kDigestDigits = 64;
constexpr std::size_t kEntryHeaderSize = kEntryHeader.size() + kDigestDigits + 1;
constexpr std::uint64_t kMegabyte = 1'000'000;
constexpr std::time_t kAbandoned = 3600;  // [s] a file that someone still writes is younger

// A descriptor that closes itself.
struct OpenFile {
  explicit OpenFile(int descriptor_) : descriptor(descriptor_) {}
  ~OpenFile() {
    if (descriptor >= 0) ::close(descriptor);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int descriptor;
};

// Opens the folder if it is the user's alone; else −1 and why not.
int open_own_folder(const fs::path& path, std::string& refusal) {
  if (path.empty()) {
    refusal = "no home folder to keep compiled cases in";
    return -1;
  }
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  const bool is_made = ::mkdir(path.c_str(), 0700) == 0;
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) {
    const int error = errno;
    refusal =
        fmt::format("{} is not used to keep compiled cases: {}", path.string(),
                    fs::is_symlink(fs::symlink_status(path, ignored)) ? "it is a symbolic link"
                                                                      : std::strerror(error));
    return -1;
  }
  // Whatever the mask of the process takes away.
  if (is_made) ::fchmod(folder, 0700);
  struct stat status {};
  const bool is_known = ::fstat(folder, &status) == 0;
  const bool is_own = is_known && status.st_uid == ::geteuid();
  if (is_own && (status.st_mode & 077) == 0) return folder;
  ::close(folder);
  refusal = fmt::format(
      "{} is not used to keep compiled cases: {}", path.string(),
      is_own ? "others have access to it (chmod 700 changes that)" : "it belongs to someone else");
  return -1;
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

std::optional<std::string> read_all(int file, std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t at = 0;
  while (at < size) {
    const ssize_t n = ::read(file, bytes.data() + at, size - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return {};
    at += static_cast<std::size_t>(n);
  }
  return bytes;
}

}  // namespace

fs::path find_cache_folder() {
  const auto read = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value ? value : "");
  };
  if (const fs::path given = read("BERTH_CACHE"); !given.empty()) return given;
  // By its specification a relative path is to be ignored.
  if (const fs::path cache = read("XDG_CACHE_HOME"); cache.is_absolute()) return cache / "berth";
  if (const fs::path home = read("HOME"); home.is_absolute()) return home / ".cache" / "berth";
  return {};
}

std::uint64_t find_cache_capacity() {
  const char* given = std::getenv("BERTH_CACHE_SIZE");
  if (!given || !*given) return 512 * kMegabyte;
  std::uint64_t size = 0;
  const char* end = given + std::strlen(given);
  const auto [rest, error] = std::from_chars(given, end, size);
  if (error != std::errc() || rest != end ||
      size > std::numeric_limits<std::uint64_t>::max() / kMegabyte)
    throw std::invalid_argument(
        fmt::format("BERTH_CACHE_SIZE = {}: a whole number of megabytes is expected", given));
  return size * kMegabyte;
}

CacheFolder::CacheFolder(const fs::path& folder, std::uint64_t capacity)
    : path_(folder), capacity_(capacity), folder_(open_own_folder(folder, refusal_)) {
  if (folder_ >= 0) return;
  path_ = temporary_.emplace().path();
  std::string ignored;
  folder_ = open_own_folder(path_, ignored);
  if (folder_ < 0) throw std::runtime_error(ignored);
}

CacheFolder::~CacheFolder() { ::close(folder_); }

std::optional<std::string> CacheFolder::read(const std::string& key) const {
  const OpenFile file(::openat(folder_, (key + std::string(kEntrySuffix)).c_str(),
                               O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (file.descriptor < 0) return {};
  struct stat status {};
  if (::fstat(file.descriptor, &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_uid != ::geteuid() || status.st_size < static_cast<off_t>(kEntryHeaderSize))
    return {};
  std::optional<std::string> all =
      read_all(file.descriptor, static_cast<std::size_t>(status.st_size));
  if (!all || !all->starts_with(kEntryHeader) || (*all)[kEntryHeaderSize - 1] != '\n') return {};
  const std::string digest = all->substr(kEntryHeader.size(), kDigestDigits);
  all->erase(0, kEntryHeaderSize);
  if (find_sha256(*all) != digest) return {};
  // The time of its last use decides how long it stays.
  ::futimens(file.descriptor, nullptr);
  return all;
}

void CacheFolder::write(const std::string& key, const std::string& bytes) const {
  if (kEntryHeaderSize + bytes.size() > capacity_) return;
  static std::atomic<unsigned> count = 0;
  const std::string unfinished = fmt::format("{}-{}-{}{}", key, ::getpid(), count++, kUnfinished);
  bool is_written = false;
  {
    const OpenFile file(::openat(folder_, unfinished.c_str(),
                                 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (file.descriptor < 0) return;
    is_written =
        write_all(file.descriptor, std::string(kEntryHeader) + find_sha256(bytes) + "\n") &&
        write_all(file.descriptor, bytes);
  }
  const std::string entry = key + std::string(kEntrySuffix);
  if (!is_written || ::renameat(folder_, unfinished.c_str(), folder_, entry.c_str()) != 0)
    ::unlinkat(folder_, unfinished.c_str(), 0);
  make_room();
}

void CacheFolder::make_room() const {
  struct Entry {
    timespec used;
    std::string name;
    std::uint64_t size;
  };
  const int again = ::openat(folder_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const list = again >= 0 ? ::fdopendir(again) : nullptr;
  if (!list) {
    if (again >= 0) ::close(again);
    return;
  }
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  const std::time_t now = std::time(nullptr);
  while (const dirent* found = ::readdir(list)) {
    const std::string name = found->d_name;
    struct stat status {};
    if (::fstatat(folder_, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode))
      continue;
    if (name.ends_with(kUnfinished) && now - status.st_mtime > kAbandoned)
      ::unlinkat(folder_, name.c_str(), 0);
    if (!name.ends_with(kEntrySuffix)) continue;
    entries.push_back({status.st_mtim, name, static_cast<std::uint64_t>(status.st_size)});
    total += entries.back().size;
  }
  ::closedir(list);
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tuple(a.used.tv_sec, a.used.tv_nsec, a.name) <
           std::tuple(b.used.tv_sec, b.used.tv_nsec, b.name);
  });
  for (const Entry& e : entries) {
    if (total <= capacity_) break;
    ::unlinkat(folder_, e.name.c_str(), 0);
    total -= e.size;
  }
}

}  // namespace berth
