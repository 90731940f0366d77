// SPDX-License-Identifier: Apache-2.0
#include "berth/simulate/summary_content.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "berth/model/suggest.h"
#include "berth/simulate/summary_walk.h"

namespace berth {
namespace {

using EventNumbers = std::vector<std::pair<std::string, double>>;

void add_vector(const std::string& name, std::span<const double> list, EventNumbers& out) {
  for (std::size_t k = 0; k < list.size() && k < 3; ++k)
    out.emplace_back(fmt::format("{}.{}", name, "xyz"[k]), list[k]);
}

// Walks JSON by the rows of the type it was written from.
class JsonWalk {
 public:
  using Json = nlohmann::ordered_json;
  std::vector<SummaryValue> found;

  template <class T>
  void walk(const Json& json, const std::string& path, const Unit& u, std::string_view meaning) {
    if constexpr (std::is_pointer_v<T>) {
      walk<std::remove_cvref_t<std::remove_pointer_t<T>>>(json, path, u, meaning);
    } else if constexpr (requires(T x) { x.has_value(); }) {
      walk<typename T::value_type>(json, path, u, meaning);
    } else if constexpr (std::same_as<T, FinalState>) {
      for (const auto& [key, item] : json.items()) {
        if (key == "bodies") {
          walk<Keyed<BodyState>>(item, path + "." + key, kNoUnit, "");
        } else {
          walk<BodyState>(item, path + "." + key, kNoUnit, "");
        }
      }
    } else if constexpr (summary_walk::HasRows<T>) {
      const auto visit = [&]<class Row>(const Row& row) {
        using Value = std::remove_cvref_t<std::invoke_result_t<decltype(row.get), const T&>>;
        if (const auto at = json.find(row.name); at != json.end())
          walk<Value>(*at,
                      path.empty() ? std::string(row.name) : fmt::format("{}.{}", path, row.name),
                      row.unit, row.meaning);
      };
      for_each_row(rows_of<T>(), visit);
    } else if constexpr (requires { typename T::value_type::second_type; }) {
      for (const auto& [key, item] : json.items())
        walk<typename T::value_type::second_type>(item, path + "." + key, kNoUnit, "");
    } else if constexpr (requires { typename T::value_type; } && !std::same_as<T, std::string>) {
      std::size_t i = 0;
      for (const Json& item : json)
        walk<typename T::value_type>(item, fmt::format("{}.{}", path, i++), u, meaning);
    } else {
      walk_plain(json, path, u, meaning);
    }
  }

