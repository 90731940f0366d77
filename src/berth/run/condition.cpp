// SPDX-License-Identifier: Apache-2.0
#include "berth/run/condition.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace berth {

// Recursive descent: or → and → comparison | ( or ).
class Condition::Reader {
 public:
  Reader(std::string_view text, const Channels& channels, std::vector<Step>& steps)
      : text_(text), channels_(channels), steps_(steps) {}

  void read() {
    read_or();
    skip_space();
    if (at_ < text_.size()) refuse("expected 'and' or 'or'");
  }

 private:
  void read_or() {
    read_and();
    while (take_word("or")) {
      read_and();
      steps_.push_back({Step::join_or});
    }
  }
  void read_and() {
    read_one();
    while (take_word("and")) {
      read_one();
      steps_.push_back({Step::join_and});
    }
  }
  void read_one() {
    if (++depth_ > 100) refuse("too many parentheses");
    skip_space();
    if (take("(")) {
      read_or();
      skip_space();
      if (!take(")")) refuse("a closing parenthesis is missing");
    } else {
      read_comparison();
    }
    --depth_;
  }
  void read_comparison() {
    const std::string_view name = take_name();
    const std::optional<ChannelNumber> number = channels_.find_number(name);
    if (!number) refuse_channel(name);
    skip_space();
    Step step{Step::compare_less};
    if (take("<=") || take("<")) {
      step.kind = Step::compare_less;
    } else if (take(">=") || take(">")) {
      step.kind = Step::compare_greater;
    } else {
      refuse("expected < or >");
    }
    skip_space();
    const char* from = text_.data() + at_;
    const auto [end, error] = std::from_chars(from, text_.data() + text_.size(), step.value);
    if (error != std::errc() || !std::isfinite(step.value)) refuse("expected a number");
    at_ += static_cast<std::size_t>(end - from);
    step.place = number->place;
    steps_.push_back(step);
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(std::string_view token) {
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  bool take_word(std::string_view word) {
    skip_space();
    const std::string_view rest = text_.substr(at_);
    if (!rest.starts_with(word)) return false;
    if (rest.size() > word.size() && is_name(rest[word.size()])) return false;
    at_ += word.size();
    return true;
  }
  static bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-';
  }
  std::string_view take_name() {
    skip_space();
    const std::size_t from = at_;
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    if (at_ == from) refuse("expected the name of a channel");
    return text_.substr(from, at_ - from);
  }

  [[noreturn]] void refuse(std::string_view what) const {
    throw ConditionError(fmt::format("\"{}\": {} at character {}", text_, what, at_ + 1));
  }
  [[noreturn]] void refuse_channel(std::string_view name) const {
    if (const Channel* c = channels_.find(name))
      throw ConditionError(fmt::format("\"{}\": {} has {} numbers; name one, as in {}.x", text_,
                                       name, c->width, name));
    // The nearest channel: the longest common beginning is a good guess for dotted names.
    std::string_view best;
    std::size_t longest = 0;
    for (const Channel& c : channels_.list()) {
      const auto [a, b] = std::mismatch(name.begin(), name.end(), c.name.begin(), c.name.end());
      const auto common = static_cast<std::size_t>(a - name.begin());
      if (common > longest) longest = common, best = c.name;
    }
    throw ConditionError(fmt::format("\"{}\": no channel named {}{}", text_, name,
                                     best.empty() ? "" : fmt::format("; near it is {}", best)));
  }

  std::string_view text_;
  const Channels& channels_;
  std::vector<Step>& steps_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

Condition::Condition(std::string_view text, const Channels& channels) {
  Reader(text, channels, steps_).read();
  stack_.reserve(steps_.size());
}

double Condition::margin(std::span<const double> row) const {
  stack_.clear();
  for (const Step& s : steps_) {
    if (s.kind == Step::compare_less || s.kind == Step::compare_greater) {
      const double left = row[static_cast<std::size_t>(s.place)];
      stack_.push_back(s.kind == Step::compare_less ? s.value - left : left - s.value);  // (1)
    } else {
      const double b = stack_.back();
      stack_.pop_back();
      double& a = stack_.back();
      a = s.kind == Step::join_and ? std::min(a, b) : std::max(a, b);  // (2)
    }
  }
  return stack_.back();
}

}  // namespace berth
