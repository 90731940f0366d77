// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "berth/export/c_text.h"

namespace berth {
namespace {

constexpr std::string_view kMainHead = R"c(/* SPDX-License-Identifier: Apache-2.0
   Repeats a stretch of every phase that the run of berth went through, with its fixed step, and compares the
   states with those of the run: they are the same to the last bit, or the exit code is 1. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "@H.h"

#define STEP @STEP
#define STATES @N

/* Steps as equal as they can be until t_limit. */
static double find_step_end(double t, double t_limit) {
  const double left = t_limit - t, steps = ceil(left / STEP * (1 - 1e-12));
  return steps <= 1 ? t_limit : t + left / steps;
}

/* Steps with the same inputs; of one step they may be others in its middle and at its end. */
typedef struct {
  double t_limit;
  int steps, u_begin, u_middle, u_end;
} segment;

static int compare(const char *what, int number, int steps, double t, const double *x,
                   const double *wanted) {
  int i, wrong = 0;
  printf("%s %d: %d steps until %.17g s\n", what, number, steps, t);
  for (i = 0; i < STATES; ++i) {
    const int differs = memcmp(x + i, wanted + i, sizeof *x) != 0;
    printf("  %-44s %a", @H_state_name(i), x[i]);
    if (differs) printf(" but %a in the run", wanted[i]);
    printf("\n");
    wrong += differs;
  }
  if (wrong == 0) printf("  the states of the run, bit for bit\n");
  else printf("  %d states differ\n", wrong);
  return wrong;
}
)c";

constexpr std::string_view kRepeatPhase = R"c(
static int repeat_phase@K(void) {
  static const double start[STATES] = @START;
  static const double end[STATES] = @END;
  static const double u[@R][@M] = {@U};
  static const segment all[@S] = {@SEGMENTS};
  double t = @T, x[STATES], x_end[STATES];
  int i, k, steps = 0;
  for (i = 0; i < STATES; ++i) x[i] = start[i];
  for (k = 0; k < @S; ++k) {
    for (i = 0; i < all[k].steps; ++i) {
      const double t_end = find_step_end(t, all[k].t_limit);
      @P_step(t, t_end, x, u[all[k].u_begin], u[all[k].u_middle], u[all[k].u_end], x_end);
      memcpy(x, x_end, sizeof x);
      @P_settle(t_end, x, u[all[k].u_end]);
      t = t_end;
      ++steps;
    }
  }
  return compare("phase", @K, steps, t, x, end);
}
)c";

constexpr std::string_view kRepeatTransition = R"c(
static int repeat_transition@K(void) {
  static const double start[STATES] = @START;
  static const double end[STATES] = @END;
  static const double u[@M] = @U;
  double x[STATES];
  @H_transition@K(@T, start, x);
  @P_project(@T, x, u);
  return compare("transition", @K, 0, @T, x, end);
}
)c";

}  // namespace

std::string write_main(const Plant& plant) {
  std::string text = fill_text(kMainHead, {{"@H", plant_prefix(plant)},
                                           {"@STEP", number_literal(plant.run.step)},
                                           {"@N", upper_case(plant_prefix(plant)) + "_STATES"}});
  std::string calls;
  for (int k = 1; k <= static_cast<int>(plant.run.phases.size()); ++k) {
    const PhaseStretch& s = plant.run.phases[static_cast<std::size_t>(k - 1)].stretch;
    if (s.steps == 0) continue;
    std::string rows, segments;
    for (const auto& row : s.u) rows += (rows.empty() ? "" : ",\n    ") + number_list(row);
    for (const PhaseSegment& one : s.segments)
      segments +=
          fmt::format("{}{{{}, {}, {}, {}, {}}}", segments.empty() ? "" : ",\n    ",
                      number_literal(one.t_limit), one.steps, one.u_begin, one.u_middle, one.u_end);
    text += fill_text(kRepeatPhase, {{"@K", std::to_string(k)},
                                     {"@START", number_list(s.x)},
                                     {"@END", number_list(s.x_end)},
                                     {"@R", std::to_string(s.u.size())},
                                     {"@M", phase_inputs(plant, k)},
                                     {"@U", rows},
                                     {"@SEGMENTS", segments},
                                     {"@S", std::to_string(s.segments.size())},
                                     {"@T", number_literal(s.t)},
                                     {"@P", phase_prefix(plant, k)}});
    calls += fmt::format("  wrong += repeat_phase{}();\n", k);
  }
  for (std::size_t k = 0; k < plant.run.transitions.size(); ++k) {
    const Transition& t = plant.run.transitions[k];
    if (!t.is_repeated) continue;
    text += fill_text(kRepeatTransition, {{"@K", std::to_string(k + 1)},
                                          {"@START", number_list(t.x)},
                                          {"@END", number_list(t.x_after)},
                                          {"@M", phase_inputs(plant, t.phase_after + 1)},
                                          {"@U", number_list(t.u_after)},
                                          {"@H", plant_prefix(plant)},
                                          {"@T", number_literal(t.t)},
                                          {"@P", phase_prefix(plant, t.phase_after + 1)}});
    calls += fmt::format("  wrong += repeat_transition{}();\n", k + 1);
  }
  if (calls.empty())
    return "#include <stdio.h>\n\nint main(void) {\n  printf(\"no phase can be repeated\\n\");\n  "
           "return "
           "0;\n}\n";
  return text + "\nint main(void) {\n  int wrong = 0;\n" + calls + "  return wrong != 0;\n}\n";
}

}  // namespace berth
