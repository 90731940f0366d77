// SPDX-License-Identifier: Apache-2.0
#include "berth/sampling/halton.h"

#include <algorithm>
#include <array>

namespace berth {

namespace {

constexpr auto find_primes() {
  std::array<std::uint32_t, kHaltonDimensions> primes{};
  std::size_t count = 0;
  for (std::uint32_t n = 2; count < primes.size(); ++n) {
    bool is_prime = true;
    for (std::size_t k = 0; k < count && primes[k] * primes[k] <= n; ++k)
      is_prime = is_prime && n % primes[k] != 0;
    if (is_prime) primes[count++] = n;
  }
  return primes;
}
constexpr auto kPrimes = find_primes();

}  // namespace

std::uint32_t find_halton_base(std::uint32_t dimension) { return kPrimes[dimension]; }

double find_scrambled_halton(std::uint64_t n, std::uint32_t dimension, const KeyedHash& hash,
                             double rest) {
  constexpr std::uint64_t most = std::uint64_t{1} << 53;
  const std::uint32_t b = kPrimes[dimension];
  std::uint64_t digits = 0, scale = 1;
  for (std::uint64_t place = 0; scale <= most / b; ++place) {
    const std::uint64_t word = hash(place);
    const std::uint64_t a = 1 + find_below(word, b - 1);
    const std::uint64_t c = find_below(word << 32, b);
    const std::uint64_t digit = n == 0 ? c : (a * (n % b) + c) % b;
    n /= b;
    digits = digits * b + digit;  // (2)
    scale *= b;
  }
  const double u = (static_cast<double>(digits) + rest) / static_cast<double>(scale);
  return std::min(u, 1 - 0x1p-53);
}

}  // namespace berth
