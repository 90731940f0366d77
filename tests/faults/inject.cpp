// SPDX-License-Identifier: Apache-2.0

// A library that is loaded before all others (LD_PRELOAD) and makes one call of the program under test fail, as
// its ledger says. Everything else goes to the system as it came. Loaded by other programs, which the one
// under test starts, it does nothing.

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "tests/faults/ledger.h"

#define BERTH_EXPORT extern "C" __attribute__((visibility("default")))

// The allocator of the C library, under the names by which it calls itself.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

using berth::test::Call;
using berth::test::kShortWrite;
using berth::test::Ledger;

constexpr int kMostFiles = 1024;

Ledger* g_ledger = nullptr;
const char* g_folder = nullptr;
bool g_runs_in_folder = false;
bool g_is_watched[kMostFiles] = {};  // by descriptor

// The function of this name that the program would have without this library.
template <class Function>
Function* next(Function*& found, const char* name) {
  if (!found) found = reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
  return found;
}
#define BERTH_NEXT(name)             \
  static decltype(&::name) s_##name; \
  next<std::remove_pointer_t<decltype(&::name)>>(s_##name, #name)

// Counts a call; the errno it is to fail with, or 0.
int take(Call call) {
  Ledger* const ledger = g_ledger;
  if (!ledger) return 0;
  const std::uint64_t number = ++ledger->calls[static_cast<std::size_t>(call)];
  if (call != ledger->call || number < ledger->first || number - ledger->first >= ledger->count)
    return 0;
  ++ledger->injected;
  return ledger->cause;
}
bool fails(Call call) {
  const int cause = take(call);
  if (cause > 0) errno = cause;
  return cause > 0;
}

bool is_in_folder(const char* path) {
  if (!g_ledger || !g_folder || !path) return false;
  if (path[0] != '/') return g_runs_in_folder;
  return std::strncmp(path, g_folder, std::strlen(g_folder)) == 0;
}
bool is_watched(int file) { return file >= 0 && file < kMostFiles && g_is_watched[file]; }
int watch(int file) {
  if (file >= 0 && file < kMostFiles) g_is_watched[file] = true;
  return file;
}
bool is_to_write(int flags) { return (flags & O_ACCMODE) != O_RDONLY; }

int open_at(int folder, const char* path, int flags, mode_t mode) {
  const bool counts = (folder == AT_FDCWD && is_in_folder(path)) || is_watched(folder);
  if (counts && fails(is_to_write(flags) ? Call::open_to_write : Call::open_to_read)) return -1;
  const auto file = static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode));
  if (file >= 0 && file < kMostFiles) g_is_watched[file] = counts;
  return file;
}

// How much of so many bytes is written, or -1.
::ssize_t limit_write(int file, std::size_t count) {
  if (!is_watched(file)) return static_cast<::ssize_t>(count);
  const int cause = take(Call::write);
  if (cause > 0) errno = cause;
  if (cause > 0) return -1;
  return static_cast<::ssize_t>(cause == kShortWrite ? (count + 1) / 2 : count);
}
bool fails_on(int file, Call call) { return is_watched(file) && fails(call); }

void connect_to_ledger() {
  const char* const name = std::getenv("BERTH_FAULT_LEDGER");
  if (!name || std::strncmp(program_invocation_short_name, "berth", 5) != 0) return;
  const auto file = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, name, O_RDWR | O_CLOEXEC, 0));
  if (file < 0) return;
  void* const memory = reinterpret_cast<void*>(
      ::syscall(SYS_mmap, nullptr, sizeof(Ledger), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  ::syscall(SYS_close, file);
  if (memory == MAP_FAILED) return;
  g_folder = std::getenv("BERTH_FAULT_FOLDER");
  char here[4096];
  g_runs_in_folder = g_folder && ::getcwd(here, sizeof here) &&
                     std::strncmp(here, g_folder, std::strlen(g_folder)) == 0;
  g_ledger = static_cast<Ledger*>(memory);
}

using Main = int(int, char**, char**);
Main* g_main = nullptr;

// What is allocated before main() is no concern of the program.
int run_main(int argc, char** argv, char** environment) {
  connect_to_ledger();
  return g_main(argc, argv, environment);
}

}  // namespace

