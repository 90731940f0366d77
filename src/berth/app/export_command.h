// SPDX-License-Identifier: Apache-2.0
#pragma once

// berth export c FILE -o DIR — the plant of a scenario as C99 that needs nothing else.
// berth export datagram FILE -o DIR — the datagrams of `berth live` as a C header, a Python module, a page.

#include <string>

#include "berth/app/command.h"

namespace berth {

struct ExportCommand {
  std::string language;
  FileOptions file;
  std::string out;
  double step = 0;          // [s]; 0 = that of the scenario
  std::vector<int> phases;  // from 1; none = all

  CLI::App& add_to(CLI::App& app);
  int run();

 private:
  int export_plant();
  int export_datagram();
};

}  // namespace berth
