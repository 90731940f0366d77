// SPDX-License-Identifier: Apache-2.0
#include "berth/model/findings.h"

#include <fmt/format.h>

namespace berth {

std::string shown(double number) { return fmt::format("{:.12g}", number); }

}  // namespace berth
