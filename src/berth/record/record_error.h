// SPDX-License-Identifier: Apache-2.0
#pragma once

// RecordError — a result could not be written or read: which file, what failed, why.
//
//   results/docking.h5: cannot write: No space left on device

#include <stdexcept>
#include <string>
#include <string_view>

namespace berth {

class RecordError : public std::runtime_error {
 public:
  RecordError(std::string_view file, std::string_view what);
  // With the system's text for `cause`, an errno.
  RecordError(std::string_view file, std::string_view what, int cause);
};

}  // namespace berth
