// SPDX-License-Identifier: Apache-2.0
#include "berth/report/svg_plot.h"

#include <algorithm>

#include <fmt/format.h>

#include "berth/report/page.h"

namespace berth {
namespace {

// Colours that the colour-blind can distinguish (Okabe and Ito).
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                    "#e69f00", "#56b4e9", "#666666", "#000000"};
constexpr const char* kFont = "font-family=\"Helvetica,Arial,sans-serif\"";

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

// The range of what is drawn, with a little room.
Axis make_axis(const std::vector<PlotLine>& lines, bool of_y, const PlotOptions& o) {
  const bool log = of_y ? o.log_y : o.log_x;
  double from = INFINITY, to = -INFINITY;
  for (const PlotLine& line : lines)
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      const double x = line.x[i], y = line.y[i], v = of_y ? y : x;
      if (!std::isfinite(x) || !std::isfinite(y) || (log && !(v > 0))) continue;
      if (of_y && ((o.x_from > x) || (o.x_to < x))) continue;
      from = std::min(from, v), to = std::max(to, v);
    }
  if (!(from <= to)) from = log ? 0.1 : 0, to = 1;
  const double asked_from = of_y ? o.y_from : o.x_from, asked_to = of_y ? o.y_to : o.x_to;
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

struct Point {
  double x, y;
};

// Points that lie on the line between their neighbours are left out (Douglas and Peucker).
void keep_needed(const std::vector<Point>& points, std::size_t a, std::size_t b, double tolerance,
                 std::vector<char>& needed) {
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

class Drawing {
 public:
  Drawing(const std::vector<PlotLine>& lines, const PlotOptions& options)
      : lines_(lines),
        o_(options),
        x_(make_axis(lines, false, options)),
        y_(make_axis(lines, true, options)) {}

  std::string draw() {
    place();
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" {2} font-size=\"12\" fill=\"#222\">\n<rect width=\"100%\" height=\"100%\" "
        "fill=\"#fff\"/>\n",
        o_.width, o_.height, kFont);
    if (!o_.title.empty()) {
      out_ += fmt::format("<title>{}</title>\n", escape_html(o_.title));
      text(0.5 * o_.width, 20, "middle", o_.title, " font-size=\"14\" font-weight=\"bold\"");
    }
    draw_legend();
    draw_axes();
    out_ += fmt::format(
        "<clipPath id=\"c\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>"
        "</clipPath>\n<g clip-path=\"url(#c)\" fill=\"none\" stroke-width=\"1.6\" "
        "stroke-linejoin=\"round\">\n",
        left_ - 1, top_ - 1, right_ - left_ + 2, bottom_ - top_ + 2);
    for (std::size_t k = 0; k < lines_.size(); ++k) draw_line(k);
    out_ += "</g>\n</svg>\n";
    return std::move(out_);
  }

 private:
  static const char* colour(std::size_t k) { return kColours[k % std::size(kColours)]; }

  void text(double x, double y, const char* anchor, const std::string& words,
            const std::string& more = "") {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                        anchor, more, escape_html(words));
  }

  // Room for the title, the legend, the labels.
  void place() {
    std::size_t widest = 3;
    for (const double t : y_.ticks) widest = std::max(widest, letters_of(y_.label(t)));
    left_ = 22 + 7.0 * static_cast<double>(widest) + (o_.y_label.empty() ? 0 : 20);
    right_ = o_.width - 18;
    top_ = o_.title.empty() ? 14 : 34;
    if (has_legend()) {
      double at = left_;
      legend_rows_ = 1;
      for (const PlotLine& line : lines_) {
        const double wide = entry_width(line);
        if (at > left_ && at + wide > right_) at = left_, ++legend_rows_;
        at += wide;
      }
      top_ += 18 * legend_rows_;
    }
    if (y_.power != 0) top_ += 12;
    bottom_ = o_.height - 46;
    x_.begin = left_, x_.end = right_;
    y_.begin = bottom_, y_.end = top_;
  }
  bool has_legend() const {
    return std::any_of(lines_.begin(), lines_.end(),
                       [](const PlotLine& l) { return !l.label.empty(); }) &&
           lines_.size() > 1;
  }
  static double entry_width(const PlotLine& line) {
    return 34 + 6.4 * static_cast<double>(letters_of(line.label));
  }

