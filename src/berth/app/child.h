// SPDX-License-Identifier: Apache-2.0
#pragma once

// Child — another program, with pipes to some of its descriptors.

#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace berth {

class Child {
 public:
  // `from_us` and `to_us` are descriptors of the child that we write to and read from; −1: none. Throws
  // std::runtime_error when the program cannot be started.
  Child(std::vector<std::string> words, int from_us, int to_us);
  ~Child();  // kills it, if it still runs
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void write(std::string_view bytes);
  // Up to and without the next zero byte.
  std::string read_message();
  void close_input();
  int wait();  // exit code; −1 after a signal

 private:
  std::string name_;
  pid_t child_ = -1;
  int input_ = -1, output_ = -1;
  std::string read_;
};

}  // namespace berth
