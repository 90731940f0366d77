// SPDX-License-Identifier: Apache-2.0
#include "berth/simulation.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "berth/model/suggest.h"
#include "berth/run/archive.h"
#include "berth/run/run.h"
#include "berth/scenario/scenario.h"
#include "berth/simulate/expectations.h"
#include "berth/simulate/find_summary.h"
#include "berth/simulate/participants.h"
#include "berth/simulate/public_linear_model.h"
#include "berth/simulate/recorder.h"
#include "berth/simulate/result.h"
#include "berth/simulate/scenario_error.h"
#include "berth/simulate/summary_content.h"

namespace berth {
namespace {

constexpr std::string_view kMagic = "berthsim";

}  // namespace

// --- simulation ------------------------------------------------------------------------------------

// The run goes on until `until`, or until something of this kind or name has happened. A step that
// reaches beyond is made, but waits: inside it values are found, and the run as it was before it is what
// is saved, or cut where something is set.
struct Simulation::Impl : Observer {
  std::string text, file_name;
  std::filesystem::path folder;
  std::vector<std::string> settings;

  // Built when it is first needed.
  std::optional<Scenario> scenario;
  std::optional<BuiltScenario> built;
  std::optional<HybridRun> run;
  std::optional<HybridRun> behind;  // the run before its last step, where that may be ahead
  StepServer* server = nullptr;     // who computes for the run; null: nobody
  std::map<std::string, Participant> participants;
  SimulateOptions options;
  std::optional<Recorder> recorder;
  std::shared_ptr<MemoryRecording> kept;  // rows in memory, where they are asked for
  ::pid_t owner = 0;                      // who began to record

  bool started = false, recording = false;
  double present = 0;  // [s]
  double until = INFINITY;
  std::string wanted_event;
  bool has_happened = false, halted = false, has_thrown = false, is_unwanted = false;
  std::function<bool(double t)> watcher;
  std::optional<Outcome> outcome;  // when it is over
  std::optional<Summary> summary;
  std::vector<double> x, row;
  double row_t = NAN;  // [s] of `row`

  struct Made {
    Scenario scenario;
    BuiltScenario built;
  };
  Made make(const std::vector<std::string>& with) const {
    ReadScenario read = read_scenario_text(text, file_name, with, folder);
    Made out;
    if (read.problems.empty()) out.built = build_scenario(read.scenario, read.problems);
    if (!read.problems.empty()) throw_problems(read.problems);
    out.scenario = std::move(read.scenario);
    return out;
  }
  void read() {
    if (scenario) return;
    Made made = make(settings);
    scenario = std::move(made.scenario);
    built = std::move(made.built);
  }
  HybridRun& prepare() {
    read();
    if (!run) {
      run.emplace(built->system, built->options);
      run->set_events(built->events);
      run->serve(server);
      connect_all();
    }
    return *run;
  }
  void forget() {
    if (started) throw std::logic_error("the run has begun: set what it is before its first step");
    scenario.reset(), built.reset(), run.reset();
    row_t = NAN;
  }
  void connect_all() {
    const std::vector<External> list = list_externals(built->system, run->channels());
    for (std::size_t k = 0; k < list.size(); ++k) {
      const auto who = participants.find(list[k].name);
      std::shared_ptr<const ExternalSource> source;
      if (who != participants.end() && who->second) source = make_source(list[k], who->second);
      run->connect(k, source);
      if (behind) behind->connect(k, source);
    }
  }

  bool step(HybridRun& of) override {
    if (recorder) recorder->step(of);
    is_unwanted = watcher && !watcher(of.t());
    return !(halted = of.t() >= until);
  }
  void before(HybridRun& of) override {
    if (recorder) recorder->before(of);
  }
  void after(HybridRun& of) override {
    if (recorder) recorder->after(of);
  }
  void event(HybridRun& of, const EventRecord& what) override {
    if (recorder) recorder->event(of, what);
    has_happened |=
        !wanted_event.empty() && (what.kind == wanted_event || what.name == wanted_event);
  }

