// SPDX-License-Identifier: Apache-2.0

// What is kept of recorded runs: it serves the same run again, no other, and its bytes are believed only as far
// as they can be checked.

#include "berth/ensemble/kept_graphs.h"

#include <filesystem>
#include <functional>
#include <map>
#include <random>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "berth/compile/build_id.h"
#include "berth/compile/temporary_folder.h"
#include "berth/ensemble/solo_server.h"
#include "berth/math/nonnegative.h"
#include "tests/compile/random_graph.h"
#include "tests/compile/scripts.h"
#include "tests/support/built.h"
#include "tests/support/process.h"
#include "tests/support/random.h"

namespace berth::test::kept_graphs_test {
namespace {

namespace fs = std::filesystem;

using Values = std::vector<double>;

// Its summary.
std::string run(const std::string& name, Computing computing, const Strings& settings = {}) {
  const Built built = build_shipped(name, settings);
  SoloServer server(computing);
  SimulateOptions options;
  if (computing != Computing::interpret) options.server = &server;
  return to_json(simulate(built.read.scenario, built.built, options), false);
}

// Which file stands for each entry: written anew it is another.
std::map<std::string, ino_t> list_entries(const fs::path& folder) {
  std::map<std::string, ino_t> all;
  for (const auto& entry : fs::directory_iterator(folder)) {
    struct stat status {};
    ::stat(entry.path().c_str(), &status);
    all[entry.path().filename()] = status.st_ino;
  }
  return all;
}
// How many of them were used since they were made old.
void make_old(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder))
    fs::last_write_time(entry, fs::file_time_type::clock::now() - std::chrono::hours(2));
}
int count_used(const fs::path& folder) {
  int used = 0;
  for (const auto& entry : fs::directory_iterator(folder))
    used += fs::last_write_time(entry) > fs::file_time_type::clock::now() - std::chrono::hours(1);
  return used;
}

TEST(KeptGraphs, ServesTheSameRunAgain) {
  const TemporaryFolder folder;
  const EnvironmentVariable cache("BERTH_CACHE", folder.path().string());
  const std::string interpreted = run("bouncing_ball", Computing::interpret);
  EXPECT_EQ(run("bouncing_ball", Computing::compile), interpreted);
  const auto entries = list_entries(folder.path());
  make_old(folder.path());
  EXPECT_EQ(run("bouncing_ball", Computing::compile), interpreted);
  EXPECT_EQ(list_entries(folder.path()), entries) << "nothing was recorded anew";
  EXPECT_EQ(count_used(folder.path()), static_cast<int>(entries.size()));
}

TEST(KeptGraphs, ServesNoRunWithOtherNumbers) {
  const TemporaryFolder folder;
  const EnvironmentVariable cache("BERTH_CACHE", folder.path().string());
  run("bouncing_ball", Computing::compile);
  const auto entries = list_entries(folder.path());
  const Strings other{"gravity.uniform.y=-3"};
  EXPECT_EQ(run("bouncing_ball", Computing::compile, other),
            run("bouncing_ball", Computing::interpret, other));
  EXPECT_GT(list_entries(folder.path()).size(), entries.size());
}

TEST(KeptGraphs, IsMadeAnewWhereItsCodeIsGoneOrItsBytesAreOthers) {
  const TemporaryFolder folder;
  const EnvironmentVariable cache("BERTH_CACHE", folder.path().string());
  const std::string first = run("bouncing_ball", Computing::compile);
  const auto entries = list_entries(folder.path());
  for (const auto& [name, file] : entries) {
    fs::remove(folder.path() / name);
    EXPECT_EQ(run("bouncing_ball", Computing::compile), first);
    write_file(folder.path() / name, "berth library 1\nnothing of the kind");
    EXPECT_EQ(run("bouncing_ball", Computing::compile), first);
    EXPECT_EQ(list_entries(folder.path()).size(), entries.size());
  }
}

