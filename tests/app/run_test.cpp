// SPDX-License-Identifier: Apache-2.0

// `berth run` as a user runs it: what it prints, what it writes, how it ends.

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/record/read_back.h"
#include "tests/support/process.h"
#include "tests/support/reference.h"

namespace berth::test::app_run_test {
namespace {

using Json = nlohmann::ordered_json;

const std::string kFreeBody = shipped_scenario("free_body");

// Runs with --json and returns what was printed.
Json run_json(std::vector<std::string> arguments, const ProcessOptions& options = {}) {
  arguments.insert(arguments.begin(), "run");
  arguments.emplace_back("--json");
  const Ended end = run_berth(arguments, options);
  EXPECT_EQ(end.code, 0) << end.err << end.out;
  return Json::parse(end.out);
}
std::array<double, 3> vector(const Json& j) { return j.get<std::array<double, 3>>(); }

// --- the numbers ---------------------------------------------------------------------------------

// Euler's equations and the attitude, integrated here: fourth-order Runge–Kutta in long double with
// steps so short that its error does not count.
//
//   I ω̇ = (I ω) × ω        q̇ = ½ q ω
struct Turning {
  using Real = long double;
  std::array<Real, 7> x;  // ω, then q (scalar first)
  std::array<std::array<Real, 3>, 3> I, inverse;

  Turning(const std::array<std::array<double, 3>, 3>& inertia, const std::array<double, 3>& omega)
      : x{omega[0], omega[1], omega[2], 1, 0, 0, 0} {
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) I[i][j] = inertia[i][j];
    const auto minor = [&](std::size_t i, std::size_t j) {
      return I[(i + 1) % 3][(j + 1) % 3] * I[(i + 2) % 3][(j + 2) % 3] -
             I[(i + 1) % 3][(j + 2) % 3] * I[(i + 2) % 3][(j + 1) % 3];
    };
    const Real det = I[0][0] * minor(0, 0) + I[0][1] * minor(0, 1) + I[0][2] * minor(0, 2);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) inverse[j][i] = minor(i, j) / det;
  }
  std::array<Real, 7> rate(const std::array<Real, 7>& y) const {
    std::array<Real, 3> h{}, w_dot{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) h[i] += I[i][j] * y[j];
    const std::array<Real, 3> torque{h[1] * y[2] - h[2] * y[1], h[2] * y[0] - h[0] * y[2],
                                     h[0] * y[1] - h[1] * y[0]};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) w_dot[i] += inverse[i][j] * torque[j];
    const Real w = y[3], a = y[4], b = y[5], c = y[6];
    return {w_dot[0],
            w_dot[1],
            w_dot[2],
            (-a * y[0] - b * y[1] - c * y[2]) / 2,
            (w * y[0] + b * y[2] - c * y[1]) / 2,
            (w * y[1] + c * y[0] - a * y[2]) / 2,
            (w * y[2] + a * y[1] - b * y[0]) / 2};
  }
  void run(double stop) {
    const int steps = 20000 * std::max(1, static_cast<int>(std::ceil(stop)));
    const Real h = static_cast<Real>(stop) / steps;
    const auto ahead = [&](const std::array<Real, 7>& k, Real by) {
      std::array<Real, 7> y = x;
      for (std::size_t i = 0; i < 7; ++i) y[i] += by * k[i];
      return y;
    };
    for (int n = 0; n < steps; ++n) {
      const auto k1 = rate(x), k2 = rate(ahead(k1, h / 2)), k3 = rate(ahead(k2, h / 2));
      const auto k4 = rate(ahead(k3, h));
      for (std::size_t i = 0; i < 7; ++i) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
  }
};

TEST(HybridRun, FreeBodyTurnsAsStated) {
  const Json j = run_json({kFreeBody, "--no-out"});
  const auto omega = vector(j["final"]["body"]["omega_BN_B"]);
  const Vec3<double> stated = Reference("benchmarks").vector("flip.10");
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(omega[static_cast<std::size_t>(i)], stated[i], 1e-7);
}

struct Variation {
  const char* name;
  std::array<std::array<double, 3>, 3> inertia;
  std::array<double, 3> omega;
  double stop;
};
class FreeBody : public testing::TestWithParam<Variation> {};

