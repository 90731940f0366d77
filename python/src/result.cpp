// SPDX-License-Identifier: Apache-2.0
#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "berth/analysis/sweep_table.h"
#include "berth/report/page.h"
#include "berth/report/sweep_page.h"
#include "module.h"

namespace berth::python {
namespace {

using Numbers = nb::ndarray<nb::numpy, const double>;

// An array of numbers that a result holds: it keeps the result alive, and they cannot be changed.
Numbers make_view(const Result& result, const double* data, std::size_t rows, std::size_t width,
                  std::size_t stride) {
  const nb::capsule owner(new Result(result),
                          [](void* p) noexcept { delete static_cast<Result*>(p); });
  const std::size_t shape[] = {rows, width};
  const std::int64_t strides[] = {static_cast<std::int64_t>(stride), 1};
  return Numbers(data, width == 1 ? 1 : 2, shape, owner, strides);
}

Numbers find_times(const Result& result, const std::string& group) {
  const std::span<const double> t = result.times(group);
  return make_view(result, t.data(), t.size(), 1, 1);
}

Numbers find_values(const Result& result, const std::string& channel, const std::string& group) {
  const Result::Values v = result.values(channel, group);
  return make_view(result, v.data.data(), v.rows, v.width, v.stride);
}

nb::list list_groups(const Result& result) {
  nb::list out;
  for (const Result::Group& g : result.groups())
    out.append(nb::make_tuple(g.name, g.rows, to_list(g.channels)));
  return out;
}

// (path, value, unit, meaning) of every value.
nb::list list_fields(const Result& result) {
  nb::list out;
  for (const Simulation::Field& f : result.summary().fields()) {
    const nb::object value = f.is_number ? nb::object(nb::float_(f.number)) : nb::cast(f.text);
    out.append(nb::make_tuple(f.path, value, f.unit, f.meaning));
  }
  return out;
}

void make_page(const std::vector<std::filesystem::path>& results,
               const std::filesystem::path& page) {
  const nb::gil_scoped_release free;
  if (results.size() == 1 && is_sweep(results.front()))
    write_sweep_page(results.front(), page);
  else
    write_page(results, page);
}

}  // namespace

void add_result(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Result>(m, "Result", "What was recorded of a run.")
      .def_static(
          "open", [](const std::filesystem::path& file) { return Result::open(file); }, "file"_a)
      .def("groups", &list_groups)
      .def("times", &find_times, "group"_a)
      .def("values", &find_values, "channel"_a, "group"_a)
      .def("events", [](const Result& r) { return to_list(r.events()); })
      .def("fields", &list_fields)
      .def_prop_ro("outcome", [](const Result& r) { return r.summary().outcome(); })
      .def_prop_ro("reason", [](const Result& r) { return r.summary().reason(); })
      .def_prop_ro("verdict", [](const Result& r) { return r.summary().verdict(); })
      .def_prop_ro("t_end", [](const Result& r) { return r.summary().t(); })
      .def_prop_ro("completed", [](const Result& r) { return r.summary().completed(); })
      .def_prop_ro("as_expected", [](const Result& r) { return r.summary().as_expected(); })
      .def_prop_ro("is_verified", [](const Result& r) { return r.is_verified(); })
      .def_prop_ro("warnings", [](const Result& r) { return r.summary().warnings(); })
      .def_prop_ro("failed", [](const Result& r) { return r.summary().failed(); })
      .def_prop_ro("description", [](const Result& r) { return r.summary().description(); })
      .def_prop_ro("json", [](const Result& r) { return r.summary().json(); })
      .def_prop_ro("scenario", [](const Result& r) { return r.scenario(); })
      .def(
          "save", [](const Result& r, const std::filesystem::path& file) { r.save(file); },
          "file"_a, nb::call_guard<nb::gil_scoped_release>());
  m.def("is_sweep", &is_sweep, "file"_a);
  m.def("make_page", &make_page, "results"_a, "page"_a);
}

}  // namespace berth::python
