// SPDX-License-Identifier: Apache-2.0
#include "berth/report/plot.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "berth/report/svg_canvas.h"

namespace berth {
namespace {

// Colours that the colour-blind can distinguish (Okabe and Ito).
constexpr std::array<unsigned, 8> kColours = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                              0xe69f00, 0x56b4e9, 0x666666, 0x000000};
constexpr unsigned kGrid = 0xdddddd, kFrame = 0x666666, kEvent = 0x888888;

std::string superscript(int n) {
  constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = n < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(n))) out += digits[c - '0'];
  return out;
}

std::size_t letters_of(const std::string& utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string with_minus(std::string text) {
  if (!text.empty() && text[0] == '-') text.replace(0, 1, "−");
  return text;
}

struct Axis {
  double from, to;
  bool log;
  double begin, end;  // [px]
  std::vector<double> ticks;
  int power = 0;  // ticks are in units of 10^power
  int decimals = 0;

  double map(double x) const {
    const double s = log ? (std::log10(x) - std::log10(from)) / (std::log10(to) - std::log10(from))
                         : (x - from) / (to - from);
    return begin + s * (end - begin);
  }
  std::string label(double x) const {
    if (log) {
      const int power_of_ten = static_cast<int>(std::lround(std::log10(x)));
      if (std::fabs(std::log10(x) - power_of_ten) > 1e-9) return number_text(x);
      if (power_of_ten >= -2 && power_of_ten <= 3) return fmt::format("{:g}", x);
      return "10" + superscript(power_of_ten);
    }
    const double scaled = x / std::pow(10.0, power);
    return with_minus(fmt::format("{:.{}f}", std::fabs(scaled) < 1e-12 ? 0.0 : scaled, decimals));
  }
};

// The range of what is drawn of these panels, with a little room.
Axis make_axis(std::span<const PlotPanel> panels, bool of_y, const PlotOptions& o) {
  const PlotPanel blank, &one = panels.empty() ? blank : panels.front();
  const bool log = of_y ? one.log_y : o.log_x;
  double from = INFINITY, to = -INFINITY;
  for (const PlotPanel& panel : panels)
    for (const PlotLine& line : panel.lines)
      for (std::size_t i = 0; i < line.x.size(); ++i) {
        const double x = line.x[i], y = line.y[i], v = of_y ? y : x;
        if (!std::isfinite(x) || !std::isfinite(y) || (log && !(v > 0))) continue;
        if (of_y && ((o.x_from > x) || (o.x_to < x))) continue;
        from = std::min(from, v), to = std::max(to, v);
      }
  if (!(from <= to)) from = log ? 0.1 : 0, to = 1;
  const double asked_from = of_y ? one.y_from : o.x_from, asked_to = of_y ? one.y_to : o.x_to;
  if (log) {
    if (of_y && from < to * 1e-20) from = to * 1e-20;  // what is lower says nothing
    if (of_y)
      from = std::pow(10, std::floor(std::log10(from) + 1e-9)),
      to = std::pow(10, std::ceil(std::log10(to) - 1e-9));
    if (!(from < to)) from /= 10, to *= 10;
  } else if (from == to) {
    const double room = from == 0 ? 1 : 0.1 * std::fabs(from);
    from -= room, to += room;
  } else if (of_y) {
    const double room = 0.05 * (to - from);
    from -= room, to += room;
  }
  if (std::isfinite(asked_from)) from = asked_from;
  if (std::isfinite(asked_to)) to = asked_to;
  Axis axis{from, to, log, 0, 1, {}};
  axis.ticks = log ? find_log_ticks(from, to, of_y ? 8 : 9) : find_ticks(from, to, of_y ? 7 : 9);
  if (!log && axis.ticks.size() > 1) {
    const double largest = std::max(std::fabs(axis.ticks.front()), std::fabs(axis.ticks.back()));
    const int size = largest > 0 ? static_cast<int>(std::floor(std::log10(largest) + 1e-9)) : 0;
    if (size >= 5 || size <= -3) axis.power = size;
    const double step = (axis.ticks[1] - axis.ticks[0]) / std::pow(10.0, axis.power);
    axis.decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 9);
  }
  return axis;
}

