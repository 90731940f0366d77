// SPDX-License-Identifier: Apache-2.0
#include "berth/ensemble/lane_trial.h"

#include <algorithm>

#include <fmt/format.h>

#include "berth/scalar/elementary_text.h"

namespace berth {
namespace {

constexpr const char* kText = R"c(
typedef struct {
  void (*find)(const void *function, const double *in, int in_count, double *out, int out_count);
  const void *function;
} berth_call;
typedef void (*berth_function)(const double *in, double *out, const berth_call *calls);

struct berth_block {
  int first, size;
  double scale;
};
struct berth_method {
  int states, is_mean, block_count, watched;
  double tolerance;
  const unsigned char *is_sample;
  const struct berth_block *blocks;
};
struct berth_trial {
  const struct berth_method *method;
  berth_function rate, sample;
  const berth_call *rate_calls, *sample_calls;
  const double *t, *t_end, *h, *x;
  double *in, *out, *k, *x_end, *samples, *ratio, *errors;
};

static berth_number berth_squares(const berth_number *v, struct berth_block b) {
  berth_number sum = berth_splat(0.0);
  for (int i = b.first; i < b.first + b.size; ++i) sum += v[i] * v[i];
  return sum;
}

static void berth_copy(const berth_number *from, int n, berth_number *to) {
  for (int i = 0; i < n; ++i) to[i] = from[i];
}

/* Where the next sampled numbers go. */
static berth_number *berth_stage(const struct berth_trial *trial, int i, berth_number *samples) {
  const struct berth_method *m = trial->method;
  const int n = m->states;
  berth_number *k = (berth_number *)trial->k + i * n;
  if (!m->is_sample[i]) {
    trial->rate(trial->in, (double *)k, trial->rate_calls);
    return samples;
  }
  trial->sample(trial->in, trial->out, trial->sample_calls);
  berth_copy((const berth_number *)trial->out, n, k);
  berth_copy((const berth_number *)trial->out + n, m->watched, samples);
  return samples + m->watched;
}

/* The error ratio of e and, with two estimates, e_2. */
static berth_number berth_judge(const struct berth_trial *trial, const berth_number *e,
                                const berth_number *e_2, berth_number lost) {
  const struct berth_method *m = trial->method;
  const berth_number *x = (const berth_number *)trial->x;
  const berth_number *x_end = (const berth_number *)trial->x_end;
  berth_number worst = berth_splat(0.0), squares = berth_splat(0.0);
  for (int j = 0; j < m->block_count; ++j) {
    const struct berth_block b = m->blocks[j];
    const berth_number a_0 = berth_squares(x, b), a_1 = berth_squares(x_end, b);
    const berth_number w =
        m->tolerance * (b.scale + berth_sqrt(berth_select(a_0 > a_1, a_0, a_1)));
    berth_number r = berth_sqrt(berth_squares(e, b)) / w;
    if (e_2) {
      const berth_number least = berth_splat(1e-150);
      const berth_number d =
          berth_sqrt(berth_squares(e_2, b)) / w / berth_select(r > least, r, least);
      r = r / berth_sqrt(1.0 + 0.01 * d * d);
    }
    lost += r - r;
    worst = berth_select(r > worst, r, worst);
    squares += r * r;
  }
  if (m->is_mean) worst = berth_sqrt(squares / (double)m->block_count);
  return worst + lost;
}

static berth_number berth_find_lost(const berth_number *x, int n) {
  berth_number lost = berth_splat(0.0);
  for (int i = 0; i < n; ++i) lost += x[i] - x[i];
  return lost;
}
)c";

constexpr const char* kHead = R"c(
void {0}(const struct berth_trial *trial);
void {0}(const struct berth_trial *trial) {{
  const int n = trial->method->states;
  const berth_number t = *(const berth_number *)trial->t;
  const berth_number t_end = *(const berth_number *)trial->t_end;
  const berth_number h = *(const berth_number *)trial->h;
  const berth_number *x = (const berth_number *)trial->x;
  berth_number *in = (berth_number *)trial->in;
  berth_number *k = (berth_number *)trial->k;
  (void)t, (void)t_end, (void)h, (void)x, (void)in, (void)k, (void)n;
)c";

// outᵢ = baseᵢ + h Σⱼ wⱼ kⱼᵢ, as in combine.h.
void add_row(std::string& to, const std::string& name, std::span<const Coefficient> row) {
  to += fmt::format(
      "\nstatic void {}(berth_number h, const berth_number *base, const berth_number *k, int n,\n"
      "                 berth_number *out) {{\n"
      "  for (int i = 0; i < n; ++i) {{\n"
      "    berth_number s = berth_splat(0.0);\n",
      name);
  for (const Coefficient& w : row)
    to += fmt::format("    s += {:a} * k[{} * n + i];\n", w.value, w.column);
  to += "    s = h * s;\n    if (base) s += base[i];\n    out[i] = s;\n  }\n}\n";
}
std::string name_row(int stage) { return fmt::format("berth_row_{}", stage); }

// The argument of a stage, in place.
std::string argument_text(const Tableau& m, int stage) {
  const double c = m.c[static_cast<std::size_t>(stage)];
  return fmt::format("  {}(h, x, k, n, in + 1);\n  in[0] = {};\n", name_row(stage),
                     c < 1 ? fmt::format("t + {:a} * h", c) : "t_end");
}

std::string try_text(const Tableau& m) {
  std::string text = fmt::format(fmt::runtime(kHead), "berth_try");
  text +=
      "  berth_number *x_end = (berth_number *)trial->x_end;\n"
      "  berth_number *samples = (berth_number *)trial->samples;\n";
  for (int i = 1; i < m.stages; ++i)
    text += argument_text(m, i) + fmt::format("  samples = berth_stage(trial, {}, samples);\n", i);
  text += fmt::format("  {}(h, x, k, n, x_end);\n", name_row(m.stages));
  if (m.error_needs_end())
    text += fmt::format(
        "  berth_copy(x_end, n, in + 1);\n  in[0] = t_end;\n"
        "  trial->rate(trial->in, (double *)(k + {} * n), trial->rate_calls);\n",
        m.stages);
  text += "  const berth_number lost = berth_find_lost(x_end, n);\n  berth_number ratio = lost;\n";
  if (m.adaptive()) {
    const bool two = m.embedded_order_2 > 0;
    text += "  berth_number *e = (berth_number *)trial->errors;\n  berth_error(h, 0, k, n, e);\n";
    if (two) text += "  berth_error_2(h, 0, k, n, e + n);\n";
    text += fmt::format("  ratio = berth_judge(trial, e, {}, lost);\n", two ? "e + n" : "0");
  }
  return text + "  *(berth_number *)trial->ratio = ratio;\n}\n";
}

std::string extend_text(const Tableau& m) {
  std::string text = fmt::format(fmt::runtime(kHead), "berth_extend");
  for (int i = m.stages + 1; i < m.all_stages(); ++i)
    text +=
        argument_text(m, i) +
        fmt::format("  trial->rate(trial->in, (double *)(k + {} * n), trial->rate_calls);\n", i);
  return text + "}\n";
}

void add_columns(std::span<const Coefficient> row, int most, std::vector<int>& to) {
  for (const Coefficient& w : row)
    if (w.column <= most && std::find(to.begin(), to.end(), w.column) == to.end())
      to.push_back(w.column);
}

}  // namespace

std::string lane_steps_text(const Tableau& method, int lanes) {
  std::string text = elementary_c_prologue(lanes) + std::string(elementary_c_text()) + kText;
  for (int i = 1; i < method.all_stages(); ++i) add_row(text, name_row(i), find_row(method.a, i));
  if (method.adaptive()) add_row(text, "berth_error", find_row(method.error, 0));
  if (method.embedded_order_2 > 0) add_row(text, "berth_error_2", find_row(method.error, 1));
  return text + try_text(method) + extend_text(method);
}

LaneSteps::LaneSteps(const Tableau& of) : method(&of) {
  for (int i = of.stages + 1; i < of.all_stages(); ++i)
    add_columns(find_row(of.a, i), of.stages, extension_columns);
  dense_columns = extension_columns;
  for (int r = 0; r < of.dense_rows(); ++r)
    add_columns(find_row(of.dense, r), of.stages, dense_columns);
}

void LaneSteps::load() {
  library = pending.get();
  try_step = reinterpret_cast<LaneTrialFunction>(library->symbol("berth_try"));
  extend = reinterpret_cast<LaneTrialFunction>(library->symbol("berth_extend"));
}

LaneMethodTable::LaneMethodTable(const LaneSteps& steps, const Trial& trial, int watched)
    : steps_(steps),
      of_norm_(trial.norm.blocks().begin(), trial.norm.blocks().end()),
      is_sample_(trial.is_sample.begin(), trial.is_sample.end()) {
  for (const Block& b : of_norm_)
    blocks_.push_back({static_cast<int>(b.first), static_cast<int>(b.size), b.scale});
  if (watched == 0) std::fill(is_sample_.begin(), is_sample_.end(), 0);
  samples_ = static_cast<int>(std::count(is_sample_.begin(), is_sample_.end(), 1));
  method_ = {static_cast<int>(trial.x.size()),
             trial.norm.is_mean(),
             static_cast<int>(blocks_.size()),
             watched,
             trial.norm.tolerance(),
             is_sample_.data(),
             blocks_.data()};
}

bool LaneMethodTable::fits(const Trial& trial, int watched) const {
  const auto same = [](const Block& a, const Block& b) {
    return a.first == b.first && a.size == b.size && a.scale == b.scale;
  };
  return steps_.method == &trial.method && method_.watched == watched &&
         method_.states == static_cast<int>(trial.x.size()) &&
         method_.tolerance == trial.norm.tolerance() &&
         method_.is_mean == static_cast<int>(trial.norm.is_mean()) &&
         std::ranges::equal(of_norm_, trial.norm.blocks(), same);
}

}  // namespace berth
