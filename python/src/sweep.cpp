// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/sweep.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "module.h"

namespace berth::python {
namespace {

// Runs it; how many cases are finished. The table is in the file when all are.
std::uint64_t sweep(const std::string& text, const std::string& name,
                    const std::filesystem::path& folder, const std::vector<std::string>& vary,
                    const std::vector<std::string>& settings, std::uint64_t samples,
                    std::optional<std::uint64_t> seed, const std::vector<std::string>& collect,
                    const std::filesystem::path& out, int threads, bool fresh, nb::object show) {
  Problems problems{name, {}};
  const SweepRequest request{vary, settings, samples, seed, collect, {}};
  Watch watch(std::move(show));
  std::uint64_t finished = 0;
  {
    const nb::gil_scoped_release free;
    const Sweep plan = build_sweep(text, name, folder, request, problems);
    if (!problems.empty()) throw_problems(problems);
    // Signals come to the thread that was called; it takes its turns at cases like the others.
    std::atomic<std::uint64_t> done = 0;
    SweepOptions options;
    options.h5 = out;
    options.threads = threads;
    options.fresh = fresh;
    options.interrupted = [&] { return !watch.goes_on(static_cast<double>(done)); };
    options.progress = [&](std::uint64_t so_far, std::uint64_t) { done = so_far; };
    const SweepResult result = run_sweep(plan, options, problems);
    if (!problems.empty()) throw_problems(problems);
    finished = result.finished;
  }
  watch.throw_caught();
  return finished;
}

// (title, scenario, [(name, unit, description, numbers or texts)], number of inputs)
nb::tuple open_sweep(const std::filesystem::path& file) {
  SweepTable table = read_sweep(file);
  nb::list columns;
  for (SweepColumn& c : table.columns) {
    const nb::object values = c.is_text ? nb::cast(c.texts) : to_array(std::move(c.numbers));
    columns.append(nb::make_tuple(c.name, c.unit, c.description, values));
  }
  return nb::make_tuple(table.title, table.scenario, columns, table.plan.keys.size());
}

// (text, settings) of one case.
nb::tuple open_case(const std::filesystem::path& file, std::int64_t number) {
  Problems problems{file.string(), {}};
  const std::optional<StoredCase> found = read_case(file, number, problems);
  if (!found) throw_problems(problems);
  return nb::make_tuple(found->source, found->settings);
}

}  // namespace

void add_sweep(nb::module_& m) {
  using namespace nb::literals;
  m.def("sweep", &sweep, "text"_a, "name"_a, "folder"_a, "vary"_a, "settings"_a, "samples"_a,
        "seed"_a.none(), "collect"_a, "out"_a, "threads"_a, "fresh"_a, "show"_a.none());
  m.def("open_sweep", &open_sweep, "file"_a);
  m.def("open_case", &open_case, "file"_a, "number"_a);
}

}  // namespace berth::python
