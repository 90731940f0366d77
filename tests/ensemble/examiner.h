// SPDX-License-Identifier: Apache-2.0
#pragma once

// Examiner — a server that computes nothing for a run but examines it: what the run would
// be compiled to, recorded as graphs, must give the bits of double at states that it visits.
//
// Each structure is examined at its first request, the second, the fourth and so on, so that numbers of
// the mode and the start of smooth stretches are others than those it was recorded with; as visited, and
// with zeros among the states.

#include <list>
#include <map>
#include <string>
#include <vector>

#include "berth/ensemble/run_graphs.h"
#include "berth/run/step_server.h"

namespace berth::test {

struct ExaminerOptions {
  int structures = 1 << 20;       // of a run, at most
  int visits = 1 << 20;           // of each
  bool all_numbers_free = false;  // numbers of the system are inputs, not constants
};

class Examiner : public StepServer {
 public:
  explicit Examiner(const ExaminerOptions& options = {}) : options_(options) {}

  std::optional<double> try_step(Core& core, const Mode<double>& mode, const Trial& trial) override;
  bool extend(const Core&, const Mode<double>&, const Extension&) override { return false; }
  bool find_rate(const Core&, const Mode<double>&, double, std::span<const double>,
                 std::span<double>) override {
    return false;
  }
  bool find_numbers(const Core& core, const Mode<double>& mode, std::span<const double> t,
                    std::span<const double> x, std::span<const std::size_t> wanted, bool sees_idle,
                    std::span<double> numbers) override;
  bool find_channels(const Core&, const Mode<double>&, double, std::span<const double>,
                     std::span<const int>, std::span<double>) override {
    return false;
  }
  bool find_end(const Core& core, const Mode<double>& mode, double t, std::span<const double> x,
                std::span<double> numbers, std::span<double> rate, StepEnd<double>& end) override;
  bool pull_onto_rows(const Core& core, Mode<double>& mode, double t, std::span<double> x) override;

  // The first difference found; empty if there is none.
  const std::string& difference() const { return difference_; }
  int structures() const { return static_cast<int>(families_.size()); }
  int comparisons() const { return comparisons_; }
  // Ends of steps that were brought back onto the rows of docks by what was recorded.
  int pulls() const { return pulls_; }
  // Requests that cannot be recorded, as those of delayed contacts; structures that decide on values.
  int declined() const { return declined_; }
  const std::vector<std::string>& refused() const { return refused_; }
  // What a structure was examined with last, null if it was refused; and the inputs there.
  const RunGraphs* graphs(std::size_t structure) const { return in_order_.at(structure)->last; }
  const std::vector<double>& inputs(std::size_t structure) const {
    return in_order_.at(structure)->inputs;
  }

 private:
  struct Family {
    std::list<RunGraphs> graphs;  // for other numbers, other decisions
    const RunGraphs* last = nullptr;
    std::vector<double> inputs;
    struct Visits {
      int requests = 0, made = 0;
    };
    Visits stages, pulls;
    bool is_refused = false;
  };
  enum class At : unsigned char {
    stage,
    pull
  };  // inside a step, or where it is brought back onto rows
  void examine(const Core& core, const Mode<double>& mode, double t, std::span<const double> x,
               At at = At::stage);
  const RunGraphs* find_graphs(Family& family, const Core& core, const Mode<double>& mode);
  std::string compare(const RunGraphs& graphs, const Core& core, const Mode<double>& mode, double t,
                      std::span<const double> x, Family& family, At at);
  std::string compare_pull(const RunGraphs& graphs, const Core& core, const Mode<double>& mode,
                           double t, std::span<const double> x, std::span<const double> in);

  ExaminerOptions options_;
  std::map<std::string, Family> families_;
  std::vector<Family*> in_order_;
  std::uint64_t changes_ = ~std::uint64_t{0};
  SystemNotes notes_;
  std::string difference_, conditions_;
  std::vector<std::string> refused_;
  int comparisons_ = 0, declined_ = 0, pulls_ = 0;
};

}  // namespace berth::test
