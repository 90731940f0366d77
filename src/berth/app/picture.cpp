// SPDX-License-Identifier: Apache-2.0
#include "berth/app/picture.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <cairo-pdf.h>
#include <cairo.h>

#include "berth/report/svg_canvas.h"

namespace berth {
namespace {

constexpr double kPointsPerPixel = 0.75, kDotsPerPixel = 2;

cairo_status_t append(void* to, const unsigned char* data, unsigned size) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), size);
  return CAIRO_STATUS_SUCCESS;
}

// PDF and PNG.
class CairoCanvas final : public Canvas {
 public:
  CairoCanvas(PictureFormat format, int width, int height, const std::string& title)
      : format_(format) {
    if (format == PictureFormat::pdf) {
      surface_ = cairo_pdf_surface_create_for_stream(append, &out_, kPointsPerPixel * width,
                                                     kPointsPerPixel * height);
      cairo_pdf_surface_set_metadata(surface_, CAIRO_PDF_METADATA_TITLE, title.c_str());
      // Bytes that do not depend on the day.
      cairo_pdf_surface_set_metadata(surface_, CAIRO_PDF_METADATA_CREATE_DATE,
                                     "2000-01-01T00:00:00Z");
    } else {
      surface_ =
          cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(kDotsPerPixel) * width,
                                     static_cast<int>(kDotsPerPixel) * height);
    }
    cairo_ = cairo_create(surface_);
    const double scale = format == PictureFormat::pdf ? kPointsPerPixel : kDotsPerPixel;
    cairo_scale(cairo_, scale, scale);
    set_colour(0xffffff);
    cairo_paint(cairo_);
    cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cairo_, CAIRO_LINE_CAP_BUTT);
  }
  CairoCanvas(const CairoCanvas&) = delete;
  CairoCanvas& operator=(const CairoCanvas&) = delete;
  ~CairoCanvas() override {
    if (cairo_) cairo_destroy(cairo_);
    cairo_surface_destroy(surface_);
  }

  void line(std::span<const CanvasPoint> points, const Stroke& stroke) override {
    if (points.empty()) return;
    cairo_new_path(cairo_);
    for (const CanvasPoint& p : points) cairo_line_to(cairo_, p.x, p.y);
    if (points.size() == 1) cairo_rel_line_to(cairo_, 0.1, 0);
    draw(stroke);
  }
  void frame(const CanvasBox& b, const Stroke& stroke) override {
    cairo_new_path(cairo_);
    cairo_rectangle(cairo_, b.left, b.top, b.right - b.left, b.bottom - b.top);
    draw(stroke);
  }
  void dot(CanvasPoint at, double radius, unsigned colour) override {
    cairo_new_path(cairo_);
    cairo_arc(cairo_, at.x, at.y, radius, 0, 2 * M_PI);
    set_colour(colour);
    cairo_fill(cairo_);
  }
  void text(CanvasPoint at, const std::string& text, const TextStyle& style) override {
    cairo_save(cairo_);
    cairo_select_font_face(cairo_, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    // The sans-serif of Debian is wider than Helvetica, for which there is room.
    cairo_set_font_size(cairo_, 0.9 * style.size);
    cairo_text_extents_t size{};
    cairo_text_extents(cairo_, text.c_str(), &size);
    const double back = style.anchor == Anchor::start    ? 0
                        : style.anchor == Anchor::middle ? 0.5 * size.x_advance
                                                         : size.x_advance;
    cairo_translate(cairo_, at.x, at.y);
    if (style.upwards) cairo_rotate(cairo_, -0.5 * M_PI);
    cairo_move_to(cairo_, -back, 0);
    set_colour(style.colour);
    cairo_show_text(cairo_, text.c_str());
    cairo_restore(cairo_);
  }
  void begin_clip(const CanvasBox& b) override {
    cairo_save(cairo_);
    cairo_new_path(cairo_);
    cairo_rectangle(cairo_, b.left, b.top, b.right - b.left, b.bottom - b.top);
    cairo_clip(cairo_);
  }
  void end_clip() override { cairo_restore(cairo_); }

  std::string finish() override {
    cairo_destroy(std::exchange(cairo_, nullptr));
    if (format_ == PictureFormat::pdf) {
      cairo_surface_finish(surface_);
    } else {
      cairo_surface_write_to_png_stream(surface_, append, &out_);
    }
    if (const cairo_status_t status = cairo_surface_status(surface_))
      throw std::runtime_error(std::string("the picture cannot be drawn: ") +
                               cairo_status_to_string(status));
    return std::move(out_);
  }

 private:
  void set_colour(unsigned c) {
    const auto part = [&](int shift) { return static_cast<double>((c >> shift) & 255u) / 255; };
    cairo_set_source_rgb(cairo_, part(16), part(8), part(0));
  }
  void draw(const Stroke& s) {
    constexpr double dashes[] = {6, 4}, dots[] = {2, 3}, both[] = {8, 3, 2, 3};
    const double* pattern = s.dash == Dash::dashes ? dashes : s.dash == Dash::dots ? dots : both;
    const int count = s.dash == Dash::none ? 0 : s.dash == Dash::dash_dot ? 4 : 2;
    cairo_set_dash(cairo_, pattern, count, 0);
    cairo_set_line_width(cairo_, s.width);
    set_colour(s.colour);
    cairo_stroke(cairo_);
  }

  PictureFormat format_;
  std::string out_;
  cairo_surface_t* surface_ = nullptr;
  cairo_t* cairo_ = nullptr;
};

}  // namespace

std::optional<PictureFormat> find_picture_format(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (ending == ".svg") return PictureFormat::svg;
  if (ending == ".pdf") return PictureFormat::pdf;
  if (ending == ".png") return PictureFormat::png;
  return std::nullopt;
}

std::unique_ptr<Canvas> make_canvas(PictureFormat format, int width, int height,
                                    const std::string& title) {
  if (format == PictureFormat::svg) return std::make_unique<SvgCanvas>(width, height, title);
  return std::make_unique<CairoCanvas>(format, width, height, title);
}

}  // namespace berth
