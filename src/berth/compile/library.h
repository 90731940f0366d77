// SPDX-License-Identifier: Apache-2.0
#pragma once

// Library — a shared library of which the bytes are known, loaded.
//
// The very bytes that were checked are loaded: from memory, where the system has files there, else
// from a folder nobody else can write to.

#include <string>
#include <string_view>

namespace berth {

class Library {
 public:
  enum class From { memory, folder };

  // Throws std::runtime_error when the system refuses the bytes.
  explicit Library(std::string_view bytes, From first = From::memory);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  // A function or variable; throws std::out_of_range when there is none of this name.
  void* symbol(const std::string& name) const;

 private:
  bool load_from_memory(std::string_view bytes);
  void load_from_folder(std::string_view bytes);

  int file_ = -1;
  void* handle_ = nullptr;
};

}  // namespace berth
