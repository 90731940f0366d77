// SPDX-License-Identifier: Apache-2.0

// Closed chain (Figs 3 to 5) and impacts (Figs 2 to 6).

#include <cmath>

#include <fmt/format.h>

#include "berth/report/figures.h"

namespace berth {
namespace {

PlotOptions with_label(const char* y_label) {
  PlotOptions o;
  o.y_label = y_label;
  return o;
}

std::vector<PlotLine> draw_vector(const FigureRuns& runs, const std::string& channel,
                                  double factor) {
  std::vector<PlotLine> lines;
  for (const char* part : {"x", "y", "z"}) {
    std::vector<double> y = runs[0]->column(channel + "." + part);
    for (double& v : y) v *= factor;
    lines.push_back(make_line(part, runs[0]->time(), y));
  }
  return lines;
}

constexpr double kInDegrees = 180 / 3.141592653589793;

// --- the station's arm ---------------------------------------------------------------------------

// Attitude of the station about the normal of the orbit [rad].
double station_angle(const RunTable& run, double t) {
  return 4 * std::atan(run.at("iss.sigma_BN.z", t));
}

// The arm in the station's axes at some times: root, elbows, tip.
std::vector<PlotLine> draw_poses(const FigureRuns& runs, const std::vector<double>& times) {
  std::vector<PlotLine> lines;
  for (const double t : times) {
    PlotLine line{fmt::format("{:g} s", t), {0}, {0}};
    double angle = 0;
    for (const auto& [joint, length] :
         {std::pair{"psi.angle", 6.4}, {"alpha.angle", 7.0}, {"beta.angle", 1.8}}) {
      angle += runs[0]->at(joint, t);
      line.x.push_back(line.x.back() + length * std::cos(angle));
      line.y.push_back(line.y.back() + length * std::sin(angle));
    }
    lines.push_back(std::move(line));
  }
  // The bay: a wall on either side of the floor, which lies across its axis.
  const double dx = -12.763242, dy = -3.953560, a = 3.141592653589793 / 3;
  PlotLine bay{"bay", {}, {}};
  bay.dashed = true;
  for (const auto& [along, across] :
       {std::pair{-1.5, 1.0}, {0.0, 1.0}, {0.0, -0.19}, {-1.5, -0.19}}) {
    bay.x.push_back(dx + along * std::cos(a) - across * std::sin(a));
    bay.y.push_back(dy + along * std::sin(a) + across * std::cos(a));
  }
  lines.push_back(std::move(bay));
  return lines;
}

PlotOptions in_station(double x_from, double x_to, double y_from, double y_to) {
  PlotOptions o;
  o.x_label = "x of the station [m]";
  o.y_label = "y of the station [m]";
  o.width = 620;
  o.height = 460;
  o.x_from = x_from, o.x_to = x_to, o.y_from = y_from, o.y_to = y_to;
  return o;
}

const std::vector<std::string> kArmChannels{"iss.sigma_BN", "psi.angle", "alpha.angle",
                                            "beta.angle"};

std::string tell_hits(const FigureRuns& runs) {
  std::string text = "blows at ";
  int n = 0;
  for (const Happening& e : runs[0]->summary.events)
    if (e.kind == "impact" && n < 3) text += fmt::format("{}{:.6f} s", n++ == 0 ? "" : ", ", e.t);
  return text;
}

const std::string kWhyStart =
    "The paper gives neither start angles nor walls; these were chosen so that the first two blows "
    "fall "
    "near 12.5 s and 27.5 s. Links are uniform rods and the payload is a point: its inertias count "
    "parts "
    "twice. The time step of 0.1 s it states must be 0.01 s.";

std::vector<PlotLine> draw_angle_of(const FigureRuns& runs, const char* channel) {
  return {make_line("", runs[0]->time(), runs[0]->column(channel))};
}

std::vector<Figure> list_orientations() {
  const auto figure = [](const char* number, const char* title,
                         std::vector<PlotLine> (*draw)(const Figure&, const FigureRuns&),
                         const char* y_label, const char* sentence,
                         std::string (*value)(const FigureRuns&)) {
    return Figure{"impacts",      number,       title, "iss_arm",           {},
                  {{"", {}, ""}}, kArmChannels, draw,  with_label(y_label), sentence,
                  value,          kWhyStart};
  };
  return {
      figure(
          "6a", "Attitude of the station",
          [](const Figure&, const FigureRuns& r) {
            std::vector<double> y;
            // Against a station that keeps its rate.
            const std::vector<double>& t = r[0]->time();
            const double start = station_angle(*r[0], 0);
            for (const double at : t)
              y.push_back(1e6 * (station_angle(*r[0], at) - start - 0.0011448919894997839 * at));
            return std::vector<PlotLine>{make_line("", t, y)};
          },
          "attitude against the rate of the orbit [µrad]", "Small, abrupt changes at the blows.",
          [](const FigureRuns& r) {
            return fmt::format("{}; off the rate of the orbit by {:.2f} µrad at 40 s", tell_hits(r),
                               1e6 * (station_angle(*r[0], 40) - station_angle(*r[0], 0) -
                                      0.0011448919894997839 * 40));
          }),
      figure(
          "6b", "Angle of the first link",
          [](const Figure&, const FigureRuns& r) { return draw_angle_of(r, "psi.angle"); },
          "ψ [rad]", "The controller leads it to 2.932 rad, with a kink at each blow.",
          [](const FigureRuns& r) {
            return fmt::format("{:.6f} rad at 40 s", r[0]->last("psi.angle"));
          }),
      figure(
          "6c", "Angle of the second link",
          [](const Figure&, const FigureRuns& r) { return draw_angle_of(r, "alpha.angle"); },
          "α [rad]", "Led to 0.741 rad.",
          [](const FigureRuns& r) {
            return fmt::format("{:.6f} rad at 40 s", r[0]->last("alpha.angle"));
          }),
      figure(
          "6d", "Angle of the third link",
          [](const Figure&, const FigureRuns& r) { return draw_angle_of(r, "beta.angle"); },
          "β [rad]", "Led to 0.776 rad.",
          [](const FigureRuns& r) {
            return fmt::format("{:.6f} rad at 40 s", r[0]->last("beta.angle"));
          })};
}

}  // namespace

std::vector<Figure> list_chain_figures() {
  const std::string axis =
      "The paper does not say about which axis the stack turns. About the approach axis the "
      "largest torque "
      "is 0.909 N·m with this profile and 0.485 N·m at constant deceleration, near the 0.6 N·m of "
      "its "
      "figure; about the normal of the arms it is 1.931 N·m (servicer_despin).";
  return {
      {"closed_chain",
       "3",
       "Angular velocity of the servicer",
       "servicer_despin_axial",
       {},
       {{"", {}, ""}},
       {"servicer.omega_BN_B"},
       [](const Figure&, const FigureRuns& r) {
         return draw_vector(r, "servicer.omega_BN_B", kInDegrees);
       },
       with_label("angular velocity [°/s]"),
       "5 °/s are taken to zero in 180 s and stay there.",
       [](const FigureRuns& r) {
         return fmt::format("{:.6f} rad/s at 90 s, at most {} rad/s from 240 s on",
                            r[0]->at("servicer.omega_BN_B.x", 90),
                            number_text(std::hypot(r[0]->largest("servicer.omega_BN_B.x", 240),
                                                   r[0]->largest("servicer.omega_BN_B.y", 240),
                                                   r[0]->largest("servicer.omega_BN_B.z", 240))));
       },
       axis +
           " The copy of the paper at hand lacks the caption of Fig. 3; its axis is labelled ω₁."},
      {"closed_chain",
       "4",
       "Angles of the left arm",
       "servicer_despin_axial",
       {},
       {{"", {}, ""}},
       {"servicer.left.link1.angle", "servicer.left.link2.angle", "servicer.left.link3.angle"},
       draw_over_time,
       with_label("angle [rad]"),
       "Held for 240 s, then led to where the gap is 0.75 m instead of 1.5 m, in 120 s.",
       [](const FigureRuns& r) {
         return fmt::format(
             "{:.6f}, {:.6f}, {:.6f} rad at the end", r[0]->last("servicer.left.link1.angle"),
             r[0]->last("servicer.left.link2.angle"), r[0]->last("servicer.left.link3.angle"));
       },
       "The paper gives no geometry of the grasp; with links at ±30° in the target's axes inverse "
       "kinematics has 1.552938, −2.076353, −0.000184 rad."},
      {"closed_chain",
       "5",
       "Torque of the attitude control",
       "servicer_despin_axial",
       {},
       {{"", {}, ""}},
       {"base.torque"},
       [](const Figure&, const FigureRuns& r) { return draw_vector(r, "base.torque", 1); },
       with_label("torque [N·m]"),
       "The axis goes from −0.6 to 0.1 N·m; control efforts are modest.",
       [](const FigureRuns& r) {
         return fmt::format("largest {:.4f} N·m, at 90 s {:.4f} N·m",
                            r[0]->largest("base.torque.x"), r[0]->at("base.torque.x", 90));
       },
       axis}};
}

std::vector<Figure> list_impact_figures() {
  std::vector<Figure> out;
  out.push_back(
      {"impacts",
       "2",
       "The station in its orbit",
       "iss_arm",
       {},
       {{"", {}, ""}},
       {"iss.sigma_BN", "iss.r_BN_N", "psi.angle", "alpha.angle", "beta.angle"},
       [](const Figure&, const FigureRuns& r) {
         std::vector<double> station, orbit;
         const std::vector<double>& t = r[0]->time();
         for (std::size_t i = 0; i < t.size(); ++i) {
           station.push_back(kInDegrees * (station_angle(*r[0], t[i]) - station_angle(*r[0], 0)));
           orbit.push_back(kInDegrees * std::atan2(r[0]->column("iss.r_BN_N.y")[i],
                                                   r[0]->column("iss.r_BN_N.x")[i]));
         }
         PlotLine along = make_line("place in the orbit", t, orbit);
         along.dashed = true;
         return std::vector<PlotLine>{make_line("attitude of the station", t, station), along};
       },
       with_label("angle since the start [°]"),
       "The station turns with its orbit and always shows the Earth the same side.",
       [](const FigureRuns& r) {
         const double turned = station_angle(*r[0], 40) - station_angle(*r[0], 0);
         const double flown = std::atan2(r[0]->last("iss.r_BN_N.y"), r[0]->last("iss.r_BN_N.x"));
         return fmt::format("after 40 s it has turned {:.5f}° and flown {:.5f}°",
                            kInDegrees * turned, kInDegrees * flown);
       },
       "A drawing in the paper."});
  const auto poses = [](const char* number, const char* title, auto draw, const PlotOptions& plot,
                        const char* sentence, auto value) {
    return Figure{"impacts",    number, title, "iss_arm_latch", {},    {{"", {}, ""}},
                  kArmChannels, draw,   plot,  sentence,        value, kWhyStart};
  };
  out.push_back(poses(
      "3", "Begin of the docking",
      [](const Figure&, const FigureRuns& r) { return draw_poses(r, {0}); },
      in_station(-18, 2, -10, 4), "The arm has the payload and begins to bring it in.",
      [](const FigureRuns& r) {
        return fmt::format("joints at {:.3f}, {:.4f}, {:.4f} rad", r[0]->at("psi.angle", 0),
                           r[0]->at("alpha.angle", 0), r[0]->at("beta.angle", 0));
      }));
  out.push_back(poses(
      "4", "End of the docking",
      [](const Figure&, const FigureRuns& r) {
        return draw_poses(r, {0, r[0]->time().back()});
      },
      in_station(-18, 2, -10, 4), "The payload is docked and the arm has moved back.",
      [](const FigureRuns& r) {
        return fmt::format("joints at {:.3f}, {:.4f}, {:.4f} rad after {:g} s",
                           r[0]->last("psi.angle"), r[0]->last("alpha.angle"),
                           r[0]->last("beta.angle"), r[0]->time().back());
      }));
  out.push_back(poses(
      "5", "The docking, close up",
      [](const Figure&, const FigureRuns& r) {
        return draw_poses(r, {0, 6, 12.5, 29.5, 34.5, 80});
      },
      in_station(-15, -10, -6.5, -1.5),
      "Comes in, meets a wall, meets it again, docks, lets go and moves away.",
      [](const FigureRuns& r) {
        std::string text = tell_hits(r);
        for (const Happening& e : r[0]->summary.events)
          if (e.kind == "latch" || e.kind == "release")
            text += fmt::format(", {} {} at {:.3f} s", e.kind, e.name, e.t);
        return text;
      }));
  for (Figure& figure : list_orientations()) out.push_back(std::move(figure));
  return out;
}

}  // namespace berth
