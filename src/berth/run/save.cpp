// SPDX-License-Identifier: Apache-2.0

// A run as bytes, and back.
//
//   "berthrun"   format version   identity (identity.h)   state   checksum of all before (FNV-1a)
//
// State is everything that is not scratch of one call: RunState, what events have made of the system
// (Configuration), what is watched and the samples of it, the mode the last step was made in.

#include <cstring>

#include "berth/run/run.h"
#include "berth/run/visit_state.h"

namespace berth {
namespace {

constexpr std::string_view kMagic = "berthrun";
constexpr std::uint32_t kFormat = 4;

std::uint64_t find_checksum(std::string_view bytes) {
  Fnv sum;
  sum.add(bytes.data(), bytes.size());
  return sum.value();
}

Identity find_identity(const Core& core) {
  Identity all = core.identity;
  all.push_back(find_identity(core.events));
  return all;
}

template <class A, class C>
void visit_delays(A& a, C& core) {
  auto& [past, active, shortest, longest, former] = core.s.delays;
  a(active, shortest, longest);
  if (const DenseStep<double>* blank = core.s.stepper->blank())
    Past<double>::visit_state(a, past, *blank);
  a.check(!active || core.s.stepper->blank(), "a past of a method that cannot handle delays");
  // Former models differ by their welds alone.
  std::size_t count = former.size();
  a(count);
  if constexpr (A::reads) former.clear();
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (A::reads) {
      std::vector<Weld> hubs;
      FormerModel& f = former.emplace_back(FormerModel{0, core.system.model});
      a(f.until, hubs);
      set_welds(f.model, hubs);
    } else {
      const std::vector<Weld> hubs = find_welds(former[i].model);
      a(former[i].until, hubs);
    }
  }
}

template <class A, class C>
void visit_run_state(A& a, C& core) {
  auto& [t, t_previous, x, mode, event_queue, stepper, delays, loops, watches, externals, asleep,
         run_log, verdict, stop_reason, stopped, started, record_interval] = core.s;
  a(t, t_previous, mode, event_queue, watches, externals, asleep, run_log, verdict, stop_reason,
    stopped, started, record_interval);
  a.fixed(x);
  a.fixed(loops);
  Stepper::visit_state(a, *stepper, core.system);
  visit_delays(a, core);
}

template <class A, class C>
void visit_configuration(A& a, C& core) {
  if constexpr (A::reads) {
    Configuration configuration;
    a(configuration);
    set_configuration(core.system, configuration);
    core.changes = take_number();
    core.watches = take_number();
    core.work = core.w = Workspace<double>(core.system);
    core.work.sees_idle = false;
    core.linearised.reset();
  } else {
    const Configuration configuration = find_configuration(core.system);
    a(configuration);
  }
}

}  // namespace

void visit_state(auto& a, Is<Topic> auto& topic) {
  auto& [name, brief, digest] = topic;
  a(name, brief, digest);
}

template <class A, class Run>
void HybridRun::visit_state(A& a, Run& run) {
  auto& core = *run.core_;
  visit_configuration(a, core);
  visit_run_state(a, core);
  a(core.pending, core.inside, run.inside_is_mode_);
  a(core.watch.event_margins, core.watch.places, core.watch.names_idle, core.watch.contact_margins,
    core.watch.impact_margins, core.gaps, core.samples);
  a(core.changed_events, core.switched_contacts, core.switched_impacts, core.switched_rests);
  // What delayed contacts felt last stays in workspaces while nothing is on its way.
  if constexpr (A::reads) run.seen_ = core.w;
  a(core.work.sees_loads);
  a.fixed(core.work.arriving);
  a.fixed(core.w.arriving);
  a.fixed(run.seen_.arriving);
}

std::string HybridRun::save() const {
  if (advancing_ || is_ahead())
    throw std::logic_error("a run is saved between two calls of advance()");
  ByteWriter a;
  a.transfer(kMagic.data(), kMagic.size());
  const Identity identity = find_identity(*core_);
  a(kFormat, identity);
  visit_state(a, *this);
  const std::uint64_t sum = find_checksum(a.bytes());
  a(sum);
  return std::move(a.bytes());
}

void HybridRun::restore(std::string_view bytes) {
  if (advancing_ || is_ahead())
    throw std::logic_error("a run is restored between two calls of advance()");
  std::uint32_t format = 0;
  std::uint64_t sum = 0;
  if (bytes.size() < kMagic.size() + sizeof format + sizeof sum || !bytes.starts_with(kMagic))
    throw std::runtime_error("these bytes are no saved run");
  const std::string_view reported = bytes.substr(0, bytes.size() - sizeof sum);
  ByteReader a(reported.substr(kMagic.size()));
  a(format);
  if (format != kFormat)
    throw std::runtime_error("a run saved in format " + std::to_string(format) +
                             "; this program reads format " + std::to_string(kFormat));
  std::memcpy(&sum, reported.data() + reported.size(), sizeof sum);
  if (sum != find_checksum(reported))
    throw std::runtime_error("a saved run that is damaged: its checksum does not fit");
  Identity identity;
  a(identity);
  if (const std::string differs = find_difference(identity, find_identity(*core_));
      !differs.empty())
    throw std::runtime_error("a saved run of another scenario or program: " + differs);
  HybridRun other(*this);
  try {
    visit_state(a, other);
  } catch (const std::invalid_argument& e) {
    throw std::runtime_error(std::string("a saved run that cannot be read: ") + e.what());
  }
  a.check(a.left() == 0, "it goes on after its end");
  check_restored(*other.core_, other.inside_is_mode_);
  core_.swap(other.core_);
  std::swap(seen_, other.seen_);
  inside_is_mode_ = other.inside_is_mode_;
}

}  // namespace berth
