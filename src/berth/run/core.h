// SPDX-License-Identifier: Apache-2.0
#pragma once

// Core — what the parts of a run share: the state, the system as events have made it, scratch.
//
// Everything that changes a run goes through the functions below and those of the switching parts
// (switching.h); evaluate() changes nothing but the workspace it is given.

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "berth/integrate/step_functions.h"
#include "berth/run/event.h"
#include "berth/run/identity.h"
#include "berth/run/observer.h"
#include "berth/run/options.h"
#include "berth/run/outcome.h"
#include "berth/run/state.h"
#include "berth/run/step_samples.h"
#include "berth/run/step_server.h"
#include "berth/run/watch.h"
#include "berth/system/channels.h"

namespace berth {

class Linearised;

// Made when it is needed; a copy makes its own.
template <class T>
class Remade {
 public:
  Remade() = default;
  Remade(const Remade&) {}
  Remade& operator=(const Remade&) {
    made_.reset();
    return *this;
  }
  void reset() { made_.reset(); }
  template <class... From>
  T& get(const From&... from) {
    if (!made_) made_ = std::make_shared<T>(from...);
    return *made_;
  }

 private:
  std::shared_ptr<T> made_;
};

// What a search inside a step works with (locate.h), kept from step to step.
struct Search {
  std::vector<std::size_t> wanted, own;
  std::vector<double> first, last;  // at the ends of the step
  StepFunctionMemory functions;
  std::vector<SignChange> changes;
};

// A number that nobody has had in this process: who remembers it knows what it belongs to from anything else,
// of another run or of a copy of this one, too.
std::uint64_t take_number();

struct Core {
  Core(System<double> of, const RunOptions& run_options);

  RunOptions options;
  Identity identity;  // of the system as it was given, and of the options
  std::vector<Event> events;
  // Who takes part from outside, one for each external, null for nobody; shared by copies of the run.
  std::vector<std::shared_ptr<const ExternalSource>> sources;
  std::exception_ptr failure;  // what one of them has thrown
  OwnServer server;            // who computes in place of the loop, if somebody does
  System<double> system;
  // Of the system as it is: events switch its parts, latch, set references.
  std::uint64_t changes = take_number();
  RunState s;
  Channels channels;
  std::vector<std::vector<int>> measured;  // places of the numbers that each external sees

  // Scratch, meaningless between calls.
  Workspace<double> work;                       // of the derivative
  Workspace<double> w;                          // of everything else the run evaluates
  bool motion_is_known = false;                 // `w` has it of the instant in hand
  std::span<const double> stage_x, stage_rate;  // of the last evaluation of the derivative
  Remade<Linearised> linearised;                // where the stepper asks for Jacobians
  std::vector<double> past_x;
  Motion<double> past_motion;
  std::vector<double> row;   // all channels
  std::vector<int> pending;  // events about to act
  std::vector<Entry> due;    // at the instant in hand
  std::vector<std::vector<double>>
      spare;  // outputs of entries that are done: no allocation for the next
  std::vector<double> measured_now, answer;  // what an external sees and says
  HybridRun* run = nullptr;                  // for observers
  Observer* observer = nullptr;              // of the advance in hand
  Mode<double> inside;                       // the mode of the step just made
  std::vector<double> x_inside;              // states inside it

  Watch watch;
  std::uint64_t watches = take_number();  // of that, as it was chosen
  std::vector<char> trial_truth;
  std::vector<int> trial_events;  // of which a comparison has changed
  // The state the last step ended in, or the last instant left; what is watched there, and what is
  // asked for inside a step.
  StepEnd<double> end;
  std::vector<double> end_numbers, end_rate;
  std::vector<double> numbers_scratch;
  // Of every contact where the step began.
  struct Gap {
    double gap, rate, fastest;  // [m], [m/s]
  };
  std::vector<Gap> gaps;
  std::vector<double> far_gaps;  // of contacts that are not reached in the step in hand
  bool far = false;              // idle contacts cannot be reached in the step in hand
  StepSamples samples;
  Search search;
  // Located in the step just made, to be acted on.
  std::vector<double> numbers;
  std::vector<int> changed_events;
  std::vector<Watch::ContactMargin> switched_contacts;
  std::vector<int> switched_impacts, switched_rests;

