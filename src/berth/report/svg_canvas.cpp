// SPDX-License-Identifier: Apache-2.0
#include "berth/report/svg_canvas.h"

#include <fmt/format.h>

#include "berth/report/page.h"

namespace berth {
namespace {

std::string write_stroke(const Stroke& s) {
  const char* dash = s.dash == Dash::dashes ? " stroke-dasharray=\"6 4\""
                     : s.dash == Dash::dots ? " stroke-dasharray=\"2 3\""
                     : s.dash == Dash::none ? ""
                                            : " stroke-dasharray=\"8 3 2 3\"";
  return fmt::format("fill=\"none\" stroke=\"#{:06x}\" stroke-width=\"{:g}\"{}", s.colour, s.width,
                     dash);
}

std::string write_box(const CanvasBox& b) {
  return fmt::format("x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"", b.left, b.top,
                     b.right - b.left, b.bottom - b.top);
}

}  // namespace

SvgCanvas::SvgCanvas(int width, int height, const std::string& title) {
  out_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" font-family=\"Helvetica,Arial,sans-serif\" stroke-linejoin=\"round\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      width, height);
  if (!title.empty()) out_ += fmt::format("<title>{}</title>\n", escape_html(title));
}

void SvgCanvas::line(std::span<const CanvasPoint> points, const Stroke& stroke) {
  if (points.empty()) return;
  std::string path;
  for (const CanvasPoint& p : points)
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", p.x, p.y);
  if (points.size() == 1) path += "h0.1";
  out_ += fmt::format("<path d=\"{}\" {}/>\n", path, write_stroke(stroke));
}

void SvgCanvas::frame(const CanvasBox& box, const Stroke& stroke) {
  out_ += fmt::format("<rect {} {}/>\n", write_box(box), write_stroke(stroke));
}

void SvgCanvas::dot(CanvasPoint at, double radius, unsigned colour) {
  out_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:g}\" fill=\"#{:06x}\"/>\n", at.x,
                      at.y, radius, colour);
}

void SvgCanvas::text(CanvasPoint at, const std::string& text, const TextStyle& style) {
  const std::string place =
      style.upwards ? fmt::format("transform=\"translate({:.1f} {:.1f}) rotate(-90)\"", at.x, at.y)
                    : fmt::format("x=\"{:.1f}\" y=\"{:.1f}\"", at.x, at.y);
  const char* anchor = style.anchor == Anchor::start    ? "start"
                       : style.anchor == Anchor::middle ? "middle"
                                                        : "end";
  out_ +=
      fmt::format("<text {} text-anchor=\"{}\" font-size=\"{:g}\" fill=\"#{:06x}\"{}>{}</text>\n",
                  place, anchor, style.size, style.colour,
                  style.bold ? " font-weight=\"bold\"" : "", escape_html(text));
}

void SvgCanvas::begin_clip(const CanvasBox& box) {
  out_ +=
      fmt::format("<clipPath id=\"c{0}\"><rect {1}/></clipPath>\n<g clip-path=\"url(#c{0})\">\n",
                  clips_++, write_box(box));
}
void SvgCanvas::end_clip() { out_ += "</g>\n"; }

std::string SvgCanvas::finish() { return std::move(out_) + "</svg>\n"; }

}  // namespace berth
