// SPDX-License-Identifier: Apache-2.0

// Contacts recorded: every probe on every surface, every law with every friction, every stage of a
// facility's loop gives the bits of double.

#include <gtest/gtest.h>

#include "berth/system/docks.h"
#include "tests/support/craft.h"
#include "tests/support/filled_part.h"
#include "tests/support/traced.h"

namespace berth::test::contacts_trace_test {
namespace {

template <class Part>
Part filled(Random& random) {
  Part part;
  fill_part(part, random);
  return part;
}

// Every part of a list with a number in each input.
template <class List>
auto all_of(Random& random) {
  std::vector<typename VariantOf<List>::type> all;
  for_each_type(List{}, [&]<class P>() { all.push_back(filled<P>(random)); });
  return all;
}

std::vector<typename VariantOf<Surfaces<double>>::type> all_surfaces(Random& random) {
  auto all = all_of<Surfaces<double>>(random);
  all[0] = Cone<double>{0.6, 0.5, 0.0};
  all.push_back(Cone<double>{0.6, 0.5, 0.03});
  return all;
}

Contact<double> plain_contact(Random& random) {
  Contact<double> c;
  c.name = "probe";
  c.port_1 = {1, random.vector(0.7), random.rotation()};
  c.port_2 = {2, random.vector(0.7), random.rotation()};
  c.probe = CapsuleProbe<double>{0.02, 0.3};
  c.surface = Cone<double>{0.6, 0.5, 0.0};
  c.law = filled<SpringDashpot<double>>(random);
  c.friction = filled<Coulomb<double>>(random);
  return c;
}

// Two tumbling hubs, the probe some centimetres from the port of the surface.
System<double> build_pair(const Contact<double>& contact, Random& random) {
  System<double> system;
  BodySpec<double> hub[2];
  for (int k = 0; k < 2; ++k) {
    hub[k] = hub_spec<double>(k == 0 ? "chaser" : "target", 50, random.inertia(20));
    const Quaternion<double> q = canonical(random.quaternion());
    hub[k].q = {0, 0, 0, q.w, q.x, q.y, q.z};
    for (int i = 0; i < 6; ++i) hub[k].v.push_back(random.number(-0.1, 0.1));
  }
  const auto attitude = [&](int k) {
    const std::vector<double>& q = hub[k].q;
    return rotation_matrix(Quaternion<double>{q[3], q[4], q[5], q[6]});
  };
  const Vec3<double> r =
      attitude(1) * (contact.port_2.r_PB_B +
                     contact.port_2.R_BP * (Vec3<double>{0.1, 0, 0} + random.vector(0.1))) -
      attitude(0) * contact.port_1.r_PB_B;
  for (std::size_t i = 0; i < 3; ++i) hub[0].q[i] = r[static_cast<int>(i)];
  for (const BodySpec<double>& h : hub) system.model.add_body(h);
  system.add_contact(contact);
  return system;
}

std::string find_difference(const Contact<double>& contact, Grip grip, bool sliding = false) {
  Random random(5);
  const System<double> system = build_pair(contact, random);
  Situation at = starting_situation(system);
  ContactMode<double>& mode = at.mode.contacts.front();
  mode.now = mode.then = grip;
  mode.sliding = sliding;
  mode.heading = random.direction();
  Workspace<double> w(system);
  choose_rows(system, at.t, at.x, at.mode, w);
  return find_traced_difference(system, at);
}

constexpr Grip kGrips[] = {{false, false}, {true, false}, {true, true}};

TEST(ContactConformance, TheTraceOfEveryProbeOnEverySurfaceGivesTheBitsOfDouble) {
  Random random(1);
  for (const auto& surface : all_surfaces(random))
    for (const auto& probe : all_of<Probes<double>>(random))
      for (const Grip& grip : kGrips) {
        Contact<double> c = plain_contact(random);
        c.surface = surface;
        c.probe = probe;
        EXPECT_EQ(find_difference(c, grip), "")
            << "surface " << surface.index() << ", probe " << probe.index();
      }
}

TEST(ContactConformance, TheTraceOfEveryLawWithEveryFrictionGivesTheBitsOfDouble) {
  Random random(2);
  for (const auto& law : all_of<ContactLaws<double>>(random))
    for (const auto& friction : all_of<Frictions<double>>(random))
      for (const auto& surface : all_surfaces(random))
        for (const Grip& grip : kGrips) {
          Contact<double> c = plain_contact(random);
          c.probe = SphereProbe<double>{0.05};
          c.surface = surface;
          c.law = law;
          c.friction = friction;
          EXPECT_EQ(find_difference(c, grip), "")
              << "law " << law.index() << ", friction " << friction.index() << ", surface "
              << surface.index();
        }
}

// The probe of an impact at rest: it rolls, sticks or slides.
TEST(ContactConformance, TheTraceOfARestGivesTheBitsOfDouble) {
  Random random(3);
  for (const double friction : {0.0, 0.4})
    for (const bool sliding : {false, true})
      for (const Grip& grip : kGrips) {
        Contact<double> c = plain_contact(random);
        c.probe = SphereProbe<double>{0.05};
        c.surface = HalfSpace<double>{};
        Impact<double> law;
        law.friction = friction;
        c.law = law;
        EXPECT_EQ(find_difference(c, {grip.touching, grip.sticking && friction > 0 && !sliding},
                                  sliding && grip.touching && friction > 0),
                  "")
            << friction << ", sliding " << sliding;
      }
}

TEST(ContactConformance, TheTraceOfEveryLoopGivesTheBitsOfDouble) {
  Random random(4);
  const auto examine = [&](const std::string& what, auto&& change) {
    for (const bool along_normal : {false, true})
      for (const bool adhesive : {false, true})
        for (const Grip& grip : kGrips) {
          Contact<double> c = plain_contact(random);
          c.friction = filled<Stick<double>>(random);
          c.along_normal = along_normal;
          c.adhesive = adhesive;
          change(c);
          EXPECT_EQ(find_difference(c, grip), "") << what;
        }
  };
  const auto lag = [](Contact<double>& c) { c.robot_frequency = 50, c.robot_damping = 0.7; };
  const auto filter = [](Contact<double>& c) { c.filter_time = 0.01; };
  examine("lag", lag);
  examine("filter", filter);
  examine("samples", [](Contact<double>& c) { c.sample_time = 0.1; });
  examine("delay", [](Contact<double>& c) { c.delay = 0.1; });
  examine("all", [&](Contact<double>& c) {
    lag(c), filter(c);
    c.sample_time = 0.1, c.delay = 0.05;
  });
  for (const auto& compensation : all_of<Compensations<double>>(random)) {
    examine("compensated delay", [&](Contact<double>& c) {
      c.compensation = compensation;
      c.delay = 0.1;
    });
    examine("compensated samples", [&](Contact<double>& c) {
      c.compensation = compensation;
      c.sample_time = 0.1;
    });
  }
}

}  // namespace
}  // namespace berth::test::contacts_trace_test
