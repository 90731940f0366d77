// SPDX-License-Identifier: Apache-2.0
#include "berth/simulation.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "berth/scenario/scenario.h"
#include "module.h"

namespace berth::python {
namespace {

using Measurements = Simulation::Measurements;

// {name: number or array}
nb::dict to_dict(const Measurements& m) {
  nb::dict out;
  std::size_t first = 0;
  for (const Simulation::Signal& s : m.signals()) {
    const auto width = static_cast<std::size_t>(s.width);
    const std::span<const double> numbers = m.numbers().subspan(first, width);
    first += width;
    out[nb::str(s.name.data(), s.name.size())] =
        width == 1 ? nb::object(nb::float_(numbers[0]))
                   : to_array(std::vector<double>(numbers.begin(), numbers.end()));
  }
  return out;
}

std::vector<double> to_numbers(nb::handle value, const std::string& name) {
  double number = 0;
  if (nb::try_cast(value, number, false)) return {number};
  std::vector<double> list;
  if (PyList_Check(value.ptr()) && nb::try_cast(value, list, false)) return list;
  nb::ndarray<const double, nb::ndim<1>, nb::device::cpu> array;
  if (!nb::try_cast(value, array, false)) {
    // Whole numbers, a column, …: as numpy reads it.
    const nb::module_ numpy = nb::module_::import_("numpy");
    const nb::object plain = numpy.attr("ravel")(numpy.attr("asarray")(value, "float64"));
    if (!nb::try_cast(plain, array))
      throw nb::type_error((name + " is no number and no array of numbers").c_str());
  }
  std::vector<double> out(array.shape(0));
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = array.data()[static_cast<std::int64_t>(i) * array.stride(0)];
  return out;
}

std::optional<Simulation::Commands> to_commands(const nb::object& answer) {
  if (answer.is_none()) return std::nullopt;
  nb::dict given;
  if (!nb::try_cast(answer, given))
    throw nb::type_error("an answer is a dict of commands, or None");
  Simulation::Commands out;
  for (const auto& [key, value] : given) {
    std::string name;
    if (!nb::try_cast(key, name)) throw nb::type_error("commands are named by a str");
    out.emplace(name, to_numbers(value, name));
  }
  return out;
}

using Numbers = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

class PySimulation {
 public:
  PySimulation(const std::string& text, const std::string& name,
               const std::filesystem::path& folder,
               const std::vector<std::pair<std::string, std::string>>& settings)
      : sim_(Simulation::from_text(text, name, folder)) {
    for (const auto& [key, value] : settings) sim_.set(key, value);
  }

  // --- what it is

  void set(const std::string& key, const std::string& value) {
    const Turn turn(busy_);
    sim_.set(key, value);
    widths_.clear();
  }
  void keep_result() {
    const Turn turn(busy_);
    sim_.keep_result();
  }
  void write_result(const std::filesystem::path& file) {
    const Turn turn(busy_);
    sim_.write_result(file);
  }
  void check() {
    const Turn turn(busy_);
    const nb::gil_scoped_release free;
    sim_.check();
  }
  std::string scenario() {
    const Turn turn(busy_);
    return sim_.scenario();
  }
  nb::list channels() {
    const Turn turn(busy_);
    return to_list(sim_.channels());
  }

  // --- who takes part

  nb::list externals() {
    const Turn turn(busy_);
    const auto signals = [](const std::vector<Simulation::Signal>& from) {
      nb::list out;
      for (const Simulation::Signal& s : from)
        out.append(nb::make_tuple(s.name, s.unit, s.frame, "", s.width));
      return out;
    };
    nb::list out;
    for (const Simulation::External& e : sim_.externals())
      out.append(nb::make_tuple(e.name, e.sample_time, e.offset, e.latency, signals(e.measures),
                                signals(e.commands)));
    return out;
  }
  // The callable is borrowed: who calls this keeps it, so that Python sees circles through it.
  void connect(const std::string& external, nb::object callable) {
    const Turn turn(busy_);
    held_.erase(external);
    if (callable.is_none()) {
      sim_.connect(external, nullptr);
      return;
    }
    sim_.connect(external, [asked = nb::handle(callable)](double t, const Measurements& m) {
      const nb::gil_scoped_acquire lock;
      return to_commands(nb::borrow(asked)(t, to_dict(m)));
    });
  }
  // From its next sample on, answers are these.
  void command(const std::string& external, const nb::object& commands) {
    const Turn turn(busy_);
    std::optional<Simulation::Commands> given = to_commands(commands);
    if (const auto at = held_.find(external); at != held_.end()) {
      at->second->answer = std::move(given);
      return;
    }
    held_[external] = hold(sim_, external, std::move(given));
  }
  // What it measured at its last sample, one number after the other.
  void read_measured(const std::string& external, const Numbers& into) {
    const Turn turn(busy_);
    const auto at = held_.find(external);
    if (at == held_.end()) throw std::out_of_range("nothing was commanded of " + external);
    python::read_measured(*at->second, external, {into.data(), into.shape(0)});
  }

