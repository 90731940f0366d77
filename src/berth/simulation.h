// SPDX-License-Identifier: Apache-2.0
#pragma once

// Simulation — a scenario as an object: load, set, run, read.
//
//   berth::Simulation s = berth::Simulation::load("docking.toml");
//   s.set("spacecraft.servicer.mass", 700);            // as in `berth run --set`
//   s.run_until(330);                                  // [s]
//   double f = s.value("tip.force");                   // [N]; `berth describe channels FILE` lists them
//   auto result = s.run();                             // to the end
//   result.verdict(), result.number("docks.joint.force_peak")
//
// In one piece or in many, a run has the same bits: run_until() never cuts a step. The integrator may
// be ahead; values at t come from a step of the method itself, as with `--at`. Nothing that happens at
// the end of a step, and nobody who is asked there, comes before its time: t() has reached it then.
//
// A bad scenario is a ScenarioError that lists all that `berth check` would.
//
// Threads: a simulation is used by one thread at a time, different ones by any number at once. No signal
// handlers are installed. After fork() both processes have a simulation that goes on; one that writes a
// result goes on where it began, and throws std::runtime_error in the other.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth {

class ScenarioError : public std::runtime_error {
 public:
  struct Problem {
    std::string file;
    int line = 0, column = 0;  // from 1; 0: not in the file, as a setting
    std::string path;          // table.name.key
    std::string message;
  };

  // what() has a line for each.
  explicit ScenarioError(std::vector<Problem> problems, const std::string& text);
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

class Result;
class StepServer;

class Simulation {
 public:
  struct Channel {
    std::string name, unit;
    std::string frame;  // axes of a vector
    std::string description;
    int width = 1;  // 1, 3 (vector) or 4 (quaternion, scalar first)
  };

  // Something that happened: contact_on, impact, latch, event, …
  struct Event {
    double t = 0;  // [s]
    std::string kind, name;
    std::vector<std::pair<std::string, double>> numbers;

    // Throws std::out_of_range when it has no such number.
    double number(const std::string& of) const;
  };

  // What an external measures or commands; a state, input or output of a linear model.
  struct Signal {
    std::string name, unit;
    std::string frame;  // axes of a vector
    int width = 1;      // numbers
  };

  // A place where somebody else takes part: [[external]].
  struct External {
    std::string name;
    double sample_time = 0, offset = 0, latency = 0;  // [s]
    std::vector<Signal> measures, commands;
  };

  // What an external sees at one of its samples.
  class Measurements {
   public:
    Measurements(const std::vector<Signal>& signals, std::span<const double> numbers)
        : signals_(signals), numbers_(numbers) {}
    // By the name in `measures`. Throws std::out_of_range, with the nearest name, when there is none.
    std::span<const double> operator[](std::string_view name) const;
    double number(std::string_view name) const { return (*this)[name].front(); }
    const std::vector<Signal>& signals() const { return signals_; }
    std::span<const double> numbers() const { return numbers_; }  // all, one after the other

   private:
    const std::vector<Signal>& signals_;
    std::span<const double> numbers_;
  };
  // By name; what is left out stays as it is.
  using Commands = std::map<std::string, std::vector<double>, std::less<>>;
  // Asked at every sample. Nothing: no answer.
  using Participant = std::function<std::optional<Commands>(double t, const Measurements&)>;

  // About the motion the simulation is in; docs/linear_models.md.
  //
  //   ξ̇ = A ξ + B δu,   δy = C ξ + D δu
  struct LinearModel {
    double t = 0;                    // [s]
    std::vector<double> A, B, C, D;  // row-major
    std::vector<double> x0, u0, y0;  // where it was linearised; attitudes are zero there
    std::vector<Signal> states, inputs, outputs;
  };

  // A value of a summary: "docks.joint.force_peak".
  struct Field {
    std::string path, unit, meaning;
    bool is_number = true;
    double number = 0;  // true and false are 1 and 0
    std::string text;   // of what is none
  };

  // What a run came to; does not change any more.
  class Summary {
   public:
    ~Summary();
    Summary(const Summary& other);
    Summary& operator=(const Summary& other);

    const std::string& outcome() const;  // reached_end, stopped, stuck, …
    const std::string& reason() const;   // a sentence, where there is something to say
    const std::string& verdict() const;  // captured, bounced_off, …; empty when nothing gave one
    double t() const;                    // [s] at which it ended
    bool completed() const;              // reached its end, or an event stopped it
    bool as_expected() const;            // completed, [expect] met, every audit a number

    // By its path, as in the JSON of `berth run --json`. Throws std::out_of_range, with the nearest
    // name, when there is none, or it is of the other type.
    double number(const std::string& path) const;
    const std::string& text(const std::string& path) const;
    bool has(const std::string& path) const;
    const std::vector<Field>& fields() const;

    const std::vector<Event>& events() const;
    const std::vector<std::string>& warnings() const;
    const std::vector<std::string>& failed() const;  // expectations that were not met, a line each
    const std::string& description() const;          // what `berth run` prints; not in a file
    const std::string& json() const;

   private:
    friend class Simulation;
    friend class Result;
    struct Content;
    explicit Summary(std::shared_ptr<const Content> content);
    std::shared_ptr<const Content> content_;
  };