 private:
  void walk_plain(const Json& json, const std::string& path, const Unit& u,
                  std::string_view meaning) {
    if (json.is_object()) {
      for (const auto& [key, item] : json.items())
        walk_plain(item, path + "." + key, key == "t" ? unit::second : kNoUnit,
                   key == "t" ? "when it happened" : "");
    } else if (json.is_array()) {
      std::size_t i = 0;
      for (const Json& item : json) walk_plain(item, fmt::format("{}.{}", path, i++), u, meaning);
    } else {
      SummaryValue value{path, NAN, std::string(u.symbol), std::string(meaning)};
      if (json.is_string()) value.value = json.get<std::string>();
      if (json.is_number()) value.value = json.get<double>();
      if (json.is_boolean()) value.value = json.get<bool>() ? 1.0 : 0.0;
      found.push_back(std::move(value));
    }
  }
};

}  // namespace

std::vector<SummaryValue> list_values(const nlohmann::ordered_json& summary) {
  JsonWalk walk;
  walk.walk<Summary>(summary, "", kNoUnit, "");
  return std::move(walk.found);
}

double Simulation::Event::number(const std::string& of) const {
  std::vector<std::string> names;
  for (const auto& [key, value] : numbers) {
    if (key == of) return value;
    names.push_back(key);
  }
  throw std::out_of_range(fmt::format("{} {} has no {}{}", kind, name, of, suggest(of, names)));
}

Simulation::Event to_event(const EventRecord& h) {
  Simulation::Event out{h.t, h.kind, h.name, {}};
  for (const NamedValue& v : h.values) {
    if (const double* x = std::get_if<double>(&v.value)) out.numbers.emplace_back(v.name, *x);
    if (const auto* n = std::get_if<std::int64_t>(&v.value))
      out.numbers.emplace_back(v.name, static_cast<double>(*n));
    if (const auto* list = std::get_if<std::vector<double>>(&v.value))
      add_vector(v.name, *list, out.numbers);
  }
  return out;
}

Simulation::Event to_event(const LoggedEvent& e) {
  Simulation::Event out{e.time, e.kind, e.name, {}};
  const auto details = nlohmann::ordered_json::parse(e.details, nullptr, false);
  if (!details.is_object()) return out;
  for (const auto& [key, value] : details.items()) {
    if (value.is_number()) out.numbers.emplace_back(key, value.get<double>());
    if (value.is_null()) out.numbers.emplace_back(key, NAN);
    if (!value.is_array()) continue;
    std::vector<double> list;
    for (const auto& x : value) list.push_back(x.is_number() ? x.get<double>() : NAN);
    add_vector(key, list, out.numbers);
  }
  return out;
}

Simulation::Summary::Content::Content(const berth::Summary& s)
    : outcome(name(s.outcome.ending)),
      reason(s.outcome.reason),
      verdict(s.verdict),
      description(describe(s)),
      json(to_json(s, false)),
      t(s.outcome.t),
      completed(s.outcome.completed()),
      as_expected(s.as_expected()),
      warnings(s.warnings) {
  for (const EventRecord& h : s.events) events.push_back(to_event(h));
  add_fields(list_values(s));
  for (const Expectation& e : s.expectations)
    if (!e.met) failed.push_back(fmt::format("{}: wanted {}, got {}", e.what, e.wanted, e.got));
}

Simulation::Summary::Content::Content(const std::string& json_text) : json(json_text) {
  const auto read = nlohmann::ordered_json::parse(json_text, nullptr, false);
  if (!read.is_object()) throw std::invalid_argument("no summary");
  add_fields(berth::list_values(read));
  const auto text = [&](const char* path) {
    const Field* f = find(path);
    return f ? f->text : std::string();
  };
  outcome = text("outcome"), reason = text("reason"), verdict = text("verdict");
  if (const Field* f = find("time")) t = f->number;
  completed = outcome == name(Ending::reached_end) || outcome == name(Ending::stopped);
  for (std::size_t i = 0; const Field* f = find(fmt::format("warnings.{}", i)); ++i)
    warnings.push_back(f->text);
  for (std::size_t i = 0; const Field* met = find(fmt::format("expectations.{}.met", i)); ++i) {
    const auto of = [&](const char* what) {
      return text(fmt::format("expectations.{}.{}", i, what).c_str());
    };
    if (met->number == 0)
      failed.push_back(fmt::format("{}: wanted {}, got {}", of("what"), of("wanted"), of("got")));
  }
  bool known = true;
  for (const char* audit : {"energy", "linear_momentum", "angular_momentum"}) {
    const Field* f = find(fmt::format("audit.{}", audit));
    known &= f && std::isfinite(f->number);
  }
  as_expected = completed && failed.empty() && known;
}

void Simulation::Summary::Content::add_fields(const std::vector<SummaryValue>& values) {
  for (const SummaryValue& v : values) {
    Field f{v.path, v.unit, v.meaning, std::holds_alternative<double>(v.value), 0, {}};
    if (f.is_number)
      f.number = std::get<double>(v.value);
    else
      f.text = std::get<std::string>(v.value);
    fields.push_back(std::move(f));
  }
}

const Simulation::Field* Simulation::Summary::Content::find(const std::string& path) const {
  const auto at =
      std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.path == path; });
  return at == fields.end() ? nullptr : &*at;
}

const Simulation::Field& Simulation::Summary::Content::get(const std::string& path,
                                                           bool number) const {
  const Field* f = find(path);
  if (f == nullptr) {
    std::vector<std::string> names;
    for (const Field& one : fields) names.push_back(one.path);
    throw std::out_of_range(fmt::format("the summary has no {}{}", path, suggest(path, names)));
  }
  if (f->is_number != number)
    throw std::out_of_range(fmt::format("{} is {}", path, f->is_number ? "a number" : "a text"));
  return *f;
}

Simulation::Summary::Summary(std::shared_ptr<const Content> content)
    : content_(std::move(content)) {}
Simulation::Summary::~Summary() = default;
Simulation::Summary::Summary(const Summary& other) = default;
Simulation::Summary& Simulation::Summary::operator=(const Summary& other) = default;

const std::string& Simulation::Summary::outcome() const { return content_->outcome; }
const std::string& Simulation::Summary::reason() const { return content_->reason; }
const std::string& Simulation::Summary::verdict() const { return content_->verdict; }
double Simulation::Summary::t() const { return content_->t; }
bool Simulation::Summary::completed() const { return content_->completed; }
bool Simulation::Summary::as_expected() const { return content_->as_expected; }
double Simulation::Summary::number(const std::string& path) const {
  return content_->get(path, true).number;
}
const std::string& Simulation::Summary::text(const std::string& path) const {
  return content_->get(path, false).text;
}
bool Simulation::Summary::has(const std::string& path) const {
  return content_->find(path) != nullptr;
}
const std::vector<Simulation::Field>& Simulation::Summary::fields() const {
  return content_->fields;
}
const std::vector<Simulation::Event>& Simulation::Summary::events() const {
  return content_->events;
}
const std::vector<std::string>& Simulation::Summary::warnings() const { return content_->warnings; }
const std::vector<std::string>& Simulation::Summary::failed() const { return content_->failed; }
const std::string& Simulation::Summary::description() const { return content_->description; }
const std::string& Simulation::Summary::json() const { return content_->json; }

}  // namespace berth
