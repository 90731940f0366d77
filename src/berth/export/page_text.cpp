// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "berth/compile/emit_c.h"
#include "berth/export/c_text.h"

namespace berth {
namespace {

int count_phases(const Plant& plant) { return static_cast<int>(plant.run.phases.size()); }
const SmoothPhase& phase_at(const Plant& plant, int k) {
  return plant.run.phases[static_cast<std::size_t>(k - 1)];
}

// One constant per number, its place.
std::string write_enumeration(const std::string& prefix, const std::vector<PlantSignal>& signals) {
  std::string text = "enum {\n";
  std::set<std::string> taken;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    std::string name = prefix;
    for (const char c : upper_case(signals[i].name)) {
      const bool fits = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      name += fits ? c : '_';
    }
    if (!taken.insert(name).second) name += fmt::format("_{}", i), taken.insert(name);
    text += fmt::format("  {} = {}, /* {} [{}] */\n", name, i, comment_text(signals[i].name),
                        comment_text(signals[i].unit));
  }
  return text + "};\n";
}

std::vector<PlantSignal> choose_phase_inputs(const Plant& plant, int k) {
  std::vector<PlantSignal> out;
  for (const int i : phase_at(plant, k).recorded.inputs)
    out.push_back(plant.inputs[static_cast<std::size_t>(i)]);
  return out;
}

constexpr std::string_view kHeaderHead = R"c(/* SPDX-License-Identifier: Apache-2.0
   @WHAT

   Written by berth. Functions of one smooth phase each:

     derivative   x_dot = f(t, x, u)
     outputs      all channels at (t, x, u)
     tangent      dx_dot = df/dx dx + df/du du, exact
     jacobian     df/dx and df/du, row by row: by_x[i * STATES + j]
     step         one step of the classical Runge-Kutta method, t to t_end; inputs at its beginning, in its
                  middle and at its end
     project      exact docks and loops back onto their rows
     settle       what berth does after every step: project, and quaternions back to unit length

   Functions transitionK say what latches and releases make of a state; project of the phase that follows
   comes behind them.

   Nothing is kept between calls; arrays belong to the caller. */
#ifndef @G_H
#define @G_H

#define @G_STATES @N
#define @G_OUTPUTS @Y

/* x */
)c";

constexpr std::string_view kPrototypes = R"c(
void @P_derivative(double t, const double x[@N], const double u[@M], double x_dot[@N]);
void @P_outputs(double t, const double x[@N], const double u[@M], double y[@Y]);
void @P_tangent(double t, const double x[@N], const double u[@M], const double dx[@N],
                const double du[@M], double dx_dot[@N]);
void @P_jacobian(double t, const double x[@N], const double u[@M], double by_x[@N * @N],
                 double by_u[@N * @M]);
void @P_step(double t, double t_end, const double x[@N], const double u_begin[@M],
             const double u_middle[@M], const double u_end[@M], double x_end[@N]);
void @P_project(double t, double x[@N], const double u[@M]);
void @P_settle(double t, double x[@N], const double u[@M]);
)c";

constexpr std::string_view kTransition = R"c(
void @T(double t, const double x[@N], double x_after[@N]) {
  double in[1 + @N];
  int i;
  in[0] = t;
  for (i = 0; i < @N; ++i) in[1 + i] = x[i];
  change@K_graph(in, x_after, 0);
}
)c";

// A function of a place that gives a text.
std::string write_table(const std::string& name, const std::vector<PlantSignal>& signals,
                        std::string PlantSignal::*part) {
  std::string text =
      fmt::format("\nconst char *{}(int i) {{\n  static const char *const all[] = {{\n", name);
  for (const PlantSignal& s : signals) text += "    " + string_literal(s.*part) + ",\n";
  return text +
         fmt::format("  }};\n  return i < 0 || i >= {} ? \"\" : all[i];\n}}\n", signals.size());
}

}  // namespace

