// SPDX-License-Identifier: Apache-2.0
#include "berth/report/scene_frames.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "berth/interruption.h"
#include "berth/record/record_error.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;
using Turn = std::array<double, 4>;

// Rows considered; of longer runs every second, third … row, and those around events.
constexpr std::uint64_t kMostCandidates = 20000;
constexpr std::size_t kMostEventFrames = 300;

struct Frames {
  std::vector<std::uint64_t> rows;  // in the file
  std::vector<double> time;
  std::vector<double> positions, turns, points, forces, lvlh, origin;
  std::size_t bodies = 0, arrows = 0;
};

class SceneReader {
 public:
  SceneReader(const ResultFile& file, const Json& model)
      : file_(file), bodies_(model["bodies"].size()), arrows_(model["arrows"].size()) {
    rows_ = file.reader().extent("/scene/time").rows;
    check("positions", 3 * bodies_);
    check("quaternions", 4 * bodies_);
    if (arrows_ > 0) check("points", 3 * arrows_), check("forces", 3 * arrows_);
  }

  std::uint64_t rows() const { return rows_; }

  // Rows at even distances, and those at and around events.
  std::vector<std::uint64_t> find_candidates(std::vector<std::size_t>& at_events) const {
    const std::uint64_t stride = (rows_ + kMostCandidates - 1) / kMostCandidates;
    std::vector<std::uint64_t> chosen;
    for (std::uint64_t i = 0; i < rows_; i += std::max<std::uint64_t>(stride, 1))
      chosen.push_back(i);
    if (rows_ > 0) chosen.push_back(rows_ - 1);
    std::vector<std::uint64_t> events;
    double last = -INFINITY;
    for (const RecordedEvent& e : file_.events) {
      if (events.size() >= kMostEventFrames) break;
      if (e.t == last) continue;
      last = e.t;
      const std::uint64_t row = find_row(e.t);
      for (const std::uint64_t near : {row, row + 1})
        if (near < rows_) events.push_back(near);
      if (row > 0) events.push_back(row - 1);
    }
    chosen.insert(chosen.end(), events.begin(), events.end());
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    for (const std::uint64_t row : events) {
      const auto it = std::lower_bound(chosen.begin(), chosen.end(), row);
      at_events.push_back(static_cast<std::size_t>(it - chosen.begin()));
    }
    return chosen;
  }

  // `origin`: also what positions are measured from.
  Frames read(const std::vector<std::uint64_t>& chosen, bool origin) const {
    Frames f;
    f.rows = chosen;
    f.bodies = bodies_;
    f.arrows = arrows_;
    f.time = pick("time", chosen);
    f.positions = pick("positions", chosen);
    f.turns = pick("quaternions", chosen);
    if (arrows_ > 0) f.points = pick("points", chosen), f.forces = pick("forces", chosen);
    if (file_.reader().has("/scene/lvlh")) f.lvlh = pick("lvlh", chosen);
    if (origin) check("origin", 3), f.origin = pick("origin", chosen);
    return f;
  }

 private:
  void check(const char* name, std::size_t width) const {
    const std::string path = fmt::format("/scene/{}", name);
    const Hdf5Reader::Extent is = file_.reader().extent(path);
    if (is.rows != rows_ || is.width != width)
      throw RecordError(file_.name(), fmt::format("{} is damaged", path));
  }

