// SPDX-License-Identifier: Apache-2.0
#pragma once

// Canvas — lines, dots and texts of a picture, in px with y downwards, and the bytes of the file they
// make. The same calls give the same bytes.

#include <span>
#include <string>

namespace berth {

struct CanvasPoint {
  double x, y;  // [px]
};
struct CanvasBox {
  double left, top, right, bottom;  // [px]
};

enum class Dash : unsigned char { none, dashes, dots, dash_dot };
struct Stroke {
  unsigned colour = 0x222222;  // RRGGBB
  double width = 1;            // [px]
  Dash dash = Dash::none;
};

enum class Anchor : unsigned char { start, middle, end };
struct TextStyle {
  Anchor anchor = Anchor::start;
  double size = 12;  // [px]
  unsigned colour = 0x222222;
  bool bold = false;
  bool upwards = false;  // turned by 90°
};

class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void line(std::span<const CanvasPoint> points, const Stroke& stroke) = 0;
  virtual void frame(const CanvasBox& box, const Stroke& stroke) = 0;
  virtual void dot(CanvasPoint at, double radius, unsigned colour) = 0;
  virtual void text(CanvasPoint at, const std::string& text, const TextStyle& style) = 0;
  // All until end_clip() is drawn inside of the box alone.
  virtual void begin_clip(const CanvasBox& box) = 0;
  virtual void end_clip() = 0;
  // The bytes of the file; nothing is drawn any more.
  virtual std::string finish() = 0;
};

}  // namespace berth
