// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the tests of record/ share: a folder of their own, children that may be limited or killed,
// the channels of a small craft.

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "berth/record/recording.h"

namespace berth::record_test {

namespace fs = std::filesystem;

// An empty folder, removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "berth-record-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const fs::path& path() const { return path_; }
  fs::path operator/(const std::string& name) const { return path_ / name; }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path_))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  fs::path path_;
};

inline std::string read_bytes(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_bytes(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

struct Ending {
  int status;          // as waitpid gives it; 0: ended well
  std::string output;  // what `work` returned, or the text of what it threw
};

// Does `work`, which returns a text, in a process of its own, and leaves it as main() would: with
// what the libraries do at exit.
template <class Work>
Ending run_child(Work&& work) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  std::fflush(nullptr);
  const ::pid_t child = ::fork();
  if (child == 0) {
    std::string text;
    try {
      text = work();
    } catch (const std::exception& e) {
      text = e.what();
    }
    const bool reported = ::write(ends[1], text.data(), text.size()) >= 0;
    std::exit(reported ? 0 : 1);
  }
  ::close(ends[1]);
  Ending ending{};
  std::array<char, 4096> some{};
  for (::ssize_t n = 0; (n = ::read(ends[0], some.data(), some.size())) > 0;)
    ending.output.append(some.data(), static_cast<std::size_t>(n));
  ::close(ends[0]);
  ::waitpid(child, &ending.status, 0);
  return ending;
}

// A process that does `work` and then waits to be killed.
class Waiting {
 public:
  template <class Work>
  explicit Waiting(Work&& work) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
    std::fflush(nullptr);
    child_ = ::fork();
    if (child_ == 0) {
      const auto held = work();
      if (::write(ends[1], "r", 1) == 1)
        for (;;) ::pause();
      ::_exit(1);
    }
    ::close(ends[1]);
    char ready = 0;
    is_ready_ = ::read(ends[0], &ready, 1) == 1;
    ::close(ends[0]);
  }
  ~Waiting() { kill(); }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  bool is_ready() const { return is_ready_; }
  void kill() {
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
    child_ = 0;
  }

 private:
  ::pid_t child_ = 0;
  bool is_ready_ = false;
};

// In a child: files end at `bytes`, as on a full disk.
inline void limit_file_size(std::size_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  const ::rlimit limit{bytes, bytes};
  if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) throw std::runtime_error("no limit");
}

// In a child: root may write everywhere; nobody may not.
inline void become_nobody() {
  if (::getuid() == 0 && ::setuid(65534) != 0) throw std::runtime_error("still root");
}

// A row of eleven numbers; the tenth and eleventh belong to no channel.
inline std::vector<Channel> craft_channels() {
  return {
      {"servicer.rate", "rad/s", "", "size of the angular velocity", 1, 0},
      {"servicer.omega_BN_B", "rad/s", "B", "angular velocity", 3, 1},
      {"servicer.quaternion_BN", "", "", "attitude, scalar first", 4, 4},
      {"servicer.wheel1.effort", "N·m", "", "motor − friction", 1, 8},
  };
}
constexpr std::size_t craft_row_size = 11;

inline std::array<double, craft_row_size> craft_row(std::size_t i) {
  std::array<double, craft_row_size> row{};
  for (std::size_t k = 0; k < row.size(); ++k)
    row[k] = std::sin(static_cast<double>(i) * 0.1 + static_cast<double>(k) / 3);
  return row;
}
inline double craft_time(std::size_t i) { return 0.1 * static_cast<double>(i); }

// A recording with a main group, one at another rate and a few events.
inline void write_craft(const fs::path& file, std::size_t rows, std::size_t fast_rows) {
  Recording recording(file);
  const std::vector<Channel> channels = craft_channels();
  const int main = recording.add_group("", channels);
  const int fast = recording.add_group("contact", std::span(channels).subspan(0, 2));
  for (std::size_t i = 0; i < rows; ++i) recording.append(main, craft_time(i), craft_row(i));
  for (std::size_t i = 0; i < fast_rows; ++i)
    recording.append(fast, craft_time(i) / 100, craft_row(i));
  recording.add_event(1.5, "contact", "probe", R"({"speed":0.031,"note":"Öse → Kegel"})");
  recording.add_event(2.25, "latch", "joint", "{}");
  recording.finish("title = \"Docking\"\n", R"({"verdict":"captured","site":"Köln"})");
}

}  // namespace berth::record_test
