// SPDX-License-Identifier: Apache-2.0
#include "berth/report/page_data.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "berth/record/json_text.h"
#include "berth/record/record_error.h"
#include "berth/report/decimate.h"
#include "berth/report/difference.h"
#include "berth/report/page.h"
#include "berth/report/run_facts.h"
#include "berth/report/run_summary.h"
#include "berth/version.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;
using Groups = std::vector<std::unique_ptr<SeriesGroup>>;

std::size_t find_numbers(const Groups& groups) {
  std::size_t n = 0;
  for (const auto& group : groups) n += group->number_count();
  return n;
}

// What is read first comes first: how craft meet, what joins them, the ledgers, what drives them,
// then the bodies one by one, the orbit last. Owners are known by a channel they all have.
std::vector<std::size_t> find_reading_order(const std::vector<ChannelInfo>& channels) {
  const auto owner_of = [](const std::string& name) { return name.substr(0, name.rfind('.')); };
  std::set<std::string> meeting, docks, bodies;
  for (const ChannelInfo& c : channels) {
    const std::string owner = owner_of(c.name), quantity = c.name.substr(owner.size());
    if (quantity == ".gap") meeting.insert(owner);
    if (quantity == ".engaged") docks.insert(owner);
    if (quantity == ".quaternion_BN") bodies.insert(owner);
  }
  const auto rank = [&](std::size_t i) {
    const std::string owner = owner_of(channels[i].name);
    if (owner == "orbit") return 5;
    if (bodies.contains(owner)) return 4;
    if (owner == "system") return 2;
    return meeting.contains(owner) ? 0 : docks.contains(owner) ? 1 : 3;
  };
  std::vector<std::size_t> order(channels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  return order;
}

// Every channel has rows of its own; those that keep the same ones share their times in the block.
Json build_groups(const Groups& groups, const std::vector<double>& instants,
                  const TimeWindow& window, std::size_t most, NumberBlock& block) {
  Json out = Json::array();
  for (const auto& group : groups) {
    const Decimation decimation(*group, instants, window, most);
    std::map<std::vector<std::uint64_t>, Json> times;
    Json one = {{"name", group->name}, {"samples", group->samples}, {"channels", Json::array()}};
    for (const std::size_t c : find_reading_order(group->channels)) {
      const ChannelInfo& info = group->channels[c];
      const bool log = is_log_channel(info.name);
      const Decimation::Points points = decimation.find_points(c, log);
      Json& time = times[points.rows];
      if (time.is_null()) time = block.add_doubles(decimation.find_times(points.rows));
      Json data = Json::array();
      for (const std::vector<double>& part : points.parts)
        data.push_back(block.add_floats(part, !log));
      one["channels"].push_back(
          {{"name", info.name},
           {"unit", info.unit},
           {"frame", info.frame},
           {"description", info.description},
           {"parts", find_part_names(info)},
           {"log", log},
           {"time", time},
           {"data", data},
           {"missing", *std::max_element(points.missing.begin(), points.missing.end())}});
    }
    out.push_back(std::move(one));
  }
  return out;
}

std::vector<double> find_instants(const ResultFile& file) {
  std::vector<double> out;
  for (const RecordedEvent& e : file.events) out.push_back(e.t);
  return out;
}

// Rows of each channel, where so many numbers share a page.
std::size_t find_share(const PageOptions& options, std::size_t numbers) {
  return std::clamp<std::size_t>(options.most / std::max<std::size_t>(numbers, 1), 300,
                                 options.rows);
}

// Two runs as one: what the second does more than the first.
Json build_difference(const ResultFile& a, const ResultFile& b, const PageOptions& options,
                      NumberBlock& block) {
  Json run;
  add_summary(b, run);
  const auto label = [](const ResultFile& f) {
    return std::filesystem::path(f.name()).filename().string();
  };
  run["title"] = fmt::format("{} − {}", label(b), label(a));
  run["file"] = fmt::format("{} − {}", label(b), label(a));
  run["verdict"] = {
      {"level", "good"},
      {"text", fmt::format("The difference of two runs, {} minus {}.", label(b), label(a))}};
  run["numbers"] = run["warnings"] = run["expectations"] = Json::array();
  run["to"] = std::min(find_end_time(a), find_end_time(b));
  const Groups groups = find_differences(a, b);
  const std::size_t numbers = find_numbers(groups);
  if (numbers == 0)
    throw RecordError(b.name(), fmt::format("has no channel in common with {}", a.name()));
  run["groups"] = build_groups(groups, find_instants(b), {}, find_share(options, numbers), block);
  run["scene"] = nullptr;
  run["scenario"] = b.scenario;
  run["outcome"] = b.summary_text;
  return run;
}

}  // namespace

bool is_log_channel(std::string_view name) {
  const std::string_view last = name.substr(name.rfind('.') + 1);
  for (const std::string_view word : {"violation", "drift", "audit", "error"})
    if (last.find(word) != std::string_view::npos)
      return last != "sigma_error";  // a vector with a sign
  return false;
}

PageData build_page_data(const std::vector<std::filesystem::path>& files,
                         const PageOptions& options) {
  PageData page;
  Json head;
  head["format"] = 2;
  head["program"] = fmt::format("berth {}", version);
  head["title"] = "";
  head["runs"] = Json::array();
  std::vector<std::unique_ptr<ResultFile>> runs;
  for (const std::filesystem::path& file : files)
    runs.push_back(std::make_unique<ResultFile>(file));

  if (options.difference) {
    head["runs"].push_back(build_difference(*runs.at(0), *runs.at(1), options, page.block));
  } else {
    // What one page may hold is shared.
    const std::size_t share = std::max<std::size_t>(runs.size(), 1);
    std::size_t numbers = 0;
    for (const auto& file : runs) numbers += find_numbers(file->groups());
    const std::size_t most = find_share(options, numbers);
    SceneLimits scene = options.scene;
    scene.most_bytes /= share;
    for (const auto& file : runs) {
      Json run;
      add_summary(*file, run);
      const TimeWindow window = find_meeting(*file, find_end_time(*file));
      run["facts"] = build_facts(*file, window);
      run["groups"] = build_groups(file->groups(), find_instants(*file), window, most, page.block);
      run["scene"] = build_scene(*file, window, scene, page.block);
      run["scenario"] = file->scenario;
      run["outcome"] = file->summary_text;
      if (file->groups().front()->samples == 0)
        run["warnings"].push_back("nothing was recorded: the file has no rows");
      head["runs"].push_back(std::move(run));
    }
  }
  for (const Json& run : head["runs"])
    page.title += (page.title.empty() ? "" : " · ") + run["title"].get<std::string>();
  head["title"] = page.title;
  page.head = escape_script(to_text(head));
  return page;
}

}  // namespace berth
