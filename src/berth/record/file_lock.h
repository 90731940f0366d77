// SPDX-License-Identifier: Apache-2.0
#pragma once

// FileLock — keeps other processes from a file that this one goes on writing.
//
// The lock of the system on the open file goes with the process that holds it. Some file systems have none,
// network ones without their lock service above all. There a file beside it stands for the lock, made in one
// step:
//
//   sweep.h5.journal.lock     host, process
//
// What a process of this machine left when it was killed is taken over. One of another machine may still be
// at work: it is not.

#include <filesystem>
#include <string>

namespace berth {

class FileLock {
 public:
  // Of an open file and its name. Throws a RecordError when the file that stands for a lock cannot be made.
  FileLock(int descriptor, const std::filesystem::path& file);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  bool is_held() const { return is_held_; }
  // Where another holds it: who that is, and what to do when it is gone; empty when that is not known.
  const std::string& holder() const { return holder_; }

 private:
  void make_lock_file();

  std::filesystem::path lock_file_;  // empty: the system's lock
  bool is_held_ = false;
  std::string holder_;
  int owner_ = 0;  // the process that made it
};

}  // namespace berth
