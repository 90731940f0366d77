// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace berth {

// Whether the processor has instructions for SHA-256: a quarter of the time.
bool has_digest_instructions();

// SHA-256 (FIPS 180-4) of these bytes, as 64 hexadecimal digits.
std::string find_sha256(std::string_view bytes, bool by_instructions = has_digest_instructions());

}  // namespace berth
