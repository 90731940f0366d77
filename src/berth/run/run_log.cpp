// SPDX-License-Identifier: Apache-2.0
#include "berth/run/run_log.h"

#include <cmath>

namespace berth {
namespace {

const std::vector<ThrusterSet<double>>& logged_sets(const System<double>& system) {
  return std::get<std::vector<ThrusterSet<double>>>(system.forces);
}

double root(double square) { return std::sqrt(std::max(square, 0.0)); }

}  // namespace

void RunLog::start(const System<double>& system, double t_half) {
  docks.assign(system.docks.size(), DockTrack(t_half));
  contacts.assign(system.contacts.size(), {});
  thrusters.assign(logged_sets(system).size(), {});
}

void RunLog::watch(const System<double>& system, const Mode<double>& mode, bool contacts_awake) {
  watched_.clear();
  for (std::size_t k = 0; k < system.docks.size(); ++k) {
    const Dock<double>& d = system.docks[k];
    const int i = static_cast<int>(k);
    if (!d.engaged) continue;
    watched_.push_back({PeakNumber::dock_force, i});
    watched_.push_back({PeakNumber::dock_torque, i});
    const bool exact = d.enforce == Enforce::exact || d.enforce == Enforce::reduced;
    if ((exact && d.projected) || d.enforce == Enforce::fused) continue;
    watched_.push_back({PeakNumber::position, i});
    watched_.push_back({PeakNumber::attitude, i});
  }
  for (std::size_t k = 0; k < system.contacts.size(); ++k) {
    const int i = static_cast<int>(k);
    if (system.contacts[k].is_impact()) {
      if (mode.contacts[k].now.touching) watched_.push_back({PeakNumber::rest_force, i});
      continue;
    }
    if (!contacts_awake) continue;
    watched_.push_back({PeakNumber::contact_force, i});
    if (mode.contacts[k].now.touching) watched_.push_back({PeakNumber::depth, i});
    watched_.push_back({PeakNumber::gained, i});
    watched_.push_back({PeakNumber::given, i});
  }
  noisy_.assign(watched_.size(), 0);
}

double RunLog::peak(std::size_t i) const {
  const auto k = static_cast<std::size_t>(watched_[i].owner);
  switch (watched_[i].kind) {
    case PeakNumber::dock_force: return square(docks[k].force_peak());
    case PeakNumber::dock_torque: return square(docks[k].torque_peak());
    case PeakNumber::position: return square(docks[k].violation().position);
    case PeakNumber::attitude: return square(docks[k].violation().attitude);
    case PeakNumber::rest_force:
    case PeakNumber::contact_force: return square(contacts[k].force_peak);
    case PeakNumber::depth: return contacts[k].penetration_peak;
    case PeakNumber::gained: return contacts[k].energy_max;
    case PeakNumber::given: return -contacts[k].energy_min;
  }
  return INFINITY;
}

void RunLog::raise(std::size_t i, double value, double t) {
  if (!(value > peak(i))) return;
  const auto k = static_cast<std::size_t>(watched_[i].owner);
  switch (watched_[i].kind) {
    case PeakNumber::dock_force: docks[k].raise_force(root(value), t); break;
    case PeakNumber::dock_torque: docks[k].raise_torque(root(value), t); break;
    case PeakNumber::position: docks[k].raise_violation({root(value), 0}); break;
    case PeakNumber::attitude: docks[k].raise_violation({0, root(value)}); break;
    case PeakNumber::rest_force:
    case PeakNumber::contact_force:
      contacts[k].force_peak = root(value);
      contacts[k].force_peak_time = t;
      break;
    case PeakNumber::depth: contacts[k].penetration_peak = value; break;
    case PeakNumber::gained: contacts[k].energy_max = value; break;
    case PeakNumber::given: contacts[k].energy_min = -value; break;
  }
}

void RunLog::add(const System<double>& system, const Layout& layout, double t,
                 std::span<const double> x, const StepEnd<double>& end,
                 std::span<const double> peaks) {
  ledger.add(end.balance);
  for (std::size_t k = 0; k < docks.size(); ++k) {
    if (system.docks[k].engaged) {
      docks[k].add(t, end.docks[k].violation, end.docks[k].load);
    } else {
      docks[k].pause();
    }
  }
  const auto first = static_cast<std::size_t>(layout.contacts);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const double* work = x.data() + first + system.contacts[k].first_state;
    contacts[k].add_energy(work[0] + work[1]);
  }
  for (std::size_t k = 0; k < thrusters.size(); ++k)
    thrusters[k].add(system, logged_sets(system)[k], t, end.levels);
  for (std::size_t i = 0; i < peaks.size(); ++i) raise(i, peaks[i], t);
}

}  // namespace berth
