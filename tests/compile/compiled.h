// SPDX-License-Identifier: Apache-2.0
#pragma once

// C text, compiled and loaded for a test; variables of the environment set for one.

#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "berth/compile/c_compiler.h"
#include "berth/compile/emit_c.h"
#include "berth/compile/instructions.h"
#include "berth/compile/library.h"
#include "berth/compile/place.h"
#include "tests/support/numbers.h"

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

// "" if every lane has the bits of `interpret` at so many places that `draw` gives; else the first
// difference.
inline std::string find_difference(const Graph& graph, CompiledFunction function, int lanes,
                                   int places, const std::function<std::vector<double>()>& draw) {
  const std::vector<CompiledCall> calls = list_calls(graph);
  const std::size_t width = place(lanes), in_count = place(graph.input_count),
                    out_count = graph.outputs.size();
  std::vector<double> in(in_count * width), out(out_count * width), wanted(out_count);
  for (int k = 0; k < places; ++k) {
    std::vector<std::vector<double>> inputs;
    for (std::size_t lane = 0; lane < width; ++lane) {
      inputs.push_back(draw());
      for (std::size_t i = 0; i < in_count; ++i) in[i * width + lane] = inputs.back()[i];
    }
    function(in.data(), out.data(), calls.data());
    for (std::size_t lane = 0; lane < width; ++lane) {
      interpret(graph, inputs[lane], wanted);
      for (std::size_t i = 0; i < out_count; ++i)
        if (const double got = out[i * width + lane]; !are_same(got, wanted[i]))
          return fmt::format("lane {}, output {}: {:.17g} instead of {:.17g}", lane, i, got,
                             wanted[i]);
    }
  }
  return "";
}

class EnvironmentVariable {
 public:
  EnvironmentVariable(const char* name, const std::optional<std::string>& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    set(value);
  }
  ~EnvironmentVariable() { set(old_); }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

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