  std::size_t size() const { return s.x.size(); }
};

inline std::size_t index(int i) { return static_cast<std::size_t>(i); }
inline int count_of(const auto& list) { return static_cast<int>(list.size()); }

// How much of an instant is asked for; each includes those before it.
enum class Need : unsigned char { motion, commands, loads };

// Whether docks or rests carry any.
bool has_loads(const System<double>& system, const Mode<double>& mode);
// Poses, rates, dock rows and contacts; commands; efforts, accelerations and the loads of docks.
void evaluate(Core& core, const Mode<double>& mode, double t, std::span<const double> x, Need need,
              Workspace<double>& w);
// The motion at the instant in hand, into core.w: once for all that is sampled, which changes what is held
// and not where the craft are.
const Workspace<double>& find_sampled_motion(Core& core, double t);
// At the present state, into core.w.
const Workspace<double>& evaluate_now(Core& core, Need need);
// All channels at the present state, into core.row; or a few of them, at their places there.
void fill_row_now(Core& core);
void fill_row_now(Core& core, std::span<const int> places);

// Of a variational step of length h, whose inside costs steps of their own: between two rates of which
// the first closes a gap and the last opens it, it is nowhere smaller than where both would meet.
bool may_close(const Core& core, int contact, double h);

void report(Core& core, std::string kind, const std::string& name,
            std::vector<NamedValue> values = {});

// Everything that is watched, from a workspace in which the derivative was evaluated at x. With
// idle contacts that are far it has them as they were where the step began.
void fill_numbers(Core& core, const Mode<double>& mode, std::span<const double> x,
                  Workspace<double>& w, std::span<double> out, bool far = false);
// core.end and core.end_numbers, likewise.
void fill_end(Core& core, const Mode<double>& mode, std::span<const double> x,
              Workspace<double>& w);

// When schedules and profiles change piece, from now on, into the event queue.
void fill_schedule(Core& core);

// An output for an entry of the event queue, with zeros.
std::vector<double> take_output(Core& core, std::size_t size);
// That of one that is done, for the next.
void keep_output(Core& core, std::vector<double> output);

// --- delays (delay_line.cpp) ---------------------------------------------------------------------

bool is_awake(const Core& core, int contact);
// What delayed contacts feel at t, into w.arriving.
void find_arriving(Core& core, const Mode<double>& mode, double t, Workspace<double>& w);
void start_delays(Core& core);
// A change of a contact at t arrives a delay later; the next few kinks stand in the event queue.
void send_echo(Core& core, int contact);
void stop_delays(Core& core);
// Before a hub is welded or cut loose.
void remember_model(Core& core);

// --- sampled parts (sampling.cpp) ----------------------------------------------------------------

// One that was switched off, sensor, controller or thruster set, is on again.
void wake_sampled(Core& core, const std::string& name);

// --- externals (external_sampling.cpp) -----------------------------------------------------------

void find_measured(Core& core);
// A force that was measured elsewhere at this sample acts on a contact, compensated for being late.
void give_force(Core& core, int contact, const Vec3<double>& force_N, std::uint64_t sample);
// None acts any more.
void take_force(Core& core, int contact);
// Its compensation works at every sample, whether anything has arrived or not.
void compensate_given(Core& core, int contact);
// One was switched by an event.
void switch_external(Core& core, const std::string& name);

// --- saving (save.cpp, check_restored.cpp) ---------------------------------------------------------

// That no number read from bytes leads beyond a list. Throws std::runtime_error.
void check_restored(const Core& core, bool inside_is_mode);

}  // namespace berth
