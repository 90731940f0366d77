// SPDX-License-Identifier: Apache-2.0
#include "berth/compile/c_compiler.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "berth/compile/program.h"
#include "berth/compile/temporary_folder.h"

namespace berth {

namespace {

constexpr std::string_view kCost = "cases run interpreted, several times slower";

std::string read_environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

CompilerSearch find_c_compiler() {
  const std::string given = read_environment("BERTH_CC");
  std::vector<std::string> names = {read_environment("CC"), "cc", "gcc", "clang"};
  if (!given.empty()) names = {given};
  const std::string program = find_program(names);
  if (program.empty() && !given.empty())
    return {{}, fmt::format("BERTH_CC = {} is no program: {}", given, kCost)};
  if (program.empty())
    return {{},
            fmt::format("no C compiler found (cc, gcc, clang; BERTH_CC names another): {}", kCost)};

  std::string trouble;
  try {
    const ProgramEnd end =
        execute_program({program, "--version"},
                        {.environment = {"LC_ALL=C"}, .patience = std::chrono::seconds(10)});
    if (end.code == 0 && !end.text.empty())
      return {CCompiler{program, program + "\n" + end.text}, ""};
    trouble = "gives no version";
  } catch (const std::runtime_error&) {
    trouble = "cannot be started";
  }
  return {{}, fmt::format("the C compiler {} {}: {}", program, trouble, kCost)};
}

std::string compile_c(const CCompiler& compiler, const std::string& text,
                      const std::vector<std::string>& flags, std::stop_token stop) {
  const TemporaryFolder folder;
  const std::string source = (folder.path() / "text.c").string(),
                    library = (folder.path() / "text.so").string();
  std::ofstream out(source, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw CompileError("the text of compiled cases cannot be written: " + source);

  std::vector<std::string> words = {compiler.program};
  words.insert(words.end(), flags.begin(), flags.end());
  for (const char* word : {"-shared", "-fPIC", "-o"}) words.push_back(word);
  words.push_back(library);
  words.push_back(source);
  // Its own temporary files go with the folder, even if it is killed.
  const ProgramEnd end = execute_program(
      words, {.environment = {"LC_ALL=C", "TMPDIR=" + folder.path().string()}, .stop = stop});
  if (end.stopped) throw CompileStopped();
  if (end.code != 0)
    throw CompileError(fmt::format("{} failed ({}):\n{}", compiler.program,
                                   end.code < 0 ? "by a signal" : fmt::format("code {}", end.code),
                                   end.text));
  std::ifstream in(library, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (bytes.empty()) throw CompileError(compiler.program + " has made no library");
  return bytes;
}

}  // namespace berth
