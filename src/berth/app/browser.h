// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace berth {

// Opens a file or an address in the browser of the desktop (xdg-open). Complains where there is none:
// the page is there all the same.
void open_in_browser(const std::string& address);

}  // namespace berth