  // One turn of who steps by himself, in one call: a command, on to t, what was measured there.
  bool exchange(const std::string& external, const std::string& command,
                const std::vector<double>& numbers, double t, const Numbers& into) {
    const auto at = held_.find(external);
    if (at == held_.end() || !at->second->answer)
      throw std::out_of_range("nothing was commanded of " + external);
    {
      const Turn turn(busy_);
      (*at->second->answer)[command] = numbers;
    }
    const bool goes_on = run_until(t, nb::none());
    read_measured(external, into);
    return goes_on;
  }

  nb::bytes save_state() {
    const Turn turn(busy_);
    const std::string bytes = sim_.save_state();
    return nb::bytes(bytes.data(), bytes.size());
  }
  void restore_state(const nb::bytes& bytes) {
    const Turn turn(busy_);
    sim_.restore_state({static_cast<const char*>(bytes.data()), bytes.size()});
    widths_.clear();
  }

  // --- running

  bool run_until(double t, nb::object show) {
    return watched(std::move(show), [&] { return sim_.run_until(t); });
  }
  bool run_to_event(const std::string& event, nb::object show) {
    return watched(std::move(show), [&] { return sim_.run_to_event(event); });
  }
  double t() const { return sim_.t(); }
  bool is_over() const { return sim_.is_over(); }

  // --- reading

  nb::object value(const std::string& name) {
    const Turn turn(busy_);
    std::vector<double> numbers = find(name);
    if (numbers.size() == 1) return nb::float_(numbers[0]);
    return to_array(std::move(numbers));
  }
  std::string unit(const std::string& name) {
    const Turn turn(busy_);
    return sim_.unit(name);
  }
  // (t, A, B, C, D row by row, x0, u0, y0, states, inputs, outputs), signals as (name, unit)
  nb::tuple linearise(const std::vector<std::string>& inputs,
                      const std::vector<std::string>& outputs) {
    const Turn turn(busy_);
    const Simulation::LinearModel m = sim_.linearise(inputs, outputs);
    const auto signals = [](const std::vector<Simulation::Signal>& from) {
      nb::list out;
      for (const Simulation::Signal& s : from) out.append(nb::make_tuple(s.name, s.unit));
      return out;
    };
    return nb::make_tuple(m.t, to_array(m.A), to_array(m.B), to_array(m.C), to_array(m.D),
                          to_array(m.x0), to_array(m.u0), to_array(m.y0), signals(m.states),
                          signals(m.inputs), signals(m.outputs));
  }
  // Several channels one after the other into an array that is there.
  void read(const std::vector<std::string>& names, const Numbers& into) {
    const Turn turn(busy_);
    std::size_t place = 0;
    for (const std::string& name : names)
      for (const double x : find(name)) {
        if (place == into.shape(0)) throw std::invalid_argument("the array is too short");
        into.data()[place++] = x;
      }
  }
  nb::list events() {
    const Turn turn(busy_);
    return to_list(sim_.events());
  }
  std::string outcome() {
    const Turn turn(busy_);
    return sim_.summary().outcome();
  }
  std::string verdict() {
    const Turn turn(busy_);
    return sim_.summary().verdict();
  }
  Result result() {
    const Turn turn(busy_);
    return sim_.result();
  }

