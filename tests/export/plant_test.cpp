// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "berth/compile/instructions.h"
#include "berth/export/c_files.h"
#include "berth/export/c_text.h"
#include "berth/run/run.h"
#include "berth/system/linearised.h"
#include "tests/compile/compiled.h"
#include "tests/support/shipped.h"

namespace berth::plant_test {
namespace {

struct Exported {
  BuiltScenario built;
  Plant plant;
  ExportedPlant files;

  explicit Exported(const std::string& name, double t_stop, double step = 0.02,
                    std::vector<std::string> settings = {}) {
    settings.insert(settings.end(),
                    {"integrator.method=\"rk4\"", fmt::format("integrator.step={}", step),
                     fmt::format("time.stop={}", t_stop)});
    ReadScenario read = read_scenario(test::shipped_file(name), settings);
    built = build_scenario(read.scenario, read.problems);
    for (const Problem& p : read.problems.list) ADD_FAILURE() << describe(p);
    plant.name = name;
    plant.states = list_plant_states(built.system);
    plant.outputs = list_plant_outputs(Channels(built.system));
    plant.inputs = list_plant_inputs(built.system);
    plant.run = find_smooth_phases(built.system, built.options, built.events, {.t_stop = t_stop});
    files = write_plant(plant);
  }

  const std::string& text(const std::string& file) const {
    for (const ExportedFile& f : files.files)
      if (f.name == file) return f.text;
    throw std::out_of_range(file);
  }
  // One file with what it includes, as a library.
  Library compile(const std::string& file) const {
    std::string all = text(file);
    for (const std::string& header :
         {std::string("berth_elementary.h"), "berth_" + plant.name + ".h"}) {
      const std::string line = "#include \"" + header + "\"\n";
      all.replace(all.find(line), line.size(), text(header));
    }
    return Library(compile_c(test::system_compiler(), all,
                             {"-std=c99", "-O1", "-ffp-contract=off", "-fPIC", "-shared"}));
  }
};

using Evaluate = void (*)(double, const double*, const double*, double*);
using Jacobian = void (*)(double, const double*, const double*, double*, double*);

template <class F>
F find(const Library& library, const std::string& name) {
  return reinterpret_cast<F>(library.symbol(name));
}

// At the end of a run: ẋ, all channels and the Jacobian of the phase it is in.
void expect_functions_of_the_run(const std::string& name, double t_stop, double tolerance) {
  const Exported e(name, t_stop);
  HybridRun run(e.built.system, e.built.options);
  run.set_events(e.built.events);
  run.advance(t_stop);
  const SmoothPhase& phase = e.plant.run.phases.back();
  ASSERT_EQ(phase.obstacle, "");
  const std::string prefix = fmt::format("berth_{}_phase{}", name, e.plant.run.phases.size());
  const Library library = e.compile(prefix + ".c");

  const std::size_t n = run.x().size();
  const std::vector<double> x(run.x().begin(), run.x().end());
  const std::vector<double> all = list_input_numbers(
      run.mode(), std::vector<ContactSignal<double>>(run.system().contacts.size()));
  ASSERT_EQ(all.size(), e.plant.inputs.size());
  ASSERT_EQ(n, e.plant.states.size());
  std::vector<double> u;
  for (const int k : phase.recorded.inputs) u.push_back(all[index(k)]);

  std::vector<double> wanted(n), got(n);
  Workspace<double> w(run.system());
  find_derivative<double>(run.system(), run.t(), x, run.mode(), w, wanted);
  find<Evaluate>(library, prefix + "_derivative")(run.t(), x.data(), u.data(), got.data());
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_TRUE(test::are_same(got[i], wanted[i])) << e.plant.states[i].name;

  std::vector<double> row(index(run.channels().width())), y(row.size());
  ASSERT_EQ(row.size(), e.plant.outputs.size());
  run.fill_row(run.t(), x, row);
  find<Evaluate>(library, prefix + "_outputs")(run.t(), x.data(), u.data(), y.data());
  for (std::size_t i = 0; i < row.size(); ++i)
    EXPECT_TRUE(test::are_same(y[i], row[i])) << e.plant.outputs[i].name;

  std::vector<double> J(n * n), by_x(n * n), by_u(n * u.size());
  Linearised linearised(run.system());
  linearised.find_jacobian(run.t(), x, run.mode(), J);
  find<Jacobian>(library, prefix + "_jacobian")(run.t(), x.data(), u.data(), by_x.data(),
                                                by_u.data());
  double largest = 0;
  for (const double a : J) largest = std::max(largest, std::fabs(a));
  ASSERT_GT(largest, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      EXPECT_NEAR(by_x[i * n + j], J[j * n + i], tolerance * largest)
          << e.plant.states[i].name << " by " << e.plant.states[j].name;

  // Inputs enter linearly: a difference is exact but for rounding.
  std::vector<double> back(n);
  for (std::size_t k = 0; k < u.size(); ++k) {
    const auto find_rate = [&](double change, std::vector<double>& to) {
      std::vector<double> other = u;
      other[k] += change;
      find<Evaluate>(library, prefix + "_derivative")(run.t(), x.data(), other.data(), to.data());
    };
    find_rate(1, got), find_rate(-1, back);
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_NEAR(by_u[i * u.size() + k], 0.5 * (got[i] - back[i]), 1e-12 * (1 + std::fabs(got[i])))
          << e.plant.states[i].name << " by "
          << e.plant.inputs[index(phase.recorded.inputs[k])].name;
  }
  const bool is_driven = std::any_of(by_u.begin(), by_u.end(), [](double a) { return a != 0; });
  EXPECT_EQ(is_driven, u.size() > 1);
}

TEST(Plant, HasTheFunctionsOfAClosedChain) {
  expect_functions_of_the_run("servicer_despin", 2, 1e-11);
}
TEST(Plant, HasTheFunctionsOfADockedPair) {
  expect_functions_of_the_run("docked_panels", 1, 1e-11);
}

TEST(Plant, HasTheFunctionsOfAContactThatIsDriven) {
  expect_functions_of_the_run("hil_contact", 4, 1e-12);
}

TEST(Plant, NamesEveryStateOnce) {
  const Exported e("hil_contact", 0.1);
  const auto place = [&](const std::string& name) {
    for (std::size_t i = 0; i < e.plant.states.size(); ++i)
      if (e.plant.states[i].name == name) return static_cast<int>(i);
    return -1;
  };
  const Layout at = e.built.system.layout();
  EXPECT_EQ(static_cast<int>(e.plant.states.size()), at.size);
  const Model<double>& model = e.built.system.model;
  for (int i = 1; i < model.body_count(); ++i) {
    const std::string& name = model.names[index(i)];
    EXPECT_EQ(place(name + ".r_BC_N.x"), model.body(i).q);
    EXPECT_EQ(place(name + ".omega_BN_B.z"), at.v + model.body(i).v + 5);
  }
  EXPECT_EQ(place("probe.normal_work"), at.contacts);
  EXPECT_EQ(place("system.energy_in"), at.ledger);
  EXPECT_EQ(place("system.angular_impulse.z"), at.size - 1);
}

TEST(Plant, SaysWhyAPhaseIsLeftOut) {
  // Thrusters that follow their command continuously.
  const Exported e("docking", 2, 0.1, {"force.jets.sample_time=0", "force.jets.minimum_on_time=0"});
  ASSERT_FALSE(e.plant.run.phases.empty());
  EXPECT_NE(e.plant.run.phases[0].obstacle, "");
  EXPECT_NE(e.text("README.md").find("Not exported: "), std::string::npos);
  EXPECT_NE(e.text("main.c").find("no phase can be repeated"), std::string::npos);
}

TEST(Plant, KeepsNamesOfFilesOutOfTheCode) {
  EXPECT_EQ(make_identifier("hil_contact"), "hil_contact");
  EXPECT_EQ(make_identifier("2 arms-é"), "plant_2_arms___");
  EXPECT_EQ(make_identifier(""), "plant_");
  EXPECT_EQ(string_literal("a\"\\?\n"), "\"a\\\"\\\\\\?\\012\"");
  EXPECT_EQ(comment_text("a */ b /* c\n"), "a * / b / * c ");
}

}  // namespace
}  // namespace berth::plant_test
