// SPDX-License-Identifier: Apache-2.0
#include "berth/record/queued_sink.h"

#include <algorithm>
#include <chrono>

namespace berth {
namespace {

constexpr auto kPause = std::chrono::milliseconds(2);

int count_numbers(std::span<const Channel> channels) {
  int n = 0;
  for (const Channel& c : channels) n = std::max(n, c.first + c.width);
  return n;
}

}  // namespace

QueuedSink::QueuedSink(std::shared_ptr<RowSink> sink) : sink_(std::move(sink)) {}
QueuedSink::~QueuedSink() { end(); }

int QueuedSink::add_group(const std::string& name, std::span<const Channel> channels) {
  most_ = std::max(most_, static_cast<std::size_t>(count_numbers(channels)));
  return sink_->add_group(name, channels);
}
int QueuedSink::add_scene(std::span<const Channel> channels, const std::string& model_json,
                          std::span<const StoredModel> models) {
  most_ = std::max(most_, static_cast<std::size_t>(count_numbers(channels)));
  return sink_->add_scene(channels, model_json, models);
}

void QueuedSink::start() {
  places_.resize(kPlaces);
  numbers_.resize(kPlaces * most_);
  thread_ = std::thread([this] { write(); });
}

void QueuedSink::append(int group, double t, std::span<const double> row) {
  if (!thread_.joinable()) start();
  const std::uint64_t at = filled_.load(std::memory_order_relaxed);
  while (at - emptied_.load(std::memory_order_acquire) >= kPlaces)
    std::this_thread::sleep_for(kPause);
  if (failed_) std::rethrow_exception(failure_);
  // A row may have numbers of other groups behind those of its own.
  const std::size_t size = std::min(row.size(), most_);
  places_[at % kPlaces] = {group, t, size};
  std::copy_n(row.begin(), size,
              numbers_.begin() + static_cast<std::ptrdiff_t>(at % kPlaces * most_));
  filled_.store(at + 1, std::memory_order_release);
}

void QueuedSink::add_event(double t, const std::string& kind, const std::string& name,
                           const std::string& details_json) {
  const std::lock_guard held(lock_);
  events_.push_back({t, kind, name, details_json});
}

bool QueuedSink::write_next() {
  const std::uint64_t at = emptied_.load(std::memory_order_relaxed);
  if (at == filled_.load(std::memory_order_acquire)) return false;
  try {
    const Place& place = places_[at % kPlaces];
    if (!failed_)
      sink_->append(place.group, place.t,
                    std::span<const double>(numbers_).subspan(at % kPlaces * most_, place.size));
  } catch (...) {
    failure_ = std::current_exception();
    failed_ = true;  // what comes is discarded: nobody waits for ever
  }
  emptied_.store(at + 1, std::memory_order_release);
  return true;
}

void QueuedSink::write() {
  while (!over_)
    if (!write_next()) std::this_thread::sleep_for(kPause);
  while (write_next()) {
  }
}

void QueuedSink::end() {
  over_ = true;
  if (thread_.joinable()) thread_.join();
}

void QueuedSink::finish(const std::string& scenario_text, const std::string& summary_json) {
  end();
  if (failed_) std::rethrow_exception(failure_);
  for (const NoticedEvent& e : events_) sink_->add_event(e.t, e.kind, e.name, e.details);
  sink_->finish(scenario_text, summary_json);
}

}  // namespace berth
