// SPDX-License-Identifier: Apache-2.0
#pragma once

// Vectors, matrices and symmetric matrices of three dimensions on any Scalar.
//
// Small on purpose: the inner mechanics needs these few operations, always inlined, and nothing of
// a general library (Eigen is three times slower here). Dense work outside the
// derivative goes to Eigen.

#include "berth/scalar/scalar.h"

namespace berth {

template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  BERTH_INLINE T& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  BERTH_INLINE const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  BERTH_INLINE Vec3& operator+=(const Vec3& b) { return x += b.x, y += b.y, z += b.z, *this; }
  BERTH_INLINE Vec3& operator-=(const Vec3& b) { return x -= b.x, y -= b.y, z -= b.z, *this; }
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

template <class T>
BERTH_INLINE Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
BERTH_INLINE Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
BERTH_INLINE Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
BERTH_INLINE Vec3<T> operator*(const T& s, const Vec3<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
requires(!std::same_as<T, double>) BERTH_INLINE Vec3<T>
operator*(double s, const Vec3<T>& a) { return {s * a.x, s * a.y, s * a.z}; }
template <class T>
BERTH_INLINE T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
BERTH_INLINE Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
BERTH_INLINE T norm_squared(const Vec3<T>& a) {
  return dot(a, a);
}
template <class T>
BERTH_INLINE T norm(const Vec3<T>& a) {
  return sqrt(norm_squared(a));
}
template <class T>
BERTH_INLINE Vec3<T> normalised(const Vec3<T>& a) {
  return (1.0 / norm(a)) * a;
}

// Row-major 3×3.
template <class T>
struct Mat3 {
  T xx{}, xy{}, xz{};
  T yx{}, yy{}, yz{};
  T zx{}, zy{}, zz{};

  BERTH_INLINE static Mat3 identity() { return {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}; }
  BERTH_INLINE static Mat3 columns(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
    return {a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z};
  }
  BERTH_INLINE Vec3<T> column_x() const { return {xx, yx, zx}; }
  BERTH_INLINE Vec3<T> column_y() const { return {xy, yy, zy}; }
  BERTH_INLINE Vec3<T> column_z() const { return {xz, yz, zz}; }
  friend bool operator==(const Mat3&, const Mat3&) = default;
};

template <class T>
BERTH_INLINE Vec3<T> operator*(const Mat3<T>& m, const Vec3<T>& v) {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.yx * v.x + m.yy * v.y + m.yz * v.z,
          m.zx * v.x + m.zy * v.y + m.zz * v.z};
}
// mᵀ v without forming the transpose.
template <class T>
BERTH_INLINE Vec3<T> transposed_times(const Mat3<T>& m, const Vec3<T>& v) {
  return {m.xx * v.x + m.yx * v.y + m.zx * v.z, m.xy * v.x + m.yy * v.y + m.zy * v.z,
          m.xz * v.x + m.yz * v.y + m.zz * v.z};
}
template <class T>
BERTH_INLINE Mat3<T> operator*(const Mat3<T>& a, const Mat3<T>& b) {
  return {a.xx * b.xx + a.xy * b.yx + a.xz * b.zx, a.xx * b.xy + a.xy * b.yy + a.xz * b.zy,
          a.xx * b.xz + a.xy * b.yz + a.xz * b.zz, a.yx * b.xx + a.yy * b.yx + a.yz * b.zx,
          a.yx * b.xy + a.yy * b.yy + a.yz * b.zy, a.yx * b.xz + a.yy * b.yz + a.yz * b.zz,
          a.zx * b.xx + a.zy * b.yx + a.zz * b.zx, a.zx * b.xy + a.zy * b.yy + a.zz * b.zy,
          a.zx * b.xz + a.zy * b.yz + a.zz * b.zz};
}
template <class T>
BERTH_INLINE Mat3<T> operator+(const Mat3<T>& a, const Mat3<T>& b) {
  return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yx + b.yx, a.yy + b.yy,
          a.yz + b.yz, a.zx + b.zx, a.zy + b.zy, a.zz + b.zz};
}
template <class T>
BERTH_INLINE Mat3<T> operator-(const Mat3<T>& a, const Mat3<T>& b) {
  return {a.xx - b.xx, a.xy - b.xy, a.xz - b.xz, a.yx - b.yx, a.yy - b.yy,
          a.yz - b.yz, a.zx - b.zx, a.zy - b.zy, a.zz - b.zz};
}
template <class T>
BERTH_INLINE Mat3<T> operator*(const T& s, const Mat3<T>& m) {
  return {s * m.xx, s * m.xy, s * m.xz, s * m.yx, s * m.yy, s * m.yz, s * m.zx, s * m.zy, s * m.zz};
}
template <class T>
BERTH_INLINE Mat3<T> transpose(const Mat3<T>& m) {
  return {m.xx, m.yx, m.zx, m.xy, m.yy, m.zy, m.xz, m.yz, m.zz};
}
// [v]: the matrix of v × ·
template <class T>
BERTH_INLINE Mat3<T> cross_matrix(const Vec3<T>& v) {
  return {0.0, -v.z, v.y, v.z, 0.0, -v.x, -v.y, v.x, 0.0};
}
// [v] m: the columns of m crossed from the left.
template <class T>
BERTH_INLINE Mat3<T> cross(const Vec3<T>& v, const Mat3<T>& m) {
  return {v.y * m.zx - v.z * m.yx, v.y * m.zy - v.z * m.yy, v.y * m.zz - v.z * m.yz,
          v.z * m.xx - v.x * m.zx, v.z * m.xy - v.x * m.zy, v.z * m.xz - v.x * m.zz,
          v.x * m.yx - v.y * m.xx, v.x * m.yy - v.y * m.xy, v.x * m.yz - v.y * m.xz};
}

