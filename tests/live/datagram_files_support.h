// SPDX-License-Identifier: Apache-2.0
#pragma once

// Files of a layout in a folder, and what C compilers and Python make of them.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "berth/compile/program.h"
#include "berth/live/datagram_files.h"
#include "tests/compile/compiled.h"
#include "tests/support/process.h"

namespace berth::test {

inline Ended run_beside(const std::string& program, const std::vector<std::string>& arguments,
                        const std::filesystem::path& folder) {
  ProcessOptions options;
  options.program = program.c_str();
  options.folder = folder;
  return run_berth(arguments, options);
}

inline std::string find_python() { return find_program({"/usr/bin/python3", "python3"}); }

inline DatagramLayout make_datagram_layout() {
  DatagramLayout layout;
  layout.external = "laboratory";
  layout.measures = {{"nav.position", "m", "lvlh", 3}, {"tip.depth", "m", "", 1}};
  layout.commands = {{"abort", "", "", 1}, {"touch", "N", "inertial", 3}};
  layout.digest = find_layout_digest(layout, "");
  return layout;
}

inline void write_files(const DatagramLayout& layout, const std::string& title,
                        const TemporaryFolder& folder) {
  for (const ExportedFile& f : write_datagram_files(layout, title))
    write_bytes(folder / f.name, f.text);
}

inline std::string compile_example(const TemporaryFolder& folder, const std::string& text,
                                   const std::vector<std::string>& flags) {
  write_bytes(folder / "exchange.c", text);
  std::vector<std::string> arguments = flags;
  arguments.insert(arguments.end(),
                   {"-Wall", "-Wextra", "-Werror", "-pedantic", "exchange.c", "-o", "exchange"});
  const Ended ended = run_beside(system_compiler().program, arguments, folder.path());
  return ended.code == 0 ? ended.err : fmt::format("exit code {}: {}", ended.code, ended.err);
}

// As C99, as C++11 and as what the compiler takes for C++ unless asked.
inline const std::vector<std::vector<std::string>> kExampleLanguages{
    {"-std=c99", "-O2"}, {"-x", "c++", "-std=c++11"}, {"-x", "c++", "-std=gnu++20"}};

}  // namespace berth::test
