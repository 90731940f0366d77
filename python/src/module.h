// SPDX-License-Identifier: Apache-2.0
#pragma once

// The module berth._core: the library's objects as Python has them. What a user sees is in
// python/berth, written in Python on top of it.

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <nanobind/nanobind.h>

#include "berth/simulate/scenario_error.h"
#include "berth/simulation.h"

namespace berth::python {

namespace nb = nanobind;

// Each adds its part.
void add_simulation(nb::module_& m);
void add_group(nb::module_& m);
void add_result(nb::module_& m);
void add_sweep(nb::module_& m);
void add_study(nb::module_& m);

// (t, kind, name, {numbers})
nb::tuple to_python(const Simulation::Event& event);
// (name, unit, frame, description, width)
nb::tuple to_python(const Simulation::Channel& channel);
// An array of its own.
nb::object to_array(std::vector<double> numbers);
template <class List>
nb::list to_list(const List& from) {
  nb::list out;
  for (const auto& member : from) out.append(to_python(member));
  return out;
}

// What an external that is commanded step by step answers from its next sample on, and what it measured
// at its last one.
struct Held {
  std::optional<Simulation::Commands> answer;
  std::vector<double> measured;
};
std::shared_ptr<Held> hold(Simulation& sim, const std::string& external,
                           std::optional<Simulation::Commands> answer);
void read_measured(const Held& held, const std::string& external, std::span<double> into);

// An object whose work is done without the interpreter's lock is used by one thread at a time, and not by
// whom it asks meanwhile: others are refused.
class Turn {
 public:
  explicit Turn(std::atomic<bool>& busy) : busy_(busy) {
    if (busy_.exchange(true))
      throw std::runtime_error(
          "it is at work already, in another thread or further up in this one");
  }
  ~Turn() { busy_ = false; }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  std::atomic<bool>& busy_;
};

// Whether long work goes on: asked often, in the thread that began it this takes the interpreter's lock
// twenty times a second, for signals and for a callable that shows progress. What these raise ends the
// work; throw_caught() raises it again.
class Watch {
 public:
  // The callable, or None. From the thread that begins the work.
  explicit Watch(nb::object show);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch();

  // From any thread, without the lock. `done` is what the callable gets.
  bool goes_on(double done);
  void throw_caught();

 private:
  struct Caught;
  nb::object show_;
  std::thread::id thread_ = std::this_thread::get_id();
  std::atomic<bool> stopped_ = false;
  std::int64_t next_;  // [ns] of the steady clock
  Caught* caught_ = nullptr;
};

}  // namespace berth::python