BERTH_EXPORT int __libc_start_main(Main* main, int argc, char** argv, void (*init)(),
                                   void (*fini)(), void (*loader_fini)(), void* stack_end) {
  using Start = int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);
  static Start* start;
  g_main = main;
  return next(start, "__libc_start_main")(run_main, argc, argv, init, fini, loader_fini, stack_end);
}

// --- files ---------------------------------------------------------------------------------------

// The mode is only there where a file may be made.
#define BERTH_MODE(flags)                                           \
  mode_t mode = 0;                                                  \
  if (((flags)&O_CREAT) != 0 || ((flags)&O_TMPFILE) == O_TMPFILE) { \
    va_list rest;                                                   \
    va_start(rest, flags);                                          \
    mode = static_cast<mode_t>(va_arg(rest, unsigned));             \
    va_end(rest);                                                   \
  }

BERTH_EXPORT int open(const char* path, int flags, ...) {
  BERTH_MODE(flags)
  return open_at(AT_FDCWD, path, flags, mode);
}
BERTH_EXPORT int open64(const char* path, int flags, ...) {
  BERTH_MODE(flags)
  return open_at(AT_FDCWD, path, flags, mode);
}
BERTH_EXPORT int openat(int folder, const char* path, int flags, ...) {
  BERTH_MODE(flags)
  return open_at(folder, path, flags, mode);
}
BERTH_EXPORT int openat64(int folder, const char* path, int flags, ...) {
  BERTH_MODE(flags)
  return open_at(folder, path, flags, mode);
}
BERTH_EXPORT int __open_2(const char* path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
BERTH_EXPORT int __open64_2(const char* path, int flags) {
  return open_at(AT_FDCWD, path, flags, 0);
}
BERTH_EXPORT int __openat_2(int folder, const char* path, int flags) {
  return open_at(folder, path, flags, 0);
}

BERTH_EXPORT std::FILE* fopen(const char* path, const char* mode) {
  const bool counts = is_in_folder(path);
  if (counts && fails(mode[0] == 'r' ? Call::open_to_read : Call::open_to_write)) return nullptr;
  static decltype(&::fopen) real;
  std::FILE* const file = next(real, "fopen")(path, mode);
  if (file && counts) watch(::fileno(file));
  return file;
}
BERTH_EXPORT std::FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }
BERTH_EXPORT std::FILE* tmpfile() {
  if (g_ledger && fails(Call::open_to_write)) return nullptr;
  static decltype(&::tmpfile) real;
  std::FILE* const file = next(real, "tmpfile")();
  if (file && g_ledger) watch(::fileno(file));
  return file;
}
BERTH_EXPORT std::FILE* tmpfile64() { return tmpfile(); }
BERTH_EXPORT int mkostemp(char* name, int flags) {
  const bool counts = is_in_folder(name);
  if (counts && fails(Call::open_to_write)) return -1;
  static decltype(&::mkostemp) real;
  const int file = next(real, "mkostemp")(name, flags);
  return counts ? watch(file) : file;
}
BERTH_EXPORT int mkostemp64(char* name, int flags) { return mkostemp(name, flags); }

