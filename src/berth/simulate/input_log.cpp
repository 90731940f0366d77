// SPDX-License-Identifier: Apache-2.0
#include "berth/simulate/input_log.h"

#include <algorithm>

#include <fmt/format.h>

#include "berth/record/record_error.h"
#include "berth/simulate/result_file.h"

namespace berth {

namespace {

// Numbers of samples are stored as doubles.
bool is_sample(double number) { return number >= 0 && number < 1e15; }

}  // namespace

InputLog::InputLog(const std::vector<Simulation::Signal>& commands) {
  channels_.push_back({"sample", "-", "", "number of the sample that is answered", 1, 0});
  int place = 1;
  for (const Simulation::Signal& c : commands) {
    const std::string text = "as it was given from outside";
    if (c.width == 1 || c.width == 3) {
      channels_.push_back({c.name, c.unit, c.frame, text, c.width, place});
    } else {
      for (int i = 0; i < c.width; ++i)
        channels_.push_back({fmt::format("{}{}", c.name, i + 1), c.unit, "", text, 1, place + i});
    }
    place += c.width;
  }
  row_.resize(static_cast<std::size_t>(place));
}

void InputLog::add(double t, std::uint64_t sample, std::span<const double> commands) {
  row_[0] = static_cast<double>(sample);
  std::copy(commands.begin(), commands.end(), row_.begin() + 1);
  for (const Sink& s : sinks_) s.sink->append(s.group, t, row_);
}

std::shared_ptr<RecordedInputs> RecordedInputs::read(const ResultFile& file) {
  const auto& groups = file.groups();
  const auto group = std::find_if(groups.begin(), groups.end(),
                                  [](const auto& g) { return g->name == InputLog::kGroup; });
  if (group == groups.end()) return nullptr;
  const SeriesGroup& g = **group;
  const auto damaged = [&](const char* why) {
    return RecordError(file.name(), fmt::format("its inputs from outside are damaged: {}", why));
  };
  if (g.channels.empty() || g.channels[0].name != "sample" || g.channels[0].width != 1)
    throw damaged("no channel sample");
  auto out = std::make_shared<RecordedInputs>();
  out->width_ = g.number_count() - 1;
  out->numbers_.resize(g.samples * out->width_);
  std::size_t first = 0;
  for (std::size_t c = 0; c < g.channels.size(); ++c) {
    const std::size_t width = g.channels[c].width;
    for_each_stretch(g.samples, [&](std::uint64_t from, std::uint64_t count) {
      const std::vector<double> numbers = g.read(c, from, count);
      for (std::uint64_t i = 0; i < count; ++i) {
        if (c > 0) {
          std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                      out->numbers_.begin() +
                          static_cast<std::ptrdiff_t>((from + i) * out->width_ + first));
          continue;
        }
        if (!is_sample(numbers[i])) throw damaged("a number of a sample");
        out->samples_.push_back(static_cast<std::uint64_t>(numbers[i]));
      }
    });
    if (c > 0) first += width;
  }
  if (!std::is_sorted(out->samples_.begin(), out->samples_.end()))
    throw damaged("samples are out of order");
  for (const RecordedEvent& e : file.events) {
    if (e.kind != "external_stop") continue;
    const auto details = nlohmann::json::parse(e.details, nullptr, false);
    try {
      const double sample = details.at("sample").get<double>();
      if (!is_sample(sample)) throw damaged("a number of a sample");
      out->stop_ = Stop{static_cast<std::uint64_t>(sample), details.value("collected", 0.0) != 0,
                        details.at("verdict"), details.at("reason")};
    } catch (const nlohmann::json::exception&) {
      throw damaged("its event external_stop");
    }
  }
  return out;
}

void RecordedInputs::stop_at(std::uint64_t sample, bool collected) const {
  if (stop_ && stop_->sample == sample && stop_->collected == collected)
    throw ExternalStop(stop_->verdict, stop_->reason);
}

bool RecordedInputs::find(std::uint64_t sample, double t, std::span<double> commands) const {
  const auto at = std::lower_bound(samples_.begin(), samples_.end(), sample);
  if (at == samples_.end() || *at != sample || commands.size() != width_) return false;
  const auto from =
      numbers_.begin() + (at - samples_.begin()) * static_cast<std::ptrdiff_t>(width_);
  std::copy_n(from, width_, commands.begin());
  if (log_) log_->add(t, sample, commands);
  return true;
}

ExternalSource::Reply RecordedInputs::ask(std::uint64_t sample, double t, std::span<const double>,
                                          std::span<double> commands) const {
  stop_at(sample, false);
  if (!at_once_) return Reply::later;
  return find(sample, t, commands) ? Reply::ready : Reply::none;
}

bool RecordedInputs::collect(std::uint64_t sample, double t, std::span<double> commands) const {
  stop_at(sample, true);
  return find(sample, t, commands);
}

}  // namespace berth
