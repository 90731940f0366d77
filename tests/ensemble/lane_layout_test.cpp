// SPDX-License-Identifier: Apache-2.0

// Lists into lane layout and back: every number at its place, also of odd counts and of lanes left empty.

#include "berth/ensemble/lane_layout.h"

#include <vector>

#include <gtest/gtest.h>

namespace berth::test::lane_layout_test {
namespace {

double number_of(std::size_t lane, std::size_t i) { return static_cast<double>(100 * lane + i); }

TEST(LaneLayout, HasEveryNumberAtItsPlaceAndGivesItBack) {
  for (const std::size_t lanes : {1u, 2u, 4u, 8u})
    for (std::size_t count = 0; count < 10; ++count) {
      std::vector<std::vector<double>> lists(lanes);
      std::vector<const double*> from;
      for (std::size_t l = 0; l < lanes; ++l) {
        for (std::size_t i = 0; i < count; ++i) lists[l].push_back(number_of(l, i));
        from.push_back(lists[l].data());
      }
      std::vector<double> laid(lanes * count);
      put_in_lanes(from, count, laid.data());
      for (std::size_t l = 0; l < lanes; ++l)
        for (std::size_t i = 0; i < count; ++i)
          EXPECT_EQ(laid[i * lanes + l], number_of(l, i)) << lanes << " " << count;
      for (std::size_t some = 1; some <= lanes; ++some) {
        std::vector<std::vector<double>> back(some, std::vector<double>(count + 1, -1));
        std::vector<double*> to;
        for (std::vector<double>& list : back) to.push_back(list.data());
        take_from_lanes(laid.data(), count, lanes, to);
        for (std::size_t l = 0; l < some; ++l) {
          for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(back[l][i], number_of(l, i));
          EXPECT_EQ(back[l][count], -1) << "beyond the end";
        }
      }
    }
}

}  // namespace
}  // namespace berth::test::lane_layout_test