BERTH_EXPORT ::ssize_t write(int file, const void* bytes, std::size_t count) {
  const ::ssize_t most = limit_write(file, count);
  return most < 0 ? -1 : ::syscall(SYS_write, file, bytes, most);
}
BERTH_EXPORT ::ssize_t pwrite(int file, const void* bytes, std::size_t count, ::off_t at) {
  const ::ssize_t most = limit_write(file, count);
  return most < 0 ? -1 : ::syscall(SYS_pwrite64, file, bytes, most, at);
}
BERTH_EXPORT ::ssize_t pwrite64(int file, const void* bytes, std::size_t count, ::off_t at) {
  return pwrite(file, bytes, count, at);
}
BERTH_EXPORT ::ssize_t writev(int file, const ::iovec* parts, int count) {
  const ::ssize_t most = limit_write(file, parts[0].iov_len);
  if (most < 0) return -1;
  if (static_cast<std::size_t>(most) < parts[0].iov_len)
    return ::syscall(SYS_write, file, parts[0].iov_base, most);
  return ::syscall(SYS_writev, file, parts, count);
}
BERTH_EXPORT std::size_t fwrite(const void* bytes, std::size_t size, std::size_t count,
                                std::FILE* to) {
  static decltype(&::fwrite) real;
  const ::ssize_t most = limit_write(::fileno(to), count);
  return most < 0 ? 0 : next(real, "fwrite")(bytes, size, static_cast<std::size_t>(most), to);
}
BERTH_EXPORT int fflush(std::FILE* file) {
  static decltype(&::fflush) real;
  return file && limit_write(::fileno(file), 1) < 0 ? EOF : next(real, "fflush")(file);
}

BERTH_EXPORT ::ssize_t read(int file, void* bytes, std::size_t count) {
  return fails_on(file, Call::read) ? -1 : ::syscall(SYS_read, file, bytes, count);
}
BERTH_EXPORT ::ssize_t __read_chk(int file, void* bytes, std::size_t count, std::size_t) {
  return read(file, bytes, count);
}
BERTH_EXPORT ::ssize_t pread(int file, void* bytes, std::size_t count, ::off_t at) {
  return fails_on(file, Call::read) ? -1 : ::syscall(SYS_pread64, file, bytes, count, at);
}
BERTH_EXPORT ::ssize_t pread64(int file, void* bytes, std::size_t count, ::off_t at) {
  return pread(file, bytes, count, at);
}
BERTH_EXPORT ::ssize_t __pread_chk(int file, void* bytes, std::size_t count, ::off_t at,
                                   std::size_t) {
  return pread(file, bytes, count, at);
}
BERTH_EXPORT ::ssize_t __pread64_chk(int file, void* bytes, std::size_t count, ::off_t at,
                                     std::size_t) {
  return pread(file, bytes, count, at);
}

BERTH_EXPORT int rename(const char* from, const char* to) {
  if (is_in_folder(to) && fails(Call::rename)) return -1;
  return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}
