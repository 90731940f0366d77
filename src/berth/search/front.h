// SPDX-License-Identifier: Apache-2.0
#pragma once

// Two goals at once, both to be made small: which results nothing else beats, and one number that leads a
// search to one of them.
//
//   a dominates b      a₁ ≤ b₁ and a₂ ≤ b₂, one of them smaller                                        (1)
//   Chebyshev          max(w g₁, (1−w) g₂) + ε (g₁ + g₂),   gₖ = (fₖ − idealₖ)/scaleₖ                   (2)
//
// Every point of the front minimises (2) for some weight w, on concave stretches too, where a weighted
// sum finds none but the ends. The term with ε keeps results away that are dominated in one goal alone.
//
//   for (double w : {0.1, 0.3, 0.5, 0.7, 0.9}) minimise find_chebyshev(f, {.weight = w, …});
//   find_front(results)

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace berth {

using TwoGoals = std::array<double, 2>;

bool dominates(const TwoGoals& a, const TwoGoals& b);  // (1)

// Places of those that no other dominates, by the first goal, then by place. Of equal ones all; of those
// with a NaN none.
std::vector<std::size_t> find_front(std::span<const TwoGoals> results);

struct ChebyshevOptions {
  double weight = 0.5;         // of the first goal, 0 … 1
  TwoGoals ideal = {0, 0};     // the best of each goal alone
  TwoGoals scale = {1, 1};     // what counts as a difference of the same size
  double augmentation = 1e-3;  // ε
};
double find_chebyshev(const TwoGoals& goals, const ChebyshevOptions& options);  // (2)

}  // namespace berth
