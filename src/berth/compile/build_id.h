// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace berth {

// What distinguishes this build of berth from any other: the digest that the linker has put into the program,
// or into the shared library, that this code is part of. Empty where there is none.
std::string find_build_id();

}  // namespace berth
