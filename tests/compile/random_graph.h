// SPDX-License-Identifier: Apache-2.0
#pragma once

// Graphs of all operations on all kinds of numbers, reproducible by seed.

#include <random>
#include <vector>

#include "berth/scalar/graph.h"

namespace berth::test {

struct RandomGraphOptions {
  int inputs = 6;
  int operations = 60;
  int outputs = 8;
  int window = 30;  // operands are among so many nodes before
  bool has_calls = true;
  bool has_elementary = true;   // sine, …, logarithm
  bool like_mechanics = false;  // sums and products, a few quotients and roots, few conditions
};

Graph random_graph(std::mt19937& engine, const RandomGraphOptions& options = {});

// Zeros of both signs, infinities, NaN, denormal numbers and others.
std::vector<double> random_numbers(std::mt19937& engine, int count);

}  // namespace berth::test
