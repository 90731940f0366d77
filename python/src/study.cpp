// SPDX-License-Identifier: Apache-2.0

// Draws, intervals and searches of studies, for functions of one's own.

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "berth/analysis/sweep_plan.h"
#include "berth/search/cma_es.h"
#include "berth/search/subset_simulation.h"
#include "berth/statistics/confidence_sequence.h"
#include "berth/statistics/replicates.h"
#include "berth/statistics/sensitivity.h"
#include "module.h"

namespace berth::python {
namespace {

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const double> span_of(const Numbers& a) { return {a.data(), a.size()}; }
nb::tuple to_tuple(const Interval& i) { return nb::make_tuple(i.value, i.low, i.high); }
nb::tuple to_tuple(const Proportion& p) { return nb::make_tuple(p.fraction, p.low, p.high); }

Design design_of(const std::string& name) {
  const std::optional<Design> design = find_design(name);
  if (!design)
    throw std::invalid_argument("there is no design " + name + ": random, lhs, sobol or halton");
  return *design;
}

// What a sweep would draw.
class Plan {
 public:
  Plan(const std::vector<std::string>& vary, std::uint64_t samples, std::uint64_t seed,
       const std::string& design, bool indices) {
    Problems problems{"inputs", {}};
    plan_ = build_sweep_plan({.vary = vary,
                              .samples = samples,
                              .seed = seed,
                              .design = design_of(design),
                              .finds_indices = indices},
                             problems);
    if (!problems.empty()) throw_problems(problems);
  }
  std::uint64_t cases() const { return plan_.cases(); }
  std::uint32_t randomisations() const { return plan_.randomisations(); }
  // Inputs of cases, row by row.
  nb::object inputs(std::uint64_t first, std::uint64_t count) const {
    std::vector<double> out;
    for (std::uint64_t i = first; i < first + count; ++i)
      for (const Cell& cell : plan_.inputs(i)) out.push_back(to_number(cell));
    return to_array(std::move(out));
  }
  nb::object from_normal(const Numbers& z) const {
    const std::size_t width = plan_.count_random();
    std::vector<double> out;
    for (std::size_t i = 0; i + width <= z.size(); i += width)
      for (const Cell& cell : plan_.from_normal(span_of(z).subspan(i, width)))
        out.push_back(to_number(cell));
    return to_array(std::move(out));
  }

