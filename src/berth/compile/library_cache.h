// SPDX-License-Identifier: Apache-2.0
#pragma once

// LibraryCache — compiled texts of C, each compiled once.
//
//   key    digest of text, compiler and flags
//
// May be used by several threads and processes at once: two that miss the same entry both compile it.

#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "berth/compile/c_compiler.h"
#include "berth/compile/cache_folder.h"
#include "berth/compile/library.h"

namespace berth {

using Flags = std::vector<std::string>;

class LibraryCache {
 public:
  explicit LibraryCache(CCompiler compiler,
                        const std::filesystem::path& folder = find_cache_folder(),
                        std::uint64_t capacity = find_cache_capacity());

  // What was compiled before; null if nothing was.
  std::shared_ptr<const Library> find(const std::string& text, const Flags& flags);
  // That, or compiled now. Throws CompileError, CompileStopped, or std::runtime_error if the result cannot
  // be loaded.
  std::shared_ptr<const Library> compile(const std::string& text, const Flags& flags,
                                         std::stop_token stop = {});

  std::string find_key(const std::string& text, const Flags& flags) const;
  std::shared_ptr<const Library> find_by_key(const std::string& key);
  const CacheFolder& folder() const { return folder_; }

 private:
  std::shared_ptr<const Library> load(const std::string& key, const std::string& bytes);

  CCompiler compiler_;
  CacheFolder folder_;
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const Library>> loaded_;  // by key
};

}  // namespace berth
