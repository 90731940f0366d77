// SPDX-License-Identifier: Apache-2.0

// Post-docking dynamics: Figs 2 to 17 and 19 to 22.

#include <fmt/format.h>

#include "berth/report/figures.h"

namespace berth {
namespace {

const std::string kPosition = "joint.violation_position", kAttitude = "joint.violation_attitude";

// "3.02×10⁻³ m (α = 1), …": a number of each case.
template <class Find>
std::string tell_each(const FigureRuns& runs, const std::vector<std::string>& names,
                      const char* unit, Find&& find) {
  std::string text;
  for (std::size_t k = 0; k < runs.size(); ++k)
    text += fmt::format("{}{} {} at α = {}", k == 0 ? "" : ", ", number_text(find(*runs[k])), unit,
                        names[k]);
  return text;
}

const std::vector<std::string> kPdGains{"1", "10", "100", "1000", "10000"};
const std::vector<std::string> kPidGains{"1", "10", "100", "1000"};
const std::vector<std::string> kManeuverGains{"1", "10", "100"};

std::vector<FigureCase> vary_gain(const std::vector<std::string>& gains) {
  std::vector<FigureCase> cases;
  for (const std::string& a : gains) cases.push_back({"α = " + a, {"dock.joint.alpha=" + a}});
  return cases;
}

// Every type of joint at every gain, as draw_cost() wants it.
std::vector<FigureCase> vary_type_and_gain(const std::vector<std::string>& gains) {
  std::vector<FigureCase> cases;
  for (const char* type : {"length", "direction", "rigid"})
    for (const std::string& a : gains)
      cases.push_back({fmt::format("{} α = {}", type, a),
                       {fmt::format("dock.joint.type={}", type), "dock.joint.alpha=" + a}});
  return cases;
}

std::string tell_steady_pd(const FigureRuns& runs, const std::string& channel, const char* unit) {
  return "steady rms " + tell_each(runs, kPdGains, unit,
                                   [&](const RunTable& r) { return r.rms(channel, 600, 1200); });
}
std::string tell_steady_pid(const FigureRuns& runs, const std::string& channel, const char* unit) {
  return "steady rms " + tell_each(runs, kPidGains, unit,
                                   [&](const RunTable& r) { return r.rms(channel, 600, 1200); });
}
std::string tell_peak(const FigureRuns& runs, const std::string& channel, const char* unit) {
  return "largest from minute 5 on " +
         tell_each(runs, kManeuverGains, unit,
                   [&](const RunTable& r) { return r.largest(channel, 300); }) +
         "; rms over the last two minutes " +
         tell_each(runs, kManeuverGains, unit, [&](const RunTable& r) {
           return r.rms(channel, r.time().back() - 120, r.time().back());
         });
}

// P2 and B2 in the axes of B1, from B1; P1 stands 1 m ahead.
std::vector<PlotLine> draw_relative(const Figure&, const FigureRuns& runs) {
  std::vector<double> x = runs[0]->column("joint.r_P2P1_B1.x");
  for (double& v : x) v += 1;
  return {make_line("P2", x, runs[0]->column("joint.r_P2P1_B1.y")),
          {"B2", runs[0]->column("joint.r_B2B1_B1.x"), runs[0]->column("joint.r_B2B1_B1.y")},
          {"B1", {0}, {0}, true},
          {"P1", {1}, {0}, true}};
}

// Both craft's attitude; the target's dashed.
std::vector<PlotLine> draw_attitudes(const Figure&, const FigureRuns& runs) {
  std::vector<PlotLine> lines;
  for (const char* craft : {"servicer", "target"})
    for (const char* part : {"x", "y", "z"}) {
      const std::string name = fmt::format("{}.sigma_BN.{}", craft, part);
      lines.push_back(make_line(name, runs[0]->time(), runs[0]->column(name)));
      lines.back().dashed = std::string_view(craft) == "target";
    }
  return lines;
}

PlotOptions over_time(const char* y_label, bool log) {
  PlotOptions o;
  o.y_label = y_label;
  o.log_y = log;
  return o;
}
// What a kick at 10 s does is over soon.
PlotOptions around_kick(const char* y_label) {
  PlotOptions o = over_time(y_label, false);
  o.x_from = 9.5;
  o.x_to = 14;
  return o;
}
PlotOptions in_plane(const char* x_label, const char* y_label) {
  PlotOptions o;
  o.x_label = x_label;
  o.y_label = y_label;
  return o;
}
PlotOptions against_gain() {
  PlotOptions o;
  o.x_label = "α [1/s]";
  o.y_label = "evaluations of the derivative";
  o.log_x = o.log_y = true;
  return o;
}

const std::vector<std::string> kPenaltyOfPaper{
    "dock.joint.enforce=penalty", "dock.joint.gains=alpha_beta", "dock.joint.alpha=100"};
const std::vector<std::string> kManeuverJoint{"dock.joint.enforce=penalty", "dock.joint.law=pid",
                                              "integrator.tolerance=1e-12", "record.interval=0.02"};

const std::string kWhyMass =
    "The paper gives no masses. Its gains are not scaled by mass, so the joint of 750 kg craft "
    "rings "
    "with a damping ratio of 0.05 at any α; the violation is T/α² with the tension T = 3.02 mN of "
    "the "
    "tide. Positions are told from a falling frame: there is no floor at 10⁻⁹ m, which is the "
    "rounding "
    "of 6.8×10⁶ m.";
const std::string kWhyLight =
    "With 750 kg craft the integral gain k/10 is unstable below α = 18.75 (225 in attitude): craft "
    "of "
    "10 kg are shown, for which every α ≥ 1 is stable and the paper's claims hold. The plateau at "
    "10⁻⁹ m "
    "is absent, as positions are told from a falling frame.";
const std::string kWhyScaled =
    "With 750 kg craft the paper's PID gains are unstable below α = 225; here they are scaled by "
    "mass "
    "(gains = normalised), which is stable for every α.";

Figure violation_figure(const char* number, const char* title, const char* type, bool pid,
                        const std::string& channel, const char* sentence,
                        std::string (*value)(const FigureRuns&), const std::string& reason) {
  return {"post_docking",
          number,
          title,
          pid ? "docked_light" : "gain_study",
          {fmt::format("dock.joint.type={}", type)},
          vary_gain(pid ? kPidGains : kPdGains),
          {channel},
          draw_over_time,
          over_time(channel == kPosition ? "violation [m]" : "violation [rad]", true),
          sentence,
          value,
          reason};
}

std::vector<Figure> list_relative_motion() {
  const auto spread = [](const FigureRuns& r) {
    double least = INFINITY, most = 0;
    const auto& x = r[0]->column("joint.r_P2P1_B1.x");
    const auto& y = r[0]->column("joint.r_P2P1_B1.y");
    const auto& z = r[0]->column("joint.r_P2P1_B1.z");
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double d = std::hypot(x[i], y[i], z[i]);
      least = std::min(least, d), most = std::max(most, d);
    }
    return fmt::format("P2 is {:.4f} to {:.4f} m from P1; the joint is off by at most {} m", least,
                       most, number_text(r[0]->number("docks.joint.violation_position")));
  };
  const auto figure = [&](const char* number, const char* type, const char* sentence) {
    return Figure{
        "post_docking",
        number,
        fmt::format("Relative motion in the axes of craft 1, {} joint", type),
        "docked_tumble",
        {fmt::format("dock.joint.type={}", type)},
        {{"", {}, ""}},
        {"joint.r_P2P1_B1", "joint.r_B2B1_B1"},
        draw_relative,
        in_plane("x of craft 1 [m]", "y of craft 1 [m]"),
        sentence,
        spread,
        "The paper gives neither rates nor masses; the pair tumbles at 0.027 rad/s here, so "
        "that a joint which allows motion shows it."};
  };
  return {figure("2a", "length", "P2 moves on a sphere around P1, and B2 follows at a distance."),
          figure("2b", "direction", "P2 stays fixed in the frame of craft 1; B2 turns about it."),
          figure("2c", "rigid", "All four points stay fixed.")};
}

std::vector<Figure> list_gain_studies() {
  std::vector<Figure> out;
  out.push_back(violation_figure(
      "3", "Length joint, PD: violation", "length", false, kPosition,
      "Violations fall with rising gains and level off at 10⁻⁹ m beyond α = 10².",
      [](const FigureRuns& r) { return tell_steady_pd(r, kPosition, "m"); }, kWhyMass));
  out.push_back(violation_figure(
      "4", "Direction joint, PD: violation", "direction", false, kPosition,
      "Violations fall with rising gains and level off at 10⁻⁹ m for α ≥ 10³.",
      [](const FigureRuns& r) { return tell_steady_pd(r, kPosition, "m"); }, kWhyMass));
  out.push_back(violation_figure(
      "5", "Rigid joint, PD: violation of position", "rigid", false, kPosition,
      "As for the direction joint, with less oscillation.",
      [](const FigureRuns& r) { return tell_steady_pd(r, kPosition, "m"); }, kWhyMass));
  out.push_back(violation_figure(
      "6", "Rigid joint, PD: violation of attitude", "rigid", false, kAttitude,
      "Almost constant but where it passes zero; falls with rising gains without a plateau.",
      [](const FigureRuns& r) { return tell_steady_pd(r, kAttitude, "rad"); },
      "The paper leaves the gravity-gradient torque of each craft out; with it the joint carries "
      "8.9×10⁻⁸ N·m after 1200 s instead of 7.4×10⁻⁸ N·m."));
  out.push_back({"post_docking",
                 "7",
                 "Cost of the PD joint",
                 "gain_study",
                 {},
                 vary_type_and_gain(kPdGains),
                 {kPosition, kAttitude},
                 draw_cost,
                 against_gain(),
                 "The larger the gains, the longer the run takes.",
                 [](const FigureRuns& r) {
                   return fmt::format(
                       "rigid: {:.0f} evaluations at α = 1, {:.0f} at α = 100, {} at α = 10⁴",
                       r[10]->number("steps.rhs"), r[12]->number("steps.rhs"),
                       number_text(r[14]->number("steps.rhs")));
                 },
                 "Seconds depend on the machine, so evaluations are counted; by dop853 at a "
                 "tolerance of 10⁻¹², where "
                 "the paper has RKF45. At 10⁻¹⁰ the exact joint takes 217 (docked_nadir), this one "
                 "54 321 at α = 100."});
  out.push_back(violation_figure(
      "8", "Length joint, PID: violation", "length", true, kPosition,
      "Lower than PD at every α; levels off at 10⁻⁹ m.",
      [](const FigureRuns& r) { return tell_steady_pid(r, kPosition, "m"); }, kWhyLight));
  out.push_back(violation_figure(
      "9", "Direction joint, PID: violation", "direction", true, kPosition,
      "The plateau is reached at α = 10² already, earlier than with PD.",
      [](const FigureRuns& r) { return tell_steady_pid(r, kPosition, "m"); }, kWhyLight));
  out.push_back(violation_figure(
      "10", "Rigid joint, PID: violation of position", "rigid", true, kPosition,
      "Falls with rising gains; the plateau comes sooner than with PD.",
      [](const FigureRuns& r) { return tell_steady_pid(r, kPosition, "m"); }, kWhyLight));
  out.push_back(violation_figure(
      "11", "Rigid joint, PID: violation of attitude", "rigid", true, kAttitude,
      "For α ≤ 10 larger than with PD: low gains do not hold the joint.",
      [](const FigureRuns& r) { return tell_steady_pid(r, kAttitude, "rad"); }, kWhyLight));
  out.push_back(
      {"post_docking",
       "12",
       "Cost of the PID joint",
       "docked_light",
       {},
       vary_type_and_gain(kPidGains),
       {kPosition, kAttitude},
       draw_cost,
       against_gain(),
       "Almost the same as with PD at every α.",
       [](const FigureRuns& r) {
         return fmt::format("rigid: {:.0f} evaluations at α = 1, {} at α = 1000",
                            r[8]->number("steps.rhs"), number_text(r[11]->number("steps.rhs")));
       },
       "Other craft than in Fig. 7 (see Fig. 8): ten kilograms make a joint stiffer for the "
       "same gains."});
  return out;
}

std::vector<Figure> list_maneuvers() {
  const auto figure = [](const char* number, const char* title, const char* scenario,
                         const std::string& channel, const char* sentence,
                         std::string (*value)(const FigureRuns&)) {
    return Figure{"post_docking",
                  number,
                  title,
                  scenario,
                  kManeuverJoint,
                  vary_gain(kManeuverGains),
                  {channel},
                  draw_over_time,
                  over_time(channel == kPosition ? "violation [m]" : "violation [rad]", true),
                  sentence,
                  value,
                  kWhyScaled};
  };
  std::vector<Figure> out;
  out.push_back(
      figure("13", "Radial thrust: violation of position", "docked_orbit_maneuver", kPosition,
             "A spike when the thrust comes and a smaller one when it goes, both smaller for "
             "larger α; afterwards not quite as low as before.",
             [](const FigureRuns& r) { return tell_peak(r, kPosition, "m"); }));
  out.push_back(figure("14", "Radial thrust: violation of attitude", "docked_orbit_maneuver",
                       kAttitude, "Like the position; no plateau at any α tried.",
                       [](const FigureRuns& r) { return tell_peak(r, kAttitude, "rad"); }));
  out.push_back(figure("15", "Slew by 22.5°: violation of position", "docked_attitude_maneuver",
                       kPosition, "One spike when the torque comes, none later.",
                       [](const FigureRuns& r) { return tell_peak(r, kPosition, "m"); }));
  out.push_back(figure("16", "Slew by 22.5°: violation of attitude", "docked_attitude_maneuver",
                       kAttitude, "One spike when the torque comes, none later.",
                       [](const FigureRuns& r) { return tell_peak(r, kAttitude, "rad"); }));
  out.push_back(
      {"post_docking",
       "17",
       "Slew by 22.5°: attitude of both craft, α = 100",
       "docked_attitude_maneuver",
       kPenaltyOfPaper,
       {{"", {}, ""}},
       {"servicer.sigma_BN", "target.sigma_BN", kAttitude},
       draw_attitudes,
       over_time("attitude, MRP", false),
       "Both settle to the reference; the target overshoots, as it is only pulled along.",
       [](const FigureRuns& r) {
         return fmt::format(
             "the target lags by at most {} rad and follows within {} rad at the end",
             number_text(r[0]->largest(kAttitude, 300)), number_text(r[0]->last(kAttitude)));
       },
       "The lag is that of the penalty joint with the paper's gains; on the exact joint it is "
       "below 10⁻¹⁵ rad."});
  return out;
}

std::vector<Figure> list_components() {
  std::vector<std::string> panel = kPenaltyOfPaper, fuel = kPenaltyOfPaper;
  panel.push_back("event.kick.do=[{kick=\"servicer.panel\", rate_deg_s=7}]");
  fuel.push_back(
      "event.kick.do=[{kick=\"servicer.fuel1\", add=0.02}, {kick=\"servicer.fuel2\", add=-0.025}, "
      "{kick=\"servicer.fuel3\", add=-0.015}]");
  const std::vector<FigureCase> against_one{{"two craft", {}, ""},
                                            {"one body", {"dock.joint.enforce=fused"}, ""}};
  const auto tell_spike = [](const FigureRuns& r) {
    return fmt::format(
        "before the kick at most {} m and {} rad, after it {} m and {} rad, over the last 10 s {} "
        "m",
        number_text(r[0]->largest(kPosition, 1, 9.9)),
        number_text(r[0]->largest(kAttitude, 1, 9.9)), number_text(r[0]->largest(kPosition, 10)),
        number_text(r[0]->largest(kAttitude, 10)), number_text(r[0]->largest(kPosition, 50)));
  };
  const std::string why_start =
      "The paper sees a torque at the start whose cause it does not know: a craft's centre of mass "
      "moves "
      "when parts are attached, and craft placed by it start with an open joint. Here hubs are "
      "placed by "
      "their ports, and nothing moves before the kick but the tide.";
  return {
      {"post_docking",
       "19",
       "Panel kicked at 10 s: violation",
       "docked_components",
       panel,
       {{"", {}, ""}},
       {kPosition, kAttitude},
       draw_over_time,
       over_time("violation [m], [rad]", true),
       "Violations jump when the panel is kicked and stay small.",
       tell_spike,
       why_start +
           " The attitude spring of α = 100 is 100 N·m/rad whatever the mass; the paper, which "
           "speaks of small violations, gives no masses."},
      {"post_docking",
       "20",
       "Panel kicked at 10 s: panel angles",
       "docked_components",
       panel,
       against_one,
       {"servicer.panel.angle", "target.panel.angle"},
       draw_over_time,
       around_kick("angle [rad]"),
       "The panels come to rest sooner than on one body with the same inertia: the joint damps.",
       [](const FigureRuns& r) {
         return fmt::format(
             "rms angle of the servicer's panel from 11 to 13 s {} rad, on one body {} rad",
             number_text(r[0]->rms("servicer.panel.angle", 11, 13)),
             number_text(r[1]->rms("servicer.panel.angle", 11, 13)));
       },
       "With panels that have no damper, 27 % of the energy is gone on a penalty joint after 30 s "
       "(docked_panels); the exact joint keeps it to 4×10⁻¹²."},
      {"post_docking",
       "21",
       "Fuel kicked at 10 s: violation",
       "docked_components",
       fuel,
       {{"", {}, ""}},
       {kPosition, kAttitude},
       draw_over_time,
       over_time("violation [m], [rad]", true),
       "Violations jump and settle to what they were before.",
       tell_spike,
       why_start},
      {"post_docking",
       "22",
       "Fuel kicked at 10 s: travel of the fuel",
       "docked_components",
       fuel,
       against_one,
       {"servicer.fuel1.travel", "servicer.fuel2.travel", "servicer.fuel3.travel"},
       draw_over_time,
       around_kick("travel [m]"),
       "Nearly the same as on one body with the same inertia.",
       [](const FigureRuns& r) {
         double off = 0;
         for (const char* c :
              {"servicer.fuel1.travel", "servicer.fuel2.travel", "servicer.fuel3.travel"})
           for (std::size_t i = 0; i < r[0]->time().size(); ++i)
             off = std::max(off, std::fabs(r[0]->column(c)[i] - r[1]->at(c, r[0]->time()[i])));
         return fmt::format("within {} m of it; largest travel {} m", number_text(off),
                            number_text(r[0]->largest("servicer.fuel2.travel")));
       },
       ""}};
}

}  // namespace

std::vector<Figure> list_docking_figures() {
  std::vector<Figure> all;
  for (std::vector<Figure> some :
       {list_relative_motion(), list_gain_studies(), list_maneuvers(), list_components()})
    for (Figure& figure : some) all.push_back(std::move(figure));
  return all;
}

}  // namespace berth
