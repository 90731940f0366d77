// SPDX-License-Identifier: Apache-2.0
#include "berth/compile/background_compiler.h"

#include <chrono>
#include <utility>

namespace berth {

bool is_ready(const PendingLibrary& library) {
  return library.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

BackgroundCompiler::BackgroundCompiler(LibraryCache& cache)
    : cache_(cache), worker_([this](std::stop_token stop) { work(std::move(stop)); }) {}

BackgroundCompiler::~BackgroundCompiler() {
  worker_.request_stop();
  worker_.join();
  for (Request& request : queue_)
    request.promise.set_exception(std::make_exception_ptr(CompileStopped()));
}

PendingLibrary BackgroundCompiler::request(const std::string& text, const Flags& flags) {
  const std::string key = cache_.find_key(text, flags);
  const std::scoped_lock lock(mutex_);
  if (const auto found = asked_.find(key); found != asked_.end()) return found->second;
  Request& added = queue_.emplace_back(Request{text, flags, {}});
  const PendingLibrary pending = added.promise.get_future().share();
  asked_.emplace(key, pending);
  arrived_.notify_one();
  return pending;
}

void BackgroundCompiler::work(std::stop_token stop) {
  for (;;) {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait(lock, stop, [&] { return !queue_.empty(); })) return;
    if (stop.stop_requested()) return;
    Request request = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    try {
      request.promise.set_value(cache_.compile(request.text, request.flags, stop));
    } catch (...) {
      request.promise.set_exception(std::current_exception());
    }
  }
}

}  // namespace berth
