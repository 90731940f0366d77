// SPDX-License-Identifier: Apache-2.0
#pragma once

// HMAC-SHA256 (RFC 2104): who has the key K wrote the message m.
//
//   tag = H((K' ⊕ opad) ‖ H((K' ⊕ ipad) ‖ m))        H = SHA-256                    (1)
//   K'  = K, or H(K) where K is longer than a block; filled up with zeros to a block of 64 bytes
//   ipad, opad = 0x36, 0x5c in every byte

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "berth/compile/digest.h"

namespace berth {

// (1), without allocation.
Sha256::Bytes find_hmac_sha256(std::string_view key, std::string_view message);

// Takes the same time wherever they differ: nobody learns from it how far a guess was right.
bool are_same_tags(const Sha256::Bytes& a, std::span<const char, 32> b);

// [bytes]
inline constexpr std::size_t kLeastKeyBytes = 16, kMostKeyBytes = 4096;

// The key that a file holds: its bytes, without one newline (or return and newline) at the end. Throws
// std::runtime_error, with file and rule, where it cannot be read or has too few or too many bytes.
std::string read_key(const std::filesystem::path& file);

}  // namespace berth
