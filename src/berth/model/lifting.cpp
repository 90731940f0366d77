// SPDX-License-Identifier: Apache-2.0
#include "berth/model/lifting.h"

#include <stdexcept>
#include <utility>

namespace berth {
namespace {

thread_local Lifting* noting = nullptr;

}  // namespace

Lifting::Lifting(std::span<const Trace> replacements) : replacements_(replacements) {
  if (noting) throw std::logic_error("Lifting: another one is under way in this thread");
  noting = this;
}
Lifting::~Lifting() { noting = nullptr; }

Lifting::Pause::Pause() : paused_(std::exchange(noting, nullptr)) {}
Lifting::Pause::~Pause() { noting = paused_; }

Trace Lifting::number(double x) {
  if (!noting) return x;
  const std::size_t k = noting->numbers_.size();
  noting->numbers_.push_back(x);
  return k < noting->replacements_.size() ? noting->replacements_[k] : Trace(x);
}

bool Lifting::notes() { return noting != nullptr; }

void Lifting::add_bytes(const void* data, std::size_t size) {
  if (noting) noting->structure_.append(static_cast<const char*>(data), size);
}

}  // namespace berth
