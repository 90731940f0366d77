// SPDX-License-Identifier: Apache-2.0
#pragma once

// A picture as SVG: text, of which programs for drawings can change every piece.

#include "berth/report/canvas.h"

namespace berth {

class SvgCanvas final : public Canvas {
 public:
  SvgCanvas(int width, int height, const std::string& title);

  void line(std::span<const CanvasPoint> points, const Stroke& stroke) override;
  void frame(const CanvasBox& box, const Stroke& stroke) override;
  void dot(CanvasPoint at, double radius, unsigned colour) override;
  void text(CanvasPoint at, const std::string& text, const TextStyle& style) override;
  void begin_clip(const CanvasBox& box) override;
  void end_clip() override;
  std::string finish() override;

 private:
  std::string out_;
  int clips_ = 0;
};

}  // namespace berth
