// SPDX-License-Identifier: Apache-2.0
#pragma once

// Six-dimensional vectors and the inertia between them, in inertial axes N about a point P.
//
//   Motion6   (α, a)   angular, then linear acceleration (or velocity) of the body point at P
//   Wrench    (n, f)   torque about P, force
//
// Accelerations are those of a body-fixed point ("classical"), not spatial ones: velocity then
// enters only through ω, and adding a constant velocity to the world changes no bit of the forces.
//
//   articulated inertia   [ n ]   [ I   H ] [ α ]
//                         [ f ] = [ Hᵀ  M ] [ a ]                                              (1)
//   of a rigid body, c.m. at c:  I = I_C − m[c]²,  H = m[c],  M = m 1                           (2)
//
// Moved from P to Q with r = r_PQ (P seen from Q), so that α is shared and a_P = a_Q + α × r:
//
//   M′ = M,   H′ = H + [r]M,   I′ = I + [r]Hᵀ − H′[r]                                           (3)
//   f′ = f,   n′ = n + r × f                                                                   (4)

#include "berth/math/vec3.h"

namespace berth {

template <class T>
struct Motion6 {
  Vec3<T> angular, linear;
};

template <class T>
struct Wrench {
  Vec3<T> torque, force;

  BERTH_INLINE Wrench& operator+=(const Wrench& b) {
    return torque += b.torque, force += b.force, *this;
  }
  BERTH_INLINE Wrench& operator-=(const Wrench& b) {
    return torque -= b.torque, force -= b.force, *this;
  }
};

template <class T>
BERTH_INLINE Wrench<T> operator-(const Wrench<T>& w) {
  return {-w.torque, -w.force};
}
template <class T>
BERTH_INLINE Wrench<T> operator+(const Wrench<T>& a, const Wrench<T>& b) {
  return {a.torque + b.torque, a.force + b.force};
}
template <class T>
BERTH_INLINE T power(const Wrench<T>& w, const Motion6<T>& v) {
  return dot(w.torque, v.angular) + dot(w.force, v.linear);
}
// (4)
template <class T>
BERTH_INLINE Wrench<T> shift(const Wrench<T>& w, const Vec3<T>& r_PQ) {
  return {w.torque + cross(r_PQ, w.force), w.force};
}
template <class T>
BERTH_INLINE Motion6<T> shift(const Motion6<T>& m, const Vec3<T>& r_PQ) {
  return {m.angular, m.linear + cross(m.angular, r_PQ)};
}

// In other axes; back from them.
template <class T>
BERTH_INLINE Wrench<T> rotate(const Mat3<T>& R, const Wrench<T>& w) {
  return {R * w.torque, R * w.force};
}
template <class T>
BERTH_INLINE Motion6<T> rotate(const Mat3<T>& R, const Motion6<T>& m) {
  return {R * m.angular, R * m.linear};
}
template <class T>
BERTH_INLINE Wrench<T> rotate_back(const Mat3<T>& R, const Wrench<T>& w) {
  return {transposed_times(R, w.torque), transposed_times(R, w.force)};
}
template <class T>
BERTH_INLINE Motion6<T> rotate_back(const Mat3<T>& R, const Motion6<T>& m) {
  return {transposed_times(R, m.angular), transposed_times(R, m.linear)};
}

template <class T>
struct Inertia6 {
  Sym3<T> I;
  Mat3<T> H;
  Sym3<T> M;