TEST_P(FreeBody, TurnsLikeEulersEquationsIntegratedHere) {
  const Variation& v = GetParam();
  const auto list = [](const std::array<double, 3>& x) {
    std::array<char, 100> text{};
    std::snprintf(text.data(), text.size(), "[%.17g,%.17g,%.17g]", x[0], x[1], x[2]);
    return std::string(text.data());
  };
  const Json j = run_json({kFreeBody, "--no-out", "--set",
                           "spacecraft.body.inertia=[" + list(v.inertia[0]) + "," +
                               list(v.inertia[1]) + "," + list(v.inertia[2]) + "]",
                           "--set", "spacecraft.body.state.omega_BN_B=" + list(v.omega), "--set",
                           "time.stop=" + std::to_string(v.stop), "--set",
                           "spacecraft.body.state.position=[1,2,3]", "--set",
                           "spacecraft.body.state.velocity=[0.5,-0.25,0.125]"});
  Turning wanted(v.inertia, v.omega);
  wanted.run(v.stop);
  const Json& end = j["final"]["body"];
  EXPECT_EQ(j["time"], v.stop);
  const auto omega = vector(end["omega_BN_B"]);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(omega[i], static_cast<double>(wanted.x[i]), 1e-7) << i;
  const auto q = end["quaternion_BN"].get<std::array<double, 4>>();
  const double sign = wanted.x[3] < 0 ? -1 : 1;  // q0 ≥ 0 on output
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(q[i], sign * static_cast<double>(wanted.x[3 + i]), 1e-7) << i;
  const auto sigma = vector(end["sigma_BN"]);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(sigma[i], q[1 + i] / (1 + q[0]), 1e-14);
  const auto r = vector(end["r_BN_N"]);
  EXPECT_NEAR(r[0], 1 + 0.5 * v.stop, 1e-9);
  EXPECT_NEAR(r[1], 2 - 0.25 * v.stop, 1e-9);
  EXPECT_NEAR(r[2], 3 + 0.125 * v.stop, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(
    With, FreeBody,
    testing::Values(
        Variation{"AsShipped", {{{.3, 0, 0}, {0, .35, 0}, {0, 0, .4}}}, {.1, 15, .1}, 10},
        Variation{"OtherInertia", {{{2, 0, 0}, {0, 3, 0}, {0, 0, 4.5}}}, {1, -2, 3}, 10},
        Variation{
            "ProductsOfInertia", {{{2, .3, -.2}, {.3, 3, .1}, {-.2, .1, 2.5}}}, {1, 2, -3}, 8},
        Variation{"AboutTheMajorAxis", {{{.3, 0, 0}, {0, .35, 0}, {0, 0, .4}}}, {.1, .1, 20}, 5},
        Variation{"Symmetric", {{{2, 0, 0}, {0, 2, 0}, {0, 0, 1}}}, {.3, .4, 5}, 12},
        Variation{"ForAMoment", {{{.3, 0, 0}, {0, .35, 0}, {0, 0, .4}}}, {.1, 15, .1}, 0.125},
        Variation{"Longer", {{{.3, 0, 0}, {0, .35, 0}, {0, 0, .4}}}, {.1, 5, .1}, 30}),
    [](const auto& p) { return std::string(p.param.name); });

// --- --json --------------------------------------------------------------------------------------

TEST(RunJson, IsOneObjectWithEverythingPromised) {
  const Json j = run_json({shipped_scenario("slew"), "--no-out", "--at", "100"});
  ASSERT_TRUE(j.is_object());
  for (const char* key : {"outcome", "verdict", "time", "steps", "wall_seconds", "warnings",
                          "audit", "final", "events", "samples"})
    EXPECT_TRUE(j.contains(key)) << key;
  for (const char* key : {"accepted", "rejected", "rhs"})
    EXPECT_TRUE(j["steps"][key].is_number_unsigned()) << key;
  for (const char* key : {"energy", "linear_momentum", "angular_momentum", "constraint_position",
                          "constraint_attitude"})
    EXPECT_TRUE(j["audit"][key].is_number_float()) << key;
  const Json& servicer = j["final"]["servicer"];
  for (const char* key : {"r_BN_N", "v_BN_N", "rho_BO_N", "rhodot_BO_N", "sigma_BN", "omega_BN_B"})
    EXPECT_EQ(servicer[key].size(), 3u) << key;
  EXPECT_EQ(servicer["quaternion_BN"].size(), 4u);
  for (const char* joint : {"wheel1", "wheel2", "wheel3", "wheel4", "panel_left", "panel_right"}) {
    EXPECT_TRUE(servicer["joints"][joint]["q"].is_number()) << joint;
    EXPECT_TRUE(servicer["joints"][joint]["v"].is_number()) << joint;
  }
  EXPECT_EQ(servicer["joints"]["fuel"]["q"].size(), 4u);
  EXPECT_EQ(servicer["joints"]["fuel"]["v"].size(), 3u);
  EXPECT_TRUE(j["warnings"].is_array());
  ASSERT_GE(j["events"].size(), 2u);
  for (const Json& e : j["events"]) {
    EXPECT_TRUE(e["t"].is_number());
    EXPECT_EQ(e["kind"], "event");
    EXPECT_TRUE(e["name"].is_string());
  }
  ASSERT_EQ(j["samples"].size(), 1u);
  EXPECT_EQ(j["samples"][0]["t"], 100.0);
  EXPECT_EQ(j["samples"][0]["servicer.omega_BN_B"].size(), 3u);
  EXPECT_TRUE(j["samples"][0]["servicer.rate"].is_number());
}

TEST(RunJson, ReportsBodiesWithoutACraft) {
  const Json j = run_json({shipped_scenario("heavy_top"), "--no-out"});
  const Json& top = j["final"]["bodies"]["top"];
  EXPECT_EQ(top["q"].size(), 4u);
  EXPECT_EQ(top["v"].size(), 3u);
  EXPECT_EQ(top["omega_BN_B"].size(), 3u);
}

// Each number of the text is what printf makes of it with 17 digits.
TEST(RunJson, HasSeventeenDigits) {
  struct Numbers : nlohmann::json_sax<Json> {
    int floats = 0;
    bool number_float(number_float_t x, const string_t& raw) override {
      ++floats;
      std::array<char, 64> text{};
      std::snprintf(text.data(), text.size(), "%.17g", x);
      std::string plain = raw;
      if (plain.ends_with(".0")) plain.resize(plain.size() - 2);
      EXPECT_EQ(plain, text.data());
      return true;
    }
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool key(string_t&) override { return true; }
    bool parse_error(std::size_t, const std::string&, const Json::exception& e) override {
      ADD_FAILURE() << e.what();
      return false;
    }
  } numbers;
  const Ended end = run_berth({"run", kFreeBody, "--json", "--no-out", "--at", "3.3,7"});
  EXPECT_TRUE(Json::sax_parse(end.out, &numbers));
  EXPECT_GT(numbers.floats, 60);
}

// --- --at ----------------------------------------------------------------------------------------

// The raster of a run that is given none is a part of its time, and a step forward however short it is.
TEST(HybridRun, OfTheShortestTimeThereIsEnds) {
  const TemporaryFolder folder;
  const Ended end = run_berth({"run", kFreeBody, "--set", "time.stop=5e-324", "--set",
                               "record.interval=0", "--out", (folder / "x.h5").string()});
  EXPECT_EQ(end.code, 0) << end.err;
}

TEST(RunAt, SamplesExactlyTheseTimes) {
  const Json j = run_json({kFreeBody, "--no-out", "--at", "7.25,0,3.3333333333333335,10,0.1"});
  std::vector<double> times;
  for (const Json& s : j["samples"]) times.push_back(s["t"]);
  EXPECT_EQ(times, (std::vector<double>{0, 0.1, 3.3333333333333335, 7.25, 10}));
  const Json &first = j["samples"][0], &last = j["samples"][4];
  EXPECT_EQ(vector(first["body.omega_BN_B"]), (std::array<double, 3>{0.1, 15, 0.1}));
  EXPECT_EQ(last["body.omega_BN_B"], j["final"]["body"]["omega_BN_B"]);

  // No interpolation: a run that ends there gives the same.
  const Json shorter = run_json({kFreeBody, "--no-out", "--set", "time.stop=7.25"});
  const auto at = vector(j["samples"][3]["body.omega_BN_B"]);
  const auto end = vector(shorter["final"]["body"]["omega_BN_B"]);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(at[i], end[i], 1e-9);
}

TEST(RunAt, TimesOutsideOfTheRunAreRefused) {
  for (const char* at : {"-1", "10.5", "nan", "inf", "3,x"}) {
    const Ended end = run_berth({"run", kFreeBody, "--no-out", "--at", at});
    EXPECT_EQ(end.code, 2) << at << end.out;
    EXPECT_FALSE(end.err.empty()) << at;
  }
}

// --- files ---------------------------------------------------------------------------------------

TEST(RunFiles, ResultIsNamedAfterTheScenario) {
  const TemporaryFolder folder;
  const Ended end = run_berth({"run", kFreeBody}, {.folder = folder.path()});
  EXPECT_EQ(end.code, 0);
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"free_body.h5", "free_body.html"}));
  EXPECT_NE(end.out.find("page in free_body.html"), std::string::npos) << end.out;
  EXPECT_NE(end.out.find("Reached the end at 10 s"), std::string::npos) << end.out;
  EXPECT_NE(end.out.find("recorded in free_body.h5"), std::string::npos) << end.out;
}

