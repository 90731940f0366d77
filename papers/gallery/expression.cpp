// SPDX-License-Identifier: Apache-2.0
#include "papers/gallery/expression.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "berth/math/critical_delay.h"
#include "berth/report/plot.h"

namespace berth {
namespace {

using Values = std::vector<ExpressionValue>;

// At a time, by the line between two rows; outside, the nearest row.
double interpolate(const std::vector<double>& t, const std::vector<double>& x, double when) {
  if (t.empty()) return NAN;
  const auto next = std::lower_bound(t.begin(), t.end(), when);
  if (next == t.begin()) return x.front();
  if (next == t.end()) return x.back();
  const auto j = static_cast<std::size_t>(next - t.begin());
  const double s = (when - t[j - 1]) / (t[j] - t[j - 1]);
  return s == 1 ? x[j] : (1 - s) * x[j - 1] + s * x[j];
}

// f of the arguments, row by row where one of them is a column.
template <class F>
ExpressionValue map_rows(const Values& in, F&& f) {
  ExpressionValue out{{}, false};
  std::size_t rows = 1;
  for (const ExpressionValue& v : in)
    if (v.column) out.column = true, rows = v.rows.size();
  out.rows.reserve(rows);
  std::vector<double> x(in.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < in.size(); ++k) x[k] = in[k].rows[in[k].column ? i : 0];
    out.rows.push_back(f(x));
  }
  return out;
}

class Evaluator {
 public:
  Evaluator(std::string_view text, const ExpressionContext& context) : all_(text), c_(context) {}

