// SPDX-License-Identifier: Apache-2.0
#pragma once

// Chromium — a page in a browser without a window, asked over a pipe (DevTools protocol).

#include <string>

#include <nlohmann/json.hpp>

#include "berth/app/child.h"
#include "berth/compile/temporary_folder.h"

namespace berth {

// Chromium or Chrome, $CHROMIUM first; empty: none.
std::string find_chromium();

class Chromium {
 public:
  // Opens an address in a view of this size [px]. Throws std::runtime_error.
  Chromium(const std::string& program, const std::string& address, int width, int height);
  ~Chromium();

  // The value of an expression; waits for promises. Throws what the page throws.
  nlohmann::json evaluate(const std::string& expression);
  std::string take_picture();  // PNG

 private:
  nlohmann::json call(const std::string& method, const nlohmann::json& parameters);

  TemporaryFolder profile_;  // outlives the browser that writes to it
  Child child_;
  int number_ = 0;
  std::string session_;
};

}  // namespace berth
