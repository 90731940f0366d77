// SPDX-License-Identifier: Apache-2.0
#pragma once

// PartFile — a file that has its name only once it is whole.
//
//   .docking.h5.part-4711    while it is written, in the same folder
//   docking.h5               after keep(): on the disk, renamed in one step
//
// Whatever ends the run earlier, an older docking.h5 stays as it was. A part left behind by a killed
// run is removed when the same name is written next. The lock on a part, which the system drops with
// the process, distinguishes it from one that is being written; its process number would not, since
// another container or machine may count its own. On a file system without locks parts of killed runs stay.
//
// A device or pipe (/dev/stdout) is written directly.
//
// A process that was forked off meanwhile leaves the part alone: it can neither write nor remove it.

#include <filesystem>
#include <string>
#include <string_view>

namespace berth {

class PartFile {
 public:
  // Throws a RecordError when the name is a folder's or cannot be written.
  explicit PartFile(const std::filesystem::path& wanted);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::string& name() const { return name_; }  // the final one, as asked for
  int descriptor() const { return descriptor_; }
  bool is_device() const { return part_.empty(); }

  // After a failure, which leaves a gap, neither works any more.
  void write(std::string_view bytes);
  void keep();

 private:
  void create_part();
  void check(bool done);

  std::string name_;
  std::filesystem::path target_;  // symbolic links followed
  std::filesystem::path part_;
  int descriptor_ = -1;
  int failure_ = 0;  // errno of the first
  int owner_;        // the process that made it
};

}  // namespace berth