// Points that lie on the line between their neighbours are left out (Douglas and Peucker).
void keep_needed(const std::vector<CanvasPoint>& points, std::size_t a, std::size_t b,
                 double tolerance, std::vector<char>& needed) {
  std::vector<std::pair<std::size_t, std::size_t>> open{{a, b}};
  while (!open.empty()) {
    const auto [from, to] = open.back();
    open.pop_back();
    const double dx = points[to].x - points[from].x, dy = points[to].y - points[from].y;
    const double length = std::hypot(dx, dy);
    double worst = tolerance;
    std::size_t at = from;
    for (std::size_t i = from + 1; i < to; ++i) {
      const double px = points[i].x - points[from].x, py = points[i].y - points[from].y;
      const double off = length > 0 ? std::fabs(dx * py - dy * px) / length : std::hypot(px, py);
      if (off > worst) worst = off, at = i;
    }
    if (at == from) continue;
    needed[at] = 1;
    open.push_back({from, at});
    open.push_back({at, to});
  }
}

// A panel: its axis, its place, and how it is drawn.
class PanelDrawing {
 public:
  PanelDrawing(const PlotPanel& panel, const PlotOptions& options)
      : panel_(panel), y_(make_axis(std::span(&panel, 1), true, options)) {}

  // [px] the labels of the axis take to the left of the frame.
  double left_room() const {
    std::size_t widest = 3;
    for (const double t : y_.ticks) widest = std::max(widest, letters_of(y_.label(t)));
    return 22 + 7.0 * static_cast<double>(widest) + (panel_.y_label.empty() ? 0 : 20);
  }
  // And legend and power of ten above it.
  double top_room(double width) const {
    return 18.0 * count_legend_rows(width) + (y_.power != 0 ? 12 : 0);
  }
  void place(const CanvasBox& frame, double height) {
    frame_ = frame;
    legend_top_ = frame.top - height;
    y_.begin = frame.bottom, y_.end = frame.top;
  }
  const CanvasBox& frame() const { return frame_; }

  void draw(Canvas& canvas, const Axis& x, bool names_x) const {
    draw_legend(canvas);
    draw_axes(canvas, x, names_x);
  }
  void draw_lines(Canvas& canvas, const Axis& x) const {
    canvas.begin_clip({frame_.left - 1, frame_.top - 1, frame_.right + 1, frame_.bottom + 1});
    for (std::size_t k = 0; k < panel_.lines.size(); ++k) draw_line(canvas, x, k);
    canvas.end_clip();
  }

 private:
  // Beyond as many lines as there are colours they are dashed.
  Stroke stroke_of(std::size_t k) const {
    constexpr Dash dashes[] = {Dash::none, Dash::dashes, Dash::dots, Dash::dash_dot};
    const std::size_t round = k / kColours.size();
    const Dash dash = panel_.lines[k].dashed ? Dash::dashes : dashes[round % std::size(dashes)];
    return {kColours[k % kColours.size()], 1.6, dash};
  }
  bool has_legend() const {
    return panel_.lines.size() > 1 &&
           std::any_of(panel_.lines.begin(), panel_.lines.end(),
                       [](const PlotLine& l) { return !l.label.empty(); });
  }
  static double entry_width(const PlotLine& line) {
    return 34 + 6.4 * static_cast<double>(letters_of(line.label));
  }
  int count_legend_rows(double width) const {
    if (!has_legend()) return 0;
    int rows = 1;
    double at = 0;
    for (const PlotLine& line : panel_.lines) {
      const double wide = entry_width(line);
      if (at > 0 && at + wide > width) at = 0, ++rows;
      at += wide;
    }
    return rows;
  }

  void draw_legend(Canvas& canvas) const {
    if (!has_legend()) return;
    double at = frame_.left, y = legend_top_ + 8;
    for (std::size_t k = 0; k < panel_.lines.size(); ++k) {
      const PlotLine& line = panel_.lines[k];
      const double wide = entry_width(line);
      if (at > frame_.left && at + wide > frame_.right) at = frame_.left, y += 18;
      Stroke stroke = stroke_of(k);
      stroke.width = 2;
      if (line.marks) {
        canvas.dot({at + 9, y - 4}, 3, stroke.colour);
      } else {
        canvas.line(std::array{CanvasPoint{at, y - 4}, CanvasPoint{at + 18, y - 4}}, stroke);
      }
      canvas.text({at + 23, y}, line.label, {});
      at += wide;
    }
  }

