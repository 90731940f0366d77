// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/sweep.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

#include "berth/analysis/sweep_merge.h"
#include "berth/analysis/sweep_session.h"
#include "berth/record/json_text.h"
#include "berth/version.h"
#include "module.h"

namespace berth::python {
namespace {

using Json = nlohmann::ordered_json;

// As sweep.py has written it.
SweepRequest read_request(const std::string& text) {
  const Json json = Json::parse(text);
  SweepRequest out;
  json.at("vary").get_to(out.vary);
  json.at("settings").get_to(out.settings);
  out.samples = json.at("samples").get<std::uint64_t>();
  if (!json.at("seed").is_null()) out.seed = json.at("seed").get<std::uint64_t>();
  json.at("collect").get_to(out.collect);
  json.at("bands").get_to(out.bands);
  json.at("until").get_to(out.until);
  json.at("rare").get_to(out.rare);
  json.at("boundary").get_to(out.boundary);
  out.finds_indices = json.at("indices").get<bool>();
  const auto design = json.at("design").get<std::string>();
  if (!design.empty()) {
    out.design = find_design(design);
    if (!out.design)
      throw std::invalid_argument("there is no design " + design +
                                  ": random, lhs, sobol or halton");
  }
  return out;
}

// Runs it; how many cases are finished. The table is in the file when all are.
std::uint64_t sweep(const std::string& text, const std::string& name,
                    const std::filesystem::path& folder, const std::string& request,
                    const std::filesystem::path& out, int threads, bool fresh, nb::object show) {
  Problems problems{name, {}};
  Watch watch(std::move(show));
  std::uint64_t finished = 0;
  {
    const nb::gil_scoped_release free;
    const Sweep plan = build_sweep(text, name, folder, read_request(request), problems);
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

// --- many machines -----------------------------------------------------------------------------------

// A sweep whose cases others run.
class Session {
 public:
  Session(const std::string& text, const std::string& name, const std::filesystem::path& folder,
          const std::string& request, const std::filesystem::path& out, bool fresh)
      : problems_{name, {}} {
    const nb::gil_scoped_release free;
    Sweep plan = build_sweep(text, name, folder, read_request(request), problems_);
    if (!problems_.empty()) throw_problems(problems_);
    SweepOptions options;
    options.h5 = out;
    options.fresh = fresh;
    options.progress = [this](std::uint64_t done, std::uint64_t total) {
      done_ = done, total_ = total;
    };
    session_ = std::make_unique<SweepSession>(std::move(plan), std::move(options), problems_);
    if (!problems_.empty()) throw_problems(problems_);
  }

  // All that a worker must know, as text.
  std::string spec() const {
    Json out = to_json(session_->sweep());
    out["source"] = session_->sweep().source;
    out["columns"] = Json::array();
    for (const Collected& c : session_->columns())
      out["columns"].push_back({{"path", c.path},
                                {"text", c.is_text},
                                {"unit", c.unit},
                                {"meaning", c.meaning},
                                {"width", c.width}});
    return to_text(out);
  }

  bool next() {
    const bool more = session_->next(problems_);
    if (!problems_.empty()) throw_problems(problems_);
    return more;
  }
  std::vector<std::uint64_t> rest() const { return session_->find_rest(); }
  bool is_range_done() const { return session_->is_range_done(); }
  // Of cases that are not draws of the plan.
  bool is_drawn() const { return berth::is_drawn(session_->sweep().study); }
  std::vector<std::string> settings(std::uint64_t number) const {
    return session_->settings(number);
  }

  // Lines of finished cases; how many there were. A damaged one is an error: it came over a network that
  // loses nothing.
  std::uint64_t take(const std::string& lines) {
    const nb::gil_scoped_release free;
    std::uint64_t count = 0;
    for (std::size_t from = 0; from < lines.size(); ++count) {
      const std::size_t end = std::min(lines.find('\n', from), lines.size());
      const auto entry = session_->lines().read(std::string_view(lines).substr(from, end - from));
      if (!entry) throw std::runtime_error("a worker has answered for another sweep");
      session_->finish(entry->number, entry->result);
      from = end + 1;
    }
    return count;
  }

  std::uint64_t done() const { return done_; }
  std::uint64_t total() const { return total_; }
  // Writes the table when all is done.
  bool close() {
    const nb::gil_scoped_release free;
    const SweepResult result = session_->close(problems_);
    session_.reset();
    return result.complete();
  }

 private:
  Problems problems_;
  std::unique_ptr<SweepSession> session_;
  std::uint64_t done_ = 0, total_ = 0;
};

// Runs cases of a sweep that another process holds, in one thread.
class Worker {
 public:
  explicit Worker(const std::string& spec) {
    const Json json = Json::parse(spec);
    const auto of = json.at("version").get<std::string>();
    if (of != version)
      throw std::runtime_error("this worker has berth " + std::string(version) +
                               ", the sweep is of berth " + of + ": install the same version");
    sweep_ = read_facts(json, "the sweep");
    json.at("source").get_to(sweep_.source);
    for (const Json& c : json.at("columns"))
      columns_.push_back({c.at("path").get<std::string>(), c.at("text").get<bool>(),
                          c.at("unit").get<std::string>(), c.at("meaning").get<std::string>(),
                          c.at("width").get<std::uint64_t>()});
    lines_.emplace(find_identity(sweep_), columns_);
    runner_.emplace(sweep_, columns_, 1, Computing::automatic);
  }

  // One line for every case. `settings` of those that are not draws of the plan.
  std::string run(const std::vector<std::uint64_t>& numbers,
                  const std::optional<std::vector<std::vector<std::string>>>& settings) {
    const Turn turn(busy_);
    const nb::gil_scoped_release free;
    std::string out;
    runner_->run(
        numbers.size(),
        [&](std::size_t i) {
          return settings ? settings->at(i) : sweep_.plan.settings(numbers[i]);
        },
        [&](std::size_t i, const CaseResult& result) {
          out += lines_->write(numbers[i], result) + "\n";
        });
    return out;
  }

 private:
  Sweep sweep_;
  std::vector<Collected> columns_;
  std::optional<CaseLines> lines_;
  std::optional<CaseRunner> runner_;
  std::atomic<bool> busy_ = false;
};

// What is missing, as sentences; empty when the file was written.
std::vector<std::string> merge(const std::vector<std::filesystem::path>& parts,
                               const std::filesystem::path& out) {
  const nb::gil_scoped_release free;
  Problems problems;
  MergeResult merged = merge_sweeps({.parts = parts, .h5 = out}, problems);
  if (!problems.empty()) throw_problems(problems);
  return merged.missing;
}

// --- tables ------------------------------------------------------------------------------------------

// (title, scenario, [(name, unit, description, is_text)], number of inputs, cases, summary as JSON)
nb::tuple open_sweep(const std::filesystem::path& file) {
  const SweepTable table(file);
  nb::list columns;
  for (const SweepColumn& c : table.columns)
    columns.append(nb::make_tuple(c.name, c.unit, c.description, c.is_text));
  return nb::make_tuple(table.title, table.scenario, columns, table.plan.keys.size(), table.cases(),
                        to_text(table.summary));
}

// Numbers or texts of a column, `count` of them from `first` on.
nb::object read_column(const std::filesystem::path& file, const std::string& name,
                       std::uint64_t first, std::uint64_t count) {
  const Hdf5Reader reader(file);
  const std::string path = "/cases/" + name;
  if (reader.is_text(path)) return nb::cast(reader.text_rows(path, first, count));
  return to_array(reader.rows(path, first, count));
}

// (t, values case by case, unit) of a channel over time.
nb::tuple read_band(const std::filesystem::path& file, const std::string& channel) {
  const Hdf5Reader reader(file);
  const std::string path = "/bands/" + channel;
  return nb::make_tuple(to_array(reader.numbers("/bands/t")), to_array(reader.numbers(path)),
                        reader.attribute(path, "unit"));
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
  m.def("sweep", &sweep, "text"_a, "name"_a, "folder"_a, "request"_a, "out"_a, "threads"_a,
        "fresh"_a, "show"_a.none());
  nb::class_<Session>(m, "SweepSession")
      .def(nb::init<const std::string&, const std::string&, const std::filesystem::path&,
                    const std::string&, const std::filesystem::path&, bool>(),
           "text"_a, "name"_a, "folder"_a, "request"_a, "out"_a, "fresh"_a)
      .def("spec", &Session::spec)
      .def("next", &Session::next)
      .def("rest", &Session::rest)
      .def("is_range_done", &Session::is_range_done)
      .def("is_drawn", &Session::is_drawn)
      .def("settings", &Session::settings, "number"_a)
      .def("take", &Session::take, "lines"_a)
      .def("close", &Session::close)
      .def_prop_ro("done", &Session::done)
      .def_prop_ro("total", &Session::total);
  nb::class_<Worker>(m, "SweepWorker")
      .def(nb::init<const std::string&>(), "spec"_a)
      .def("run", &Worker::run, "numbers"_a, "settings"_a.none() = nb::none());
  m.def("merge", &merge, "parts"_a, "out"_a);
  m.def("open_sweep", &open_sweep, "file"_a);
  m.def("read_column", &read_column, "file"_a, "name"_a, "first"_a, "count"_a);
  m.def("read_band", &read_band, "file"_a, "channel"_a);
  m.def("open_case", &open_case, "file"_a, "number"_a);
}

}  // namespace berth::python
