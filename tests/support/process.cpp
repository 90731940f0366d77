// SPDX-License-Identifier: Apache-2.0
#include "tests/support/process.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/scenario_files.h"

namespace berth::test {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "berth-test-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  path_ = name;
}
TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}
std::vector<std::string> TemporaryFolder::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string read_bytes(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write_bytes(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

namespace {

// From here on flock() fails; false where the system cannot make it.
bool remove_locks() {
  ::sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(::seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_flock, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOLCK),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const ::sock_fprog program{static_cast<unsigned short>(std::size(filter)), filter};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace

Process::Process(const std::vector<std::string>& arguments, const ProcessOptions& options)
    : patience_(options.patience), begin_(std::chrono::steady_clock::now()) {
  std::vector<std::string> words{options.program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  // The first of two settings counts.
  std::vector<std::string> settings = options.environment;
  std::vector<char*> environment;
  for (std::string& setting : settings) environment.push_back(setting.data());
  for (char** setting = ::environ; *setting; ++setting) environment.push_back(*setting);
  environment.push_back(nullptr);
  const auto stream = [&](const std::string& wanted, const std::string& name) {
    return wanted.empty() ? (streams_ / name).string() : wanted;
  };
  const std::string folder = options.folder.string();
  const std::string out = stream(options.standard_output, "out");
  const std::string err = stream(options.standard_error, "err");

  child_ = ::fork();
  if (child_ < 0) throw std::runtime_error("no process");
  if (child_ > 0) return;
  // Only what may be called between fork and exec.
  const int none = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int o = ::open(out.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const int e = ::open(err.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (none < 0 || o < 0 || e < 0 || ::dup2(none, 0) < 0 || ::dup2(o, 1) < 0 || ::dup2(e, 2) < 0 ||
      ::chdir(folder.c_str()) != 0)
    ::_exit(126);
  if (options.file_size_limit > 0) {
    const ::rlimit limit{options.file_size_limit, options.file_size_limit};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(126);
  }
  for (const int closed : options.closed) ::close(closed);
  if (options.without_locks && !remove_locks()) ::_exit(125);
  ::execve(argv[0], argv.data(), environment.data());
  ::_exit(127);
}

Process::~Process() {
  if (!is_running()) return;
  ::kill(child_, SIGKILL);
  ::waitpid(child_, &status_, 0);
}

void Process::send(int signal) const {
  if (!ended_) ::kill(child_, signal);
}

bool Process::is_running() {
  if (!ended_ && ::waitpid(child_, &status_, WNOHANG) == child_) ended_ = true;
  return !ended_;
}

Ended Process::wait() {
  Ended end;
  const auto age = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  };
  while (is_running()) {
    if (age() > patience_ && !end.killed) {
      send(SIGKILL);
      end.killed = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  end.seconds = age();
  if (WIFEXITED(status_)) end.code = WEXITSTATUS(status_);
  if (WIFSIGNALED(status_)) end.signal = WTERMSIG(status_);
  end.out = read_bytes(streams_ / "out");
  end.err = read_bytes(streams_ / "err");
  return end;
}

std::string shipped_scenario(const std::string& name) { return find_scenario_file(name); }
std::vector<std::string> shipped_scenarios() {
  std::vector<std::string> out = list_scenarios();
  // What needs a facility is flown with one: tests/live.
  std::erase_if(out, [](const std::string& name) { return name.starts_with("facility"); });
  return out;
}
std::vector<std::string> shorten(const std::string& name) {
  if (name == "docked_attitude_maneuver_complex") return {"--set", "time.stop=100"};
  if (name == "docked_orbit_maneuver_complex") return {"--set", "time.stop=60"};
  if (name == "servicer_despin_stiff") return {"--set", "time.stop=200"};
  if (name == "jitter") return {"--set", "time.stop=5"};
  return {};
}

}  // namespace berth::test
