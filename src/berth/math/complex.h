// SPDX-License-Identifier: Apache-2.0
#pragma once

// Functions of complex numbers, by those of elementary.h.

#include <complex>

#include "berth/scalar/elementary.h"

namespace berth {

inline double abs(const std::complex<double>& z) { return hypot(z.real(), z.imag()); }
inline double arg(const std::complex<double>& z) { return atan2(z.imag(), z.real()); }
inline std::complex<double> polar(double size, double angle) {
  const SinCos<double> turn = sin_cos(angle);
  return {size * turn.cos, size * turn.sin};
}
inline std::complex<double> exp(const std::complex<double>& z) {
  return polar(exp(z.real()), z.imag());
}

}  // namespace berth
