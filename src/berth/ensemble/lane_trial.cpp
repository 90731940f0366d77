// SPDX-License-Identifier: Apache-2.0
#include "berth/ensemble/lane_trial.h"

#include <algorithm>

#include "berth/scalar/elementary_text.h"

namespace berth {
namespace {

constexpr const char* kText = R"c(
typedef struct {
  void (*find)(const void *function, const double *in, int in_count, double *out, int out_count);
  const void *function;
} berth_call;
typedef void (*berth_function)(const double *in, double *out, const berth_call *calls);

struct berth_coefficient {
  int row, column;
  double value;
};
struct berth_row {
  const struct berth_coefficient *first;
  int count;
};
struct berth_block {
  int first, size;
  double scale;
};
struct berth_method {
  int states, stages, needs_end, is_mean, block_count, watched;
  double tolerance;
  const double *c;
  const unsigned char *is_sample;
  const struct berth_row *rows;
  struct berth_row error, error_2;
  const struct berth_block *blocks;
};
struct berth_trial {
  const struct berth_method *method;
  berth_function rate, sample;
  const berth_call *rate_calls, *sample_calls;
  const double *t, *t_end, *h, *x;
  double *in, *out, *k, *x_end, *samples, *ratio, *errors;
};

static void berth_combine(struct berth_row row, berth_number h, const berth_number *base,
                          const berth_number *k, int n, berth_number *out) {
  for (int i = 0; i < n; ++i) {
    berth_number s = berth_splat(0.0);
    for (int j = 0; j < row.count; ++j)
      s += row.first[j].value * k[row.first[j].column * n + i];
    s = h * s;
    if (base) s += base[i];
    out[i] = s;
  }
}

static berth_number berth_squares(const berth_number *v, struct berth_block b) {
  berth_number sum = berth_splat(0.0);
  for (int i = b.first; i < b.first + b.size; ++i) sum += v[i] * v[i];
  return sum;
}

static void berth_copy(const berth_number *from, int n, berth_number *to) {
  for (int i = 0; i < n; ++i) to[i] = from[i];
}

void berth_try(const struct berth_trial *trial);
void berth_try(const struct berth_trial *trial) {
  const struct berth_method *m = trial->method;
  const int n = m->states;
  const berth_number t = *(const berth_number *)trial->t;
  const berth_number t_end = *(const berth_number *)trial->t_end;
  const berth_number h = *(const berth_number *)trial->h;
  const berth_number *x = (const berth_number *)trial->x;
  berth_number *in = (berth_number *)trial->in;
  berth_number *out = (berth_number *)trial->out;
  berth_number *k = (berth_number *)trial->k;
  berth_number *x_end = (berth_number *)trial->x_end;
  berth_number *samples = (berth_number *)trial->samples;
  berth_number *e = (berth_number *)trial->errors, *e_2 = e + n;
  for (int i = 1; i < m->stages; ++i) {
    berth_combine(m->rows[i], h, x, k, n, in + 1);
    in[0] = m->c[i] < 1 ? t + m->c[i] * h : t_end;
    if (m->is_sample[i]) {
      trial->sample(trial->in, trial->out, trial->sample_calls);
      berth_copy(out + n, m->watched, samples);
      samples += m->watched;
    } else {
      trial->rate(trial->in, trial->out, trial->rate_calls);
    }
    berth_copy(out, n, k + i * n);
  }
  berth_combine(m->rows[m->stages], h, x, k, n, x_end);
  if (m->needs_end) {
    berth_copy(x_end, n, in + 1);
    in[0] = t_end;
    trial->rate(trial->in, trial->out, trial->rate_calls);
    berth_copy(out, n, k + m->stages * n);
  }
  berth_number lost = berth_splat(0.0), worst = berth_splat(0.0), squares = berth_splat(0.0);
  for (int i = 0; i < n; ++i) lost += x_end[i] - x_end[i];
  if (m->error.count > 0) {
    berth_combine(m->error, h, 0, k, n, e);
    if (m->error_2.count > 0) berth_combine(m->error_2, h, 0, k, n, e_2);
    for (int j = 0; j < m->block_count; ++j) {
      const struct berth_block b = m->blocks[j];
      const berth_number a_0 = berth_squares(x, b), a_1 = berth_squares(x_end, b);
      const berth_number w =
          m->tolerance * (b.scale + berth_sqrt(berth_select(a_0 > a_1, a_0, a_1)));
      berth_number r = berth_sqrt(berth_squares(e, b)) / w;
      if (m->error_2.count > 0) {
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
  }
  *(berth_number *)trial->ratio = worst + lost;
}
)c";

}  // namespace

std::string lane_trial_text(int lanes) {
  return elementary_c_prologue(lanes) + std::string(elementary_c_text()) + kText;
}

LaneMethodTable::LaneMethodTable(const Trial& trial, int watched)
    : table_(&trial.method),
      of_norm_(trial.norm.blocks().begin(), trial.norm.blocks().end()),
      is_sample_(trial.is_sample.begin(), trial.is_sample.end()) {
  const Tableau& m = trial.method;
  const auto row = [](std::span<const Coefficient> r) {
    return LaneRow{r.data(), static_cast<int>(r.size())};
  };
  for (int i = 0; i <= m.stages; ++i) rows_.push_back(row(find_row(m.a, i)));
  for (const Block& b : of_norm_)
    blocks_.push_back({static_cast<int>(b.first), static_cast<int>(b.size), b.scale});
  if (watched == 0) std::fill(is_sample_.begin(), is_sample_.end(), 0);
  samples_ = static_cast<int>(std::count(is_sample_.begin(), is_sample_.end(), 1));
  method_ = {static_cast<int>(trial.x.size()),
             m.stages,
             m.error_needs_end(),
             trial.norm.is_mean(),
             static_cast<int>(blocks_.size()),
             watched,
             trial.norm.tolerance(),
             m.c.data(),
             is_sample_.data(),
             rows_.data(),
             m.adaptive() ? row(find_row(m.error, 0)) : LaneRow{nullptr, 0},
             m.embedded_order_2 > 0 ? row(find_row(m.error, 1)) : LaneRow{nullptr, 0},
             blocks_.data()};
}

bool LaneMethodTable::fits(const Trial& trial, int watched) const {
  const auto same = [](const Block& a, const Block& b) {
    return a.first == b.first && a.size == b.size && a.scale == b.scale;
  };
  return table_ == &trial.method && method_.watched == watched &&
         method_.states == static_cast<int>(trial.x.size()) &&
         method_.tolerance == trial.norm.tolerance() &&
         method_.is_mean == static_cast<int>(trial.norm.is_mean()) &&
         std::ranges::equal(of_norm_, trial.norm.blocks(), same);
}

}  // namespace berth
