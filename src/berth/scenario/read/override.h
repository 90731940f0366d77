// SPDX-License-Identifier: Apache-2.0
#pragma once

// --set table.name.key=VALUE: a change to a scenario's tables before they are read.
//
// Members of a list are found by their `name`, the components of a vector the file gives by their
// letter (state.omega_BN_B.x; of a quaternion w, x, y, z). Tables that the file leaves out are made; whether the
// key means anything is found out by the reader, like any key of the file. VALUE is written as in
// TOML; a bare word is a string.

#include <string>

#include <toml++/toml.h>

#include "berth/scenario/problem.h"

namespace berth {

void apply_override(toml::table& root, const std::string& setting, Problems& problems);

// Removes from a table the other spellings of an input — with another unit, or the attitude in other
// numbers — to make way for a new one.
void remove_rivals(toml::table& table, std::string_view key);
// Whether there are any besides the key itself.
bool has_rivals(const toml::table& table, std::string_view key);

// "xyz" of three numbers, "wxyz" of four: the letters by which components are called.
std::string_view components_of(const toml::array& list);

// A list of one may be written as one table: is it the one of this name?
bool is_named(const toml::table& table, std::string_view name);

}  // namespace berth
