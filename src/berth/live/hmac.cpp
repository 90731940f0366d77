// SPDX-License-Identifier: Apache-2.0
#include "berth/live/hmac.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "berth/record/input_file.h"

namespace berth {
namespace {

std::string_view view(std::span<const unsigned char> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

Sha256::Bytes find_hmac_sha256(std::string_view key, std::string_view message) {
  std::array<unsigned char, Sha256::kBlock> padded{};
  if (key.size() > padded.size()) {
    Sha256 shortened;
    shortened.add(key);
    std::ranges::copy(shortened.find(), padded.begin());
  } else {
    std::ranges::copy(key, padded.begin());
  }
  for (unsigned char& byte : padded) byte ^= 0x36;
  Sha256 inner;
  inner.add(view(padded));
  inner.add(message);
  for (unsigned char& byte : padded) byte ^= 0x36 ^ 0x5c;
  Sha256 outer;
  outer.add(view(padded));
  outer.add(view(inner.find()));
  return outer.find();
}

bool are_same_tags(const Sha256::Bytes& a, std::span<const char, 32> b) {
  unsigned char difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i] ^ static_cast<unsigned char>(b[i]));
    asm volatile("" : "+r"(difference));  // all of them, whatever the optimiser finds out
  }
  return difference == 0;
}

std::string read_key(const std::filesystem::path& file) {
  const auto refuse = [&](const std::string& why) {
    throw std::runtime_error(fmt::format("{}: {}", file.string(), why));
  };
  InputFile from(file, "key");
  std::string key = from.read(kMostKeyBytes + 3);  // with an end of line and one byte too many
  if (!from.problem().empty()) refuse("no key can be read: " + from.problem());
  if (key.ends_with('\n')) key.pop_back(), key.resize(key.size() - (key.ends_with('\r') ? 1 : 0));
  if (key.size() < kLeastKeyBytes || key.size() > kMostKeyBytes)
    refuse(fmt::format("a key has {} … {} bytes, this file {}{}", kLeastKeyBytes, kMostKeyBytes,
                       key.size() > kMostKeyBytes ? "more than " : "",
                       std::min(key.size(), kMostKeyBytes)));
  return key;
}

}  // namespace berth
