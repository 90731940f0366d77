// SPDX-License-Identifier: Apache-2.0
#pragma once

// Moser–Veselov steps of a forest: a mechanics of its own for finite steps, of second order, that
// keeps momentum and has no drift of energy.
//
// The action of a step is that of pseudo-inertias between two poses T of each body,
//
//   L_d = Σ tr(ΔT M ΔTᵀ)/(2h) − (h/2)(V_k + V_{k+1}),   M = [Σ, m c; m cᵀ, m],                 (1)
//   Σ = ½ tr(I_C) 1 − I_C + m c cᵀ
//
// so that a body has one momentum per step, μ = wedge(D M T_kᵀ) with D = ΔT/h, about the origin of N.
// With p the momenta at the nodes and v̄ the speeds of the step (q_{k+1} = q_k ⊕ h v̄, attitudes by
// Cayley's map):
//
//   S(q_k)ᵀ Σ μ     = p_k + (h/2) f(q_k, v̄)                     solved for v̄                   (2)
//   p_{k+1}         = S(q_{k+1})ᵀ Σ μ + (h/2) f(q_{k+1}, v̄)                                    (3)
//
// the sums over everything outboard of a joint. The momentum of a whole free tree is carried, not
// summed: P_{k+1} = P_k + (h/2)(W_k + W_{k+1}), in free space not one bit of it changes. D is built
// from sines of half angles, not from differences of poses.
//
// Docks add C(q_k)ᵀλ to (2) so that they are closed at q_{k+1} (RATTLE); the run projects the
// speeds at the node, which is the other half.
//
// (2) is solved with the mass matrix half way for a slope, which misses the true one by O(h²) and by
// what dampers add, and is mended after every try along the way just made (Broyden): two to four
// solutions of the trees, in O(n) each.

#include <array>

#include "berth/system/docks.h"

namespace berth {

class MoserVeselov {
 public:
  explicit MoserVeselov(const System<double>& system);

  // Momenta from the speeds in x; those of free trees stay as carried where only rounding differs.
  void set_momenta(const System<double>& system, std::span<const double> x);
  // A step of h from x at t, which becomes the state after it. False when (2) has no solution that
  // Newton finds: a step too long for its forces.
  bool advance(const System<double>& system, const Mode<double>& mode, double t, double h,
               std::span<double> x);

  // What a step begins with besides x: to go back there.
  struct Momenta {
    std::vector<double> p, v;             // of joints; the speeds that are guessed
    std::vector<Wrench<double>> carried;  // of free trees, by hub
    // Speeds v̄ of the last steps, newest first, and how many of them were of one length h.
    std::array<std::vector<double>, 3> last;
    double h = 0;
    int alike = 0;

    static void visit_state(auto& a, auto& self) {
      auto& [p, v, carried, last, h, alike] = self;
      a(p, v, carried, last, h, alike);
    }
  };
  const Momenta& momenta() const { return m_; }
  void restore(const Momenta& momenta) { m_ = momenta; }

  // [J] Σ ½ tr(D M Dᵀ) of the last step: with the mean of V the energy that goes with (1).
  double find_kinetic(const System<double>& system) const;

  std::uint64_t evaluations() const { return evaluations_; }

  // The rest is scratch of one step.
  static void visit_state(auto& a, auto& self) {
    a(self.m_, self.grounded_, self.evaluations_);
    a.check(self.fits(self.m_), "momenta of other bodies");
  }
  bool fits(const Momenta& m) const {
    const std::size_t n = zero_.size();
    return m.p.size() == n && m.v.size() == n && m.carried.size() == segments_.size() &&
           m.last[0].size() == n && m.last[1].size() == n && m.last[2].size() == n;
  }

 private:
  struct Segment {
    Mat3<double> D;
    Vec3<double> d;
    Wrench<double> mu,
        sum;  // its momentum; and what is summed outboard of it, both about N's origin
  };

  void find_forces(const System<double>& system, const Mode<double>& mode, double t,
                   std::span<const double> x);
  void find_segments(const Model<double>& model, std::span<const double> q, double h);
  template <class Add>
  void gather(const Model<double>& model, Add&& add);
  Wrench<double> half_kick(int body, double h) const;
  void factor_rows(const System<double>& system, const Mode<double>& mode);
  void close_docks(const System<double>& system, const Mode<double>& mode, double t, double h,
                   std::span<const double> x);
  void move_orbit(const System<double>& system, double h, std::span<double> x);
  void mend_step(std::size_t tries);
  void guess_next(double h, std::span<const double> v);

  Workspace<double> w_;
  Motion<double> still_;  // without speeds: where trees are solved
  std::vector<double> zero_, middle_;
  std::vector<Sym3<double>> sigma_;
  std::vector<Segment> segments_;
  Effort<double> push_;
  Articulated<double> work_;
  Momenta m_;
  std::vector<double> delta_;  // of v̄
  // Of the last tries: how v̄ moved, and the squares of it.
  std::vector<std::vector<double>> moves_;
  std::vector<double> squares_;
  // Docks: how the step would end, and the impulses that close them there, about the origin of N.
  Workspace<double> next_;
  std::vector<double> x_next_;
  std::vector<Wrench<double>> hold_;
  std::vector<double> rates_, rates_after_;
  bool grounded_ = false;  // a tree stands on the ground
  std::uint64_t evaluations_ = 0;
};

}  // namespace berth
