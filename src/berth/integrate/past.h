// SPDX-License-Identifier: Apache-2.0
#pragma once

// Past — the solution before the present, piece by piece, for derivatives with delays.
//
//   add     an accepted step (its dense output)          cut     it ends earlier: an event
//   take_back   it is made again
//   find    x at any time kept; beyond the last piece by its draft, or by carrying it on

#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include "berth/integrate/dense_step.h"

namespace berth {

template <Scalar T>
class Past {
 public:
  Past() = default;
  // A copy is made between steps: the draft, a step on trial, is not taken along.
  Past(const Past& other)
      : pieces_(other.pieces_),
        first_(other.first_),
        count_(other.count_),
        begin_(other.begin_),
        end_(other.end_) {}
  Past& operator=(const Past& other) { return *this = Past(other); }
  Past(Past&&) = default;
  Past& operator=(Past&&) = default;

  // Nothing is known before t.
  void start(double t) {
    begin_ = end_ = t;
    first_ = count_ = 0;
    draft_ = nullptr;
  }

  double begin() const { return begin_; }
  double end() const { return end_; }

  void add(const DenseStep<T>& step) {
    draft_ = nullptr;
    if (count_ == pieces_.size()) {  // unroll, then grow
      std::vector<Piece> longer;
      for (std::size_t i = 0; i < count_; ++i) longer.push_back(std::move(piece(i)));
      longer.resize(2 * count_ + 4, Piece{step, 0});
      pieces_ = std::move(longer);
      first_ = 0;
    }
    ++count_;
    piece(count_ - 1) = {step, step.t_end()};
    end_ = step.t_end();
  }
  // The last piece is made anew.
  void take_back() {
    --count_;
    end_ = piece(count_).step.t_begin();
    draft_ = nullptr;
  }
  // The last piece holds up to here only.
  void cut(double t) {
    if (count_ > 0) piece(count_ - 1).end = t;
    end_ = t;
    draft_ = nullptr;
  }
  // What lies before t is not asked for again.
  void forget(double t) {
    while (count_ > 1 && piece(0).end < t) {
      first_ = (first_ + 1) % pieces_.size();
      --count_;
      begin_ = piece(0).step.t_begin();
    }
  }

  // The step on trial stands in for what is not accepted yet. It must outlive the trial.
  void set_draft(const DenseStep<T>& step) { draft_ = &step; }
  void drop_draft() { draft_ = nullptr; }

  void find(double t, std::span<T> out) const {
    if (t > end_ && draft_) return draft_->interpolate(t, out);
    std::size_t i = count_ - 1;
    while (i > 0 && t <= piece(i - 1).end) --i;
    piece(i).step.interpolate(t, out);
  }
  double last_length() const { return end_ - piece(count_ - 1).step.t_begin(); }
  bool empty() const { return count_ == 0; }

  // Pieces are made like `blank`; the draft, a step on trial, is no part of it.
  static void visit_state(auto& a, auto& self, const DenseStep<T>& blank) {
    auto& [pieces, first, count, begin, end, draft] = self;
    a(begin, end, count);
    if constexpr (std::remove_cvref_t<decltype(a)>::reads) {
      pieces.clear();
      first = 0;
      draft = nullptr;
      for (std::size_t i = 0; i < count; ++i) {
        pieces.push_back({blank, 0});
        a(pieces.back().step, pieces.back().end);
      }
    } else {
      for (std::size_t i = 0; i < count; ++i) a(self.piece(i).step, self.piece(i).end);
    }
  }

 private:
  struct Piece {
    DenseStep<T> step;
    double end;
  };
  Piece& piece(std::size_t i) { return pieces_[(first_ + i) % pieces_.size()]; }
  const Piece& piece(std::size_t i) const { return pieces_[(first_ + i) % pieces_.size()]; }

  std::vector<Piece> pieces_;  // a ring: storage is kept for later pieces
  std::size_t first_ = 0, count_ = 0;
  double begin_ = 0, end_ = 0;
  const DenseStep<T>* draft_ = nullptr;
};

// A derivative with a delay. No past: it has none at present.
template <class F, class T>
concept HasDelay = requires(F& f) {
  { f.past() } -> std::same_as<Past<T>*>;
  { f.shortest_delay() } -> std::convertible_to<double>;
};

}  // namespace berth