  BERTH_INLINE Inertia6& operator+=(const Inertia6& b) {
    I += b.I;
    H = H + b.H;
    M += b.M;
    return *this;
  }
};

// (2)
template <class T>
BERTH_INLINE Inertia6<T> rigid_inertia(const T& m, const Vec3<T>& c, const Sym3<T>& I_C) {
  return {I_C + point_inertia(m, c), cross_matrix(m * c), Sym3<T>::diagonal(m)};
}

// A += the inertia of a rigid body whose c.m. is at r, seen from A's point; of a point mass without I_C.
template <class T>
BERTH_INLINE void add_point(Inertia6<T>& A, const T& m, const Vec3<T>& r) {
  const Vec3<T> mr = m * r;
  A.I += point_inertia(m, r);
  A.H.xy -= mr.z, A.H.xz += mr.y, A.H.yx += mr.z;
  A.H.yz -= mr.x, A.H.zx -= mr.y, A.H.zy += mr.x;
  A.M.xx += m, A.M.yy += m, A.M.zz += m;
}
template <class T>
BERTH_INLINE void add_rigid(Inertia6<T>& A, const T& m, const Vec3<T>& r, const Sym3<T>& I_C) {
  add_point(A, m, r);
  A.I += I_C;
}
// The wrench that turns it about an axis a through the point, at 1 rad/s².
template <class T>
BERTH_INLINE Wrench<T> turn_rigid(const T& m, const Vec3<T>& r, const Sym3<T>& I_C,
                                  const Vec3<T>& a) {
  const Vec3<T> f = m * cross(a, r);
  return {I_C * a + cross(r, f), f};
}
// A −= U Uᵀ / D
template <class T>
BERTH_INLINE void subtract_outer(Inertia6<T>& A, const Wrench<T>& U, const T& D_inv) {
  const Vec3<T> n = D_inv * U.torque, f = D_inv * U.force;
  A.I = A.I - Sym3<T>{n.x * U.torque.x, n.y * U.torque.y, n.z * U.torque.z,
                      n.x * U.torque.y, n.x * U.torque.z, n.y * U.torque.z};
  A.H = A.H - outer(n, U.force);
  A.M = A.M - Sym3<T>{f.x * U.force.x, f.y * U.force.y, f.z * U.force.z,
                      f.x * U.force.y, f.x * U.force.z, f.y * U.force.z};
}

// (1)
template <class T>
BERTH_INLINE Wrench<T> operator*(const Inertia6<T>& A, const Motion6<T>& m) {
  return {A.I * m.angular + A.H * m.linear, transposed_times(A.H, m.angular) + A.M * m.linear};
}

// (3). I′ is symmetric; only its six numbers are formed.
template <class T>
BERTH_INLINE Inertia6<T> shift(const Inertia6<T>& A, const Vec3<T>& r) {
  const Mat3<T> H = A.H + cross(r, A.M);
  const Mat3<T>& h = A.H;
  // X = [r]Hᵀ and Y = −H′[r], diagonal and upper triangle.
  const T Xxx = r.y * h.xz - r.z * h.xy, Yxx = r.y * H.xz - r.z * H.xy;
  const T Xyy = r.z * h.yx - r.x * h.yz, Yyy = r.z * H.yx - r.x * H.yz;
  const T Xzz = r.x * h.zy - r.y * h.zx, Yzz = r.x * H.zy - r.y * H.zx;
  const T Xxy = r.y * h.yz - r.z * h.yy, Yxy = r.z * H.xx - r.x * H.xz;
  const T Xxz = r.y * h.zz - r.z * h.zy, Yxz = r.x * H.xy - r.y * H.xx;
  const T Xyz = r.z * h.zx - r.x * h.zz, Yyz = r.x * H.yy - r.y * H.yx;
  return {{A.I.xx + (Xxx + Yxx), A.I.yy + (Xyy + Yyy), A.I.zz + (Xzz + Yzz), A.I.xy + (Xxy + Yxy),
           A.I.xz + (Xxz + Yxz), A.I.yz + (Xyz + Yyz)},
          H,
          A.M};
}

template <class T>
BERTH_INLINE Inertia6<T> rotate(const Mat3<T>& R, const Inertia6<T>& A) {
  return {rotate(R, A.I), (R * A.H) * transpose(R), rotate(R, A.M)};
}

// A m = w by blocks: M first, then the Schur complement S = I − H M⁻¹ Hᵀ.
template <class T>
struct Inertia6Factor {
  Mat3<T> H;
  Vec3<T> g0, g1, g2;  // rows of H M⁻¹
  Sym3Factor<T> M, S;

  Inertia6Factor() = default;
  BERTH_INLINE explicit Inertia6Factor(const Inertia6<T>& A) : H(A.H), M(A.M) {
    const Vec3<T> h0{H.xx, H.xy, H.xz}, h1{H.yx, H.yy, H.yz}, h2{H.zx, H.zy, H.zz};
    g0 = M.solve(h0), g1 = M.solve(h1), g2 = M.solve(h2);
    S = Sym3Factor<T>({A.I.xx - dot(h0, g0), A.I.yy - dot(h1, g1), A.I.zz - dot(h2, g2),
                       A.I.xy - dot(h0, g1), A.I.xz - dot(h0, g2), A.I.yz - dot(h1, g2)});
  }
  BERTH_INLINE Motion6<T> solve(const Wrench<T>& w) const {
    const Vec3<T> n{w.torque.x - dot(g0, w.force), w.torque.y - dot(g1, w.force),
                    w.torque.z - dot(g2, w.force)};
    const Vec3<T> alpha = S.solve(n);
    return {alpha, M.solve(w.force - transposed_times(H, alpha))};
  }
};

template <class T>
BERTH_INLINE Motion6<T> solve(const Inertia6<T>& A, const Wrench<T>& w) {
  return Inertia6Factor<T>(A).solve(w);
}

}  // namespace berth
