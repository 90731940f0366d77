// SPDX-License-Identifier: Apache-2.0
#include "berth/live/datagram.h"

#include <cstring>

#include "berth/live/hmac.h"
#include "berth/record/crc32.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

// Once as it is, once with the tag and the CRC that it needs.
std::string seal(std::string_view input, const LiveKey* key) {
  std::string out(input);
  if (key)
    for (const unsigned char byte : find_hmac_sha256(*key, input)) out += static_cast<char>(byte);
  const std::uint32_t crc = find_crc32(out);
  for (int k = 0; k < 4; ++k) out += static_cast<char>(crc >> (8 * k) & 0xFF);
  return out;
}

void read(const std::string& bytes, const LiveKey* key) {
  Datagram datagram;
  datagram.header.digest = 0x0123456789abcdef;
  datagram.numbers.fill(0.25);
  const DatagramFault fault = read_datagram(bytes, key, datagram);
  if (fault != DatagramFault::none) {
    expect(!describe(fault).empty(), "a fault has words");
    expect(datagram.header.digest == 0x0123456789abcdef && datagram.numbers[0] == 0.25,
           "what is refused changes nothing");
    return;
  }
  expect(datagram.header.count <= kMostNumbers, "no more numbers than there is room for");
  std::array<char, kMostDatagramBytes> out{};
  const std::size_t size = write_datagram(datagram, key, out);
  expect(std::string_view(out.data(), size) == bytes, "what was taken is written as it came");
}

}  // namespace

void fuzz_datagram(std::string_view input) {
  static const LiveKey key = "sixteen letters!";
  for (const LiveKey* k : {static_cast<const LiveKey*>(nullptr), &key}) {
    read(std::string(input), k);
    read(seal(input, k), k);
  }
}

}  // namespace berth::fuzz