  // Steps until the observer has what it waits for, or the run is over.
  void advance() {
    HybridRun& r = prepare();
    started = true;
    if (!std::exchange(recording, true) && !(options.h5.empty() && options.csv.empty() && !kept)) {
      owner = ::getpid();
      recorder.emplace(r, *scenario, options);
      recorder->start(r);
    }
    if (recorder && owner != ::getpid())
      throw std::runtime_error("this process was forked: the one it comes from writes the result");
    row_t = NAN;
    halted = false;
    // Asked before every step: what has happened at the end of the last one is seen here first.
    r.interrupted = [this, &r] {
      const double next = r.next_step();
      behind.reset();
      const bool may_cross = r.next_instant() > until && (!(next > 0) || r.t() + 2 * next > until);
      if (std::isfinite(until) && may_cross && !has_happened) behind.emplace(r);
      return has_happened || is_unwanted;
    };
    const Outcome end = r.advance(scenario->time.stop, this, until);
    r.interrupted = nullptr;
    const bool waits = r.is_ahead() || (halted && end.ending == Ending::stopped);
    if (!waits && (end.ending != Ending::interrupted || is_unwanted)) finish(end);
  }
  void finish(const Outcome& end) {
    outcome = end;
    berth::Summary s = find_summary(*run, end, *scenario, *built);
    judge(scenario->expect, *run, s);
    if (recorder) recorder->finish(*run, *scenario, s);
    recorder.reset();
    summary = Summary(std::make_shared<const Summary::Content>(s));
  }
  // What broke the run off, once.
  void throw_failure() {
    if (run->failure() && !std::exchange(has_thrown, true)) std::rethrow_exception(run->failure());
  }

  // The run stands at the present; what lay ahead is gone.
  void cut() {
    HybridRun& r = prepare();
    if (r.is_ahead()) r = *behind;
    r.serve(server);
    r.interrupted = nullptr;
    behind.reset();
    until = INFINITY;
    if (r.t() < present) r.advance(present, this);
    row_t = NAN;
  }
  void change(const std::string& setting) {
    const std::string key = setting.substr(0, setting.find('='));
    const auto refuse = [&](const std::string& why) {
      throw std::logic_error(fmt::format("{} cannot be set once the run has begun: {}", key, why));
    };
    if (outcome) refuse("it is over");
    std::vector<std::string> with = settings;
    with.push_back(setting);
    Made made = make(with);
    ByteWriter recorded, to_record;
    recorded(scenario->record);
    to_record(made.scenario.record);
    if (recorded.bytes() != to_record.bytes()) refuse("it is being recorded");
    if (!(made.scenario.time.stop > present)) refuse(fmt::format("it is {} s already", present));
    const std::string why =
        run->find_obstacle(built->system, made.built.system, made.built.options, made.built.events);
    if (!why.empty()) refuse(why);
    cut();
    run->change(built->system, made.built.system, made.built.options, made.built.events, this);
    settings = std::move(with);
    scenario = std::move(made.scenario);
    built = std::move(made.built);
  }

  std::string save() {
    if (outcome && outcome->ending == Ending::broken_off)
      throw std::logic_error("a run that was broken off has no state to go on from");
    const HybridRun& r = prepare();
    ByteWriter a;
    a.transfer(kMagic.data(), kMagic.size());
    a(settings, present, started);
    return a.bytes() + (r.is_ahead() ? behind->save() : r.save());
  }
  void restore(std::string_view bytes) {
    if (!bytes.starts_with(kMagic)) throw std::runtime_error("these bytes are no saved simulation");
    ByteReader a(bytes.substr(kMagic.size()));
    std::vector<std::string> with;
    double t = 0;
    bool has_started = false;
    a(with, t, has_started);
    Made made;
    try {
      made = make(with);
    } catch (const ScenarioError& e) {
      throw std::runtime_error(std::string("a saved simulation of another scenario: ") + e.what());
    }
    HybridRun other(made.built.system, made.built.options);
    other.set_events(made.built.events);
    other.restore(bytes.substr(bytes.size() - a.left()));
    if (!(t >= other.t())) throw std::runtime_error("a saved simulation that is damaged: its time");
    settings = std::move(with);
    scenario = std::move(made.scenario);
    built = std::move(made.built);
    run.emplace(std::move(other));
    run->serve(server);
    behind.reset();
    connect_all();
    recorder.reset();
    if (kept) options.memory = kept = std::make_shared<MemoryRecording>();
    recording = false;
    started = has_started;
    outcome.reset();
    summary.reset();
    row_t = NAN;
    present = run->t();
  }