  void draw_axes(Canvas& canvas, const Axis& x, bool names_x) const {
    const auto grid = [&](CanvasPoint a, CanvasPoint b) {
      canvas.line(std::array{a, b}, {.colour = kGrid});
    };
    for (const double t : x.ticks) grid({x.map(t), frame_.top}, {x.map(t), frame_.bottom});
    for (const double t : y_.ticks) grid({frame_.left, y_.map(t)}, {frame_.right, y_.map(t)});
    canvas.frame(frame_, {.colour = kFrame});
    if (names_x)
      for (const double t : x.ticks)
        canvas.text({x.map(t), frame_.bottom + 16}, x.label(t), {.anchor = Anchor::middle});
    for (const double t : y_.ticks)
      canvas.text({frame_.left - 6, y_.map(t) + 4}, y_.label(t), {.anchor = Anchor::end});
    if (y_.power != 0)
      canvas.text({frame_.left, frame_.top - 4}, "×10" + superscript(y_.power), {});
    if (!panel_.y_label.empty())
      canvas.text({14, 0.5 * (frame_.top + frame_.bottom)}, panel_.y_label,
                  {.anchor = Anchor::middle, .upwards = true});
  }

  void draw_line(Canvas& canvas, const Axis& x_axis, std::size_t k) const {
    const PlotLine& line = panel_.lines[k];
    const Stroke stroke = stroke_of(k);
    std::vector<std::vector<CanvasPoint>> pieces(1);
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      const double x = line.x[i], y = line.y[i];
      const bool there =
          std::isfinite(x) && std::isfinite(y) && (!x_axis.log || x > 0) && (!y_.log || y > 0);
      if (there) {
        // Far outside the picture there is nothing to see, and viewers stumble.
        const auto near = [](double pixel) { return std::clamp(pixel, -1e4, 1e4); };
        pieces.back().push_back({near(x_axis.map(x)), near(y_.map(y))});
      } else if (!pieces.back().empty()) {
        pieces.emplace_back();
      }
    }
    for (const std::vector<CanvasPoint>& piece : pieces) {
      if (piece.empty()) continue;
      if (line.marks) {
        for (const CanvasPoint& p : piece) canvas.dot(p, 3, stroke.colour);
        continue;
      }
      std::vector<char> needed(piece.size(), 0);
      needed.front() = needed.back() = 1;
      keep_needed(piece, 0, piece.size() - 1, 0.2, needed);
      std::vector<CanvasPoint> kept;
      for (std::size_t i = 0; i < piece.size(); ++i)
        if (needed[i]) kept.push_back(piece[i]);
      canvas.line(kept, stroke);
    }
  }

  const PlotPanel& panel_;
  Axis y_;
  CanvasBox frame_{};
  double legend_top_ = 0;
};

// Lines through all panels, and names in two rows above the first where they do not run into one another.
void draw_events(Canvas& canvas, const Axis& x, const std::vector<PlotMark>& events,
                 const std::vector<PanelDrawing>& panels, double top) {
  std::array<double, 2> free_from = {-INFINITY, -INFINITY};
  for (const PlotMark& e : events) {
    if (!(e.x >= std::min(x.from, x.to) && e.x <= std::max(x.from, x.to))) continue;
    const double at = x.map(e.x);
    for (const PanelDrawing& p : panels)
      canvas.line(std::array{CanvasPoint{at, p.frame().top}, CanvasPoint{at, p.frame().bottom}},
                  {kEvent, 0.8, Dash::dots});
    const double wide = 5.6 * static_cast<double>(letters_of(e.label));
    const double from = std::min(at - 3, x.end - wide);
    for (std::size_t row = 0; row < free_from.size(); ++row) {
      if (from < free_from[row]) continue;
      canvas.text({from, top + 10 + 12 * static_cast<double>(row)}, e.label,
                  {.size = 10, .colour = kFrame});
      free_from[row] = from + wide + 8;
      break;
    }
  }
}

}  // namespace

