// SPDX-License-Identifier: Apache-2.0
#pragma once

// CCompiler — the system's C compiler, if there is one.
//
// Searched are $BERTH_CC, and nothing else if it is set; $CC if it is one program without arguments;
// then cc, gcc and clang in PATH.

#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

namespace berth {

struct CCompiler {
  std::string program;   // its path
  std::string identity;  // its path and what it says about its version
};

struct CompilerSearch {
  std::optional<CCompiler> compiler;
  std::string
      sentence;  // for the user, what is missing and what that costs; empty if one was found
};
// Starts the compiler once, to ask for its version.
CompilerSearch find_c_compiler();

class CompileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
class CompileStopped : public std::runtime_error {
 public:
  CompileStopped() : std::runtime_error("compilation was stopped") {}
};

// The bytes of a shared library. Throws CompileError with what the compiler says, or CompileStopped.
std::string compile_c(const CCompiler& compiler, const std::string& text,
                      const std::vector<std::string>& flags, std::stop_token stop = {});

}  // namespace berth