 private:
  static double to_number(const Cell& cell) {
    if (const double* x = std::get_if<double>(&cell)) return *x;
    throw std::invalid_argument("inputs of a function are numbers");
  }
  SweepPlan plan_;
};

std::vector<double> join(const std::vector<SearchPoint>& points) {
  std::vector<double> out;
  for (const SearchPoint& z : points) out.insert(out.end(), z.begin(), z.end());
  return out;
}

nb::dict to_dict(const SubsetResult& r) {
  nb::dict out;
  out["probability"] = r.probability;
  out["low"] = r.low;
  out["high"] = r.high;
  out["levels"] = r.levels;
  out["evaluations"] = r.evaluations;
  out["refused"] = r.refused;
  out["without_failure"] = r.without_failure;
  out["thresholds"] = r.thresholds;
  out["estimates"] = r.estimates;
  return out;
}

nb::list list_indices(const Numbers& values, std::size_t inputs, std::size_t groups,
                      double confidence) {
  nb::list out;
  for (const SensitivityIndex& s : find_sobol_indices(span_of(values), inputs, groups, confidence))
    out.append(nb::make_tuple(to_tuple(s.first), to_tuple(s.total)));
  return out;
}

nb::tuple find_replicated(const std::vector<std::uint64_t>& successes,
                          const std::vector<std::uint64_t>& trials, double confidence) {
  std::vector<PieceCount> pieces;
  for (std::size_t i = 0; i < trials.size(); ++i) pieces.push_back({trials[i], successes.at(i)});
  return to_tuple(find_replicated_proportion(pieces, confidence));
}

void add_searches(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<SubsetSimulation>(m, "SubsetSimulation")
      .def(
          "__init__",
          [](SubsetSimulation* self, std::uint32_t inputs, double threshold, std::uint32_t samples,
             std::uint32_t replicates, std::uint64_t seed, double confidence) {
            new (self) SubsetSimulation({.inputs = inputs,
                                         .threshold = threshold,
                                         .samples = samples,
                                         .replicates = replicates,
                                         .confidence = confidence,
                                         .seed = seed});
          },
          "inputs"_a, "threshold"_a, "samples"_a, "replicates"_a, "seed"_a, "confidence"_a)
      .def("ask", [](const SubsetSimulation& s) { return to_array(join(s.ask())); })
      .def("record", [](SubsetSimulation& s, const Numbers& values) { s.record(span_of(values)); })
      .def("is_done", &SubsetSimulation::is_done)
      .def("result", [](const SubsetSimulation& s) { return to_dict(s.result()); });
  nb::class_<CmaEs>(m, "CmaEs")
      .def(
          "__init__",
          [](CmaEs* self, const std::vector<double>& start, std::uint64_t budget,
             std::uint64_t seed, double step, double tolerance, bool noisy,
             std::uint32_t most_level) {
            new (self) CmaEs({.inputs = static_cast<std::uint32_t>(start.size()),
                              .budget = budget,
                              .seed = seed,
                              .start = start,
                              .step = step,
                              .tolerance = tolerance,
                              .is_noisy = noisy,
                              .most_repetitions_level = most_level});
          },
          "start"_a, "budget"_a, "seed"_a, "step"_a, "tolerance"_a, "noisy"_a, "most_level"_a)
      // [(x, level, number)]
      .def("ask",
           [](const CmaEs& s) {
             nb::list out;
             for (const CmaTrial& t : s.ask())
               out.append(nb::make_tuple(t.x, t.repetitions_level, t.number));
             return out;
           })
      .def("record",
           [](CmaEs& s, const Numbers& values, const Numbers& violations) {
             if (values.size() != violations.size())
               throw std::invalid_argument("as many violations as values");
             std::vector<CmaAnswer> answers;
             for (std::size_t i = 0; i < values.size(); ++i)
               answers.push_back({values.data()[i], violations.data()[i]});
             s.record(answers);
           })
      .def("is_done", &CmaEs::is_done)
      .def("why", [](const CmaEs& s) { return std::string(s.why()); })
      .def("best", &CmaEs::best)
      // Mean of the evaluations that judged it; None before the first run has ended.
      .def("best_value",
           [](const CmaEs& s) -> std::optional<double> {
             return s.best_answer() ? std::optional(s.best_answer()->value) : std::nullopt;
           })
      .def("evaluations", &CmaEs::evaluations);
}

}  // namespace

void add_study(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Plan>(m, "Plan")
      .def(nb::init<const std::vector<std::string>&, std::uint64_t, std::uint64_t,
                    const std::string&, bool>(),
           "vary"_a, "samples"_a, "seed"_a, "design"_a, "indices"_a)
      .def_prop_ro("cases", &Plan::cases)
      .def_prop_ro("randomisations", &Plan::randomisations)
      .def("inputs", &Plan::inputs, "first"_a, "count"_a)
      .def("from_normal", &Plan::from_normal, "z"_a);
  m.def(
      "proportion",
      [](std::uint64_t s, std::uint64_t n, double c) { return to_tuple(find_proportion(s, n, c)); },
      "successes"_a, "trials"_a, "confidence"_a);
  m.def(
      "lasting_proportion",
      [](std::uint64_t s, std::uint64_t n, double c) {
        return to_tuple(find_lasting_proportion(s, n, c));
      },
      "successes"_a, "trials"_a, "confidence"_a);
  m.def("replicated_proportion", &find_replicated, "successes"_a, "trials"_a, "confidence"_a);
  m.def("check_confidence", &find_check_confidence, "check"_a, "confidence"_a);
  m.def("sobol_indices", &list_indices, "values"_a, "inputs"_a, "groups"_a, "confidence"_a);
  add_searches(m);
}

}  // namespace berth::python
