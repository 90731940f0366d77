// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/body_shapes.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

namespace berth {
namespace {

using Shape = nlohmann::ordered_json;

Shape to_list(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
Shape to_list(const Quaternion<double>& q) { return {q.w, q.x, q.y, q.z}; }

Shape placed(const char* kind, const Vec3<double>& at, const Quaternion<double>& q = {}) {
  return {{"kind", kind}, {"at", to_list(at)}, {"q", to_list(q)}};
}
Shape make_box(const Vec3<double>& size, const Vec3<double>& at, const Quaternion<double>& q = {}) {
  Shape s = placed("box", at, q);
  s["size"] = to_list(size);
  return s;
}
Shape make_ball(double radius, const Vec3<double>& at) {
  Shape s = placed("sphere", at);
  s["radius"] = radius;
  return s;
}

// The turn that takes x to this direction.
Quaternion<double> turn_of_x(const Vec3<double>& direction) {
  const Vec3<double> x = normalised(direction);
  const Vec3<double> hint = std::fabs(x.z) < 0.9 ? Vec3<double>{0, 0, 1} : Vec3<double>{0, 1, 0};
  return quaternion(axes_from_x_and_z(x, hint));
}
Shape make_bar(const Vec3<double>& from, const Vec3<double>& to, double radius) {
  Shape s = placed("cylinder", 0.5 * (from + to), turn_of_x(to - from));
  s["radius"] = radius;
  s["length"] = norm(to - from);
  return s;
}

double ball_of_water(double mass) { return std::cbrt(0.75 * mass / (M_PI * 1000)); }

struct Box {
  Vec3<double> size;
  Quaternion<double> q;  // principal axes in the body's
};

// (1). What a body of no extent would lack is a hundredth of its largest side; of none at all, nothing.
Box find_box(const Body<double>& b) {
  const Sym3<double>& I = b.I_C_B;
  Eigen::Vector3d moments(I.xx, I.yy, I.zz);
  Box box;
  const double off = std::max({std::fabs(I.xy), std::fabs(I.xz), std::fabs(I.yz)});
  if (off > 1e-3 * trace(I)) {
    const Eigen::Matrix3d full =
        (Eigen::Matrix3d() << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz).finished();
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(full);
    if (principal.info() == Eigen::Success) {
      Eigen::Matrix3d R = principal.eigenvectors();
      // Each axis goes where the body's own axis is nearest, so that boxes stand as one expects.
      Eigen::Matrix3d sorted;
      Eigen::Vector3d by;
      std::array<bool, 3> taken{};
      for (int k = 0; k < 3; ++k) {
        int best = -1;
        for (int j = 0; j < 3; ++j)
          if (!taken[static_cast<std::size_t>(j)] &&
              (best < 0 || std::fabs(R(k, j)) > std::fabs(R(k, best))))
            best = j;
        taken[static_cast<std::size_t>(best)] = true;
        sorted.col(k) = (R(k, best) < 0 ? -1.0 : 1.0) * R.col(best);
        by(k) = principal.eigenvalues()(best);
      }
      if (sorted.determinant() < 0) sorted.col(2) = -sorted.col(2);
      const auto column = [&](int k) {
        return Vec3<double>{sorted(0, k), sorted(1, k), sorted(2, k)};
      };
      box.q = quaternion(Mat3<double>::columns(column(0), column(1), column(2)));
      moments = by;
    }
  }
  const double sum = moments.sum();
  const auto side = [&](int k) {
    return std::sqrt(std::max(6 * (sum - 2 * moments(k)) / b.mass, 0.0));
  };
  box.size = {side(0), side(1), side(2)};
  const double largest = std::max({box.size.x, box.size.y, box.size.z});
  if (!std::isfinite(largest)) return {{}, {}};
  for (double* s : {&box.size.x, &box.size.y, &box.size.z}) *s = std::max(*s, 0.01 * largest);
  return box;
}

Shape draw_solid(const Body<double>& b) {
  Shape shapes = Shape::array();
  const Box box = find_box(b);
  const double largest = std::max({box.size.x, box.size.y, box.size.z});
  const double arm = norm(b.r_CB_B);
  if (largest > 1e-9) {
    shapes.push_back(make_box(box.size, b.r_CB_B, box.q));
  } else {
    shapes.push_back(make_ball(ball_of_water(b.mass), b.r_CB_B));
  }
  // A mass far out on a joint hangs on something.
  if (!b.hub && arm > 0.75 * largest && arm > 1e-6)
    shapes.push_back(make_bar({}, b.r_CB_B, 0.02 * arm));
  return shapes;
}

Shape draw_panel(const Body<double>& b) {
  Box box = find_box(b);
  double* sides[] = {&box.size.x, &box.size.y, &box.size.z};
  std::sort(std::begin(sides), std::end(sides), [](double* a, double* c) { return *a < *c; });
  if (!(*sides[2] > 1e-9)) return draw_solid(b);
  *sides[0] = std::min(*sides[0], 0.03 * *sides[2]);
  return Shape::array({make_box(box.size, b.r_CB_B, box.q)});
}

Shape draw_wheel(const Body<double>& b) {
  const double r = std::sqrt(2 * b.I_C_B.zz / b.mass);  // (2)
  const double h = std::sqrt(std::max(12 * b.I_C_B.xx / b.mass - 3 * r * r, 0.0));
  const double thickness = std::clamp(h, 0.15 * r, r);
  return Shape::array({make_bar({0, 0, -0.5 * thickness}, {0, 0, 0.5 * thickness}, r)});
}

// To the next joint; the last one as far beyond its centre of mass as that is from its joint.
Shape draw_link(const Model<double>& model, int i) {
  const Body<double>& b = model.body(i);
  Vec3<double> end = 2.0 * b.r_CB_B;
  for (int k = i + 1; k < model.body_count(); ++k)
    if (model.body(k).parent == i && !model.body(k).hub) {
      end = model.body(k).r_FP_P;
      break;
    }
  const double length = norm(end), radius = std::clamp(0.05 * length, 0.01, 0.15);
  Shape shapes = Shape::array({make_ball(1.4 * radius, {})});
  if (length > 1e-6) shapes.push_back(make_bar({}, end, radius));
  return shapes;
}

Shape draw_as_asked(const std::vector<ShapeSpec>& asked) {
  Shape shapes = Shape::array();
  for (const ShapeSpec& s : asked) {
    Shape one = placed(std::string(s.kind.word()).c_str(), s.at,
                       quaternion_from_rotation_vector(s.rotation));
    if (s.kind == ShapeKind::box) {
      one["size"] = to_list(s.size);
    } else {
      one["radius"] = s.radius;
      if (s.kind == ShapeKind::cylinder) one["length"] = s.length;
    }
    shapes.push_back(one);
  }
  return shapes;
}

// How far the drawn bodies reach, for surfaces without end.
double find_extent(const Model<double>& model) {
  double extent = 1;
  for (int i = 1; i < model.body_count(); ++i) {
    const Body<double>& b = model.body(i);
    extent = std::max({extent, norm(b.r_CB_B), norm(b.r_FP_P), norm(find_box(b).size)});
  }
  return std::min(extent, 100.0);
}

// The probe is the body itself: no box is drawn inside.
bool is_ball(const Body<double>& b, const Port<double>& port, double radius) {
  return norm(port.r_PB_B - b.r_CB_B) < 0.1 * radius && norm(find_box(b).size) < 3 * radius;
}

void add_contact_shapes(const System<double>& system, std::vector<DrawnBody>& bodies) {
  const auto add = [&](const Port<double>& port, Shape shape) {
    shape["at"] = to_list(port.r_PB_B);
    shape["q"] = to_list(quaternion(port.R_BP));
    for (DrawnBody& b : bodies)
      if (b.body == port.body) {
        // Several contacts of one probe or wall show it once.
        if (std::find(b.shapes.begin(), b.shapes.end(), shape) == b.shapes.end())
          b.shapes.push_back(shape);
      }
  };
  const double extent = find_extent(system.model);
  for (const Contact<double>& c : system.contacts) {
    double reach = extent;
    if (const auto* cone = std::get_if<Cone<double>>(&c.surface)) {
      Shape s = placed("cone", {});
      s["half_angle"] = cone->half_angle;
      s["length"] = reach = cone->length;
      add(c.port_2, s);
    } else {
      const auto* plane = std::get_if<Plane<double>>(&c.surface);
      Shape s = placed("plane", {});
      s["size"] = plane ? 2 * plane->radius : 4 * extent;
      if (plane) reach = plane->radius;
      add(c.port_2, s);
    }
    if (const auto* capsule = std::get_if<CapsuleProbe<double>>(&c.probe)) {
      Shape s = placed("capsule", {});
      s["radius"] = capsule->radius;
      s["length"] = capsule->length;
      add(c.port_1, s);
    } else {
      const double radius = find_radius(c);
      for (DrawnBody& b : bodies)
        if (b.body == c.port_1.body && is_ball(system.model.body(b.body), c.port_1, radius) &&
            !b.is_asked)
          b.shapes = Shape::array();
      add(c.port_1, make_ball(radius > 0 ? radius : 0.02 * reach, {}));
    }
  }
}

}  // namespace

bool needs_ground(const System<double>& system) {
  const Model<double>& model = system.model;
  for (int i = 1; i < model.body_count(); ++i)
    if (model.body(i).parent == kGround && !model.body(i).hub) return true;
  for (const Contact<double>& c : system.contacts)
    if (c.port_1.body == kGround || c.port_2.body == kGround) return true;
  for (const Dock<double>& d : system.docks)
    if (d.port_1.body == kGround || d.port_2.body == kGround) return true;
  return false;
}

std::vector<DrawnBody> find_drawn_bodies(const Scenario& scenario, const System<double>& system) {
  const Model<double>& model = system.model;
  std::vector<DrawnBody> out;
  const auto add = [&](const std::string& name, const char* kind, int craft, Shape shapes) {
    out.push_back({name, kind, model.find_body(name), craft, std::move(shapes)});
  };
  const auto draw = [&](const std::string& name, const std::vector<ShapeSpec>& asked,
                        const auto& by_itself) {
    return asked.empty() ? by_itself(model.body(model.find_body(name))) : draw_as_asked(asked);
  };
  int craft = 0;
  for (const SpacecraftSpec& c : scenario.spacecraft) {
    add(c.name, "hub", craft, draw(c.name, c.shape, draw_solid));
    out.back().is_asked = !c.shape.empty();
    for (const ComponentSpec& part : c.component) {
      const std::string name = c.name + "." + part.name;
      if (const auto* arm = std::get_if<RobotArm<double>>(&part.part)) {
        for (std::size_t i = 1; i <= arm->link.size(); ++i) {
          const std::string link = fmt::format("{}.link{}", name, i);
          const bool is_asked = i == arm->link.size() && !part.shape.empty();
          add(link, "link", craft,
              is_asked ? draw_as_asked(part.shape) : draw_link(model, model.find_body(link)));
        }
      } else if (std::holds_alternative<ReactionWheel<double>>(part.part)) {
        add(name, "wheel", craft, draw(name, part.shape, draw_wheel));
      } else if (std::holds_alternative<HingedPanel<double>>(part.part)) {
        add(name, "panel", craft, draw(name, part.shape, draw_panel));
      } else if (std::holds_alternative<RigidPayload<double>>(part.part)) {
        add(name, "payload", craft, draw(name, part.shape, draw_solid));
      } else {
        add(name, "slosh", craft, draw(name, part.shape, [](const Body<double>& b) {
              return Shape::array({make_ball(ball_of_water(b.mass), b.r_CB_B)});
            }));
      }
    }
    ++craft;
  }
  // Bodies on one tree are one craft.
  std::map<int, int> trees;
  for (const FreeBodySpec& b : scenario.body) {
    const int root = model.root_of(model.find_body(b.name));
    const auto [tree, is_new] = trees.emplace(root, craft);
    craft += is_new ? 1 : 0;
    add(b.name, "body", tree->second, draw(b.name, b.shape, draw_solid));
    out.back().is_asked = !b.shape.empty();
  }
  if (needs_ground(system)) out.push_back({"ground", "body", kGround, craft, Shape::array()});
  add_contact_shapes(system, out);
  return out;
}

}  // namespace berth