  // Nothing is built before it is needed: settings that only fit together may come one by one.
  static Simulation load(const std::filesystem::path& file);
  static Simulation from_text(const std::string& text, const std::string& name = "scenario",
                              const std::filesystem::path& folder = ".");
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  // A text is read as after `--set key=`. Before the first step anything may be set. Between two steps:
  // numbers of the system, as masses, gains, stiffnesses, references of controllers, and time.stop; the
  // present step is cut at t(), what lay ahead is discarded, and the energy that another mass or spring
  // brings along is work from outside. What a state is counted by (bodies, samples, delays, events, the
  // start, the integrator, what is recorded) is refused: std::logic_error with the reason, and nothing is
  // changed.
  Simulation& set(const std::string& key, double value);
  Simulation& set(const std::string& key, const std::string& value);

  std::vector<External> externals();
  // From the next sample on; an empty one: nobody, and the silence rule of the scenario acts. Throws
  // std::out_of_range when there is no such external. What the participant throws, and an answer with an
  // unknown name, another number of numbers or one that is not finite (std::invalid_argument), ends the
  // run as broken_off: run_until() and run() throw it once the result is complete.
  Simulation& connect(const std::string& external, Participant participant);
  // Results are written here while it runs and complete when it has ended: .h5, or .csv.
  Simulation& write_result(const std::filesystem::path& file);

  // Rows are kept in memory, for result().
  Simulation& keep_result();

  // Asked after every step, with the time it has reached [s]; false ends the run there, as interrupted.
  // An empty one: nobody.
  Simulation& watch(std::function<bool(double t)> goes_on);

  // Throws the ScenarioError that running would throw.
  void check();
  // The scenario with its settings and all defaults written out.
  std::string scenario();

  // Everything the run is now, as bytes; who takes part from outside is not in them. A simulation of the
  // same scenario goes on from them bit for bit; what it records begins there. Settings come along.
  // restore_state() throws std::runtime_error when they are damaged or of another scenario, and says what
  // differs; the simulation is then as it was.
  std::string save_state();
  void restore_state(std::string_view bytes);

  // Up to t [s]. False when the run is over, there or before. Throws std::invalid_argument for a time
  // that is past.
  bool run_until(double t);
  bool step(double dt) { return run_until(t() + dt); }
  // Up to the next event of this kind or name, and past it: "contact_on", "capture_hard". False
  // when the run is over without one.
  bool run_to_event(const std::string& kind_or_name);
  // To the end.
  Summary run();
  bool is_over() const;

  double t() const;  // [s]
  std::vector<Channel> channels();
  // At the present time: one number ("tip.force", "servicer.omega_BN_B.x"), or all of a channel.
  // Throws std::out_of_range, with the nearest name, when there is none.
  double value(const std::string& name);
  std::vector<double> values(const std::string& name);
  std::string unit(const std::string& name);
  // At the present time, by the names and with the default inputs of `berth linearise`. Throws
  // std::out_of_range for a name that there is not, std::invalid_argument where there is none.
  LinearModel linearise(const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs);
  // So far.
  std::vector<Event> events();
  // Throws std::logic_error before the run is over.
  Summary summary() const;
  // Likewise, and without keep_result().
  Result result() const;

 private:
  friend class SimulationGroup;
  struct Impl;
  explicit Simulation(std::unique_ptr<Impl> impl);
  // Who computes for it from now on; null: nobody.
  void serve(StepServer* server);
  std::unique_ptr<Impl> impl_;
};

// What was recorded of a run: kept in memory, or read from a file. Both have the same numbers; it does
// not change any more. A copy shares them, views stay valid as long as one of the copies lives.
class Result {
 public:
  // Channels that share their times. The main one has the name "".
  struct Group {
    std::string name;
    std::size_t rows = 0;
    std::vector<Simulation::Channel> channels;
  };
  // Numbers of one channel: `width` of them `stride` apart, row after row.
  struct Values {
    std::span<const double> data;
    std::size_t rows = 0, width = 1, stride = 1;
    double operator()(std::size_t row, std::size_t k = 0) const { return data[row * stride + k]; }
  };

  // An .h5 that a run has written. Throws std::runtime_error when it is none. Channels are read when
  // they are asked for.
  static Result open(const std::filesystem::path& file);
  ~Result();
  Result(const Result& other);
  Result& operator=(const Result& other);

  const std::vector<Group>& groups() const;  // the main one first
  // Throw std::out_of_range, with the nearest name, when there is none.
  std::span<const double> times(const std::string& group = "") const;  // [s]
  Values values(const std::string& channel, const std::string& group = "") const;
  const Simulation::Channel& channel(const std::string& name, const std::string& group = "") const;
  // Of the rows of the main group, at an instant at which something happens there are two: the channel
  // row.side has -1 before it, +1 after it, 0 elsewhere. ([record] at_events = false: it has none.)

  const std::vector<Simulation::Event>& events() const;
  const Simulation::Summary& summary() const;
  const std::string& scenario() const;  // with its settings and all defaults
  // Digests show that nothing was damaged: those of a file with a manifest; what is in memory needs none.
  bool is_verified() const;

  // As .h5, the file that the run would have written, or .csv. Throws std::runtime_error.
  void save(const std::filesystem::path& file) const;

 private:
  friend class Simulation;
  struct Content;
  explicit Result(std::shared_ptr<const Content> content);
  std::shared_ptr<const Content> content_;
};

}  // namespace berth