TEST(RunFiles, OutAndCsvAndNoOutSayWhatIsWritten) {
  const TemporaryFolder folder;
  const ProcessOptions here{.folder = folder.path()};
  EXPECT_EQ(run_berth({"run", kFreeBody, "--no-out"}, here).code, 0);
  EXPECT_EQ(folder.files(), (std::vector<std::string>{}));
  EXPECT_EQ(run_berth({"run", kFreeBody, "--no-out", "--csv"}, here).code, 0);
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"free_body.csv"}));
  EXPECT_EQ(run_berth({"run", kFreeBody, "--out", "a.h5", "--csv"}, here).code, 0);
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"a.csv", "a.h5", "a.html", "free_body.csv"}));
  EXPECT_EQ(run_berth({"run", kFreeBody, "--out", "b.h5", "--no-html"}, here).code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder / "b.html"));
  EXPECT_EQ(run_berth({"run", kFreeBody, "--out", "b.csv", "--csv"}, here).code, 2) << "one name";
}

TEST(RunFiles, ResultDoesNotReplaceTheScenario) {
  const TemporaryFolder folder;
  const std::string text = read_bytes(kFreeBody);
  write_bytes(folder / "x.toml", text);
  const Ended end = run_berth({"run", "x.toml", "--out", "./x.toml"}, {.folder = folder.path()});
  EXPECT_EQ(end.code, 2);
  EXPECT_NE(end.err.find("is the scenario x.toml itself"), std::string::npos) << end.err;
  EXPECT_EQ(read_bytes(folder / "x.toml"), text);
}

