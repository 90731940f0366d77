// SPDX-License-Identifier: Apache-2.0
#include "berth/math/delayed_bounce.h"

// Method of steps: where x is a polynomial over [t, t + l], it is one again h later,
//
//   x_j = Σ c_i τ^i   =>   x_{j+1} = x + ẋ τ − Σ (k c_i + b (i+1) c_{i+1}) τ^{i+2} / ((i+1)(i+2))   (2)
//
// Pieces are short against the motion, and terms below rounding are left out.

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <numbers>

#include "berth/math/critical_delay.h"
#include "berth/scalar/elementary.h"

namespace berth {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr std::size_t kMaxTerms = 32;
constexpr double kAtRest = 1e-24;  // ẋ² + k x², of v₀²
constexpr int kMaxContacts = 50;   // adhesion can draw the mass back again and again

struct Piece {
  double length = 0;
  bool active = false;
  std::size_t terms = 0;
  std::array<double, kMaxTerms> c{};

  double x(double tau) const {
    double sum = 0;
    for (std::size_t i = terms; i-- > 0;) sum = sum * tau + c[i];
    return sum;
  }
  double v(double tau) const {
    double sum = 0;
    for (std::size_t i = terms; i-- > 1;) sum = sum * tau + static_cast<double>(i) * c[i];
    return sum;
  }
};

// The same polynomial about a later point.
Piece shift(Piece p, double by) {
  for (std::size_t j = 0; j + 1 < p.terms; ++j)
    for (std::size_t i = p.terms - 1; i-- > j;) p.c[i] += by * p.c[i + 1];
  p.length -= by;
  return p;
}

// (2), from position x and velocity v at its beginning.
Piece build_piece(const Piece& source, double k, double b, double x, double v) {
  Piece p;
  p.length = source.length;
  p.c[0] = x;
  p.c[1] = v;
  p.terms = 2;
  if (!source.active) return p;
  double power = p.length;  // τ^{i+1} at the end
  for (std::size_t i = 0; i < source.terms && i + 2 < kMaxTerms; ++i) {
    const double n = static_cast<double>(i + 1);
    const double slope = i + 1 < source.terms ? n * source.c[i + 1] : 0;
    p.c[i + 2] = -(k * source.c[i] + b * slope) / (n * (n + 1));
    if (std::abs(p.c[i + 2]) * power * (n + 1) > 1e-19) p.terms = i + 3;  // felt in ẋ
    power *= p.length;
  }
  return p;
}

enum class Touch { active, lost, none };

struct Spring {
  double k, b;
  bool adhesive;
};

// Positive as long as the contact stays what it is.
double margin(const Spring& s, Touch contact, const Piece& p, double tau) {
  const double x = p.x(tau);
  if (contact == Touch::none) return -x;
  if (contact == Touch::lost || s.adhesive) return x;
  const double force = s.k * x + s.b * p.v(tau);
  return std::min(x, s.b > 0 ? force / s.b : x);
}

// The first time in a piece at which the margin is used up, or its length. Pieces are so short that
// four evaluations suffice.
double find_change(const Spring& s, Touch contact, const Piece& p) {
  double from = 0;
  for (int quarter = 1; quarter <= 4; ++quarter) {
    double to = p.length * quarter / 4;
    if (margin(s, contact, p, to) < 0) {
      while (true) {
        const double middle = 0.5 * (from + to);
        if (middle <= from || middle >= to) return to;
        (margin(s, contact, p, middle) < 0 ? to : from) = middle;
      }
    }
    from = to;
  }
  return p.length;
}

// Without delay, with a = b/2 and ω² = k − a²:  x = v₀ e^{−at} sin(ωt)/ω. Back at x = 0 after π/ω,
// no force after 2φ/ω with tan φ = ω/a; then ẋ = −v₀ e^{−at} in both cases.
DelayedBounce find_undelayed_bounce(const Spring& s) {
  const double a = 0.5 * s.b, omega2 = s.k - a * a, omega = std::sqrt(std::abs(omega2));
  double t = kInfinite;
  if (s.adhesive) {
    if (omega2 > 0) t = std::numbers::pi / omega;
  } else if (s.k > 0) {
    if (omega < 1e-6 * a)
      t = 2 / a;
    else
      t = 2 / omega * (omega2 > 0 ? atan2(omega, a) : 0.5 * log1p(2 * omega / (a - omega)));
  }
  const double decay = t < kInfinite ? 2 * a * t : kInfinite;
  return {t, expm1(-decay), t < kInfinite};
}

}  // namespace

