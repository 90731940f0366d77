// SPDX-License-Identifier: Apache-2.0
#pragma once

// C text, compiled and loaded for a test; variables of the environment set for one.

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include "berth/compile/c_compiler.h"
#include "berth/compile/emit_c.h"
#include "berth/compile/instructions.h"
#include "berth/compile/library.h"

namespace berth::test {

// That of this machine: whoever built the tests has one.
inline const CCompiler& system_compiler() {
  static const CompilerSearch search = find_c_compiler();
  if (!search.compiler) throw std::runtime_error(search.sentence);
  return *search.compiler;
}

class Compiled {
 public:
  Compiled(const std::string& text, const InstructionSet& set)
      : library_(compile_c(system_compiler(), text, list_flags(set))) {}

  CompiledFunction function(const std::string& name) const {
    return reinterpret_cast<CompiledFunction>(library_.symbol(name));
  }

 private:
  Library library_;
};

class Setting {
 public:
  Setting(const char* name, const std::optional<std::string>& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    set(value);
  }
  ~Setting() { set(old_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  void set(const std::optional<std::string>& value) const {
    if (value)
      ::setenv(name_, value->c_str(), 1);
    else
      ::unsetenv(name_);
  }
  const char* name_;
  std::optional<std::string> old_;
};

}  // namespace berth::test
