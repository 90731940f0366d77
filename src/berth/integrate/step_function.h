// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every sign change and the largest value of a function g(t) inside one integration step.
//
// g is represented by Chebyshev series on adaptively halved pieces of the step (step_piece.h); what
// the series shows is confirmed with g itself (sign_search.h, maximum_search.h). A smooth g that is
// nowhere near zero costs 9 evaluations. g may return values that are not finite: they have no sign
// and are no maximum.
//
//   zero at t_0      no change, unless options.sign_0 gives the sign before it and g leaves zero on
//                    the other side
//   zero at t_1      a change
//
// For a minimum, find the maximum of −g.

#include <cstddef>
#include <span>
#include <vector>

#include "berth/integrate/maximum_search.h"
#include "berth/integrate/sign_search.h"
#include "berth/integrate/step_piece.h"

namespace berth {

namespace detail {

// A function that is evaluated at one time after the other.
template <class G>
struct OneByOne {
  G& g;
  double operator()(double t) const { return g(t); }
  void fill(std::span<const double> t, std::span<double> v) const {
    for (std::size_t i = 0; i < t.size(); ++i) v[i] = g(t[i]);
  }
};
template <class G>
OneByOne(G&) -> OneByOne<G>;

// From values at the 9 times of the step.
template <class G>
void find_sign_changes(G& g, StepPiece& step, std::vector<SignChange>& out,
                       const StepFunctionOptions& options) {
  if (!(step.t[0] < step.t[8])) return;
  PieceWalk<G> walk(g, options);
  SignSearch<G> search(walk, out);
  search.start(step.t[0], step.v[0]);
  walk.walk(step, search);
}

template <class G>
Extremum find_maximum(G& g, StepPiece& step, const StepFunctionOptions& options) {
  PieceWalk<G> walk(g, options);
  MaximumSearch<G> search(walk, step.t[0]);
  if (step.t[0] < step.t[8]) {
    walk.walk(step, search);
  } else {
    search.settles(step);
  }
  return search.best();
}

template <class G>
StepPiece sample_step(const G& g, double t_0, double t_1) {
  StepPiece step;
  PieceWalk<G>::set_times(step, t_0, t_1);
  g.fill(std::span(step.t).first(9), step.v);
  return step;
}

}  // namespace detail

// All sign changes of g in (t_0, t_1], in order of time, appended to `out`.
template <class G>
void find_sign_changes(G&& g, double t_0, double t_1, std::vector<SignChange>& out,
                       const StepFunctionOptions& options = {}) {
  if (!(t_0 < t_1)) return;
  const detail::OneByOne one{g};
  detail::StepPiece step = detail::sample_step(one, t_0, t_1);
  detail::find_sign_changes(one, step, out, options);
}

// The sign change between two points at which g has opposite signs, appended to `out`.
template <class G>
void solve_sign_change(G&& g, const detail::SamplePoint& a, const detail::SamplePoint& b,
                       std::vector<SignChange>& out, const StepFunctionOptions& options = {}) {
  const detail::OneByOne one{g};
  detail::PieceWalk walk(one, options);
  detail::SignSearch search(walk, out);
  search.start(a.t, a.v);
  search.end(b);
}

// The largest value of g on [t_0, t_1], ends included; −∞ if no value is finite.
template <class G>
Extremum find_maximum(G&& g, double t_0, double t_1, const StepFunctionOptions& options = {}) {
  const detail::OneByOne one{g};
  detail::StepPiece step = detail::sample_step(one, t_0, t_1);
  return detail::find_maximum(one, step, options);
}

}  // namespace berth