  ExpressionValue run() {
    ExpressionValue v = sum();
    skip();
    if (at_ != all_.size()) fail("the end is expected");
    return v;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw std::runtime_error(fmt::format("\"{}\" at {}: {}", all_, at_ + 1, why));
  }
  void skip() {
    while (at_ < all_.size() && all_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ == all_.size() || all_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(fmt::format("{} is expected", c));
  }
  const RunTable& run_of(std::size_t k) const { return *c_.cases[k].run; }

  ExpressionValue sum() {
    ExpressionValue v = product();
    for (;;) {
      if (take('+'))
        v = map_rows({v, product()}, [](const auto& x) { return x[0] + x[1]; });
      else if (take('-'))
        v = map_rows({v, product()}, [](const auto& x) { return x[0] - x[1]; });
      else
        return v;
    }
  }
  ExpressionValue product() {
    ExpressionValue v = factor();
    for (;;) {
      if (take('*'))
        v = map_rows({v, factor()}, [](const auto& x) { return x[0] * x[1]; });
      else if (take('/'))
        v = map_rows({v, factor()}, [](const auto& x) { return x[0] / x[1]; });
      else
        return v;
    }
  }
  ExpressionValue factor() {
    if (take('-')) return map_rows({factor()}, [](const auto& x) { return -x[0]; });
    if (take('(')) {
      ExpressionValue v = sum();
      expect(')');
      return v;
    }
    skip();
    if (at_ < all_.size() && (std::isdigit(static_cast<unsigned char>(all_[at_])) != 0)) {
      const std::string rest(all_.substr(at_));
      char* end = nullptr;
      const double x = std::strtod(rest.c_str(), &end);
      at_ += static_cast<std::size_t>(end - rest.c_str());
      return {{x}, false};
    }
    const std::string name = word();
    if (!take('(')) return find(name);
    if (name == "of") return in_another_case();
    if (name == "event") return of_event();
    Values in;
    do in.push_back(sum());
    while (take(','));
    expect(')');
    return call(name, in);
  }
  std::string word() {
    skip();
    const std::size_t from = at_;
    while (at_ < all_.size() && (std::isalnum(static_cast<unsigned char>(all_[at_])) != 0 ||
                                 all_[at_] == '_' || all_[at_] == '.'))
      ++at_;
    if (at_ == from) fail("a number or a name is expected");
    return std::string(all_.substr(from, at_ - from));
  }

  ExpressionValue find(const std::string& name) const {
    if (name == "pi") return {{std::numbers::pi}, false};
    if (name == "s" && c_.parameter) return {{*c_.parameter}, false};
    for (const auto& [key, value] : c_.cases[c_.which].values)
      if (key == name) return {{value}, false};
    const RunTable& run = run_of(c_.which);
    if (run.has(name)) {
      if (c_.instant) return {{interpolate(run.time(), run.column(name), *c_.instant)}, false};
      return {run.column(name), true};
    }
    const double x = run.number(name);
    if (std::isnan(x)) fail("there is no " + name);
    return {{x}, false};
  }

  ExpressionValue in_another_case() {
    const double k = sum().rows[0];
    expect(',');
    if (!(k >= 1 && k <= static_cast<double>(c_.cases.size()))) fail("there is no such case");
    const std::size_t other = static_cast<std::size_t>(k) - 1;
    ExpressionContext context = c_;
    context.which = other;
    Evaluator inner(all_, context);
    inner.at_ = at_;
    ExpressionValue v = inner.sum();
    at_ = inner.at_;
    expect(')');
    if (!v.column) return v;
    ExpressionValue out{{}, true};
    for (const double t : run_of(c_.which).time())
      out.rows.push_back(interpolate(run_of(other).time(), v.rows, t));
    return out;
  }

  ExpressionValue of_event() {
    const std::string kind = word();
    expect(',');
    int n = static_cast<int>(sum().rows[0]);
    const std::string field = take(',') ? word() : "";
    expect(')');
    for (const EventRecord& h : run_of(c_.which).summary.events)
      if (h.kind == kind && --n == 0) return {{field.empty() ? h.t : h.number(field)}, false};
    return {{NAN}, false};
  }

  ExpressionValue call(const std::string& name, const Values& in) const {
    const auto many = [&](std::size_t least, std::size_t most) {
      if (in.size() < least || in.size() > most) fail(name + ": wrong number of arguments");
    };
    const auto rows = [&](std::size_t least, std::size_t most, auto f) {
      many(least, most);
      return map_rows(in, f);
    };
    if (name == "abs") return rows(1, 1, [](const auto& x) { return std::fabs(x[0]); });
    if (name == "sqrt") return rows(1, 1, [](const auto& x) { return std::sqrt(x[0]); });
    if (name == "sin") return rows(1, 1, [](const auto& x) { return std::sin(x[0]); });
    if (name == "cos") return rows(1, 1, [](const auto& x) { return std::cos(x[0]); });
    if (name == "atan") return rows(1, 1, [](const auto& x) { return std::atan(x[0]); });
    if (name == "atan2") return rows(2, 2, [](const auto& x) { return std::atan2(x[0], x[1]); });
    if (name == "hypot")
      return rows(2, 3, [](const auto& x) {
        return x.size() == 2 ? std::hypot(x[0], x[1]) : std::hypot(x[0], x[1], x[2]);
      });
    if (name == "critical_delay")
      return rows(2, 2, [](const auto& x) { return find_critical_delay(x[0], x[1]).delay; });
    if (name == "at") {
      many(2, 2);
      return {{reduced_at(in[0], in[1].rows[0])}, false};
    }
    // Over the rows between two times [s].
    many(1, 3);
    const double from = in.size() > 1 ? in[1].rows[0] : -INFINITY;
    const double to = in.size() > 2 ? in[2].rows[0] : INFINITY;
    std::vector<double> x;
    const std::vector<double>& t = run_of(c_.which).time();
    for (std::size_t i = 0; i < in[0].rows.size(); ++i)
      if (!in[0].column || (t[i] >= from && t[i] <= to)) x.push_back(in[0].rows[i]);
    if (x.empty()) fail(name + ": no rows between these times");
    if (name == "last") return {{x.back()}, false};
    if (name == "least") return {{*std::min_element(x.begin(), x.end())}, false};
    if (name == "most") return {{*std::max_element(x.begin(), x.end())}, false};
    double out = 0;
    if (name == "largest") {
      for (const double v : x) out = std::max(out, std::fabs(v));
    } else if (name == "rms") {
      for (const double v : x) out += v * v / static_cast<double>(x.size());
      out = std::sqrt(out);
    } else {
      fail("there is no function " + name);
    }
    return {{out}, false};
  }
  double reduced_at(const ExpressionValue& v, double t) const {
    return v.column ? interpolate(run_of(c_.which).time(), v.rows, t) : v.rows[0];
  }

  std::string_view all_;
  ExpressionContext c_;
  std::size_t at_ = 0;
};

// "{expression:format}", "{expression}", "{case}".
std::string fill_braces(std::string_view text, const ExpressionContext& context) {
  std::string out;
  while (!text.empty()) {
    const std::size_t from = std::min(text.find('{'), text.size());
    out += text.substr(0, from);
    text.remove_prefix(from);
    if (text.empty()) break;
    const std::size_t to = text.find('}');
    if (to == std::string_view::npos) throw std::runtime_error(fmt::format("no }} in {}", text));
    const std::string_view inside = text.substr(1, to - 1);
    text.remove_prefix(to + 1);
    if (inside == "case") {
      out += context.cases[context.which].label;
      continue;
    }
    const std::size_t colon = std::min(inside.find(':'), inside.size());
    const double x = evaluate(inside.substr(0, colon), context).rows.at(0);
    out += colon == inside.size()
               ? number_text(x)
               : fmt::format(fmt::runtime(fmt::format("{{{}}}", inside.substr(colon))), x);
  }
  return out;
}

}  // namespace

ExpressionValue evaluate(std::string_view text, const ExpressionContext& context) {
  return Evaluator(text, context).run();
}

std::string fill_text(const std::string& text, const std::vector<FigureRun>& cases) {
  std::string out;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t from = std::min(rest.find("[["), rest.size());
    out += fill_braces(rest.substr(0, from), {cases});
    rest.remove_prefix(from);
    if (rest.empty()) break;
    const std::size_t to = rest.find("]]");
    if (to == std::string_view::npos) throw std::runtime_error("no ]] in " + text);
    for (std::size_t k = 0; k < cases.size(); ++k)
      out += (k == 0 ? "" : ", ") + fill_braces(rest.substr(2, to - 2), {cases, k});
    rest.remove_prefix(to + 2);
  }
  return out;
}

}  // namespace berth
