// SPDX-License-Identifier: Apache-2.0
#include "berth/report/live_page_data.h"

#include <algorithm>

#include <fmt/format.h>

#include "berth/live/live_history.h"
#include "berth/record/json_text.h"
#include "berth/report/page.h"
#include "berth/version.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

// Null, and why, where there is nothing to draw.
Json build_live_scene(const LiveDescription& d, std::string& note, NumberBlock& block) {
  note = d.scene_note;
  if (d.scene.empty()) return nullptr;
  if (d.scene_width > kMostLivePose) {
    note =
        fmt::format("The scene is not drawn: a pose of it has {} numbers, of which {} fit a frame.",
                    d.scene_width, kMostLivePose);
    return nullptr;
  }
  Json scene = Json::parse(d.scene, nullptr, false);
  if (!scene.is_object() || !scene.contains("bodies") || scene["bodies"].empty()) {
    note = "The scene is not drawn: there are no bodies in it.";
    return nullptr;
  }
  scene["width"] = d.scene_width;
  scene["models"] = Json::array();
  for (const std::string& glb : d.models) scene["models"].push_back(block.add_bytes(glb));
  return scene;
}

}  // namespace

PageData build_live_page_data(const LiveDescription& d) {
  PageData page;
  page.title = d.title.empty() ? "berth live" : d.title;
  Json head;
  head["format"] = 1;
  head["kind"] = "live";
  head["program"] = fmt::format("berth {}", version);
  head["title"] = page.title;
  head["contact"] = d.contact;
  head["sample_time"] = d.sample_time;
  head["latency"] = d.latency;
  head["factor"] = d.factor;
  head["lockstep"] = d.lockstep;
  head["window"] = kLiveWindow;
  head["force_limit"] = d.force_limit;
  head["late_after"] = d.late_after;
  head["h_star"] = d.h_star;
  head["h_E"] = d.h_E;
  head["delays"] = Json::array();
  for (const LiveDelay& delay : d.delays)
    head["delays"].push_back({{"name", delay.name}, {"seconds", delay.seconds}});
  head["more"] = Json::array();
  for (std::size_t k = 0; k < std::min(d.more.size(), kMostLiveNumbers); ++k)
    head["more"].push_back({{"name", d.more[k].name}, {"unit", d.more[k].unit}});
  head["refusals"] = Json::array();
  for (std::size_t k = 0; k < std::min(d.refusals.size(), kMostRefusalKinds); ++k)
    head["refusals"].push_back(d.refusals[k]);
  head["bins"] = Json::array();  // upper ends [s]
  for (std::size_t k = 0; k < TimeHistogram::kBins; ++k)
    head["bins"].push_back(1e-6 * TimeHistogram::upper(k));
  std::string note;
  head["scene"] = build_live_scene(d, note, page.block);
  head["scene_note"] = note;
  const Json facts = Json::parse(d.facts, nullptr, false);
  head["facts"] = facts.is_object() ? facts : Json::object();
  page.head = escape_script(to_text(head));
  return page;
}

}  // namespace berth