  void draw_legend() {
    if (!has_legend()) return;
    double at = left_, y = (o_.title.empty() ? 14 : 34) + 8;
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      const double wide = entry_width(lines_[k]);
      if (at > left_ && at + wide > right_) at = left_, y += 18;
      if (lines_[k].marks) {
        out_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", at + 9,
                            y - 4, colour(k));
      } else {
        out_ +=
            fmt::format("<path d=\"M{:.1f} {:.1f}h18\" stroke=\"{}\" stroke-width=\"2\"{}/>\n", at,
                        y - 4, colour(k), lines_[k].dashed ? " stroke-dasharray=\"5 3\"" : "");
      }
      text(at + 23, y, "start", lines_[k].label);
      at += wide;
    }
  }

  void draw_axes() {
    std::string grid;
    for (const double t : x_.ticks)
      grid += fmt::format("M{:.1f} {:.1f}V{:.1f}", x_.map(t), top_, bottom_);
    for (const double t : y_.ticks)
      grid += fmt::format("M{:.1f} {:.1f}H{:.1f}", left_, y_.map(t), right_);
    out_ += fmt::format("<path d=\"{}\" stroke=\"#ddd\" fill=\"none\"/>\n", grid);
    out_ += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" "
        "stroke=\"#666\"/>\n",
        left_, top_, right_ - left_, bottom_ - top_);
    for (const double t : x_.ticks) text(x_.map(t), bottom_ + 16, "middle", x_.label(t));
    for (const double t : y_.ticks) text(left_ - 6, y_.map(t) + 4, "end", y_.label(t));
    if (y_.power != 0) text(left_, top_ - 4, "start", "×10" + superscript(y_.power));
    std::string x_label = o_.x_label;
    if (x_.power != 0) x_label += " ×10" + superscript(x_.power);
    text(0.5 * (left_ + right_), bottom_ + 36, "middle", x_label);
    if (!o_.y_label.empty())
      out_ += fmt::format(
          "<text transform=\"translate(14 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
          0.5 * (top_ + bottom_), escape_html(o_.y_label));
  }

  void draw_line(std::size_t k) {
    const PlotLine& line = lines_[k];
    std::vector<std::vector<Point>> pieces(1);
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      const double x = line.x[i], y = line.y[i];
      const bool there =
          std::isfinite(x) && std::isfinite(y) && (!x_.log || x > 0) && (!y_.log || y > 0);
      if (there) {
        // Far outside the picture there is nothing to see, and viewers stumble.
        const auto near = [](double pixel) { return std::clamp(pixel, -1e4, 1e4); };
        pieces.back().push_back({near(x_.map(x)), near(y_.map(y))});
      } else if (!pieces.back().empty()) {
        pieces.emplace_back();
      }
    }
    if (line.marks) {
      for (const std::vector<Point>& piece : pieces)
        for (const Point& p : piece)
          out_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", p.x,
                              p.y, colour(k));
      return;
    }
    std::string path;
    for (const std::vector<Point>& piece : pieces) {
      if (piece.empty()) continue;
      std::vector<char> needed(piece.size(), 0);
      needed.front() = needed.back() = 1;
      keep_needed(piece, 0, piece.size() - 1, 0.2, needed);
      bool first = true;
      for (std::size_t i = 0; i < piece.size(); ++i) {
        if (!needed[i]) continue;
        path += fmt::format("{}{:.1f} {:.1f}", first ? "M" : "L", piece[i].x, piece[i].y);
        first = false;
      }
      if (piece.size() == 1) path += "h0.1";
    }
    if (path.empty()) return;
    out_ += fmt::format("<path d=\"{}\" stroke=\"{}\"{}/>\n", path, colour(k),
                        line.dashed ? " stroke-dasharray=\"6 4\"" : "");
  }

  const std::vector<PlotLine>& lines_;
  const PlotOptions& o_;
  Axis x_, y_;
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
  int legend_rows_ = 0;
  std::string out_;
};

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

std::string draw_plot(const std::vector<PlotLine>& lines, const PlotOptions& options) {
  return Drawing(lines, options).draw();
}

}  // namespace berth
