// SPDX-License-Identifier: Apache-2.0
#pragma once

// Problems — everything that is wrong with an input, collected so that it can be reported at once.
//
//   approach.toml:41:3  spacecraft.chaser.component.panel1.stifness — no such input of hinged_panel;
//                       did you mean "stiffness" [N·m/rad]?

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "berth/model/suggest.h"

namespace berth {

struct Place {
  int line = 0, column = 0;  // from 1; 0 = not in a file
  std::string file{};        // when it is not the scenario itself
};

struct Problem {
  enum Kind : unsigned char { wrong, unknown_key, missing_key };

  std::string file;
  Place place;
  std::string path;  // table.name.key
  std::string message;
  Kind kind = wrong;
  std::string meant{};  // of an unknown key: the input that was meant, where there is one like it
};

struct Problems {
  std::string file;
  std::vector<Problem> list;
  std::size_t left_out = 0;  // beyond `most`: nobody reads a thousand
  std::map<std::string, Place, std::less<>>
      places{};  // of every table and key read so far, the last of a name

  static constexpr std::size_t most = 200;

  void add(const Place& place, std::string path, std::string message,
           Problem::Kind kind = Problem::wrong, std::string_view meant = {}) {
    if (is_full()) return void(++left_out);
    const std::string& from = place.file.empty() ? file : place.file;
    list.push_back({from, place, std::move(path), std::move(message), kind, std::string(meant)});
  }
  // For what is found wrong later: the place of the path, or of the nearest table around it.
  void add(const std::string& path, std::string message);
  // Place of the path, or of the nearest table around it.
  Place place_around(std::string_view path) const;
  // "docking.toml:41", for what is reported later still.
  std::string where(std::string_view path) const;
  bool empty() const { return list.empty(); }
  bool is_full() const { return list.size() >= most; }
};

// One line of text per problem, without a line break.
std::string describe(const Problem& problem);

}  // namespace berth
