// SPDX-License-Identifier: Apache-2.0
#include "berth/compile/library_cache.h"

#include <utility>

#include <fmt/format.h>

#include "berth/compile/digest.h"

namespace berth {

LibraryCache::LibraryCache(CCompiler compiler, const std::filesystem::path& folder,
                           std::uint64_t capacity)
    : compiler_(std::move(compiler)), folder_(folder, capacity) {}

std::string LibraryCache::find_key(const std::string& text, const Flags& flags) const {
  // With lengths: no two lists read the same.
  std::string all = "berth library 1\n";
  const auto add = [&](const std::string& part) {
    all += fmt::format("{} {}\n", part.size(), part);
  };
  add(compiler_.identity);
  for (const std::string& flag : flags) add(flag);
  add(text);
  return find_sha256(all);
}

std::shared_ptr<const Library> LibraryCache::find(const std::string& text, const Flags& flags) {
  return find_by_key(find_key(text, flags));
}

std::shared_ptr<const Library> LibraryCache::find_by_key(const std::string& key) {
  {
    const std::scoped_lock lock(mutex_);
    if (std::shared_ptr<const Library> library = loaded_[key].lock()) return library;
  }
  const std::optional<std::string> bytes = folder_.read(key);
  if (!bytes) return nullptr;
  try {
    return load(key, *bytes);
  } catch (const std::runtime_error&) {
    return nullptr;  // made for another system, say
  }
}

std::shared_ptr<const Library> LibraryCache::compile(const std::string& text, const Flags& flags,
                                                     std::stop_token stop) {
  const std::string key = find_key(text, flags);
  if (std::shared_ptr<const Library> library = find_by_key(key)) return library;
  const std::string bytes = compile_c(compiler_, text, flags, std::move(stop));
  std::shared_ptr<const Library> library = load(key, bytes);
  folder_.write(key, bytes);
  return library;
}

std::shared_ptr<const Library> LibraryCache::load(const std::string& key,
                                                  const std::string& bytes) {
  auto library = std::make_shared<const Library>(bytes);
  const std::scoped_lock lock(mutex_);
  loaded_[key] = library;
  return library;
}

}  // namespace berth
