// SPDX-License-Identifier: Apache-2.0
//
// The benchmark program: agreement of the models, timings, gates. Takes Google Benchmark's flags.
// Exit code 0: every check and gate holds; 1: one does not; 2: bad arguments.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <benchmark/benchmark.h>

#include "gates.h"

namespace berth::bench {
namespace {

// Least cpu time of one iteration by benchmark name, as printed but without "repeats:" etc. [s].
using Times = std::map<std::string, double>;

// Keeps the least times; for the first run also prints, at the end, the quickest repetition (under
// the plain name) and the median, in the order of registration: interleaved benchmarks finish in
// any order.
class Collector : public benchmark::ConsoleReporter {
 public:
  explicit Collector(Times& least) : ConsoleReporter(OO_Tabular), least_(least) {}
  void be_quiet() { quiet_ = true; }

  bool ReportContext(const Context& context) override {
    return quiet_ || ConsoleReporter::ReportContext(context);
  }

  // `runs` are all repetitions of one benchmark, then their aggregates.
  void ReportRuns(const std::vector<Run>& runs) override {
    const Run* quickest = nullptr;
    for (const Run& run : runs) {
      if (run.error_occurred || run.aggregate_name == "median") shown_.push_back(run);
      if (run.error_occurred || run.run_type != Run::RT_Iteration) continue;
      if (!quickest || cpu_time(run) < cpu_time(*quickest)) quickest = &run;
    }
    if (!quickest) return;
    keep(*quickest);
    shown_.push_back(*quickest);
  }

  void Finalize() override {
    if (quiet_) return;
    const auto place = [](const Run& run) {
      return std::tuple(run.family_index, run.per_family_instance_index, run.run_type);
    };
    std::stable_sort(shown_.begin(), shown_.end(),
                     [&](const Run& a, const Run& b) { return place(a) < place(b); });
    ConsoleReporter::ReportRuns(shown_);
  }

 private:
  static double cpu_time(const Run& run) {
    return run.cpu_accumulated_time / static_cast<double>(run.iterations);
  }

  void keep(const Run& run) {
    std::string name = run.run_name.function_name;
    if (!run.run_name.args.empty()) name += "/" + run.run_name.args;
    const auto [at, is_new] = least_.emplace(name, cpu_time(run));
    if (!is_new) at->second = std::min(at->second, cpu_time(run));
  }

