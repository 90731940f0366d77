// SPDX-License-Identifier: Apache-2.0
#include "berth/system/thruster_track.h"

#include "berth/system/mass_properties.h"

namespace berth {

void ThrusterTrack::add(const System<double>& system, const ThrusterSet<double>& set, double t,
                        const std::vector<double>& levels) {
  const double dt = t - t_;
  if (!(dt > 0)) mass_ = find_joined_mass(system, set.body.index);
  Rates now;
  Vec3<double> f_B{};
  for (std::size_t i = 0; set.enabled && i < set.thruster.size(); ++i) {
    const double level = levels[static_cast<std::size_t>(set.first_level) + i];
    const double f = level * set.thruster[i].thrust;
    now.on += level;
    now.thrust += f;
    f_B += f * set.thruster[i].along;
  }
  now.push = norm(f_B) / mass_;
  if (dt > 0) {
    sum_.on += 0.5 * dt * (last_.on + now.on);              // (1)
    sum_.thrust += 0.5 * dt * (last_.thrust + now.thrust);  // (2)
    sum_.push += 0.5 * dt * (last_.push + now.push);        // (3)
  }
  last_ = now;
  t_ = t;
}

}  // namespace berth