// Symmetric 3×3.
template <class T>
struct Sym3 {
  T xx{}, yy{}, zz{}, xy{}, xz{}, yz{};

  BERTH_INLINE static Sym3 diagonal(const T& a, const T& b, const T& c) {
    return {a, b, c, 0.0, 0.0, 0.0};
  }
  BERTH_INLINE static Sym3 diagonal(const T& a) { return diagonal(a, a, a); }
  BERTH_INLINE Sym3& operator+=(const Sym3& b) {
    xx += b.xx, yy += b.yy, zz += b.zz, xy += b.xy, xz += b.xz, yz += b.yz;
    return *this;
  }
  friend bool operator==(const Sym3&, const Sym3&) = default;
};

template <class T>
BERTH_INLINE Sym3<T> operator+(const Sym3<T>& a, const Sym3<T>& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
template <class T>
BERTH_INLINE Sym3<T> operator-(const Sym3<T>& a, const Sym3<T>& b) {
  return {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
}
template <class T>
BERTH_INLINE Sym3<T> operator*(const T& s, const Sym3<T>& a) {
  return {s * a.xx, s * a.yy, s * a.zz, s * a.xy, s * a.xz, s * a.yz};
}
template <class T>
BERTH_INLINE Vec3<T> operator*(const Sym3<T>& m, const Vec3<T>& v) {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
          m.xz * v.x + m.yz * v.y + m.zz * v.z};
}
// [v] s
template <class T>
BERTH_INLINE Mat3<T> cross(const Vec3<T>& v, const Sym3<T>& s) {
  return {v.y * s.xz - v.z * s.xy, v.y * s.yz - v.z * s.yy, v.y * s.zz - v.z * s.yz,
          v.z * s.xx - v.x * s.xz, v.z * s.xy - v.x * s.yz, v.z * s.xz - v.x * s.zz,
          v.x * s.xy - v.y * s.xx, v.x * s.yy - v.y * s.xy, v.x * s.yz - v.y * s.xz};
}
template <class T>
BERTH_INLINE Mat3<T> full(const Sym3<T>& s) {
  return {s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz};
}
// a aᵀ
template <class T>
BERTH_INLINE Sym3<T> outer(const Vec3<T>& a) {
  return {a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.x * a.z, a.y * a.z};
}
// a bᵀ
template <class T>
BERTH_INLINE Mat3<T> outer(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y,
          a.y * b.z, a.z * b.x, a.z * b.y, a.z * b.z};
}
template <class T>
BERTH_INLINE T trace(const Sym3<T>& s) {
  return s.xx + s.yy + s.zz;
}
// R s Rᵀ: a symmetric matrix in other axes.
template <class T>
BERTH_INLINE Sym3<T> rotate(const Mat3<T>& R, const Sym3<T>& s) {
  const Vec3<T> a = s * Vec3<T>{R.xx, R.xy, R.xz};
  const Vec3<T> b = s * Vec3<T>{R.yx, R.yy, R.yz};
  const Vec3<T> c = s * Vec3<T>{R.zx, R.zy, R.zz};
  return {R.xx * a.x + R.xy * a.y + R.xz * a.z, R.yx * b.x + R.yy * b.y + R.yz * b.z,
          R.zx * c.x + R.zy * c.y + R.zz * c.z, R.yx * a.x + R.yy * a.y + R.yz * a.z,
          R.zx * a.x + R.zy * a.y + R.zz * a.z, R.zx * b.x + R.zy * b.y + R.zz * b.z};
}
// −m [r]² = m (|r|² 1 − r rᵀ): the inertia of a point mass at r.
template <class T>
BERTH_INLINE Sym3<T> point_inertia(const T& m, const Vec3<T>& r) {
  const Vec3<T> mr = m * r;
  const T xx = mr.x * r.x, yy = mr.y * r.y, zz = mr.z * r.z;
  return {yy + zz, xx + zz, xx + yy, -(mr.x * r.y), -(mr.x * r.z), -(mr.y * r.z)};
}

// s⁻¹ b for a positive definite s, by L D Lᵀ.
template <class T>
struct Sym3Factor {
  T d0, d1, d2;  // 1/D
  T l10, l20, l21;

  Sym3Factor() = default;
  BERTH_INLINE explicit Sym3Factor(const Sym3<T>& s) {
    d0 = 1.0 / s.xx;
    l10 = s.xy * d0;
    l20 = s.xz * d0;
    d1 = 1.0 / (s.yy - l10 * s.xy);
    const T y21 = s.yz - l20 * s.xy;
    l21 = y21 * d1;
    d2 = 1.0 / (s.zz - l20 * s.xz - l21 * y21);
  }
  BERTH_INLINE Vec3<T> solve(const Vec3<T>& b) const {
    const T y1 = b.y - l10 * b.x;
    const T y2 = b.z - l20 * b.x - l21 * y1;
    const T z = y2 * d2;
    const T y = y1 * d1 - l21 * z;
    return {b.x * d0 - l10 * y - l20 * z, y, z};
  }
};

}  // namespace berth
