// SPDX-License-Identifier: Apache-2.0
#pragma once

// Hdf5Quiet — while it lives, HDF5 is ours alone: the library serves one thread at a time, and others
// wait; and it prints no errors, which the program around us may want it to otherwise. Only for the
// files that talk to HDF5 itself.

#include <mutex>
#include <new>

#include <hdf5.h>

namespace berth {

class Hdf5Quiet {
 public:
  Hdf5Quiet() : alone_(serving()) {
    ++depth();
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Hdf5Quiet() {
    H5Eset_auto2(H5E_DEFAULT, function_, data_);
    --depth();
  }
  Hdf5Quiet(const Hdf5Quiet&) = delete;
  Hdf5Quiet& operator=(const Hdf5Quiet&) = delete;

  // Whether this thread is at work in the library.
  static bool is_serving() { return depth() > 0; }
  // In a process that was forked off, where it is not known who holds the library.
  static void begin_process() { ::new (static_cast<void*>(&serving())) std::recursive_mutex; }

 private:
  static int& depth() {
    static thread_local int depth = 0;
    return depth;
  }
  // One may be inside another: an id is given back while a file is written.
  static std::recursive_mutex& serving() {
    static std::recursive_mutex mutex;
    return mutex;
  }

  std::unique_lock<std::recursive_mutex> alone_;
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace berth