  // The first row at or after a time.
  std::uint64_t find_row(double t) const {
    std::uint64_t from = 0, to = rows_;
    while (from < to) {
      const std::uint64_t middle = from + (to - from) / 2;
      if (file_.reader().rows("/scene/time", middle, 1).front() < t) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  // These rows of a table, read in stretches.
  std::vector<double> pick(const char* name, const std::vector<std::uint64_t>& chosen) const {
    const std::string path = fmt::format("/scene/{}", name);
    const std::size_t width = file_.reader().extent(path).width;
    std::vector<double> out;
    out.reserve(chosen.size() * width);
    std::size_t next = 0;
    const std::uint64_t together = std::max<std::uint64_t>((1 << 20) / width, 1);
    while (next < chosen.size()) {
      stop_if_interrupted();
      const std::uint64_t first = chosen[next], count = std::min(together, rows_ - first);
      const std::vector<double> some = file_.reader().rows(path, first, count);
      for (; next < chosen.size() && chosen[next] < first + count; ++next) {
        const auto from =
            some.begin() + static_cast<std::ptrdiff_t>((chosen[next] - first) * width);
        out.insert(out.end(), from, from + static_cast<std::ptrdiff_t>(width));
      }
    }
    return out;
  }

  const ResultFile& file_;
  std::size_t bodies_, arrows_;
  std::uint64_t rows_ = 0;
};

Turn turn_at(const std::vector<double>& turns, std::size_t i) {
  return {turns[4 * i], turns[4 * i + 1], turns[4 * i + 2], turns[4 * i + 3]};
}
double dot_of(const Turn& a, const Turn& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// How far frame i is from what is drawn between a and b.
class PoseError {
 public:
  PoseError(const Frames& frames, const Json& model) : f_(frames) {
    for (std::size_t k = 0; k < f_.bodies; ++k)
      if (model["bodies"][k]["kind"] != "wheel") watched_.push_back(k);
    double extent = 0;
    for (std::size_t i = 0; i < f_.time.size(); i += std::max<std::size_t>(f_.time.size() / 50, 1))
      for (std::size_t k = 0; k < 3 * f_.bodies; ++k)
        extent = std::max(extent, std::fabs(f_.positions[i * 3 * f_.bodies + k]));
    size_ = std::max(std::min(extent, 1e12), 0.1);
  }

  double operator()(std::size_t a, std::size_t i, std::size_t b) const {
    const double span = f_.time[b] - f_.time[a];
    const double s = span > 0 ? (f_.time[i] - f_.time[a]) / span : 0;
    const auto find_offset = [&](const std::vector<double>& places, std::size_t all,
                                 std::size_t k) {
      double off = 0;
      for (std::size_t c = 0; c < 3; ++c) {
        const auto at = [&](std::size_t frame) { return places[frame * 3 * all + 3 * k + c]; };
        off += std::pow(at(i) - ((1 - s) * at(a) + s * at(b)), 2);
      }
      return std::sqrt(off) / size_;
    };
    double worst = f_.origin.empty() ? 0 : find_offset(f_.origin, 1, 0);
    for (const std::size_t k : watched_) {
      worst = std::max(worst, find_offset(f_.positions, f_.bodies, k));
      const Turn qa = turn_at(f_.turns, a * f_.bodies + k),
                 q = turn_at(f_.turns, i * f_.bodies + k);
      Turn qb = turn_at(f_.turns, b * f_.bodies + k), drawn;
      const double sign = dot_of(qa, qb) < 0 ? -1 : 1;
      double length = 0;
      for (std::size_t c = 0; c < 4; ++c) {
        drawn[c] = (1 - s) * qa[c] + s * sign * qb[c];
        length += drawn[c] * drawn[c];
      }
      const double cosine = std::fabs(dot_of(drawn, q)) / std::sqrt(length);
      worst = std::max(worst, 2 * std::sqrt(std::max(1 - cosine * cosine, 0.0)));
    }
    return std::isfinite(worst) ? worst : 0;
  }

 private:
  const Frames& f_;
  std::vector<std::size_t> watched_;
  double size_;
};

// The columns of one body or arrow, at the chosen frames.
std::vector<double> take_columns(const std::vector<double>& from,
                                 const std::vector<std::size_t>& frames, std::size_t of_all,
                                 std::size_t which, std::size_t width) {
  std::vector<double> out;
  out.reserve(frames.size() * width);
  for (const std::size_t i : frames)
    for (std::size_t c = 0; c < width; ++c) out.push_back(from[(i * of_all + which) * width + c]);
  return out;
}

// Quaternions of either sign are the same attitude; neighbours get the same.
std::vector<double> without_jumps(std::vector<double> turns) {
  for (std::size_t i = 1; i < turns.size() / 4; ++i)
    if (dot_of(turn_at(turns, i - 1), turn_at(turns, i)) < 0)
      for (std::size_t c = 0; c < 4; ++c) turns[4 * i + c] = -turns[4 * i + c];
  return turns;
}

}  // namespace

Json build_scene(const ResultFile& file, const TimeWindow& window, const SceneLimits& limits,
                 NumberBlock& block) {
  if (!file.has_scene()) return nullptr;
  const std::vector<std::string> texts = file.reader().texts("/scene/model");
  const Json model = Json::parse(texts.empty() ? "" : texts.front(), nullptr, false);
  if (!model.is_object() || !model.contains("bodies") || !model.contains("arrows") ||
      !model.contains("ports"))
    throw RecordError(file.name(), "its /scene/model is damaged");
  if (model["bodies"].empty()) return nullptr;
  const SceneReader reader(file, model);
  if (reader.rows() == 0) return nullptr;
  std::vector<std::size_t> fixed;
  const Frames f = reader.read(reader.find_candidates(fixed), limits.origin);

  const std::size_t bytes = 8 + f.bodies * 20 + f.arrows * 24 + (f.lvlh.empty() ? 0 : 8) +
                            (f.origin.empty() ? 0 : 12);  // of one frame
  const std::size_t most =
      std::clamp<std::size_t>(limits.most_bytes / bytes, 200, limits.most_frames);
  // Those at events may not fill the page; some at even distances show what spins.
  if (fixed.size() > most / 3) fixed.resize(most / 3);
  // While craft meet, millimetres count: all frames, or every second, third … one.
  const auto met =
      std::count_if(f.time.begin(), f.time.end(), [&](double t) { return window.contains(t); });
  const std::size_t every = static_cast<std::size_t>(met) / (most / 2) + 1;
  for (std::size_t i = 0; i < f.time.size(); i += every)
    if (window.contains(f.time[i])) fixed.push_back(i);
  const std::size_t even = std::min<std::size_t>(200, most / 4);
  for (std::size_t k = 1; k < even; ++k) fixed.push_back(k * (f.time.size() - 1) / even);
  const std::vector<std::size_t> kept =
      choose_frames(f.time.size(), fixed, most, limits.error, PoseError(f, model));

  Json out;
  out["time"] = block.add_doubles(take_columns(f.time, kept, 1, 0, 1));
  int focus = 0;
  Json bodies = Json::array();
  for (std::size_t k = 0; k < f.bodies; ++k) {
    Json body = model["bodies"][k];
    body["position"] = block.add_floats(take_columns(f.positions, kept, f.bodies, k, 3), false);
    body["rotation"] =
        block.add_fractions(without_jumps(take_columns(f.turns, kept, f.bodies, k, 4)));
    bodies.push_back(std::move(body));
  }
  out["focus"] = focus;
  Json models = Json::array();
  for (const std::string& glb : file.models) models.push_back(block.add_bytes(glb));
  out["models"] = std::move(models);
  out["bodies"] = std::move(bodies);
  out["ports"] = model["ports"];
  Json arrows = Json::array();
  for (std::size_t k = 0; k < f.arrows; ++k)
    arrows.push_back(
        {{"name", model["arrows"][k]},
         {"unit", "N"},
         {"point", block.add_floats(take_columns(f.points, kept, f.arrows, k, 3), false)},
         {"vector", block.add_floats(take_columns(f.forces, kept, f.arrows, k, 3), false)}});
  out["arrows"] = std::move(arrows);
  out["lvlh"] = f.lvlh.empty()
                    ? Json(nullptr)
                    : block.add_fractions(without_jumps(take_columns(f.lvlh, kept, 1, 0, 4)));
  out["origin"] = f.origin.empty() ? Json(nullptr)
                                   : block.add_floats(take_columns(f.origin, kept, 1, 0, 3), false);
  return out;
}

}  // namespace berth
