// SPDX-License-Identifier: Apache-2.0
#pragma once

// GlbBuffers — the container of a model and its numbers: what is used is checked, copied and gets a new
// number; what is not is left behind.

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "berth/scenario/glb/gltf_entry.h"

namespace berth {

inline constexpr std::uint64_t kMostCorners = 2'000'000;  // of triangles, drawn or stored

class GlbBuffers {
 public:
  struct Accessor {
    std::size_t place;  // in the new list
    std::uint64_t count;
    std::size_t width;  // numbers of one element
    std::uint64_t component;
    bool normalized;
    std::array<double, 4> low, high;  // of what is stored
  };

  // Expects the chunks of a whole file with a head that can be read.
  explicit GlbBuffers(std::string_view file);

  static void check_inside(const GltfEntry& e) {
    if (e.find("uri"))
      reject("is not whole: {} has a uri; buffers and images must be inside the .glb", e.who);
  }

  GltfEntry root() const { return {json_, "the file"}; }
  GltfEntry entry(const char* list, std::uint64_t i, const char* word) const;

  // The number in the new list of what has number i in the old one; it is made at its first use.
  template <class Make>
  std::size_t use(const char* list, std::uint64_t i, const char* word, Make make) {
    const auto key = std::pair<std::string, std::uint64_t>(list, i);
    if (const auto at = used_.find(key); at != used_.end()) return at->second;
    GltfJson made = make(entry(list, i, word));
    GltfJson& all = out_[list];
    all.push_back(std::move(made));
    return used_[key] = all.size() - 1;
  }

  std::size_t use_view(std::uint64_t i);
  const Accessor& use_accessor(std::uint64_t i);
  // A view that is used, as it will be written.
  std::string_view bytes_of(std::uint64_t view) const {
    return std::string_view(bin_out_).substr(views_.at(view).begin, views_.at(view).length);
  }

  GltfJson& out() { return out_; }
  // The file anew.
  std::string write();

 private:
  void split(std::string_view file);
  void parse();
  void check_head();

  struct View {
    std::size_t begin, length, stride;  // in what is written; stride 0: none
  };

  std::string_view text_, bin_;
  std::uint64_t buffer_ = 0;  // [bytes]
  GltfJson json_, out_ = GltfJson::object();
  std::string bin_out_;
  std::map<std::pair<std::string, std::uint64_t>, std::size_t> used_;
  std::map<std::uint64_t, View> views_;  // by their old numbers, as are the accessors
  std::map<std::uint64_t, Accessor> accessors_;
  std::uint64_t stored_ = 0;
};

}  // namespace berth