  // All channels at the present time.
  const std::vector<double>& find_row() {
    HybridRun& r = prepare();
    if (row_t == present) return row;
    x.resize(r.x().size());
    row.resize(static_cast<std::size_t>(r.channels().width()));
    r.find_state(present, x);
    r.fill_row(present, x, row);
    row_t = present;
    return row;
  }
  [[noreturn]] void no_channel(const std::string& name) {
    std::vector<std::string> names;
    for (const berth::Channel& c : prepare().channels().list()) names.push_back(c.name);
    throw std::out_of_range(fmt::format("no channel {}{}", name, suggest(name, names)));
  }
};

Simulation::Simulation(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

Simulation Simulation::load(const std::filesystem::path& file) {
  Problems problems{file.string(), {}};
  const std::optional<std::string> text = read_scenario_file(file, problems);
  if (!text) throw_problems(problems);
  const std::filesystem::path folder = file.parent_path();
  return from_text(*text, file.string(), folder.empty() ? "." : folder);
}

Simulation Simulation::from_text(const std::string& text, const std::string& name,
                                 const std::filesystem::path& folder) {
  auto impl = std::make_unique<Impl>();
  impl->text = text;
  impl->file_name = name;
  impl->folder = folder;
  return Simulation(std::move(impl));
}

Simulation& Simulation::set(const std::string& key, double value) {
  return set(key, fmt::format("{:.17g}", value));
}
Simulation& Simulation::set(const std::string& key, const std::string& value) {
  const std::string setting = key + "=" + value;
  if (impl_->started) {
    impl_->change(setting);
  } else {
    impl_->forget();
    impl_->settings.push_back(setting);
  }
  return *this;
}

std::vector<Simulation::External> Simulation::externals() {
  const HybridRun& run = impl_->prepare();
  return list_externals(impl_->built->system, run.channels());
}

Simulation& Simulation::connect(const std::string& external, Participant participant) {
  std::vector<std::string> names;
  for (const External& e : externals()) names.push_back(e.name);
  if (std::find(names.begin(), names.end(), external) == names.end())
    throw std::out_of_range(fmt::format("no external {}{}", external, suggest(external, names)));
  impl_->participants[external] = std::move(participant);
  impl_->connect_all();
  return *this;
}

std::string Simulation::save_state() { return impl_->save(); }
void Simulation::restore_state(std::string_view bytes) {
  impl_->restore(bytes);
  // To where it stood, inside a step that is made once more.
  double t = 0;
  std::vector<std::string> settings;
  ByteReader(bytes.substr(kMagic.size()))(settings, t);
  if (impl_->started) run_until(t);
}

void Simulation::serve(StepServer* server) {
  impl_->server = server;
  if (impl_->run) impl_->run->serve(server);
}
Simulation& Simulation::watch(std::function<bool(double t)> goes_on) {
  impl_->watcher = std::move(goes_on);
  return *this;
}
Simulation& Simulation::write_result(const std::filesystem::path& file) {
  impl_->forget();
  if (file.extension() != ".h5" && file.extension() != ".csv")
    throw std::invalid_argument(file.string() + ": a result is written as .h5 or .csv");
  (file.extension() == ".csv" ? impl_->options.csv : impl_->options.h5) = file;
  return *this;
}

Simulation& Simulation::keep_result() {
  impl_->forget();
  impl_->options.memory = impl_->kept = std::make_shared<MemoryRecording>();
  return *this;
}

void Simulation::check() { impl_->read(); }
std::string Simulation::scenario() {
  impl_->read();
  return write_scenario(*impl_->scenario);
}

bool Simulation::run_until(double t) {
  Impl& s = *impl_;
  if (!(t >= s.present))
    throw std::invalid_argument(fmt::format("{} s is past: it is {} s", t, s.present));
  HybridRun& run = s.prepare();
  s.until = t;
  s.wanted_event.clear();
  s.has_happened = s.is_unwanted = false;
  // The end of the scenario is the end of the run, whoever asks for it.
  const auto is_there = [&] {
    return run.is_ahead() ? run.t() > t : run.t() >= t && run.t() < s.scenario->time.stop;
  };
  while (!s.outcome && !is_there()) s.advance();
  s.present = std::min(t, run.t());
  s.throw_failure();
  return !is_over();
}

bool Simulation::run_to_event(const std::string& kind_or_name) {
  Impl& s = *impl_;
  HybridRun& run = s.prepare();
  s.until = INFINITY;
  s.wanted_event = kind_or_name;
  s.has_happened = s.is_unwanted = false;
  while (!s.outcome && !s.has_happened) s.advance();
  s.present = run.t();
  s.throw_failure();
  return s.has_happened;
}

Simulation::Summary Simulation::run() {
  run_until(INFINITY);
  return summary();
}

bool Simulation::is_over() const { return impl_->outcome && impl_->present >= impl_->outcome->t; }
double Simulation::t() const { return impl_->present; }

std::vector<Simulation::Channel> Simulation::channels() {
  std::vector<Channel> out;
  for (const berth::Channel& c : impl_->prepare().channels().list())
    out.push_back({c.name, c.unit, c.frame, c.description, c.width});
  return out;
}

double Simulation::value(const std::string& name) {
  const auto number = impl_->prepare().channels().find_number(name);
  if (!number) {
    if (impl_->prepare().channels().find(name) != nullptr)
      throw std::out_of_range(name + " has several numbers; name one (.x), or ask for values()");
    impl_->no_channel(name);
  }
  return impl_->find_row()[static_cast<std::size_t>(number->place)];
}

std::vector<double> Simulation::values(const std::string& name) {
  const berth::Channel* c = impl_->prepare().channels().find(name);
  if (c == nullptr) impl_->no_channel(name);
  const auto from = impl_->find_row().begin() + c->first;
  return {from, from + c->width};
}

std::string Simulation::unit(const std::string& name) {
  const Channels& channels = impl_->prepare().channels();
  if (const berth::Channel* c = channels.find(name)) return c->unit;
  const auto number = channels.find_number(name);
  if (!number) impl_->no_channel(name);
  return number->channel->unit;
}

Simulation::LinearModel Simulation::linearise(const std::vector<std::string>& inputs,
                                              const std::vector<std::string>& outputs) {
  HybridRun& run = impl_->prepare();
  std::vector<double> x(run.x().size());
  run.find_state(t(), x);
  return to_public(find_linear_model(run.system(), t(), x, run.mode(), inputs, outputs));
}

std::vector<Simulation::Event> Simulation::events() {
  std::vector<Event> out;
  for (const EventRecord& h : impl_->prepare().event_records()) out.push_back(to_event(h));
  return out;
}

Simulation::Summary Simulation::summary() const {
  if (!impl_->summary) throw std::logic_error("a summary is made when the run is over");
  return *impl_->summary;
}

Result Simulation::result() const {
  if (!impl_->kept)
    throw std::logic_error("nothing was kept: ask with keep_result() before the run");
  return Result(std::make_shared<Result::Content>(impl_->kept, summary()));
}

}  // namespace berth