std::string number_text(double value) {
  if (value == 0 || !std::isfinite(value)) return fmt::format("{}", value);
  const int power = static_cast<int>(std::floor(std::log10(std::fabs(value)) + 1e-9));
  if (power >= -3 && power <= 5) return with_minus(fmt::format("{:.4g}", value));
  const double front = value / std::pow(10.0, power);
  return with_minus(fmt::format("{:.3g}×10{}", front, superscript(power)));
}

std::vector<double> find_ticks(double from, double to, int most) {
  if (!(from < to) || !std::isfinite(to - from)) return {};
  const double rough = (to - from) / most;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double s : {1.0, 2.0, 5.0})
    if (s * power >= rough) {
      step = s * power;
      break;
    }
  std::vector<double> ticks;
  for (double k = std::ceil(from / step - 1e-9); k * step <= to + 1e-9 * step && ticks.size() < 100;
       ++k)
    ticks.push_back(k * step);
  return ticks;
}

std::vector<double> find_log_ticks(double from, double to, int most) {
  if (!(from > 0 && from < to)) return {};
  const int low = static_cast<int>(std::ceil(std::log10(from) - 1e-9));
  const int high = static_cast<int>(std::floor(std::log10(to) + 1e-9));
  const int step = std::max(1, (high - low + most) / most);
  std::vector<double> ticks;
  for (int k = low; k <= high; k += step) ticks.push_back(std::pow(10.0, k));
  if (ticks.size() >= 2) return ticks;
  // Less than two powers of ten: their twos and fives too.
  ticks.clear();
  for (int k = low - 1; k <= high + 1; ++k)
    for (const double s : {1.0, 2.0, 5.0})
      if (const double x = s * std::pow(10.0, k); x >= from * (1 - 1e-9) && x <= to * (1 + 1e-9))
        ticks.push_back(x);
  return ticks;
}

void draw_plot(const std::vector<PlotPanel>& panels, const PlotOptions& o, Canvas& canvas) {
  constexpr double right_room = 18, bottom_room = 46, between = 14;
  Axis x = make_axis(panels, false, o);
  std::vector<PanelDrawing> drawings;
  double left = 0;
  for (const PlotPanel& p : panels) {
    drawings.emplace_back(p, o);
    left = std::max(left, drawings.back().left_room());
  }
  x.begin = left;
  x.end = o.width - right_room;

  // Title and names of events, then panels of one height.
  double top = 14;
  if (!o.title.empty()) {
    canvas.text({0.5 * o.width, 20}, o.title, {.anchor = Anchor::middle, .size = 14, .bold = true});
    top = 34;
  }
  const double events_top = top - 6;
  if (!o.events.empty()) top += 24;
  double rooms = 0;
  for (const PanelDrawing& d : drawings) rooms += d.top_room(x.end - x.begin);
  const auto count = static_cast<double>(std::max<std::size_t>(1, panels.size()));
  const double height =
      std::max(20.0, (o.height - bottom_room - top - rooms - between * (count - 1)) / count);
  for (PanelDrawing& d : drawings) {
    const double room = d.top_room(x.end - x.begin);
    d.place({x.begin, top + room, x.end, top + room + height}, room);
    top += room + height + between;
  }
  for (std::size_t i = 0; i < drawings.size(); ++i)
    drawings[i].draw(canvas, x, i + 1 == drawings.size());
  draw_events(canvas, x, o.events, drawings, events_top);
  for (const PanelDrawing& d : drawings) d.draw_lines(canvas, x);
  std::string x_label = o.x_label;
  if (x.power != 0) x_label += " ×10" + superscript(x.power);
  canvas.text({0.5 * (x.begin + x.end), o.height - 10.0}, x_label, {.anchor = Anchor::middle});
}

std::string draw_plot(const std::vector<PlotPanel>& panels, const PlotOptions& options) {
  SvgCanvas canvas(options.width, options.height, options.title);
  draw_plot(panels, options, canvas);
  return canvas.finish();
}

}  // namespace berth
