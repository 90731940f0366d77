// SPDX-License-Identifier: Apache-2.0
#include "berth/scalar/elementary_text.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "berth/scalar/scalar.h"
#include "tests/support/process.h"

namespace berth::elementary_text_test {
namespace {

struct Function {
  std::string name;  // in C
  int arguments;
  double (*find)(double x, double y);
};
const Function kFunctions[] = {
    {"berth_sine", 1, [](double x, double) { return sin_cos(x).sin; }},
    {"berth_cosine", 1, [](double x, double) { return sin_cos(x).cos; }},
    {"berth_exp", 1, [](double x, double) { return exp(x); }},
    {"berth_expm1", 1, [](double x, double) { return expm1(x); }},
    {"berth_tanh", 1, [](double x, double) { return tanh(x); }},
    {"berth_log", 1, [](double x, double) { return log(x); }},
    {"berth_log1p", 1, [](double x, double) { return log1p(x); }},
    {"berth_log10", 1, [](double x, double) { return log10(x); }},
    {"berth_cbrt", 1, [](double x, double) { return cbrt(x); }},
    {"berth_sqrt", 1, [](double x, double) { return sqrt(x); }},
    {"berth_abs", 1, [](double x, double) { return abs(x); }},
    {"berth_pow", 2, [](double x, double y) { return pow(x, y); }},
    {"berth_hypot", 2, [](double x, double y) { return hypot(x, y); }},
    {"berth_atan2", 2, [](double x, double y) { return atan2(x, y); }},
    {"berth_copysign", 2, [](double x, double y) { return copysign(x, y); }},
};

struct Arguments {
  std::vector<double> x, y;
};

// Special values in all pairs, then numbers of every kind; a multiple of 8 of them.
Arguments find_arguments() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double largest = std::numeric_limits<double>::max();
  constexpr double smallest = std::numeric_limits<double>::denorm_min();
  std::vector<double> special;
  for (const double x :
       {0.0,  smallest, 1e-310, 0x1p-1022, 1e-20,   0.5,      1 - 0x1p-53, 1.0,   1 + 0x1p-52,
        2.0,  2.5,      3.0,    40.0,      709.7,   709.8,    745.1,       746.0, 1.6e6,
        1e14, 0x1p52,   0x1p53, 1e300,     largest, infinity, std::nan("")}) {
    special.push_back(x);
    special.push_back(-x);
  }
  Arguments a;
  for (const double x : special)
    for (const double y : special) a.x.push_back(x), a.y.push_back(y);
  std::mt19937_64 engine(3);
  const auto between = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(engine() >> 11) * 0x1p-53);
  };
  while (a.x.size() < 104000 || a.x.size() % 8 != 0) {
    switch (engine() % 4) {
      case 0:  // any bits
        a.x.push_back(std::bit_cast<double>(engine()));
        a.y.push_back(std::bit_cast<double>(engine()));
        break;
      case 1:
        a.x.push_back(between(-4, 4));
        a.y.push_back(between(-4, 4));
        break;
      case 2:
        a.x.push_back(between(0, 1000));
        a.y.push_back(between(-100, 100));
        break;
      default:
        a.x.push_back(between(-1, 1) * std::ldexp(1, static_cast<int>(engine() % 120) - 60));
        a.y.push_back(between(-1, 1) * std::ldexp(1, static_cast<int>(engine() % 120) - 60));
    }
  }
  return a;
}

// Each function over arrays, for any number of lanes.
std::string find_program(int lanes) {
  std::string text = elementary_c_prologue(lanes);
  text += elementary_c_text();
  for (const Function& f : kFunctions) {
    const std::string head =
        "void run_" + f.name + "(const double* x, const double* y, double* out, int count)";
    text +=
        head + ";\n" + head + " {\n  berth_number a, b, c;\n  int i;\n" +
        "  for (i = 0; i < count; i += BERTH_LANES) {\n" +
        "    memcpy(&a, x + i, sizeof a);\n    memcpy(&b, y + i, sizeof b);\n    c = " + f.name +
        (f.arguments == 1 ? "(a)" : "(a, b)") + ";\n" + (f.arguments == 1 ? "    (void)b;\n" : "") +
        "    memcpy(out + i, &c, sizeof c);\n  }\n}\n";
  }
  return text;
}

void expect_same_bits(int lanes, const std::string& options) {
  const test::TemporaryFolder folder;
  test::write_bytes(folder / "functions.c", find_program(lanes));
  const std::string library = (folder / "functions.so").string();
  const std::string command = "cc " + options + " -O2 -ffp-contract=off -fPIC -shared -o " +
                              library + " " + (folder / "functions.c").string() + " -lm";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  void* const handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(handle, nullptr) << ::dlerror();

  const Arguments a = find_arguments();
  std::vector<double> out(a.x.size());
  for (const Function& f : kFunctions) {
    using Run = void (*)(const double*, const double*, double*, int);
    const auto run = reinterpret_cast<Run>(::dlsym(handle, ("run_" + f.name).c_str()));
    ASSERT_NE(run, nullptr) << f.name;
    run(a.x.data(), a.y.data(), out.data(), static_cast<int>(out.size()));
    int others = 0;
    std::string first;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const double wanted = f.find(a.x[i], a.y[i]);
      if (std::isnan(wanted)
              ? std::isnan(out[i])
              : std::bit_cast<std::uint64_t>(wanted) == std::bit_cast<std::uint64_t>(out[i]))
        continue;
      if (others++ == 0)
        first = testing::PrintToString(a.x[i]) + ", " + testing::PrintToString(a.y[i]);
    }
    EXPECT_EQ(others, 0) << f.name << ", " << lanes << " lanes, at " << first;
  }
  ::dlclose(handle);
}

TEST(ElementaryText, StrictCHasTheSameBits) {
  expect_same_bits(1, "-std=c99 -Wall -Wextra -Wpedantic -Werror");
}

// Fused multiply-add at hand, but not taken.
TEST(ElementaryText, LanesHaveTheSameBits) {
  expect_same_bits(2, "-Wall -Wextra -Werror -Wno-psabi");
  expect_same_bits(4, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
                          ? "-mavx2 -mfma -Wno-psabi"
                          : "-Wno-psabi");
  expect_same_bits(8, __builtin_cpu_supports("avx512f") ? "-mavx512f -Wno-psabi" : "-Wno-psabi");
}

TEST(ElementaryText, LanesWiderThanTheProcessorsHaveTheSameBits) {
  expect_same_bits(8, "-Wno-psabi");
}

TEST(ElementaryText, OtherNumbersOfLanesAreRefused) {
  for (const int lanes : {0, 3, 16, -1})
    EXPECT_THROW((void)elementary_c_prologue(lanes), std::invalid_argument);
}

}  // namespace
}  // namespace berth::elementary_text_test
