// SPDX-License-Identifier: Apache-2.0
#pragma once

// Facility — the laboratory of a hardware-in-the-loop docking, emulated: two robots, mock-ups that touch, a
// force and torque sensor. No socket and no clock: ticks come with their times, and time goes on from one to
// the next.
//
//   laboratory   axes of N, its origin where the mock-up of the surface stands at the start; the robots share
//                the relative translation since then:
//                  r_T = −share (Δr − Δr₀),   r_C = r_T + Δr,   Δr = ρ_C − ρ_T                        (1)
//   robots       dead time, lag, limits                               robot.h
//   contact      of the mock-ups where the robots have brought them   mock_up_contact.h
//   sensor       mounting, weight, inertia, tare, filter, noise       force_sensor.h
//
// Where the sensor has a filter, robots and contact are also computed between the ticks, at most half of
// kPiece apart: a filter feels what happens there.
//
// T is the craft of the surface, C that of the probe.

#include <optional>
#include <string>
#include <vector>

#include "berth/live/force_sensor.h"
#include "berth/live/live_scenario.h"
#include "berth/live/mock_up_contact.h"
#include "berth/live/robot.h"

namespace berth {

class Facility {
 public:
  // Nothing, and problems, where the scenario has no contact that its external gives, or one that no
  // facility could make.
  static std::optional<Facility> build(const LiveSetup& setup, Problems& problems);

  // A run begins, with ticks so far apart [s].
  void arm(double sample_time);
  // One tick: measures as the layout has them => commands, NaN for those that are not of the contact.
  // False: a limit was exceeded; fault() says which.
  bool answer(std::uint64_t tick, double t, std::span<const double> measures,
              std::span<double> commands);
  const std::string& fault() const { return fault_; }

  const FacilitySpec& spec() const { return spec_; }
  const Robot& probe_robot() const { return robots_[0]; }
  const Robot& surface_robot() const { return robots_[1]; }
  const MockUpContact::Touch& touch() const { return touch_; }
  const ForceSensor::Measured& measured() const { return measured_; }
  const Vec3<double>& force_N() const { return force_N_; }  // [N] as it is answered
  double dead_time() const { return dead_time_; }           // [s] of the last tick

 private:
  // Of a craft: 0 the probe's, 1 the surface's.
  struct Craft {
    std::string name;
    std::size_t position, attitude, velocity, rate;  // places in the measures
    std::optional<RobotSpec> limits;
    Quaternion<double> q_start;
  };
  // A force or torque that is answered.
  struct Output {
    std::size_t first;
    bool is_torque;
    CommandAxes axes;
    int frame = 0;  // craft whose port it is
    Mat3<double> R_BP;
  };

  Facility(const FacilitySpec& spec, const Contact<double>& contact);
  LabMotion read(const Craft& craft, std::span<const double> measures) const;
  bool check_limits(std::size_t k);
  // Everything where it is at t.
  void move_to(double t);
  Vec3<double> find_components(const Output& output, const Vec3<double>& v_B) const;

  FacilitySpec spec_;
  std::vector<Robot> robots_;
  MockUpContact contact_;
  ForceSensor sensor_;
  std::array<Craft, 2> craft_;
  std::vector<Output> outputs_;
  std::size_t ticks_ = 0;
  Vec3<double> apart_start_;  // [m] Δr₀
  double t_ = 0;              // [s] of the last tick
  MockUpContact::Touch touch_;
  ForceSensor::Load load_;
  ForceSensor::Measured measured_;
  Vec3<double> force_N_;
  double dead_time_ = 0;
  std::string fault_;
};

}  // namespace berth
