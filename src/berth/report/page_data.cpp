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

// How far two runs differ in each number of a channel; null where that is not known.
Json build_deviations(const SeriesGroup& difference, std::size_t channel) {
  Json out = Json::array();
  for (const Deviation& d : find_deviations(difference, channel))
    out.push_back({{"largest", d.largest}, {"t", d.t}, {"rms", d.rms}});
  return out;
}

// Every channel has rows of its own; those that keep the same ones share their times in the block.
// Differences have a sign, and figures of their own.
Json build_group(const SeriesGroup& group, const std::vector<double>& instants,
                 const TimeWindow& window, std::size_t most, bool difference, NumberBlock& block) {
  const Decimation decimation(group, instants, window, most);
  std::map<std::vector<std::uint64_t>, Json> times;
  Json one = {{"name", group.name}, {"samples", group.samples}, {"channels", Json::array()}};
  for (const std::size_t c : find_reading_order(group.channels)) {
    const ChannelInfo& info = group.channels[c];
    const bool log = !difference && is_log_channel(info.name);
    const Decimation::Points points = decimation.find_points(c, log);
    Json& time = times[points.rows];
    if (time.is_null()) time = block.add_doubles(decimation.find_times(points.rows));
    Json data = Json::array();
    for (const std::vector<double>& part : points.parts)
      data.push_back(block.add_floats(part, !log));
    Json channel = {{"name", info.name},
                    {"unit", info.unit},
                    {"frame", info.frame},
                    {"description", info.description},
                    {"parts", find_part_names(info)},
                    {"log", log},
                    {"time", time},
                    {"data", data},
                    {"missing", *std::max_element(points.missing.begin(), points.missing.end())}};
    if (difference) channel["deviations"] = build_deviations(group, c);
    one["channels"].push_back(std::move(channel));
  }
  return one;
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

// What a further run does more than the first, in every channel that both have.
Json build_difference(const ResultFile& a, const ResultFile& b, std::size_t run, std::size_t most,
                      NumberBlock& block) {
  std::vector<double> instants = find_instants(a);
  for (const double t : find_instants(b)) instants.push_back(t);
  Json out = {{"run", run}, {"rows", 0}, {"interpolated", 0}, {"groups", Json::array()}};
  std::uint64_t rows = 0, interpolated = 0;
  for (const auto& group : find_differences(a, b)) {
    rows += group->samples;
    interpolated += group->count_interpolated();
    out["groups"].push_back(
        build_group(*group, instants, find_meeting(b, find_end_time(b)), most, true, block));
  }
  out["rows"] = rows;
  out["interpolated"] = interpolated;
  return out;
}

std::string find_label(const ResultFile& file) {
  return std::filesystem::path(file.name()).filename().string();
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

  // Runs are laid over the first.
  for (std::size_t k = 1; k < runs.size(); ++k)
    if (!are_related(*runs[0], *runs[k]))
      throw RecordError(
          runs[k]->name(),
          fmt::format("cannot be laid over {}: the two have no channel of a craft, a dock or a "
                      "contact in common (same name, unit and width)",
                      runs[0]->name()));

  // What one page may hold is shared by runs and differences.
  const std::size_t share = std::max<std::size_t>(runs.size(), 1);
  std::size_t numbers = 0;
  for (std::size_t k = 0; k < runs.size(); ++k)
    numbers += (k == 0 ? 1 : 2) * find_numbers(runs[k]->groups());
  const std::size_t most = find_share(options, numbers);
  SceneLimits scene = options.scene;
  scene.most_bytes /= share;
  scene.origin = runs.size() > 1;
  for (const auto& file : runs) {
    Json run;
    add_summary(*file, run);
    const TimeWindow window = find_meeting(*file, find_end_time(*file));
    run["facts"] = build_facts(*file, window);
    run["groups"] = Json::array();
    for (const auto& group : file->groups())
      run["groups"].push_back(
          build_group(*group, find_instants(*file), window, most, false, page.block));
    run["scene"] = build_scene(*file, window, scene, page.block);
    run["scenario"] = file->scenario;
    run["outcome"] = file->summary_text;
    if (file->groups().front()->samples == 0)
      run["warnings"].push_back("nothing was recorded: the file has no rows");
    head["runs"].push_back(std::move(run));
  }
  head["differences"] = Json::array();
  for (std::size_t k = 1; k < runs.size(); ++k)
    head["differences"].push_back(build_difference(*runs[0], *runs[k], k, most, page.block));
  head["opens"] = options.difference ? "difference" : "overlay";

  std::vector<std::string> titles;
  for (std::size_t k = options.difference ? 1 : 0; k < runs.size(); ++k) {
    std::string title = options.difference
                            ? fmt::format("{} − {}", find_label(*runs[k]), find_label(*runs[0]))
                            : head["runs"][k]["title"].get<std::string>();
    if (std::find(titles.begin(), titles.end(), title) == titles.end())
      titles.push_back(std::move(title));
  }
  page.title = fmt::format("{}", fmt::join(titles, " · "));
  head["title"] = page.title;
  page.head = escape_script(to_text(head));
  return page;
}

}  // namespace berth