TEST(RunFiles, ResultHoldsTimeChannelsScenarioAndSummary) {
  const TemporaryFolder folder;
  const Json j = run_json({kFreeBody, "--out", (folder / "x.h5").string()});
  const record_test::ReadBack file(folder / "x.h5");
  const std::vector<double> time = file.numbers("/time");
  ASSERT_EQ(time.size(), 1001u);
  EXPECT_EQ(time.front(), 0);
  EXPECT_EQ(time.back(), 10);
  for (std::size_t i = 0; i < time.size(); ++i)
    EXPECT_NEAR(time[i], 0.01 * static_cast<double>(i), 1e-12);
  const std::vector<double> omega = file.numbers("/channels/body.omega_BN_B");
  ASSERT_EQ(omega.size(), 3003u);
  EXPECT_EQ(omega[3000], j["final"]["body"]["omega_BN_B"][0]);
  const Json summary = Json::parse(file.texts("/summary").at(0));
  EXPECT_EQ(summary["outcome"], "reached_end");
  EXPECT_FALSE(summary.contains("wall_seconds")) << "no clock in result files";
  // The scenario in the result is complete: it runs again, to the same result.
  write_bytes(folder / "again.toml", file.texts("/scenario").at(0));
  const Json again = run_json({(folder / "again.toml").string(), "--no-out"});
  EXPECT_EQ(again["final"], j["final"]);
}

