// SPDX-License-Identifier: Apache-2.0
#pragma once

// Titles, names and paths come from anybody, and a terminal obeys what it is sent. Characters that would
// command it are shown instead:
//
//   control characters but the end of a line     \x1b
//   DEL, C1, and those that reverse the reading   \u007f  \u009b  \u202e
//   bytes that are no UTF-8                       \x9b
//
// JSON stays JSON: its texts have no control characters below DEL, and the others are written as it wants.

#include <string>
#include <string_view>

namespace berth {

std::string make_visible(std::string_view text);

}  // namespace berth
