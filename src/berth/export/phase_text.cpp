// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "berth/compile/emit_c.h"
#include "berth/export/c_text.h"
#include "berth/run/options.h"
#include "berth/system/jumps.h"

namespace berth {
namespace {

constexpr std::string_view kPhaseHead = R"c(/* SPDX-License-Identifier: Apache-2.0
   @WHAT
   Written by berth; @H.h says what the functions do. */
#include "berth_elementary.h"
#include "@H.h"

)c";

constexpr std::string_view kEvaluate = R"c(
/* t | x | u */
static void gather(double t, const double *x, const double *u, double *in) {
  int i;
  in[0] = t;
  for (i = 0; i < @N; ++i) in[1 + i] = x[i];
  for (i = 0; i < @M; ++i) in[1 + @N + i] = u[i];
}

void @P_derivative(double t, const double x[@N], const double u[@M], double x_dot[@N]) {
  double in[1 + @N + @M];
  gather(t, x, u, in);
  derivative_graph(in, x_dot, 0);
}

void @P_outputs(double t, const double x[@N], const double u[@M], double y[@Y]) {
  double in[1 + @N + @M];
  gather(t, x, u, in);
  outputs_graph(in, y, 0);
}

void @P_tangent(double t, const double x[@N], const double u[@M], const double dx[@N],
                const double du[@M], double dx_dot[@N]) {
  double in[1 + 2 * (@N + @M)];
  int i;
  gather(t, x, u, in);
  for (i = 0; i < @N; ++i) in[1 + @N + @M + i] = dx[i];
  for (i = 0; i < @M; ++i) in[1 + 2 * @N + @M + i] = du[i];
  tangent_graph(in, dx_dot, 0);
}

/* A column for each number that the derivative depends on. */
void @P_jacobian(double t, const double x[@N], const double u[@M], double by_x[@N * @N],
                 double by_u[@N * @M]) {
  static const unsigned char depends[@N + @M] = {@DEPENDS};
  double in[1 + 2 * (@N + @M)], column[@N];
  int i, j;
  gather(t, x, u, in);
  for (i = 0; i < @N + @M; ++i) in[1 + @N + @M + i] = 0.0;
  for (j = 0; j < @N + @M; ++j) {
    for (i = 0; i < @N; ++i) column[i] = 0.0;
    in[1 + @N + @M + j] = 1.0;
    if (depends[j]) tangent_graph(in, column, 0);
    in[1 + @N + @M + j] = 0.0;
    for (i = 0; i < @N; ++i) {
      if (j < @N) by_x[i * @N + j] = column[i];
      else by_u[i * @M + (j - @N)] = column[i];
    }
  }
}

/* The classical method of fourth order; each sum in the order of berth's own. */
void @P_step(double t, double t_end, const double x[@N], const double u_begin[@M],
             const double u_middle[@M], const double u_end[@M], double x_end[@N]) {
  const double h = t_end - t, t_middle = t + 0.5 * h;
  double k_0[@N], k_1[@N], k_2[@N], k_3[@N], argument[@N];
  int i;
  @P_derivative(t, x, u_begin, k_0);
  for (i = 0; i < @N; ++i) {
    double sum = 0.0;
    sum += 0.5 * k_0[i];
    argument[i] = h * sum + x[i];
  }
  @P_derivative(t_middle, argument, u_middle, k_1);
  for (i = 0; i < @N; ++i) {
    double sum = 0.0;
    sum += 0.5 * k_1[i];
    argument[i] = h * sum + x[i];
  }
  @P_derivative(t_middle, argument, u_middle, k_2);
  for (i = 0; i < @N; ++i) {
    double sum = 0.0;
    sum += k_2[i];
    argument[i] = h * sum + x[i];
  }
  @P_derivative(t_end, argument, u_end, k_3);
  for (i = 0; i < @N; ++i) {
    double sum = 0.0;
    sum += 1.0 / 6 * k_0[i];
    sum += 1.0 / 3 * k_1[i];
    sum += 1.0 / 3 * k_2[i];
    sum += 1.0 / 6 * k_3[i];
    x_end[i] = h * sum + x[i];
  }
}
)c";

constexpr std::string_view kProject = R"c(
/* Back onto the rows of exact docks and loops: Newton steps as the violation asks for, then the rates. */
void @P_project(double t, double x[@N], const double u[@M]) {
  double in[1 + @N + @M], later[@N + @K], largest, q[@Q], v[@V];
  int i, k, steps;
  gather(t, x, u, in);
  factor_graph(in, later + @N, 0);
  for (i = 0; i < @N; ++i) later[i] = x[i];
  violation_graph(later, &largest, 0);
  steps = largest <= @ROUNDING ? 0 : largest < @FAR ? 1 : @NEWTON;
  for (k = 0; k < @NEWTON; ++k) {
    if (k >= steps) continue;
    pull_positions_graph(later, q, 0);
    for (i = 0; i < @Q; ++i) later[i] = q[i];
  }
  pull_rates_graph(later, v, 0);
  for (i = 0; i < @Q; ++i) x[i] = later[i];
  for (i = 0; i < @V; ++i) x[@Q + i] = v[i];
}
)c";

constexpr std::string_view kProjectNothing = R"c(
/* Nothing is held exactly. */
void @P_project(double t, double x[@N], const double u[@M]) {
  (void)t, (void)x, (void)u;
}
)c";

