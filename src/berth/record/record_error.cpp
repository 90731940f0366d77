// SPDX-License-Identifier: Apache-2.0
#include "berth/record/record_error.h"

#include <system_error>

#include <fmt/format.h>

namespace berth {

RecordError::RecordError(std::string_view file, std::string_view what)
    : std::runtime_error(fmt::format("{}: {}", file, what)) {}

RecordError::RecordError(std::string_view file, std::string_view what, int cause)
    : std::runtime_error(
          fmt::format("{}: {}: {}", file, what, std::generic_category().message(cause))) {}

}  // namespace berth
