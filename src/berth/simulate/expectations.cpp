// SPDX-License-Identifier: Apache-2.0
#include "berth/simulate/expectations.h"

#include <algorithm>

#include <fmt/format.h>

namespace berth {

void judge(const ExpectSpec& e, HybridRun& run, Summary& s) {
  const auto expect = [&](std::string what, std::string wanted, std::string got, bool met) {
    s.expectations.push_back({std::move(what), std::move(wanted), std::move(got), met});
  };
  const std::string ending(name(s.outcome.ending));
  if (e.verdict)
    expect("verdict", *e.verdict, s.verdict.empty() ? "none" : s.verdict, *e.verdict == s.verdict);
  if (e.outcome) expect("outcome", *e.outcome, ending, *e.outcome == ending);
  const auto audit = [&](const char* what, const std::optional<double>& limit, double value) {
    if (limit)
      expect(fmt::format("{} audit", what), fmt::format("below {:.3g}", *limit),
             fmt::format("{:.3g}", value), value <= *limit);
  };
  audit("energy", e.energy, s.audit.energy);
  audit("linear momentum", e.linear_momentum, s.audit.linear_momentum);
  audit("angular momentum", e.angular_momentum, s.audit.angular_momentum);
  // Nobody has to ask for this: of a run whose ledgers are no numbers nothing is known.
  for (const std::string& what : find_lost_audits(s.audit))
    expect(what + " audit", "a finite number", "none: the run overflowed", false);
  const auto below = [&](const char* what, const std::optional<double>& limit, double value) {
    if (limit)
      // To rounding: a joint that is released at a load has carried that load.
      expect(what, fmt::format("at most {:.3g}", *limit), fmt::format("{:.6g}", value),
             value <= *limit * (1 + 1e-12));
  };
  double force = 0, torque = 0;
  for (const ContactSummary& c : s.contacts) force = std::max(force, c.track.force_peak);
  for (const DockTrack& track : run.dock_tracks()) {
    force = std::max(force, track.force_peak());
    torque = std::max(torque, track.torque_peak());
  }
  below("peak force [N]", e.force_peak_max, force);
  below("peak torque [N·m]", e.torque_peak_max, torque);
  below("violation [m]", e.violation_position_max, s.constraint_position);
  below("violation [rad]", e.violation_attitude_max, s.constraint_attitude);
  std::vector<double> row(static_cast<std::size_t>(run.channels().width()));
  run.fill_row(run.t(), run.x(), row);
  for (const std::string& text : e.final) {
    const double margin = Condition(text, run.channels()).margin(row);
    expect("at the end", text, fmt::format("margin {:.6g}", margin), margin >= 0);
  }
}

std::vector<std::string> find_lost_audits(const Audit& audit) {
  std::vector<std::string> out;
  if (!std::isfinite(audit.energy)) out.emplace_back("energy");
  if (!std::isfinite(audit.linear_momentum)) out.emplace_back("linear momentum");
  if (!std::isfinite(audit.angular_momentum)) out.emplace_back("angular momentum");
  return out;
}

bool Summary::as_expected() const {
  for (const Expectation& e : expectations)
    if (!e.met) return false;
  return outcome.completed() && find_lost_audits(audit).empty();
}

}  // namespace berth
