// SPDX-License-Identifier: Apache-2.0
#pragma once

// Programs that stand in for a C compiler, in a folder of a test.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "berth/compile/c_compiler.h"
#include "tests/compile/compiled.h"

namespace berth::test {

inline std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline void write_file(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

// Commands of the shell as a program.
inline CCompiler write_script(const std::filesystem::path& file, const std::string& commands) {
  write_file(file, "#!/bin/sh\n" + commands);
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return {file.string(), "script"};
}

// The system's, and a file that grows by a byte whenever it is started.
inline CCompiler write_counting_compiler(const std::filesystem::path& folder) {
  return write_script(folder / "cc", "printf x >> '" + (folder / "count").string() + "'\nexec '" +
                                         system_compiler().program + "' \"$@\"\n");
}
inline int count_compilations(const std::filesystem::path& folder) {
  return static_cast<int>(read_file(folder / "count").size());
}

}  // namespace berth::test
