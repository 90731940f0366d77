// SPDX-License-Identifier: Apache-2.0
#include "berth/interruption.h"

#include <atomic>

namespace berth {
namespace {

std::atomic<bool (*)()> g_is_asked = nullptr;

}  // namespace

void set_interruption(bool (*is_asked)()) { g_is_asked = is_asked; }

void stop_if_interrupted() {
  bool (*const is_asked)() = g_is_asked;
  if (is_asked && is_asked()) throw Interrupted();
}

}  // namespace berth