std::string describe_phase(const Plant& plant, int k) {
  const SmoothPhase& p = phase_at(plant, k);
  return fmt::format("Phase {}, from {:.9g} s: {}.", k, p.t_first,
                     p.joined.empty()
                         ? "nothing touches"
                         : fmt::format("{} joined or touching", fmt::join(p.joined, ", ")));
}

std::string write_header(const Plant& plant) {
  const std::string prefix = plant_prefix(plant), guard = upper_case(prefix);
  std::string text = fill_text(kHeaderHead, {{"@WHAT", comment_text(plant.scenario)},
                                             {"@G", guard},
                                             {"@N", std::to_string(plant.states.size())},
                                             {"@Y", std::to_string(plant.outputs.size())}});
  text += write_enumeration(guard + "_X_", plant.states);
  text += "\n/* y */\n" + write_enumeration(guard + "_Y_", plant.outputs);
  text += fmt::format(
      "\n/* Names and units, by place; \"\" for a place that there is not. */\n"
      "const char *{0}_state_name(int i);\nconst char *{0}_state_unit(int i);\n"
      "const char *{0}_output_name(int i);\nconst char *{0}_output_unit(int i);\n",
      prefix);
  for (int k = 1; k <= count_phases(plant); ++k) {
    if (!phase_at(plant, k).obstacle.empty()) continue;
    const std::vector<PlantSignal> inputs = choose_phase_inputs(plant, k);
    text +=
        fmt::format("\n/* --- {} --- */\n\n#define {} {}\n\n/* u */\n",
                    comment_text(describe_phase(plant, k)), phase_inputs(plant, k), inputs.size());
    text += write_enumeration(upper_case(phase_prefix(plant, k)) + "_U_", inputs);
    text += fill_text(kPrototypes, {{"@P", phase_prefix(plant, k)},
                                    {"@N", guard + "_STATES"},
                                    {"@M", phase_inputs(plant, k)},
                                    {"@Y", guard + "_OUTPUTS"}});
  }
  for (std::size_t k = 0; k < plant.run.transitions.size(); ++k) {
    const Transition& t = plant.run.transitions[k];
    if (!t.obstacle.empty()) continue;
    text += fmt::format(
        "\n/* {} */\nvoid {}_transition{}(double t, const double x[{}_STATES], double "
        "x_after[{}_STATES]);\n",
        comment_text(fmt::format("{}", fmt::join(t.what, ", "))), prefix, k + 1, guard, guard);
  }
  return text + "\n#endif\n";
}

std::string write_transitions(const Plant& plant, std::vector<ExportedFunction>& functions) {
  const std::string prefix = plant_prefix(plant);
  std::string text = fmt::format(
      "/* SPDX-License-Identifier: Apache-2.0 */\n#include \"berth_elementary.h\"\n#include "
      "\"{}.h\"\n",
      prefix);
  EmitOptions options;
  options.is_local = true;
  for (std::size_t k = 0; k < plant.run.transitions.size(); ++k) {
    const Transition& t = plant.run.transitions[k];
    if (!t.obstacle.empty()) continue;
    const std::string name = fmt::format("{}_transition{}", prefix, k + 1);
    const std::vector<NamedGraph> graphs{
        {fmt::format("change{}_graph", k + 1), &t.recorded.change}};
    text += emit_c_functions(graphs, options);
    text += fill_text(
        kTransition,
        {{"@T", name}, {"@N", upper_case(prefix) + "_STATES"}, {"@K", std::to_string(k + 1)}});
    const FunctionSize size = find_size(t.recorded.change, options);
    functions.push_back(
        {0, name, size.operations, 1 + static_cast<int>(plant.states.size()) + size.kept});
  }
  return text;
}

std::string write_names(const Plant& plant) {
  const std::string prefix = plant_prefix(plant);
  return fmt::format("/* SPDX-License-Identifier: Apache-2.0 */\n#include \"{}.h\"\n", prefix) +
         write_table(prefix + "_state_name", plant.states, &PlantSignal::name) +
         write_table(prefix + "_state_unit", plant.states, &PlantSignal::unit) +
         write_table(prefix + "_output_name", plant.outputs, &PlantSignal::name) +
         write_table(prefix + "_output_unit", plant.outputs, &PlantSignal::unit);
}