 private:
  // A channel, or one number of it.
  std::vector<double> find(const std::string& name) {
    if (widths_.empty())
      for (const Simulation::Channel& c : sim_.channels()) widths_[c.name] = c.width;
    if (widths_.contains(name)) return sim_.values(name);
    return {sim_.value(name)};
  }
  struct Unwatch {
    Simulation& sim;
    ~Unwatch() { sim.watch(nullptr); }
  };
  template <class Work>
  bool watched(nb::object show, const Work& work) {
    const Turn turn(busy_);
    Watch watch(std::move(show));
    sim_.watch([&](double t) { return watch.goes_on(t); });
    const Unwatch afterwards{sim_};
    bool goes_on = false;
    {
      const nb::gil_scoped_release free;
      goes_on = work();
    }
    watch.throw_caught();
    return goes_on;
  }

  Simulation sim_;
  std::map<std::string, int> widths_;
  std::map<std::string, std::shared_ptr<Held>> held_;  // externals that are commanded
  std::atomic<bool> busy_ = false;
};

std::string expand(const std::string& text, const std::string& name,
                   const std::filesystem::path& folder, const std::vector<std::string>& settings) {
  Problems problems{name, {}};
  std::string out = expand_scenario(text, name, settings, folder, problems);
  if (problems.empty()) return out;
  throw_problems(problems);
}

std::string read_text(const std::filesystem::path& file) {
  Problems problems{file.string(), {}};
  std::optional<std::string> text = read_scenario_file(file, problems);
  if (text) return std::move(*text);
  throw_problems(problems);
}

}  // namespace

std::shared_ptr<Held> hold(Simulation& sim, const std::string& external,
                           std::optional<Simulation::Commands> answer) {
  const auto held = std::make_shared<Held>(Held{std::move(answer), {}});
  sim.connect(external, [held](double, const Measurements& m) {
    held->measured.assign(m.numbers().begin(), m.numbers().end());
    return held->answer;
  });
  return held;
}

void read_measured(const Held& held, const std::string& external, std::span<double> into) {
  if (held.measured.size() != into.size())
    throw std::invalid_argument(held.measured.empty()
                                    ? external + " has measured nothing yet"
                                    : external + " measures another number of numbers");
  std::copy(held.measured.begin(), held.measured.end(), into.begin());
}

void add_simulation(nb::module_& m) {
  using namespace nb::literals;
  m.def("read_text", &read_text, "file"_a, "Text of a scenario file.");
  m.def("expand", &expand, "text"_a, "name"_a, "folder"_a, "settings"_a,
        "A scenario with settings and the craft of other files worked in, defaults left out.");
  nb::class_<PySimulation>(m, "Simulation", "A run that goes on when it is told to.")
      .def(nb::init<const std::string&, const std::string&, const std::filesystem::path&,
                    const std::vector<std::pair<std::string, std::string>>&>(),
           "text"_a, "name"_a, "folder"_a, "settings"_a)
      .def("set", &PySimulation::set, "key"_a, "value"_a)
      .def("keep_result", &PySimulation::keep_result)
      .def("write_result", &PySimulation::write_result, "file"_a)
      .def("check", &PySimulation::check)
      .def("scenario", &PySimulation::scenario)
      .def("channels", &PySimulation::channels)
      .def("run_until", &PySimulation::run_until, "t"_a, "show"_a.none() = nb::none())
      .def("run_to_event", &PySimulation::run_to_event, "event"_a, "show"_a.none() = nb::none())
      .def_prop_ro("t", &PySimulation::t)
      .def_prop_ro("is_over", &PySimulation::is_over)
      .def("value", &PySimulation::value, "name"_a)
      .def("unit", &PySimulation::unit, "name"_a)
      .def("read", &PySimulation::read, "names"_a, "into"_a)
      .def("linearise", &PySimulation::linearise, "inputs"_a, "outputs"_a)
      .def("externals", &PySimulation::externals)
      .def("connect", &PySimulation::connect, "external"_a, "callable"_a.none())
      .def("command", &PySimulation::command, "external"_a, "commands"_a.none())
      .def("exchange", &PySimulation::exchange, "external"_a, "command"_a, "numbers"_a, "t"_a,
           "into"_a)
      .def("read_measured", &PySimulation::read_measured, "external"_a, "into"_a)
      .def("save_state", &PySimulation::save_state)
      .def("restore_state", &PySimulation::restore_state, "state"_a)
      .def_prop_ro("outcome", &PySimulation::outcome)
      .def_prop_ro("verdict", &PySimulation::verdict)
      .def("events", &PySimulation::events)
      .def("result", &PySimulation::result);
}

}  // namespace berth::python
