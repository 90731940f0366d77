// SPDX-License-Identifier: Apache-2.0
#pragma once

// SHA-256 (FIPS 180-4).

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace berth {

// Whether the processor has instructions for SHA-256: a quarter of the time.
bool has_digest_instructions();

// Piece by piece, without allocation: Sha256 s; s.add(a); s.add(b); s.find() is the digest of a b.
class Sha256 {
 public:
  using Bytes = std::array<unsigned char, 32>;
  static constexpr std::size_t kBlock = 64;  // bytes

  explicit Sha256(bool by_instructions = has_digest_instructions());

  void add(std::string_view bytes);
  // Of all that was added so far; more may follow.
  Bytes find() const;

 private:
  std::array<std::uint32_t, 8> state_;
  std::array<unsigned char, kBlock> rest_{};  // what is no whole block yet
  std::uint64_t size_ = 0;                    // bytes so far
  bool by_instructions_;
};

std::string to_hexadecimal(const Sha256::Bytes& bytes);
// Of these bytes, as 64 hexadecimal digits.
std::string find_sha256(std::string_view bytes, bool by_instructions = has_digest_instructions());

}  // namespace berth
