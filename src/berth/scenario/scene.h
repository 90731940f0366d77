// SPDX-License-Identifier: Apache-2.0
#pragma once

// Scene — what a picture of a run needs: what there is, described once, and where it is, row by row.
//
// Positions are measured from the centre of mass of all bodies, N axes; where the ground has a
// part, from the origin of N. Near numbers are small that way, however far a craft flies.
//
//   row   origin (from the reference point) · attitude of the LVLH axes, in an orbit
//         positions of all bodies · their attitudes · point and force of every contact and dock

#include <string>
#include <vector>

#include "berth/scenario/body_shapes.h"
#include "berth/system/channels.h"

namespace berth {

class Scene {
 public:
  Scene(const Scenario& scenario, const System<double>& system);

  const std::vector<Channel>& channels() const { return channels_; }
  std::size_t width() const { return width_; }
  // JSON: bodies, ports, arrows, in the order of the numbers.
  const std::string& model() const { return model_; }

  // The system as it is now, which may have been welded or cut since.
  void fill(const System<double>& system, std::span<const double> x, const Workspace<double>& w,
            std::span<double> row) const;

 private:
  void add_channel(const char* name, const char* unit, const char* frame, const char* about,
                   std::size_t width);
  void describe(const Scenario& scenario, const System<double>& system);

  std::vector<DrawnBody> bodies_;
  bool on_ground_;
  std::vector<Channel> channels_;
  std::size_t width_ = 0;
  std::string model_;
};

}  // namespace berth
