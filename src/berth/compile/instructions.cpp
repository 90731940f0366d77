// SPDX-License-Identifier: Apache-2.0
#include "berth/compile/instructions.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace berth {

namespace {

std::vector<InstructionSet> find_instructions() {
  std::vector<InstructionSet> all = {{"scalar", 1, {}}};
#if defined(__x86_64__)
  // Instructions with three operands: no copies of those that are used again.
  if (__builtin_cpu_supports("avx")) all[0].flags = {"-mavx"};
  all.push_back({"sse2", 2, {}});
  if (__builtin_cpu_supports("avx2")) all.push_back({"avx2", 4, {"-mavx2"}});
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    all.push_back(
        {"avx512", 8, {"-mavx512f", "-mavx512dq", "-mavx512vl", "-mprefer-vector-width=512"}});
#elif defined(__aarch64__)
  all.push_back({"neon", 2, {}});
#endif
  return all;
}

}  // namespace

std::span<const InstructionSet> list_instructions() {
  static const std::vector<InstructionSet> all = find_instructions();
  return all;
}

const InstructionSet& choose_instructions(std::string_view name) {
  const std::span<const InstructionSet> all = list_instructions();
  if (name.empty()) return all.back();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const InstructionSet& s) { return s.name == name; });
  if (found != all.end()) return *found;
  constexpr std::string_view kKnown[] = {"scalar", "sse2", "neon", "avx2", "avx512"};
  const bool is_known = std::find(std::begin(kKnown), std::end(kKnown), name) != std::end(kKnown);
  std::string names;
  for (const InstructionSet& s : all) names += (names.empty() ? "" : ", ") + std::string(s.name);
  throw std::invalid_argument("BERTH_INSTRUCTIONS = " + std::string(name) +
                              (is_known ? ": this processor lacks them; it has "
                                        : ": no such instructions; this processor has ") +
                              names);
}

const InstructionSet& choose_instructions() {
  const char* name = std::getenv("BERTH_INSTRUCTIONS");
  return choose_instructions(std::string_view(name ? name : ""));
}

std::vector<std::string> list_flags(const InstructionSet& set) {
  // Long programs without loops take as long as their instructions take to arrive: -O2 makes more of them.
  std::vector<std::string> all = {set.lanes == 1 ? "-std=c99" : "-std=gnu99", "-O1",
                                  "-ffp-contract=off", "-fno-math-errno",
                                  "-fexceptions"};  // an opaque function may throw
  all.insert(all.end(), set.flags.begin(), set.flags.end());
  return all;
}

}  // namespace berth
