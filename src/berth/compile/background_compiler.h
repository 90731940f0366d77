// SPDX-License-Identifier: Apache-2.0
#pragma once

// BackgroundCompiler — compiles one text after the other in a thread of its own, while cases run
// interpreted.
//
// Its end does not wait for a compilation: the compiler is killed, and what was asked for ends with
// CompileStopped.

#include <condition_variable>
#include <deque>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "berth/compile/library_cache.h"

namespace berth {

using PendingLibrary = std::shared_future<std::shared_ptr<const Library>>;

// Has it arrived, or failed?
bool is_ready(const PendingLibrary& library);

class BackgroundCompiler {
 public:
  explicit BackgroundCompiler(LibraryCache& cache);
  ~BackgroundCompiler();
  BackgroundCompiler(const BackgroundCompiler&) = delete;
  BackgroundCompiler& operator=(const BackgroundCompiler&) = delete;

  // The future gives the library, or throws what LibraryCache::compile throws. Who asks twice gets the same
  // one.
  PendingLibrary request(const std::string& text, const Flags& flags);

 private:
  struct Request {
    std::string text;
    Flags flags;
    std::promise<std::shared_ptr<const Library>> promise;
  };
  void work(std::stop_token stop);

  LibraryCache& cache_;
  std::mutex mutex_;
  std::condition_variable_any arrived_;
  std::deque<Request> queue_;
  std::map<std::string, PendingLibrary> asked_;  // by key
  std::jthread worker_;                          // last: it uses all the others
};

}  // namespace berth
