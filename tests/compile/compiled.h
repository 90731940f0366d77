// SPDX-License-Identifier: Apache-2.0
#pragma once

// C text, compiled and loaded for a test.

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <dlfcn.h>

#include "berth/compile/emit_c.h"
#include "berth/compile/instructions.h"

namespace berth::test {

class Compiled {
 public:
  Compiled(const std::string& text, const InstructionSet& set) {
    char folder[] = "/tmp/berth_compiled_XXXXXX";
    if (!mkdtemp(folder)) throw std::runtime_error("no folder");
    const std::string base = std::string(folder) + "/text";
    std::ofstream(base + ".c") << text;
    std::string command = "cc -shared -fPIC";
    for (const std::string& flag : list_flags(set)) command += " " + flag;
    command += " -o " + base + ".so " + base + ".c";
    if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
    library_ = dlopen((base + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library_) throw std::runtime_error(dlerror());
    std::filesystem::remove_all(folder);
  }
  ~Compiled() { dlclose(library_); }

  template <class T>
  T* find(const std::string& name) const {
    return static_cast<T*>(dlsym(library_, name.c_str()));
  }
  CompiledFunction function(const std::string& name) const {
    return reinterpret_cast<CompiledFunction>(dlsym(library_, name.c_str()));
  }

 private:
  void* library_ = nullptr;
};

}  // namespace berth::test
