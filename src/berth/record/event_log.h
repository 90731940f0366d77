// SPDX-License-Identifier: Apache-2.0
#pragma once

// EventLog — events in the order they came, kept in an unnamed temporary file.
//
// A result file stores texts with the length of the longest, which is known only at the end, and a
// chattering contact has events without number.

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace berth {

struct LoggedEvent {
  double time;          // s
  std::string kind;     // what: "contact", "latch" …
  std::string name;     // of whom
  std::string details;  // JSON
};

// Over all events: the longest text, in bytes, and whether all are ASCII.
struct TextExtent {
  std::size_t longest = 0;
  bool ascii = true;
};

class EventLog {
 public:
  explicit EventLog(std::string file) : file_(std::move(file)) {}  // for messages

  void add(const LoggedEvent& event);

  std::uint64_t count() const { return count_; }
  const TextExtent& kind() const { return kind_; }
  const TextExtent& name() const { return name_; }
  const TextExtent& details() const { return details_; }

  // Once, when no more are to come.
  void read(const std::function<void(const LoggedEvent&)>& take);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::string file_;
  std::unique_ptr<std::FILE, Close> store_;  // opened by the first event
  std::uint64_t count_ = 0;
  TextExtent kind_, name_, details_;
};

}  // namespace berth