  Times& least_;
  std::vector<Run> shown_;
  bool quiet_ = false;
};

bool print_checks() {
  bool all_hold = true;
  std::printf("Agreement\n");
  for (const Check& c : checks()) {
    try {
      const double value = c.find();
      const bool good = value <= c.limit;
      all_hold = all_hold && good;
      std::printf("  %-4s  %8.1e  (limit %.0e)  %s\n", good ? "ok" : "FAIL", value, c.limit,
                  c.name.c_str());
    } catch (const std::exception& e) {
      all_hold = false;
      std::printf("  FAIL  %s: %s\n", c.name.c_str(), e.what());
    }
  }
  std::printf("\n");
  std::fflush(stdout);
  return all_hold;
}

std::string limits_of(const Gate& g) {
  char text[80] = "";
  if (g.at_least && g.at_most)
    std::snprintf(text, sizeof text, " (gate %g to %g)", *g.at_least, *g.at_most);
  else if (g.at_least)
    std::snprintf(text, sizeof text, " (gate ≥ %g)", *g.at_least);
  else if (g.at_most)
    std::snprintf(text, sizeof text, " (gate ≤ %g)", *g.at_most);
  return text;
}

struct Ratio {
  double upper, lower;  // times of numerator and denominator, each for one simulation [s]
  double value() const { return upper / lower; }
};

// None when one of the two was not measured.
std::optional<Ratio> find_ratio(const Gate& g, const Times& times) {
  const auto above = times.find(g.numerator), below = times.find(g.denominator);
  if (above == times.end() || below == times.end()) return {};
  return Ratio{above->second / g.numerator_count, below->second / g.denominator_count};
}

bool holds(const Gate& g, double ratio) {
  return (!g.at_least || ratio >= *g.at_least) && (!g.at_most || ratio <= *g.at_most);
}

// Measures the benchmarks of failing gates again. On a shared machine a least time may still be a
// disturbed one; more repetitions can only bring it closer to the truth.
void measure_failing_again(Collector& collector, const Times& times) {
  std::string names;
  for (const Gate& g : gates()) {
    const auto ratio = find_ratio(g, times);
    if (!ratio || holds(g, ratio->value())) continue;
    for (const std::string& name : {g.numerator, g.denominator})
      names += (names.empty() ? "" : "|") + name;
  }
  if (names.empty()) return;
  collector.be_quiet();
  benchmark::RunSpecifiedBenchmarks(&collector, "^(" + names + ")(/|$)");
}

// A gate whose benchmarks were filtered away is not judged; one that names a benchmark which does
// not exist fails, lest a renamed benchmark silence it.
bool print_gates(const Times& times, bool filtered) {
  bool all_hold = true;
  std::printf("\nRatios (least cpu time of all repetitions)\n");
  for (const Gate& g : gates()) {
    const bool limited = g.at_least || g.at_most;
    const auto ratio = find_ratio(g, times);
    if (!ratio) {
      const bool failed = limited && !filtered;
      all_hold = all_hold && !failed;
      std::printf("  %-4s  %s: no time for %s\n", failed ? "FAIL" : "-", g.name.c_str(),
                  (times.count(g.numerator) == 0 ? g.numerator : g.denominator).c_str());
      continue;
    }
    const bool good = holds(g, ratio->value());
    all_hold = all_hold && good;
    std::printf("  %-4s  %s = %.3g×%s   %.4g µs / %.4g µs\n",
                !limited ? "info" : (good ? "ok" : "FAIL"), g.name.c_str(), ratio->value(),
                limits_of(g).c_str(), 1e6 * ratio->upper, 1e6 * ratio->lower);
  }
  return all_hold;
}

// Forgets --benchmark_out, which a second run would overwrite.
void close_output_file(char* program) {
  static char no_file[] = "--benchmark_out=";
  char* args[] = {program, no_file, nullptr};
  int count = 2;
  benchmark::Initialize(&count, args);
}

int run(int argc, char** argv) {
  // Defaults first, so that the command line overrides them. Many short repetitions find a quiet
  // moment of the machine; interleaving spreads a slow minute over all benchmarks.
  static char repetitions[] = "--benchmark_repetitions=31";
  static char min_time[] = "--benchmark_min_time=0.01";
  static char interleaved[] = "--benchmark_enable_random_interleaving=true";
  std::vector<char*> args = {argv[0], repetitions, min_time, interleaved};
  args.insert(args.end(), argv + 1, argv + argc);
  const bool list_only = std::any_of(argv + 1, argv + argc, [](std::string_view arg) {
    return arg.substr(0, 22) == "--benchmark_list_tests" && arg != "--benchmark_list_tests=false";
  });
  int count = static_cast<int>(args.size());
  args.push_back(nullptr);
  benchmark::Initialize(&count, args.data());
  if (benchmark::ReportUnrecognizedArguments(count, args.data())) return 2;
  if (list_only) {
    benchmark::RunSpecifiedBenchmarks();
    return 0;
  }

  const bool agree = print_checks();
  Times times;
  Collector collector(times);
  benchmark::RunSpecifiedBenchmarks(&collector);
  const std::string filter = benchmark::GetBenchmarkFilter();
  const bool filtered = !(filter.empty() || filter == "." || filter == "all");
  close_output_file(argv[0]);
  for (int again = 0; again < 2; ++again) measure_failing_again(collector, times);
  const bool fast = print_gates(times, filtered);
  benchmark::Shutdown();
  return agree && fast ? 0 : 1;
}

}  // namespace
}  // namespace berth::bench

int main(int argc, char** argv) { return berth::bench::run(argc, argv); }
