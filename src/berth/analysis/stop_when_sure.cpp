// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/stop_when_sure.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "berth/statistics/confidence_sequence.h"
#include "berth/statistics/replicates.h"

namespace berth {
namespace {

constexpr std::uint64_t kFirstCheck = 100, kFirstPoints = 8;  // of random draws; of a randomisation

void skip_spaces(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
}

// "0.5 %" at the beginning of the text, as a fraction.
std::optional<double> take_percent(std::string_view& text) {
  skip_spaces(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  skip_spaces(text);
  if (!text.starts_with('%')) return std::nullopt;
  text.remove_prefix(1);
  return value / 100;
}

}  // namespace

std::optional<Until> read_until(const std::string& text, Problems& problems) {
  const auto refuse = [&](std::string_view why) {
    problems.add(Place{0, 0, "--until"}, "",
                 fmt::format("\"{}\" {}: write it as 'captured ±0.5 % at 95 %'", text, why));
    return std::nullopt;
  };
  std::size_t sign = text.find("±"), length = std::string_view("±").size();
  if (sign == std::string::npos) sign = text.find("+-"), length = 2;
  if (sign == std::string::npos) return refuse("does not say how sure (±)");
  std::string_view rest = std::string_view(text).substr(sign + length);
  const std::optional<double> half = take_percent(rest);
  if (!half) return refuse("has no percentage behind ±");
  if (!(*half > 0 && *half < 0.5)) return refuse("asks for a width that is not between 0 and 50 %");
  skip_spaces(rest);
  double confidence = 0.95;
  if (!rest.empty()) {
    if (!rest.starts_with("at ")) return refuse("has something else than a confidence behind it");
    rest.remove_prefix(3);
    const std::optional<double> given = take_percent(rest);
    skip_spaces(rest);
    if (!given || !rest.empty()) return refuse("has no confidence in percent behind at");
    if (!(*given >= 0.5 && *given < 1))
      return refuse("asks for a confidence not between 50 and 100 %");
    confidence = *given;
  }
  auto criterion = read_criterion(std::string_view(text).substr(0, sign), "--until", problems);
  if (!criterion) return std::nullopt;
  return Until{std::move(*criterion), *half, confidence};
}

StopWhenSure::StopWhenSure(const Sweep& sweep, Problems& problems)
    : sweep_(sweep),
      until_(read_until(sweep.study.at("until").get<std::string>(), problems)),
      expected_(sweep.plan.samples),
      met_(sweep.plan.randomisations()),
      trials_(sweep.plan.randomisations()) {}

std::uint64_t StopWhenSure::find_next_check(std::uint64_t before) const {
  const std::uint64_t r = sweep_.plan.randomisations();
  std::uint64_t next =
      r > 1 ? std::max(2 * before, kFirstPoints * r) : std::max(before + before / 10, kFirstCheck);
  return std::min(next, sweep_.plan.samples);
}

Proportion StopWhenSure::find_interval() const {
  if (met_.size() == 1) return find_lasting_proportion(met_[0], trials_[0], until_->confidence);
  std::vector<PieceCount> pieces;
  for (std::size_t r = 0; r < met_.size(); ++r) pieces.push_back({trials_[r], met_[r]});
  return find_replicated_proportion(pieces, find_check_confidence(checks_, until_->confidence));
}

std::optional<CaseRange> StopWhenSure::next(const CaseStore* done, Problems& problems) {
  if (!until_) return std::nullopt;
  if (done) {
    const Judge judge(until_->criterion, done->columns(), "--until", problems);
    if (checks_ == 0)
      check_word(until_->criterion, *done, {0, find_next_check(0)}, "--until", problems);
    if (!problems.empty()) return std::nullopt;
    done->for_each(seen_, find_next_check(seen_), [&](std::uint64_t i, const CaseResult& result) {
      const std::uint32_t r = sweep_.plan.randomisation_of(i);
      ++trials_[r];
      met_[r] += judge.is_met(result) ? 1 : 0;
    });
    seen_ = find_next_check(seen_);
    ++checks_;
    interval_ = find_interval();
    const double half = (interval_.high - interval_.low) / 2;
    if (half <= until_->half_width || seen_ >= sweep_.plan.samples) {
      expected_ = seen_;
      return std::nullopt;
    }
    // The width falls with the square root of the number, roughly.
    const double more = std::ceil(static_cast<double>(seen_) * (half / until_->half_width) *
                                  (half / until_->half_width));
    expected_ = std::min(sweep_.plan.samples, static_cast<std::uint64_t>(std::min(more, 1e18)));
  }
  return CaseRange{seen_, find_next_check(seen_)};
}

void StopWhenSure::conclude(Sweep& sweep) const {
  sweep.plan.samples = seen_;
  sweep.study["checks"] = checks_;
  sweep.study["fraction"] = interval_.fraction;
  sweep.study["low"] = interval_.low;
  sweep.study["high"] = interval_.high;
  sweep.study["confidence"] = until_->confidence;
  sweep.study["is_sure"] = (interval_.high - interval_.low) / 2 <= until_->half_width;
}

}  // namespace berth
