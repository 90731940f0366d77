// SPDX-License-Identifier: Apache-2.0
#include "berth/app/browser.h"

#include <stdexcept>

#include "berth/app/child.h"
#include "berth/app/command.h"

namespace berth {

void open_in_browser(const std::string& address) {
  try {
    if (Child({"xdg-open", address}, -1, -1).wait() != 0)
      complain("--open  xdg-open found no browser; the page is {}\n", address);
  } catch (const std::runtime_error& e) {
    complain("--open  no browser: {}; the page is {}\n", e.what(), address);
  }
}

}  // namespace berth