KeptGraphs make_kept_graphs(unsigned seed) {
  std::mt19937 engine(seed);
  KeptGraphs r;
  r.library = std::string(64, 'a');
  r.prepare = random_graph(engine, {.has_calls = false});
  r.guard = random_graph(engine, {.has_calls = false});
  r.truth.assign(r.guard.outputs.size(), 1);
  r.calls[1] = {std::string(kFindNonnegative.name)};
  return r;
}

Values interpret_at_random(const Graph& graph, unsigned seed) {
  std::mt19937 engine(seed);
  Values out(graph.outputs.size());
  interpret(graph, random_numbers(engine, graph.input_count), out);
  return out;
}

TEST(KeptGraphs, ComesBackAsItWasWritten) {
  const KeptGraphs r = make_kept_graphs(1);
  const KeptGraphs back = read_kept_graphs(write_kept_graphs(r));
  EXPECT_EQ(write_kept_graphs(back), write_kept_graphs(r));
  EXPECT_EQ(back.truth, r.truth);
  EXPECT_EQ(back.calls, r.calls);
  EXPECT_EQ(back.prepare.nodes, r.prepare.nodes);
  EXPECT_EQ(back.prepare.outputs, r.prepare.outputs);
}

// What a graph calls is found again by its name, and its results are those of that call.
TEST(KeptGraphs, ComeBackWithTheFunctionsTheyCall) {
  Graph calling;
  calling.input_count = 1;
  calling.calls = {{&kFindNonnegative, {0, 0}, 2}};
  calling.nodes = {{Operation::input, {0}},
                   {Operation::call, {0}},
                   {Operation::result, {0, 1}},
                   {Operation::add, {2, 0}}};
  calling.outputs = {2, 3};
  KeptGraphs r = make_kept_graphs(5);
  r.prepare = calling;
  EXPECT_EQ(read_kept_graphs(write_kept_graphs(r)).prepare.calls[0].function, &kFindNonnegative);

  const auto expect_refused = [&](const std::function<void(KeptGraphs&)>& change) {
    KeptGraphs changed = r;
    change(changed);
    EXPECT_THROW(read_kept_graphs(write_kept_graphs(changed)), std::runtime_error);
  };
  expect_refused([](KeptGraphs& k) { k.calls[0] = {"none"}; });
  expect_refused([](KeptGraphs& k) { k.prepare.nodes[2].operand[0] = 1; });  // no such call
  expect_refused([](KeptGraphs& k) { k.prepare.nodes[2].operand[1] = 2; });  // no such result
  expect_refused([](KeptGraphs& k) { std::swap(k.prepare.nodes[1], k.prepare.nodes[2]); });
  expect_refused([](KeptGraphs& k) { k.prepare.calls[0].inputs[1] = 3; });  // not there yet
}

// Whatever the bytes: refused, or graphs that can be interpreted.
TEST(KeptGraphs, OfOtherBytesIsRefusedOrSound) {
  const std::string bytes = write_kept_graphs(make_kept_graphs(2));
  Random random(3);
  int refused = 0, read = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string other = bytes;
    for (int n = random.integer(1, 3); n > 0; --n)
      other[static_cast<std::size_t>(random.integer(0, static_cast<int>(other.size()) - 1))] =
          static_cast<char>(random.integer(0, 255));
    if (random.integer(0, 9) == 0) other.resize(static_cast<std::size_t>(random.integer(0, 300)));
    try {
      const KeptGraphs r = read_kept_graphs(other);
      if (r.prepare.input_count <= 1000) interpret_at_random(r.prepare, 4);
      ++read;
    } catch (const std::runtime_error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(read, 100);
}

TEST(KeptGraphs, NamesFunctionsThatAreThere) {
  EXPECT_EQ(find_opaque_function(kFindNonnegative.name), &kFindNonnegative);
  EXPECT_EQ(find_opaque_function("none"), nullptr);
}

TEST(BuildId, IsThatOfThisProgram) {
  EXPECT_EQ(find_build_id().size(), 20u);
  const std::string program = read_file("/proc/self/exe");
  EXPECT_NE(program.find(find_build_id()), std::string::npos);
}

}  // namespace
}  // namespace berth::test::kept_graphs_test