TEST(RunFiles, TableHasEveryNumberOfEveryRow) {
  const TemporaryFolder folder;
  const Json j = run_json({kFreeBody, "--csv", "--no-out"}, {.folder = folder.path()});
  std::istringstream table(read_bytes(folder / "free_body.csv"));
  std::string header, line, last;
  std::getline(table, header);
  EXPECT_TRUE(header.starts_with("time [s],")) << header;
  EXPECT_NE(header.find("body.omega_BN_B.x [rad/s]"), std::string::npos) << header;
  int rows = 0;
  for (; std::getline(table, line); ++rows) {
    EXPECT_EQ(std::count(line.begin(), line.end(), ','),
              std::count(header.begin(), header.end(), ','));
    last = line;
  }
  EXPECT_EQ(rows, 1001);
  const std::size_t before = static_cast<std::size_t>(std::count(
      header.begin(),
      header.begin() + static_cast<std::ptrdiff_t>(header.find("body.omega_BN_B.x")), ','));
  std::istringstream cells(last);
  std::string cell;
  for (std::size_t i = 0; i <= before; ++i) std::getline(cells, cell, ',');
  EXPECT_EQ(std::stod(cell), j["final"]["body"]["omega_BN_B"][0]) << "17 digits: the very number";
}

TEST(RunFiles, NameThatCannotBeWrittenEndsWithOneAndAMessage) {
  const TemporaryFolder folder;
  for (const std::string& out : {(folder / "no/such/folder/x.h5").string(), folder.path().string(),
                                 std::string("/dev/full")}) {
    const Ended end = run_berth({"run", kFreeBody, "--out", out});
    EXPECT_EQ(end.code, 1) << out;
    EXPECT_NE(end.err.find(out), std::string::npos) << end.err;
  }
  EXPECT_EQ(folder.files(), (std::vector<std::string>{}));
}

class Reproducible : public testing::TestWithParam<std::string> {};

TEST_P(Reproducible, RunTwiceGivesTheSameBytes) {
  std::array<std::string, 2> h5, csv;
  for (std::size_t i = 0; i < 2; ++i) {
    const TemporaryFolder folder;
    std::vector<std::string> arguments{"run", shipped_scenario(GetParam()), "--csv", "--out",
                                       "x.h5"};
    const std::vector<std::string> more = shorten(GetParam());
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ended end = run_berth(arguments, {.folder = folder.path()});
    ASSERT_LE(end.code, more.empty() ? 0 : 1) << end.err << end.out;
    h5[i] = read_bytes(folder / "x.h5") + read_bytes(folder / "x.html");
    for (const std::string& name : folder.files())
      if (name.ends_with(".csv")) csv[i] += name + read_bytes(folder / name);
  }
  EXPECT_GT(h5[0].size(), 10000u);
  EXPECT_GT(csv[0].size(), 10000u);
  EXPECT_TRUE(h5[0] == h5[1]);
  EXPECT_TRUE(csv[0] == csv[1]);
}
INSTANTIATE_TEST_SUITE_P(Shipped, Reproducible, testing::ValuesIn(shipped_scenarios()),
                         [](const auto& p) { return p.param; });

// --- --quiet -------------------------------------------------------------------------------------

TEST(RunQuiet, PrintsNothing) {
  const Ended end = run_berth({"run", kFreeBody, "--no-out", "--quiet"});
  EXPECT_EQ(end.code, 0);
  EXPECT_EQ(end.out, "");
  EXPECT_EQ(end.err, "");
}

TEST(RunQuiet, StillFailsAloudWhenTheInputIsBad) {
  const Ended end = run_berth({"run", kFreeBody, "--no-out", "--quiet", "--set", "time.stop=-1"});
  EXPECT_EQ(end.code, 2);
  EXPECT_NE(end.err.find("--set  time.stop"), std::string::npos) << end.err;
}

TEST(RunQuiet, LeavesJsonAlone) {
  const Ended end = run_berth({"run", kFreeBody, "--no-out", "--quiet", "--json"});
  EXPECT_TRUE(Json::parse(end.out).is_object());
  EXPECT_EQ(end.err, "");
}

// --- progress ------------------------------------------------------------------------------------

TEST(RunProgress, IsABarOnATerminal) {
  int terminal = -1;
  const std::string file = kFreeBody;
  const ::pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::execl(kProgram, kProgram, "run", file.c_str(), "--no-out", "--set", "time.stop=1e6", "--set",
            "record.interval=1", static_cast<char*>(nullptr));
    ::_exit(127);
  }
  // Reads until a bar has come, then interrupts and reads the rest.
  std::string seen;
  std::array<char, 4096> some{};
  bool interrupted = false;
  for (::ssize_t n = 0; (n = ::read(terminal, some.data(), some.size())) > 0;) {
    seen.append(some.data(), static_cast<std::size_t>(n));
    if (!interrupted && seen.find(" s left") != std::string::npos) {
      interrupted = true;
      const char ctrl_c = 3;
      EXPECT_EQ(::write(terminal, &ctrl_c, 1), 1);
    }
  }
  ::close(terminal);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << status;
  EXPECT_NE(seen.find("\r["), std::string::npos) << seen;
  EXPECT_NE(seen.find(" of 1e+06 s  ×"), std::string::npos) << seen;
  EXPECT_NE(seen.find("Interrupted at "), std::string::npos) << seen;
}