std::string write_readme(const Plant& plant, const ExportedPlant& exported) {
  const std::string prefix = plant_prefix(plant);
  std::string text = fmt::format(
      "# {0}\n\n{1}\n\nThe plant of this scenario in C99, written by berth: {2} states, {3} "
      "outputs, {4} "
      "phases.\n\n"
      "    cc -std=c99 -O2 -ffp-contract=off *.c -lm -o repeat && ./repeat\n\n"
      "`{0}.h` lists states, outputs and inputs with their units, and the functions of every "
      "phase. "
      "`main.c` repeats\na stretch of every phase with steps of {5:.9g} s and compares the states "
      "with those "
      "of the run: they are the\nsame bit for bit. No heap, no recursion, no variable outside of "
      "functions "
      "that changes, no loop whose length\ndepends on data.\n\n## Phases\n\n",
      prefix, plant.scenario, plant.states.size(), plant.outputs.size(), count_phases(plant),
      plant.run.step);
  for (int k = 1; k <= count_phases(plant); ++k) {
    const SmoothPhase& p = phase_at(plant, k);
    text += fmt::format("- {} {} steps of the run. ", describe_phase(plant, k), p.steps);
    if (!p.obstacle.empty()) {
      text += fmt::format("Not exported: {}.\n", p.obstacle);
    } else if (p.stretch.steps == 0) {
      text += fmt::format("`main.c` does not repeat it: {}.\n", p.hindrance);
    } else {
      text += fmt::format("`main.c` repeats {} from {:.9g} s to {:.9g} s.\n", p.stretch.steps,
                          p.stretch.t, p.stretch.t_end);
    }
  }
  if (!plant.run.transitions.empty()) text += "\n## Transitions\n\n";
  for (std::size_t k = 0; k < plant.run.transitions.size(); ++k) {
    const Transition& t = plant.run.transitions[k];
    text += fmt::format("- `transition{}`, at {:.9g} s: {}. ", k + 1, t.t, fmt::join(t.what, ", "));
    if (!t.obstacle.empty()) {
      text += fmt::format("Not exported: {}.\n", t.obstacle);
    } else if (t.is_repeated) {
      text += fmt::format("With `project` of phase {} behind it `main.c` repeats it.\n",
                          t.phase_after + 1);
    } else if (t.phase_after < 0) {
      text += "`main.c` does not repeat it: the run ends there, or its phases are left out.\n";
    } else if (!phase_at(plant, t.phase_after + 1).obstacle.empty()) {
      text += "`main.c` does not repeat it: the phase that follows is not exported.\n";
    } else {
      text +=
          "`main.c` does not repeat it: something else changed the state at the same instant.\n";
    }
    if (t.obstacle.empty() && t.is_frozen)
      text += "  The ports are joined as they stand: the phase that follows is that of the run.\n";
  }
  if (plant.run.left_out > 0)
    text += fmt::format("\n{} further phases were left out.\n", plant.run.left_out);
  text +=
      "\nWhat is constant between two samples is an input u: outputs that controllers hold, "
      "readings, valves, "
      "forces\nthat come back late. `t_from` is the start of the smooth stretch. Sampling, events "
      "and the "
      "choice of the phase\nare the caller's. Positions are counted from a point in free fall; "
      "berth moves "
      "it once the craft are far from\nit, this code does not.\n\n## Sizes\n\nOperations of one "
      "call, "
      "with one Newton step of `settle`; numbers (8 bytes each) on the stack, beside what\nthe "
      "compiler "
      "puts there.\n\n| function | operations | numbers |\n|---|---|---|\n";
  for (const ExportedFunction& f : exported.functions)
    text += fmt::format("| `{}` | {} | {} |\n", f.name, f.operations, f.stack);
  return text;
}

}  // namespace berth