BERTH_EXPORT int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  if (fails_on(to_folder, Call::rename)) return -1;
  return static_cast<int>(::syscall(SYS_renameat2, from_folder, from, to_folder, to, 0));
}
BERTH_EXPORT int fsync(int file) {
  return fails_on(file, Call::synchronise) ? -1 : static_cast<int>(::syscall(SYS_fsync, file));
}
BERTH_EXPORT int fdatasync(int file) {
  return fails_on(file, Call::synchronise) ? -1 : static_cast<int>(::syscall(SYS_fdatasync, file));
}
// As on Linux: whatever it answers, the descriptor is gone.
BERTH_EXPORT int close(int file) {
  const int cause = is_watched(file) ? take(Call::close) : 0;
  if (file >= 0 && file < kMostFiles) g_is_watched[file] = false;
  const auto answer = static_cast<int>(::syscall(SYS_close, file));
  if (cause > 0) errno = cause;
  return cause > 0 ? -1 : answer;
}
BERTH_EXPORT int ftruncate(int file, ::off_t size) {
  if (fails_on(file, Call::truncate)) return -1;
  return static_cast<int>(::syscall(SYS_ftruncate, file, size));
}
BERTH_EXPORT int ftruncate64(int file, ::off_t size) { return ftruncate(file, size); }
BERTH_EXPORT int mkdir(const char* path, mode_t mode) {
  if (is_in_folder(path) && fails(Call::make_folder)) return -1;
  return static_cast<int>(::syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}
BERTH_EXPORT int unlink(const char* path) {
  if (is_in_folder(path) && fails(Call::remove)) return -1;
  return static_cast<int>(::syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}
BERTH_EXPORT int unlinkat(int folder, const char* path, int flags) {
  if (fails_on(folder, Call::remove)) return -1;
  return static_cast<int>(::syscall(SYS_unlinkat, folder, path, flags));
}

// --- memory, processes, threads ------------------------------------------------------------------

BERTH_EXPORT void* mmap(void* at, std::size_t size, int protection, int flags, int file,
                        ::off_t offset) {
  if (fails(Call::map)) return MAP_FAILED;
  return reinterpret_cast<void*>(::syscall(SYS_mmap, at, size, protection, flags, file, offset));
}
BERTH_EXPORT void* mmap64(void* at, std::size_t size, int protection, int flags, int file,
                          ::off_t offset) {
  return mmap(at, size, protection, flags, file, offset);
}
BERTH_EXPORT int memfd_create(const char* name, unsigned flags) noexcept {
  if (fails(Call::memory_file)) return -1;
  const auto file = static_cast<int>(::syscall(SYS_memfd_create, name, flags));
  return g_ledger ? watch(file) : file;
}

BERTH_EXPORT void* malloc(std::size_t size) {
  return fails(Call::allocate) ? nullptr : __libc_malloc(size);
}
BERTH_EXPORT void* calloc(std::size_t count, std::size_t size) {
  return fails(Call::allocate) ? nullptr : __libc_calloc(count, size);
}
BERTH_EXPORT void* realloc(void* memory, std::size_t size) {
  return fails(Call::allocate) ? nullptr : __libc_realloc(memory, size);
}
BERTH_EXPORT void* memalign(std::size_t alignment, std::size_t size) {
  return fails(Call::allocate) ? nullptr : __libc_memalign(alignment, size);
}
BERTH_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return memalign(alignment, size);
}
BERTH_EXPORT int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  void* const made = memalign(alignment, size);
  if (made) *memory = made;
  return made ? 0 : ENOMEM;
}

BERTH_EXPORT ::pid_t fork() {
  static decltype(&::fork) real;
  return fails(Call::fork) ? -1 : next(real, "fork")();
}
BERTH_EXPORT int posix_spawn(::pid_t* child, const char* path,
                             const posix_spawn_file_actions_t* actions,
                             const posix_spawnattr_t* attributes, char* const argv[],
                             char* const environment[]) {
  if (const int cause = take(Call::fork); cause > 0) return cause;
  static decltype(&::posix_spawn) real;
  return next(real, "posix_spawn")(child, path, actions, attributes, argv, environment);
}
BERTH_EXPORT int pthread_create(::pthread_t* thread, const ::pthread_attr_t* attributes,
                                void* (*start)(void*), void* argument) {
  if (const int cause = take(Call::thread); cause > 0) return cause;
  static decltype(&::pthread_create) real;
  return next(real, "pthread_create")(thread, attributes, start, argument);
}
BERTH_EXPORT ::ssize_t getrandom(void* bytes, std::size_t count, unsigned flags) {
  return fails(Call::random) ? -1 : ::syscall(SYS_getrandom, bytes, count, flags);
}

// --- clocks --------------------------------------------------------------------------------------

namespace {

// A clock that stands still has the time at which it stopped.
::timespec g_stopped = {};
std::atomic<bool> g_has_stopped = false;

}  // namespace

BERTH_EXPORT int clock_gettime(::clockid_t clock, ::timespec* time) {
  static decltype(&::clock_gettime) real;
  const int answer = next(real, "clock_gettime")(clock, time);
  if (!g_ledger || answer != 0) return answer;
  if (clock == CLOCK_REALTIME && take(Call::wall_clock) != 0) time->tv_sec += g_ledger->seconds;
  if (clock == CLOCK_MONOTONIC && take(Call::steady_clock) != 0) {
    if (!g_has_stopped.exchange(true)) g_stopped = *time;
    *time = g_stopped;
  }
  return answer;
}
BERTH_EXPORT time_t time(time_t* into) {
  ::timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (into) *into = now.tv_sec;
  return now.tv_sec;
}
