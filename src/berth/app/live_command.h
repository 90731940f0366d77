// SPDX-License-Identifier: Apache-2.0
#pragma once

// berth live FILE --udp HOST:PORT — a run in which an external takes part over a socket, paced by the clock.

#include <optional>
#include <string>

#include "berth/app/command.h"

namespace berth {

class LiveSource;
struct LiveSetup;

struct LiveCommand {
  FileOptions file;
  std::string udp, out, key;
  std::optional<double> rate;
  double factor = 1, wait = 10, timeout = 2;
  bool lockstep = false, no_out = false, no_html = false, json = false, quiet = false;
  bool identify = false, page = false, no_browser = false;
  Computing computing = Computing::automatic;

  CLI::App& add_to(CLI::App& app);
  int run();

 private:
  int run_identification(const LiveSetup& setup, LiveSource& source);
};

}  // namespace berth
