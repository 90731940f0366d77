// SPDX-License-Identifier: Apache-2.0

// A saved run in which bytes were changed, and whose checksum fits.
//
//   input     changes: place (2 bytes, modulo the size), count less one (1 byte, of it 3 bits), bytes; an odd last byte
//             cuts off as many

#include <cstring>

#include "berth/run/archive.h"
#include "berth/run/run.h"
#include "tests/fuzz/scenario_promises.h"
#include "tests/fuzz/small_scenario.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

HybridRun build_run() {
  ReadScenario read =
      read_scenario_text(kSmallScenario, "small.toml",
                         {"contact.tip.delay=0.01", "integrator.method=dop853"}, kNoFolder);
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  if (!read.problems.empty()) throw Find(describe(read.problems.list[0]));
  HybridRun run(built.system, built.options);
  run.set_events(built.events);
  return run;
}

std::string save_after(HybridRun run, double t) {
  run.advance(t);
  return run.save();
}

std::string forge(std::string bytes, std::string_view input) {
  bytes.resize(bytes.size() - sizeof(std::uint64_t));
  while (input.size() > 3) {
    std::uint16_t place = 0;
    std::memcpy(&place, input.data(), sizeof place);
    const std::size_t count = std::min<std::size_t>(1 + (input[2] & 7), input.size() - 3);
    for (std::size_t i = 0; i < count; ++i) bytes[(place + i) % bytes.size()] = input[3 + i];
    input.remove_prefix(3 + count);
  }
  if (input.size() == 1)
    bytes.resize(bytes.size() - static_cast<unsigned char>(input[0]) % bytes.size());
  Fnv sum;
  sum.add(bytes.data(), bytes.size());
  const std::uint64_t value = sum.value();
  return bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

// It is refused, or it is a run, which can be saved, seen, and gone on with.
void fuzz_saved_run(std::string_view input) {
  static const HybridRun fresh = build_run();
  static const std::string saved = save_after(fresh, 1);
  HybridRun run = fresh;
  try {
    run.restore(forge(saved, input));
  } catch (const std::runtime_error& e) {
    expect(!std::string_view(e.what()).empty(), "a refusal has words");
    return;
  }
  HybridRun again = fresh;
  again.restore(run.save());
  expect(again.save() == run.save(), "what was restored is saved as the same");
  run.observe();
  int steps = 0;
  run.interrupted = [&] { return ++steps > 4; };
  try {
    run.advance(run.t() + 0.01);
  } catch (const std::exception&) {
    // Nothing lies ahead of a forged time of 1e300 s.
  }
}

}  // namespace berth::fuzz
