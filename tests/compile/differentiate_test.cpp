// SPDX-License-Identifier: Apache-2.0
#include "berth/compile/differentiate.h"

#include <array>
#include <cmath>
#include <memory>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "berth/scalar/dual.h"
#include "berth/scalar/trace.h"
#include "tests/compile/random_graph.h"

namespace berth::differentiate_test {
namespace {

std::vector<double> interpreted(const Graph& graph, const std::vector<double>& in) {
  std::vector<double> out(graph.outputs.size());
  interpret(graph, in, out);
  return out;
}

// Every operation that has a slope.
template <class T>
T find_all(const T& x, const T& y) {
  const auto [sine, cosine] = sin_cos(x * y);
  const T root = sqrt(x * x + 2.0 * y * y);
  const T bent = select(x < y, x / y, y - x);
  return sine * root - cosine / (1.0 + exp(-x)) + log(root) * atan2(y, x) + abs(bent) * y - (-x);
}

TEST(Differentiate, GivesTheSlopesOfDual) {
  auto tape = std::make_unique<Tape>();
  const Trace x = tape->input(), y = tape->input();
  const Graph graph = tape->finish(std::array{find_all(x, y)});
  tape.reset();
  const Graph tangent = differentiate(graph, std::array<char, 2>{1, 1});
  ASSERT_EQ(tangent.input_count, 4);
  for (const double a : {-1.3, 0.4, 2.0})
    for (const double b : {-0.7, 0.9, 1.9})
      for (int k = 0; k < 2; ++k) {
        Dual da(a), db(b);
        set_slope(k == 0 ? da : db, 0, 1.0);
        const double wanted = slope(find_all(da, db));
        const double got = interpreted(tangent, {a, b, k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0})[0];
        EXPECT_NEAR(got, wanted, 1e-13 * (1 + std::fabs(wanted))) << a << " " << b << " " << k;
      }
}

TEST(Differentiate, CostsNothingForWhatDoesNotVary) {
  auto tape = std::make_unique<Tape>();
  const Trace x = tape->input(), p = tape->input();
  const Graph graph = tape->finish(std::array{sqrt(p) * x, exp(p)});
  tape.reset();
  const Graph tangent = differentiate(graph, std::array<char, 2>{1, 0});
  EXPECT_EQ(tangent.input_count, 3);
  EXPECT_EQ(tangent.operation_count(), 2);  // a root and a product
  EXPECT_EQ(interpreted(tangent, {5.0, 4.0, 3.0}), (std::vector<double>{6.0, 0.0}));
}

TEST(Differentiate, FollowsTheSignOfWhatTakesOne) {
  auto tape = std::make_unique<Tape>();
  const Trace x = tape->input(), s = tape->input();
  const Graph graph = tape->finish(std::array{copysign(x, s)});
  tape.reset();
  const Graph tangent = differentiate(graph, std::array<char, 2>{1, 1});
  for (const double a : {-2.0, 2.0})
    for (const double b : {-1.0, 1.0})
      EXPECT_EQ(interpreted(tangent, {a, b, 1.0, 1.0})[0], a * b > 0 ? 1.0 : -1.0);
}

TEST(Differentiate, RefusesACallThatVaries) {
  static const OpaqueFunction function{
      "twice", [](std::span<const double> in, std::span<double> out) { out[0] = 2 * in[0]; }};
  Graph graph;
  {
    Tape tape;
    const Trace x = tape.input();
    Trace y;
    Tape::call(function, std::span(&x, 1), std::span(&y, 1));
    graph = tape.finish(std::array{y});
  }
  EXPECT_THROW(differentiate(graph, std::array<char, 1>{1}), std::invalid_argument);
  EXPECT_EQ(interpreted(differentiate(graph, std::array<char, 1>{0}), {3.0})[0], 0.0);
}

RC_GTEST_PROP(Differentiate, AgreesWithFiniteDifferences, ()) {
  std::mt19937 engine(*rc::gen::arbitrary<unsigned>());
  test::RandomGraphOptions options;
  options.operations = *rc::gen::inRange(1, 40);
  options.has_calls = false;
  options.like_mechanics = true;
  const Graph graph = test::random_graph(engine, options);
  // Among numbers of ordinary size: of huge ones a difference is rounding.
  Graph all = graph;
  all.outputs.resize(graph.nodes.size());
  std::iota(all.outputs.begin(), all.outputs.end(), 0);
  const Graph tangent =
      differentiate(graph, std::vector<char>(static_cast<std::size_t>(options.inputs), 1));
  std::uniform_real_distribution<double> draw(0.5, 1.5);
  std::vector<double> x, d;
  for (int i = 0; i < options.inputs; ++i) x.push_back(draw(engine)), d.push_back(draw(engine));
  for (const double y : interpreted(all, x)) RC_PRE(std::fabs(y) < 1e3);
  std::vector<double> in = x;
  in.insert(in.end(), d.begin(), d.end());
  const std::vector<double> got = interpreted(tangent, in);
  const auto find_difference = [&](double h) {
    std::vector<double> ahead = x, back = x;
    for (std::size_t i = 0; i < x.size(); ++i) ahead[i] += h * d[i], back[i] -= h * d[i];
    std::vector<double> a = interpreted(graph, ahead), b = interpreted(graph, back);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = (a[i] - b[i]) / (2 * h);
    return a;
  };
  // Where two differences agree there is a slope; near a kink or a pole they do not.
  const std::vector<double> coarse = find_difference(1e-5), fine = find_difference(5e-6);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double size = 1 + std::fabs(fine[i]);
    if (!(std::fabs(coarse[i] - fine[i]) < 1e-6 * size)) continue;
    RC_ASSERT(std::fabs(got[i] - fine[i]) < 1e-4 * size);
  }
}

}  // namespace
}  // namespace berth::differentiate_test
