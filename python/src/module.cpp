// SPDX-License-Identifier: Apache-2.0
#include "module.h"

#include <chrono>

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include "berth/record/record_error.h"
#include "berth/version.h"

namespace berth::python {

nb::tuple to_python(const Simulation::Event& event) {
  nb::dict numbers;
  for (const auto& [name, number] : event.numbers) numbers[nb::str(name.c_str())] = number;
  return nb::make_tuple(event.t, event.kind, event.name, numbers);
}

nb::tuple to_python(const Simulation::Channel& c) {
  return nb::make_tuple(c.name, c.unit, c.frame, c.description, c.width);
}

nb::object to_array(std::vector<double> numbers) {
  auto* kept = new std::vector<double>(std::move(numbers));
  const nb::capsule owner(kept,
                          [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
}

// --- watching long work ----------------------------------------------------------------------------

namespace {

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
constexpr std::int64_t kPause = 50'000'000;  // [ns]

}  // namespace

struct Watch::Caught {
  nb::python_error error;
};

Watch::Watch(nb::object show) : show_(std::move(show)), next_(now() + kPause) {}
Watch::~Watch() { delete caught_; }

bool Watch::goes_on(double done) {
  if (stopped_ || std::this_thread::get_id() != thread_) return !stopped_;
  const std::int64_t t = now();
  if (t < next_) return true;
  next_ = t + kPause;
  const nb::gil_scoped_acquire lock;
  try {
    // Of Python's threads the main one alone sees signals.
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!show_.is_none()) show_(done);
  } catch (const nb::python_error& e) {
    caught_ = new Caught{e};
    stopped_ = true;
  }
  return !stopped_;
}

void Watch::throw_caught() {
  if (caught_) throw nb::python_error(caught_->error);
}

// --- exceptions --------------------------------------------------------------------------------------

namespace {

// As berth/errors.py has them.
void raise(const char* type, const nb::object& argument) {
  const nb::object of = nb::module_::import_("berth.errors").attr(type);
  PyErr_SetObject(of.ptr(), of(argument).ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const ScenarioError& e) {
    nb::list problems;
    for (const ScenarioError::Problem& p : e.problems())
      problems.append(nb::make_tuple(p.file, p.line, p.column, p.path, p.message));
    raise("ScenarioError", nb::make_tuple(std::string(e.what()), problems));
  } catch (const RecordError& e) {
    PyErr_SetString(PyExc_OSError, e.what());
  } catch (const std::out_of_range& e) {
    raise("UnknownName", nb::str(e.what()));
  } catch (const std::filesystem::filesystem_error& e) {
    PyErr_SetString(PyExc_OSError, e.what());
  }
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The compiled part of berth. Use the package berth.";
  m.attr("version") = version;
  nb::register_exception_translator(translate);
  add_simulation(m);
  add_group(m);
  add_result(m);
  add_sweep(m);
  add_study(m);
}

}  // namespace berth::python
