// SPDX-License-Identifier: Apache-2.0
#pragma once

// The elementary functions as text, for programs that are written by a program:
//
//     elementary_c_prologue(4) + elementary_c_text() + what calls berth_exp, berth_sine …
//
// One simulation (lanes = 1) is strict C99; 2, 4 and 8 simulations abreast are GNU C with vectors. Compiled
// with -ffp-contract=off -Wno-psabi all give the bits of elementary.h, lane by lane; the sign of a NaN aside.
//
// Afterwards there are the types berth_number, berth_mask (of a comparison) and berth_bits; of numbers
//
//     berth_sine(x)   berth_cosine(x)   berth_sin_cos(x).sin, .cos   berth_atan2(y, x)
//     berth_exp(x)    berth_expm1(x)    berth_log(x)   berth_log1p(x)   berth_log10(x)   berth_tanh(x)
//     berth_pow(x, y) berth_cbrt(x)     berth_hypot(x, y)
//     berth_sqrt(x)   berth_abs(x)      berth_copysign(size, sign)
//
// and berth_select(mask, a, b), berth_splat(double), which sets all lanes. Operators work on all lanes.

#include <string>
#include <string_view>

namespace berth {

// lanes: 1, 2, 4 or 8; anything else throws std::invalid_argument.
std::string elementary_c_prologue(int lanes);
std::string_view elementary_c_text();

}  // namespace berth
