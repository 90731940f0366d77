// SPDX-License-Identifier: Apache-2.0
#pragma once

// LaneServer — carries out what several runs of one program ask for, each in a lane.

#include <span>
#include <vector>

#include "berth/ensemble/run_programs.h"

namespace berth {

// A piece of work of one run, and where its results go.
struct LaneRequest {
  enum class Kind : unsigned char { trial, extension, rate, stage, end, pull };
  Kind kind = Kind::rate;
  const RunProgram* program = nullptr;
  double t = 0;
  std::span<const double> x, gaps, mode, kept;
  std::span<double>
      out;  // ẋ; stage and end: watched numbers; end: numbers of the step's end; pull: its own
  std::span<const int> picks;  // which of them are wanted; empty: all
  // Of a trial, or of an extension.
  const Trial* trial = nullptr;
  const Extension* extension = nullptr;
  const LaneMethodTable* method = nullptr;
  bool by_stage = false;      // watched numbers come from `stage`, else from `end`
  std::span<double> samples;  // of every sampled stage, the watched numbers that are picked
  double ratio = 0;

  // Those of one shape can be served together.
  struct Shape {
    const RunProgram* program;
    const LaneMethodTable* method;
    Kind kind;
    bool by_stage, has_gaps;

    bool operator==(const Shape&) const = default;
  };
  Shape shape() const { return {program, method, kind, by_stage, !gaps.empty()}; }
};

class LaneServer {
 public:
  explicit LaneServer(int lanes) : lanes_(static_cast<std::size_t>(lanes)) {}
  int lanes() const { return static_cast<int>(lanes_); }

  // As many as there are lanes at most, of one shape.
  void serve(std::span<LaneRequest* const> requests);
  // Any number of them.
  void serve(std::span<LaneRequest> requests);

 private:
  // Lanes begin where vectors may be loaded.
  struct alignas(64) Line {
    double number[8];
  };
  class Buffer {
   public:
    double* reserve(std::size_t numbers) {
      if (lines_.size() * 8 < numbers) lines_.resize((numbers + 7) / 8);
      return lines_.empty() ? nullptr : lines_.front().number;
    }

   private:
    std::vector<Line> lines_;
  };

  void serve_trial(std::span<LaneRequest* const> requests, double* in);
  void serve_extension(std::span<LaneRequest* const> requests, double* in);
  LaneTrial make_trial(const LaneRequest& first, double* in);
  template <class Of>
  void gather_beginning(std::span<LaneRequest* const> requests, Of&& of, const LaneTrial& to);
  // get(request): a list of `count` numbers of each.
  template <class Get>
  void gather(std::span<LaneRequest* const> requests, Get&& get, std::size_t count,
              double* to) const;
  template <class Get>
  void scatter(const double* from, std::size_t count, std::span<LaneRequest* const> requests,
               Get&& get) const;

  std::size_t lanes_;
  Buffer in_, out_, x_, k_, x_end_, samples_, errors_, times_, unwanted_;
  std::vector<LaneRequest*> some_;
};

}  // namespace berth
