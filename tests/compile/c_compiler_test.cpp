// SPDX-License-Identifier: Apache-2.0
#include "berth/compile/c_compiler.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "berth/compile/library.h"
#include "berth/compile/program.h"
#include "berth/compile/temporary_folder.h"
#include "tests/compile/scripts.h"

namespace berth::c_compiler_test {
namespace {

using test::EnvironmentVariable;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(CCompiler, MakesALibrary) {
  const std::string text = "double twice(double x);\ndouble twice(double x) { return 2 * x; }\n";
  const std::string bytes = compile_c(test::system_compiler(), text, {"-O1"});
  for (const Library::From from : {Library::From::memory, Library::From::folder}) {
    const Library library(bytes, from);
    EXPECT_EQ(reinterpret_cast<double (*)(double)>(library.symbol("twice"))(1.5), 3.0);
    EXPECT_THROW(library.symbol("thrice"), std::out_of_range);
  }
}

TEST(CCompiler, TwoLibrariesKeepTheirOwnNames) {
  const auto compile = [](const std::string& number) {
    return std::make_unique<Library>(compile_c(
        test::system_compiler(), "int f(void);\nint f(void) { return " + number + "; }\n", {}));
  };
  const auto call = [](const Library& library) {
    return reinterpret_cast<int (*)()>(library.symbol("f"))();
  };
  std::unique_ptr<Library> one = compile("1"), two = compile("2");
  EXPECT_EQ(call(*one), 1);
  EXPECT_EQ(call(*two), 2);
  one.reset();
  one = compile("3");
  EXPECT_EQ(call(*one), 3);
  EXPECT_EQ(call(*two), 2);
}

TEST(CCompiler, SaysWhatIsWrongWithAText) {
  try {
    compile_c(test::system_compiler(), "int f(void) { return unknown_name; }\n", {});
    FAIL();
  } catch (const CompileError& e) {
    EXPECT_TRUE(contains(e.what(), "text.c:1")) << e.what();
    EXPECT_TRUE(contains(e.what(), "unknown_name")) << e.what();
  }
  const TemporaryFolder folder;
  const CCompiler idle = test::write_script(folder.path() / "idle", "exit 0\n");
  EXPECT_THROW(compile_c(idle, "", {}), CompileError);
  EXPECT_THROW(Library("no library"), std::runtime_error);
}

TEST(CCompiler, WhoHasNoneLearnsWhatThatCosts) {
  const TemporaryFolder folder;
  {
    const EnvironmentVariable given("BERTH_CC", "/nonexistent");
    const CompilerSearch search = find_c_compiler();
    EXPECT_FALSE(search.compiler);
    EXPECT_EQ(search.sentence,
              "BERTH_CC = /nonexistent is no program: cases run interpreted, several times slower");
  }
  const EnvironmentVariable given("BERTH_CC", {}), usual("CC", {}),
      path("PATH", folder.path().string());
  EXPECT_EQ(find_c_compiler().sentence,
            "no C compiler found (cc, gcc, clang; BERTH_CC names another): cases run interpreted, "
            "several times slower");
  test::write_script(folder.path() / "gcc", "exit 1\n");
  const CompilerSearch broken = find_c_compiler();
  EXPECT_FALSE(broken.compiler);
  EXPECT_TRUE(contains(broken.sentence, "gives no version")) << broken.sentence;
}

TEST(CCompiler, IsTheOneTheEnvironmentNames) {
  const TemporaryFolder folder;
  const std::string says_a = "echo version a\n", says_b = "echo version b\n";
  test::write_script(folder.path() / "a", says_a);
  test::write_script(folder.path() / "b", says_b);
  const EnvironmentVariable path("PATH", folder.path().string());
  const auto identity = [] {
    const CompilerSearch search = find_c_compiler();
    return search.compiler ? search.compiler->identity : search.sentence;
  };
  const EnvironmentVariable usual("CC", "b");
  {
    const EnvironmentVariable given("BERTH_CC", (folder.path() / "a").string());
    EXPECT_TRUE(contains(identity(), "version a")) << identity();
  }
  const EnvironmentVariable none("BERTH_CC", {});
  EXPECT_TRUE(contains(identity(), "version b")) << identity();
  // Several words are a command line, not a program.
  const EnvironmentVariable words("CC", "b -m64");
  EXPECT_TRUE(contains(identity(), "no C compiler")) << identity();
}

// A folder is not a program, even if it may be entered.
TEST(Program, IsAFile) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "cc");
  const EnvironmentVariable path("PATH", folder.path().string());
  EXPECT_EQ(find_program({"cc"}), "");
  EXPECT_EQ(find_program({folder.path().string()}), "");
  test::write_script(folder.path() / "gcc", "");
  EXPECT_EQ(find_program({"cc", "gcc"}), (folder.path() / "gcc").string());
}

TEST(Program, IsRunWithoutAShell) {
  const TemporaryFolder folder;
  const CCompiler script = test::write_script(
      folder.path() / "echo", "echo \"$1\"; echo \"$NAME\" >&2; sleep 0.2; nice; exit 3\n");
  const ProgramEnd end =
      execute_program({script.program, "$HOME; `ls`"}, {.environment = {"NAME=value"}});
  EXPECT_EQ(end.code, 3);
  EXPECT_FALSE(end.stopped);
  // The last line is its niceness.
  const int niceness = std::max(10, ::getpriority(PRIO_PROCESS, 0));
  EXPECT_EQ(end.text, "$HOME; `ls`\nvalue\n" + std::to_string(niceness) + "\n");
  EXPECT_THROW(execute_program({"/nonexistent"}), std::runtime_error);
}

TEST(Program, KeepsTheBeginningOfALongText) {
  const TemporaryFolder folder;
  const CCompiler script =
      test::write_script(folder.path() / "talk",
                         "i=0; while [ $i -lt 3000 ]; do echo "
                         "0123456789012345678901234567890123456789; i=$((i+1)); done\n");
  const ProgramEnd end = execute_program({script.program});
  EXPECT_EQ(end.code, 0);
  EXPECT_EQ(end.text.size(), 65536u);
}

TEST(Program, IsKilledOutOfPatience) {
  const TemporaryFolder folder;
  const CCompiler script = test::write_script(folder.path() / "sleep", "sleep 100\n");
  const auto begin = std::chrono::steady_clock::now();
  const ProgramEnd end = execute_program({script.program}, {.patience = std::chrono::seconds(0)});
  EXPECT_TRUE(end.stopped);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

}  // namespace
}  // namespace berth::c_compiler_test
