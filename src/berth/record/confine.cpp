// SPDX-License-Identifier: Apache-2.0
#include "berth/record/confine.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <vector>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace berth {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kIsConfined = false;
#else
constexpr bool kIsConfined = true;
#endif

void close_range_of(unsigned first, unsigned last) {
  if (first > last) return;
#ifdef SYS_close_range
  if (::syscall(SYS_close_range, first, last, 0U) == 0) return;
#endif
  const long most = ::sysconf(_SC_OPEN_MAX);
  for (unsigned k = first; k <= last && k < static_cast<unsigned long>(std::max(most, 1024L)); ++k)
    ::close(static_cast<int>(k));
}

// [bytes] of address space that this process has.
rlim_t find_address_space() {
  long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return static_cast<rlim_t>(pages) * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

#if defined(__x86_64__)
constexpr unsigned kMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kMachine = AUDIT_ARCH_AARCH64;
#else
constexpr unsigned kMachine = 0;
#endif

constexpr std::array kCalls{
    SYS_read,          SYS_pread64,     SYS_write,           SYS_sendmsg,
    SYS_recvmsg,       SYS_sendto,      SYS_recvfrom,        SYS_lseek,
    SYS_fstat,         SYS_newfstatat,  SYS_close,           SYS_munmap,
    SYS_mremap,        SYS_brk,         SYS_madvise,         SYS_futex,
    SYS_exit,          SYS_exit_group,  SYS_rt_sigreturn,    SYS_rt_sigprocmask,
    SYS_clock_gettime, SYS_getpid,      SYS_gettid,          SYS_tgkill,
    SYS_memfd_create,  SYS_ftruncate,   SYS_fcntl,           SYS_getrandom,
    SYS_sched_yield,   SYS_setitimer,   SYS_restart_syscall, SYS_rt_sigaction,
    SYS_getrusage,     SYS_gettimeofday};

// Calls that libraries try, and do without (SYS_writev are the last words of one; HDF5 sleeps before it reads once more
// what has a wrong checksum): they fail. All others end the process.
constexpr std::array kCallsThatFail {
  SYS_openat, SYS_writev, SYS_getcwd, SYS_faccessat, SYS_readlinkat, SYS_statx, SYS_nanosleep,
      SYS_clock_nanosleep,
#if defined(__x86_64__)
      SYS_open, SYS_access, SYS_readlink, SYS_stat, SYS_lstat,
#endif
};

// Anonymous memory and files may be mapped, but not as something that runs.
constexpr std::array kCallsUnlessExecuted{SYS_mmap, SYS_mprotect};

constexpr sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<__u32>(offset));
}
constexpr sock_filter give(__u32 answer) { return BPF_STMT(BPF_RET | BPF_K, answer); }

void limit_calls() {
  const auto equals = [](long number) {
    return sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<__u32>(number), 0, 1);
  };
  std::vector<sock_filter> filter{
      load(offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kMachine, 1, 0),
      give(SECCOMP_RET_KILL_PROCESS),
      load(offsetof(seccomp_data, nr)),
  };
  for (const long number : kCalls) {
    filter.push_back(equals(number));
    filter.push_back(give(SECCOMP_RET_ALLOW));
  }
  for (const long number : kCallsUnlessExecuted) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<__u32>(number), 0, 4));
    filter.push_back(load(offsetof(seccomp_data, args) + 2 * sizeof(__u64)));  // its low half
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1));
    filter.push_back(give(SECCOMP_RET_KILL_PROCESS));
    filter.push_back(give(SECCOMP_RET_ALLOW));
  }
  for (const long number : kCallsThatFail) {
    filter.push_back(equals(number));
    filter.push_back(give(SECCOMP_RET_ERRNO | EACCES));
  }
  filter.push_back(give(SECCOMP_RET_KILL_PROCESS));
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  // Where the system has none of this, the limits remain, and that the parent is another process.
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
    ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

}  // namespace

void close_others(std::span<const int> kept) {
  const int nothing = ::open("/dev/null", O_RDWR);
  for (int k = 0; k < 3; ++k)
    if (std::find(kept.begin(), kept.end(), k) == kept.end()) ::dup2(nothing, k);
  std::vector<int> sorted(kept.begin(), kept.end());
  std::sort(sorted.begin(), sorted.end());
  unsigned from = 3;
  for (const int k : sorted) {
    if (k < 3) continue;
    if (static_cast<unsigned>(k) > from) close_range_of(from, static_cast<unsigned>(k) - 1);
    from = static_cast<unsigned>(k) + 1;
  }
  close_range_of(from, ~0U);
}

void confine(int megabytes) {
  for (const int s : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGTSTP}) ::signal(s, SIG_IGN);
  for (const int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF, SIGSYS, SIGALRM, SIGXCPU})
    ::signal(s, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (!kIsConfined) return;
  const rlim_t most = find_address_space() + (static_cast<rlim_t>(megabytes) << 20);
  const rlimit memory{most, most};
  ::setrlimit(RLIMIT_AS, &memory);
  if (kMachine != 0) limit_calls();
}

bool is_confining() { return kIsConfined; }

void limit_time(int seconds) {
  const itimerval timer{{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

}  // namespace berth
