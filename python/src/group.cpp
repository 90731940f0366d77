// SPDX-License-Identifier: Apache-2.0

// What berth.gym steps by: simulations side by side, and observations.

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "berth/simulate/simulation_group.h"
#include "module.h"

namespace berth::python {
namespace {

template <class T, int dimensions>
using Array = nb::ndarray<T, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;

Computing to_computing(const std::string& name) {
  const std::map<std::string, Computing> known{{"auto", Computing::automatic},
                                               {"compile", Computing::compile},
                                               {"interpret", Computing::interpret}};
  const auto at = known.find(name);
  if (at == known.end())
    throw std::invalid_argument("compute is auto, compile or interpret, not " + name);
  return at->second;
}

// Says for which member it was thrown; a ScenarioError has its own list.
[[noreturn]] void throw_of_member(std::size_t i, const std::exception_ptr& thrown) {
  const auto say = [&](const std::exception& e) {
    return fmt::format("environment {}: {}", i, e.what());
  };
  try {
    std::rethrow_exception(thrown);
  } catch (const ScenarioError&) {
    throw;
  } catch (const std::invalid_argument& e) {
    throw std::invalid_argument(say(e));
  } catch (const std::exception& e) {
    throw std::runtime_error(say(e));
  }
}

// Simulations of which each has one external that is commanded by one command.
class PyGroup {
 public:
  PyGroup(std::size_t size, const std::string& compute, std::string external, std::string command)
      : group_(size, to_computing(compute)),
        held_(size),
        external_(std::move(external)),
        command_(std::move(command)) {}

  bool is_compiled() const { return group_.is_compiled(); }
  std::string note() const { return group_.note(); }

  void replace(std::size_t i, const std::string& text, const std::string& name,
               const std::filesystem::path& folder,
               const std::vector<std::pair<std::string, std::string>>& settings) {
    const Turn turn(busy_);
    if (i >= group_.size()) throw std::out_of_range(fmt::format("no environment {}", i));
    const nb::gil_scoped_release free;
    Simulation sim = Simulation::from_text(text, name, folder);
    for (const auto& [key, value] : settings) sim.set(key, value);
    std::shared_ptr<Held> held = hold(sim, external_, Simulation::Commands());
    group_.replace(i, std::move(sim));
    held_[i] = std::move(held);
  }

  // For each of these members: its command, on to its t, what was measured there, and whether it goes on.
  // All are done before what one of them throws is raised.
  void exchange(const std::vector<std::size_t>& members, const Array<const double, 2>& commands,
                const Array<const double, 1>& t, const Array<double, 2>& into,
                const Array<bool, 1>& goes_on) {
    const Turn turn(busy_);
    const std::size_t n = group_.size(), width = commands.shape(1), measured = into.shape(1);
    if (commands.shape(0) != n || t.shape(0) != n || into.shape(0) != n || goes_on.shape(0) != n)
      throw std::invalid_argument(fmt::format("arrays have a row for each of {} environments", n));
    for (const std::size_t i : members)
      if (i >= n || !held_[i]) throw std::invalid_argument(fmt::format("no simulation {}", i));
    const auto work = [&](std::size_t i, Simulation& sim) {
      const double* const from = commands.data() + i * width;
      (*held_[i]->answer)[command_].assign(from, from + width);
      goes_on.data()[i] = sim.run_until(t.data()[i]);
      read_measured(*held_[i], external_, {into.data() + i * measured, measured});
    };
    std::vector<std::exception_ptr> thrown;
    {
      const nb::gil_scoped_release free;
      thrown = group_.for_each(members, work);
    }
    for (std::size_t k = 0; k < members.size(); ++k)
      if (thrown[k]) throw_of_member(members[k], thrown[k]);
  }

  // Of a run that is over: its verdict, or else its outcome.
  std::string ending(std::size_t i) {
    const Turn turn(busy_);
    const Simulation::Summary summary = group_[i].summary();
    return summary.verdict().empty() ? summary.outcome() : summary.verdict();
  }

 private:
  SimulationGroup group_;
  std::vector<std::shared_ptr<Held>> held_;
  std::string external_, command_;
  std::atomic<bool> busy_ = false;
};

// --- observations ------------------------------------------------------------------------------------

// Numbers in units of `1/scale`, then others, held to ±1.
void fill_box(std::span<const double> numbers, const double* scale, std::span<const double> more,
              float* to) {
  const auto hold = [](double x) { return static_cast<float>(std::clamp(x, -1.0, 1.0)); };
  for (std::size_t i = 0; i < numbers.size(); ++i) *to++ = hold(numbers[i] * scale[i]);
  for (const double x : more) *to++ = hold(x);
}

template <std::size_t dimensions>
nb::object make_box(const std::array<std::size_t, dimensions>& shape, auto&& fill) {
  std::size_t size = 1;
  for (const std::size_t n : shape) size *= n;
  auto* kept = new float[size];
  const nb::capsule owner(kept, [](void* p) noexcept { delete[] static_cast<float*>(p); });
  fill(kept);
  return nb::cast(nb::ndarray<nb::numpy, float, nb::ndim<static_cast<int>(dimensions)>>(
      kept, dimensions, shape.data(), owner));
}

nb::object to_box(const Array<double, 1>& numbers, const Array<double, 1>& scale,
                  const std::vector<double>& more) {
  const std::size_t n = numbers.shape(0);
  if (scale.shape(0) != n) throw std::invalid_argument("as many scales as numbers");
  return make_box<1>({n + more.size()}, [&](float* to) {
    fill_box({numbers.data(), n}, scale.data(), more, to);
  });
}

nb::object to_boxes(const Array<double, 2>& numbers, const Array<double, 1>& scale,
                    const Array<double, 2>& more) {
  const std::size_t rows = numbers.shape(0), n = numbers.shape(1), m = more.shape(1);
  if (scale.shape(0) != n || more.shape(0) != rows)
    throw std::invalid_argument("as many scales as numbers, and rows of others");
  return make_box<2>({rows, n + m}, [&](float* to) {
    for (std::size_t i = 0; i < rows; ++i)
      fill_box({numbers.data() + i * n, n}, scale.data(), {more.data() + i * m, m},
               to + i * (n + m));
  });
}

}  // namespace

void add_group(nb::module_& m) {
  using namespace nb::literals;
  m.def("to_box", &to_box, "numbers"_a, "scale"_a, "more"_a);
  m.def("to_boxes", &to_boxes, "numbers"_a, "scale"_a, "more"_a, "to_box of every row.");
  nb::class_<PyGroup>(m, "SimulationGroup", "Simulations side by side.")
      .def(nb::init<std::size_t, const std::string&, std::string, std::string>(), "size"_a,
           "compute"_a, "external"_a, "command"_a)
      .def_prop_ro("is_compiled", &PyGroup::is_compiled)
      .def_prop_ro("note", &PyGroup::note)
      .def("replace", &PyGroup::replace, "i"_a, "text"_a, "name"_a, "folder"_a, "settings"_a)
      .def("exchange", &PyGroup::exchange, "members"_a, "commands"_a, "t"_a, "into"_a, "goes_on"_a)
      .def("ending", &PyGroup::ending, "i"_a);
}

}  // namespace berth::python