DelayedBounce find_delayed_bounce(double k, double b, double h, bool adhesive) {
  if ((k == 0 && b == 0) || std::isinf(h)) return {kInfinite, 0, false};  // no force
  const Spring spring{k, b, adhesive};
  if (h == 0) return find_undelayed_bounce(spring);

  // Free flight over the delay before the touch, in pieces short against 1/√k and 1/b.
  const int parts = 1 + static_cast<int>(2 * h * std::max(std::sqrt(k), b));
  std::deque<Piece> history;  // the front is the source of the next piece
  for (int i = 0; i < parts; ++i) {
    Piece p;
    p.length = h / parts;
    p.c = {h * (i - parts) / parts, 1};
    p.terms = 2;
    history.push_back(p);
  }

  Touch contact = Touch::active;
  double t = 0, x = 0, v = 1;
  double last = 0;     // end of the last contact
  double used = 0;     // of the front piece
  double quiet = 0;    // how long at rest in contact
  int on_the_way = 0;  // pieces of history with a force
  int contacts = 1;
  // Long against every time of the problem: oscillation, creep of an overdamped spring, delay.
  const double longest = 100 * ((k > 0 ? 1 / std::sqrt(k) + b / k : 0) + (b > 0 ? 1 / b : 0) + h);
  while (t < longest && contacts < kMaxContacts) {
    const Piece& front = history.front();
    Piece p = build_piece(used > 0 ? shift(front, used) : front, k, b, x, v);
    p.active = contact == Touch::active;
    const double end = find_change(spring, contact, p);
    const bool changed = margin(spring, contact, p, end) < 0;
    x = p.x(end);
    v = p.v(end);
    t += end;
    if (end < p.length) {
      used += end;
    } else {
      used = 0;
      if (front.active) --on_the_way;
      history.pop_front();
    }
    p.length = end;
    history.push_back(p);

    if (p.active) {
      last = t;
      ++on_the_way;
    }
    if (changed && contact == Touch::none) {
      contact = Touch::active;
      ++contacts;
    } else if (changed) {
      contact = x > 0 ? Touch::lost : Touch::none;
    }
    if (contact != Touch::active && on_the_way == 0) return {last, v * v - 1, true};
    quiet = contact == Touch::active && v * v + k * x * x < kAtRest ? quiet + end : 0;
    if (quiet > h) break;
  }
  return {kInfinite, v * v - 1, false};
}

double find_neutral_delay(double k, double b, bool adhesive) {
  if (b == 0) return k > 0 ? 0 : kInfinite;
  // The force of a damper alone, b ẋ, adds up to b (x_end − x_start) = 0.
  if (k == 0 && adhesive) return kInfinite;
  const double scale = find_critical_delay(k, b).delay;
  const double longest = 8 * scale + (k > 0 ? 4 / std::sqrt(k) : 0);
  const auto gain = [&](double h) { return find_delayed_bounce(k, b, h, adhesive).energy_ratio; };

  // Up from delays that lose to the first that gains. Tried over all dampings, that one is beyond
  // 0.77 of the linear loop's delay, and beyond all of it with adhesion.
  double low = 0, gain_low = -1, high = (adhesive ? 0.95 : 0.7) * scale, gain_high = gain(high);
  while (gain_high < 0) {
    low = high;
    gain_low = gain_high;
    high *= 1.05;
    if (high > longest) return kInfinite;
    gain_high = gain(high);
  }

  // Regula falsi, Illinois variant, with bisection where it is slow.
  for (int i = 0, side = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    double h = (low * gain_high - high * gain_low) / (gain_high - gain_low);
    if (i % 4 == 3 || !(h > low && h < high)) h = 0.5 * (low + high);
    if (h <= low || h >= high) break;
    const double g = gain(h);
    if (g == 0) return h;
    if (g < 0) {
      low = h;
      gain_low = g;
      if (side == -1) gain_high *= 0.5;
      side = -1;
    } else {
      high = h;
      gain_high = g;
      if (side == 1) gain_low *= 0.5;
      side = 1;
    }
  }
  return high;
}

}  // namespace berth
