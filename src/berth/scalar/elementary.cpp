// SPDX-License-Identifier: Apache-2.0
#include "berth/scalar/elementary.h"

namespace berth {

double exp(double x) { return elementary::berth_exp(x); }
double expm1(double x) { return elementary::berth_expm1(x); }
double tanh(double x) { return elementary::berth_tanh(x); }
double log(double x) { return elementary::berth_log(x); }
double log1p(double x) { return elementary::berth_log1p(x); }
double log10(double x) { return elementary::berth_log10(x); }
double pow(double x, double y) { return elementary::berth_pow(x, y); }
double cbrt(double x) { return elementary::berth_cbrt(x); }
double hypot(double x, double y) { return elementary::berth_hypot(x, y); }
double atan2(double y, double x) { return elementary::berth_atan2(y, x); }

}  // namespace berth