TEST(RunProgress, IsSilentElsewhereForAShortRun) {
  EXPECT_EQ(run_berth({"run", kFreeBody, "--no-out"}).err, "");
}

// Its functions then take other code, as on a processor without fused multiply-add.
TEST(RunProgram, DoesNotDependOnWhatTheCLibraryMakesOfTheProcessor) {
  const TemporaryFolder folder;
  const auto run = [&](const char* name) {
    const Ended end = run_berth({"run", shipped_scenario("undock"), "--quiet", "-o", name},
                                {.folder = folder.path()});
    EXPECT_EQ(end.code, 0) << end.err;
    return read_bytes(folder / name);
  };
  const std::string here = run("here.csv");
  ::setenv("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2_Usable,-AVX2,-FMA_Usable,-FMA,-FMA4", 1);
  const std::string elsewhere = run("elsewhere.csv");
  ::unsetenv("GLIBC_TUNABLES");
  EXPECT_GT(here.size(), 1000000u);
  EXPECT_TRUE(here == elsewhere);
}

// --- exit codes ----------------------------------------------------------------------------------

TEST(RunExit, IsZeroWhenAllIsAsExpected) {
  EXPECT_EQ(run_berth({"run", kFreeBody, "--no-out"}).code, 0);
}

TEST(RunExit, IsOneWhenAnExpectationFails) {
  for (const char* setting :
       {"expect.energy=1e-30", "expect.verdict=captured", "expect.outcome=stopped",
        "expect.final=[\"body.rate < 1\"]", "expect.angular_momentum=1e-30"}) {
    const Ended end = run_berth({"run", kFreeBody, "--no-out", "--set", setting});
    EXPECT_EQ(end.code, 1) << setting;
    EXPECT_NE(end.out.find("FAILED"), std::string::npos) << end.out;
  }
}

TEST(RunExit, IsOneWhenTheRunCannotGoOnAndWhatWasRecordedIsKept) {
  const TemporaryFolder folder;
  write_bytes(folder / "blast.toml", R"(
[time]
stop = 1e6
[[spacecraft]]
name = "body"
mass = 1
inertia = [1, 1, 1]
[[force]]
type = "external_load"
name = "blast"
body = "body"
force = [1e300, 0, 0]
axes = "inertial"
)");
  const Ended end = run_berth({"run", "blast.toml", "--json"}, {.folder = folder.path()});
  EXPECT_EQ(end.code, 1) << end.out << end.err;
  const Json j = Json::parse(end.out);
  EXPECT_TRUE(j["outcome"] == "non_finite" || j["outcome"] == "step_too_small") << j["outcome"];
  EXPECT_LT(j["time"], 1e6);
  const record_test::ReadBack file(folder / "blast.h5");
  EXPECT_FALSE(file.numbers("/time").empty());
}

TEST(RunExit, IsTwoForBadInputWithOneLinePerProblem) {
  const TemporaryFolder folder;
  write_bytes(folder / "bad.toml",
              "[time]\nstop = -1\n[integratr]\n[[spacecraft]]\nname = \"a\"\nmass = 0\n"
              "inertia = [1, 1, 9]\ncentre_of_mass = [1, 2]\n");
  const Ended end = run_berth({"run", "bad.toml"}, {.folder = folder.path()});
  EXPECT_EQ(end.code, 2);
  EXPECT_EQ(end.out, "");
  EXPECT_EQ(std::count(end.err.begin(), end.err.end(), '\n'), 6) << end.err;
  for (const char* part : {"bad.toml:2:8  time.stop", "bad.toml:3:1  integratr", "bad.toml:6:8  ",
                           "bad.toml:7:11  ", "bad.toml:8:18  ", "5 problems"})
    EXPECT_NE(end.err.find(part), std::string::npos) << part << "\n" << end.err;
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"bad.toml"}));
}

}  // namespace
}  // namespace berth::test::app_run_test
