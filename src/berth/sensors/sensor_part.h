// SPDX-License-Identifier: Apache-2.0
#pragma once

// SensorPart — what every sensor states, and what most have nothing to say about.
//
//   readings                    what it measures, each a number or a vector of three
//   measure(now, out)           all readings without noise, one after the other, for any scalar
//   sample(now, k, z, out)      the k-th reading as it really comes, in double: with noise; false: none
//                               comes (out of sight, dropped)
//   axes_name()                 the axes its vectors are in
//   state_count()               numbers z it keeps from sample to sample
//
// With sample_time = 0 a sensor is ideal: its readings are measure() at every instant. Else it samples
// once per period, a reading arrives `latency` later and is held until the next one; `valid` is 0 while
// the last sample gave none. Random numbers are functions of (seed, k, axis): no reading depends on
// another, nor on who asks.

#include <array>
#include <string>
#include <string_view>

#include "berth/math/philox.h"
#include "berth/model/elements.h"
#include "berth/model/fields.h"
#include "berth/model/findings.h"

namespace berth {

struct Reading {
  std::string_view name;
  int size;  // 1 or 3
  Unit unit;
  std::string_view about;
};

struct SensorPart : NamedPart {
  int state_count() const { return 0; }

 protected:
  static void check_sampling(double sample_time, double latency, bool is_disturbed,
                             Findings& findings) {
    if (latency > 0 && !(sample_time > 0))
      findings.add("latency", shown(latency) + " s needs a sample_time");
    if (is_disturbed && !(sample_time > 0))
      findings.add("sample_time", "noise, dropouts and limits of sight need a sample_time");
  }
  static void check_dropout(double dropout, Findings& findings) {
    if (dropout > 1) findings.add("dropout", shown(dropout) + " is no probability: 0 to 1");
  }
};

// Numbers of all readings; where one of them begins, −1 for none; with `valid` after them.
template <class Sensor>
constexpr int count_numbers() {
  int n = 0;
  for (const Reading& r : Sensor::readings) n += r.size;
  return n;
}
template <class Sensor>
constexpr int find_reading(std::string_view name, int size) {
  int first = 0;
  for (const Reading& r : Sensor::readings) {
    if (r.name == name && r.size == size) return first;
    first += r.size;
  }
  return -1;
}
template <class Sensor>
constexpr int count_outputs() {
  return count_numbers<Sensor>() + 1;
}

}  // namespace berth