constexpr std::string_view kNormalise = R"c(
/* Quaternions back to unit length, once one of them has drifted. */
static void normalise(double *x) {
  static const int first[@C] = {@PLACES};
  double q[@Q];
  int i, drifted = 0;
  for (i = 0; i < @C; ++i) {
    const double *p = x + first[i];
    const double square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
    drifted |= berth_abs(square - 1) > @DRIFT;
  }
  if (!drifted) return;
  normalise_graph(x, q, 0);
  for (i = 0; i < @Q; ++i) x[i] = q[i];
}
)c";

constexpr std::string_view kSettle = R"c(
void @P_settle(double t, double x[@N], const double u[@M]) {
  @P_project(t, x, u);
@NORMALISE}
)c";

// Of each number of x and u: does the derivative depend on it?
std::string list_dependence(const RecordedPhase& p) {
  std::vector<char> depends(static_cast<std::size_t>(p.states + p.input_count()), 0);
  for (const Node& n : p.derivative.nodes)
    if (n.operation == Operation::input && n.operand[0] > 0)
      depends[static_cast<std::size_t>(n.operand[0] - 1)] = 1;
  std::string out;
  for (std::size_t i = 0; i < depends.size(); ++i)
    out += fmt::format("{}{}", i == 0 ? "" : i % 40 == 0 ? ",\n    " : ", ", int{depends[i]});
  return out;
}

}  // namespace

std::string write_phase(const Plant& plant, int phase, std::vector<ExportedFunction>& functions) {
  const RecordedPhase& p = plant.run.phases[static_cast<std::size_t>(phase - 1)].recorded;
  const std::string prefix = phase_prefix(plant, phase);
  const std::string N = upper_case(plant_prefix(plant)) + "_STATES";
  const std::string Y = upper_case(plant_prefix(plant)) + "_OUTPUTS";
  const std::string M = phase_inputs(plant, phase);
  const int n = p.states, m = p.input_count();
  EmitOptions options;
  options.is_local = true;
  const auto size_of = [&](const Graph& graph) { return find_size(graph, options); };
  const auto note = [&](const std::string& name, int operations, int stack) {
    functions.push_back({phase, prefix + "_" + name, operations, stack});
  };

  std::string text = fill_text(kPhaseHead, {{"@WHAT", comment_text(describe_phase(plant, phase))},
                                            {"@H", plant_prefix(plant)}});
  std::vector<NamedGraph> graphs{{"derivative_graph", &p.derivative},
                                 {"outputs_graph", &p.outputs},
                                 {"tangent_graph", &p.tangent}};
  if (p.is_projected)
    graphs.insert(graphs.end(), {{"factor_graph", &p.factor},
                                 {"violation_graph", &p.violation},
                                 {"pull_positions_graph", &p.pull_positions},
                                 {"pull_rates_graph", &p.pull_rates}});
  if (!p.quaternions.empty()) graphs.push_back({"normalise_graph", &p.normalise});
  text += emit_c_functions(graphs, options);
  text += fill_text(
      kEvaluate,
      {{"@P", prefix}, {"@N", N}, {"@M", M}, {"@Y", Y}, {"@DEPENDS", list_dependence(p)}});

  const FunctionSize rate = size_of(p.derivative), row = size_of(p.outputs),
                     tangent = size_of(p.tangent);
  const int in = 1 + n + m;
  note("derivative", rate.operations, in + rate.kept);
  note("outputs", row.operations, in + row.kept);
  note("tangent", tangent.operations, in + n + m + tangent.kept);
  int columns = 0;
  for (const Node& node : p.derivative.nodes)
    columns += node.operation == Operation::input && node.operand[0] > 0;
  note("jacobian", columns * tangent.operations, in + n + m + n + tangent.kept);
  note("step", 4 * rate.operations + 25 * n, 5 * n + in + rate.kept);

  std::string body;
  FunctionSize settle;
  const auto raise = [&](int operations, int stack) {
    settle.operations += operations;
    settle.kept = std::max(settle.kept, stack);
  };
  if (p.is_projected) {
    text += fill_text(kProject, {{"@NEWTON", std::to_string(kNewtonSteps)},
                                 {"@N", N},
                                 {"@M", M},
                                 {"@K", std::to_string(std::max(p.kept, 1))},
                                 {"@Q", std::to_string(p.coordinates)},
                                 {"@V", std::to_string(p.speeds)},
                                 {"@ROUNDING", number_literal(kViolationOfRounding)},
                                 {"@P", prefix},
                                 {"@FAR", number_literal(kViolationFar)}});
    const FunctionSize factor = size_of(p.factor), violation = size_of(p.violation),
                       positions = size_of(p.pull_positions), rates = size_of(p.pull_rates);
    const int own = in + n + p.kept + 1 + p.coordinates + p.speeds;
    // One Newton step, as after most steps.
    raise(factor.operations + violation.operations + positions.operations + rates.operations,
          own + std::max({factor.kept, violation.kept, positions.kept, rates.kept}));
  } else {
    text += fill_text(kProjectNothing, {{"@P", prefix}, {"@N", N}, {"@M", M}});
  }
  if (!p.quaternions.empty()) {
    text += fill_text(kNormalise, {{"@C", std::to_string(p.quaternions.size())},
                                   {"@PLACES", fmt::format("{}", fmt::join(p.quaternions, ", "))},
                                   {"@Q", std::to_string(p.coordinates)},
                                   {"@DRIFT", number_literal(kQuaternionDrift)}});
    body = "  normalise(x);\n";
    raise(static_cast<int>(9 * p.quaternions.size()), p.coordinates);
  }
  text += fill_text(kSettle, {{"@P", prefix}, {"@NORMALISE", body}, {"@N", N}, {"@M", M}});
  note("settle", settle.operations, settle.kept);
  return text;
}

}  // namespace berth
