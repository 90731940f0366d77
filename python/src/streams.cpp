// SPDX-License-Identifier: Apache-2.0
// What HDF5 prints to, where its archive is linked into the module (cmake/portable.cmake).
#include <cstdio>

extern "C" {
extern std::FILE *berth_stdout, *berth_stderr;
std::FILE *berth_stdout = stdout, *berth_stderr = stderr;
}
