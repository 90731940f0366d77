// SPDX-License-Identifier: Apache-2.0
#pragma once

// Apart — bytes that anybody may have made are read in a process of its own.
//
// A child is forked off. It keeps the files it is given and no others, and may then only read them, compute
// and answer: no other files, no sockets, no programs (seccomp, where the system has it). Memory and, for
// every question, processor time are limited. When the library that reads fails, the child ends with it,
// and the question gets an ApartError; whoever asked goes on.
//
//   question   u64 length · bytes
//   answer     u64 kind · u64 length · bytes       kind 0: as asked, 1: refused, the bytes say why
//              u64 2 · u64 length                  as asked; the bytes are in a memory file, sealed, whose
//                                                  descriptor comes along
//
// What is answered is copied before it is used: a child cannot change it afterwards. Several threads
// may ask, one at a time.

#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace berth {

// What went wrong, as the rest of a sentence about the file: "is damaged: …".
class ApartError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct ApartLimits {
  int seconds = 8;      // of a processor, for a question
  int megabytes = 640;  // more than the process had when it began
};

class Apart {
 public:
  // Answers in the child; what it throws is a refusal.
  using Answer = std::function<std::string(std::string_view question)>;
  // Makes it, in the child, when that is confined already.
  using Begin = std::function<Answer()>;

  // `files`: descriptors that the child keeps. Throws an ApartError where no process can be made.
  Apart(const Begin& begin, std::span<const int> files, const ApartLimits& limits = {});
  ~Apart();
  Apart(const Apart&) = delete;
  Apart& operator=(const Apart&) = delete;

  // An answer of `most` bytes at most. Throws an ApartError: refused, or the child has ended.
  std::string ask(std::string_view question, std::uint64_t most);

 private:
  std::string find_end();

  std::mutex alone_;
  int socket_ = -1;
  int child_ = -1;
  int owner_;  // the process that made it
  ApartLimits limits_;
  std::string ended_;  // why the child has, once it has
};

// One question to a child of its own.
std::string ask_apart(const Apart::Answer& answer, std::string_view question, std::uint64_t most);

}  // namespace berth
