// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reference — the reference numbers of papers/PAPER/numbers.toml by name, so that none stands twice.
//
//   const Reference ref("contact");
//   EXPECT_NEAR(t, ref("touch"), 1e-9);
//   EXPECT_LT(norm(point - ref.vector("touch.point")), 1e-8);

#include <string>
#include <vector>

#include "berth/math/vec3.h"

namespace berth::test {

class Reference {
 public:
  explicit Reference(std::string paper) : paper_(std::move(paper)) {}

  // Throws std::runtime_error for a name that is not there, or has another count of numbers.
  double operator()(const std::string& name) const { return find(name, 1)[0]; }
  Vec3<double> vector(const std::string& name) const {
    const std::vector<double>& v = find(name, 3);
    return {v[0], v[1], v[2]};
  }
  const std::vector<double>& find(const std::string& name, std::size_t count) const;

 private:
  std::string paper_;
};

}  // namespace berth::test
