// SPDX-License-Identifier: Apache-2.0
#pragma once

// Driver — integrate, stop exactly where something happens, act, continue.
//
//   Driver driver(system, options);
//   Outcome outcome = driver.run(1000.0);        // [s]; may be called again to go on
//
// Between two happenings everything is smooth: schedules, held controller outputs and valves do not
// change (Mode). What happens at a known time stands on the agenda; what happens when a condition
// becomes true is located inside the step on its dense output. An observer sees every step, cut
// short where an event ends it, and may look inside.

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "berth/integrate/crossing_finder.h"
#include "berth/integrate/past.h"
#include "berth/run/agenda.h"
#include "berth/run/event.h"
#include "berth/run/outcome.h"
#include "berth/run/stepper.h"
#include "berth/system/channels.h"
#include "berth/system/contact_track.h"
#include "berth/system/dock_track.h"
#include "berth/system/ledger.h"
#include "berth/system/system.h"

namespace berth {

struct RunOptions {
  std::string method = "dop853";  // any of list_methods()
  IntegratorOptions integrator;
  // The frame is moved to the craft when they are farther than this from its origin [m].
  double recentre_beyond = 1000;
};

class Driver;
class Linearised;

// Looks on while a run proceeds.
class Observer {
 public:
  virtual ~Observer() = default;
  // After every step, which reaches from driver.t_previous() to driver.t(). False ends the run.
  virtual bool step(Driver& driver) = 0;
  // After something has happened; the state is the one behind it.
  virtual void happened(Driver&, const Happening&) {}
};

class Driver {
 public:
  // The driver has its own copy of the system: events switch parts of it.
  // Throws std::invalid_argument on options that cannot work.
  Driver(System<double> system, const RunOptions& options);
  ~Driver();

  // Before the first run.
  void set_events(std::vector<Event> events) { events_ = std::move(events); }
  // The integrator lands on these times, so that observers see them without interpolation.
  void add_looks(std::span<const double> times);

  Outcome run(double t_stop, Observer* observer = nullptr);

  // When this returns true the run ends after the step in hand: wired to signals by the program.
  std::function<bool()> interrupted;

  double t() const { return t_; }
  double t_previous() const { return t_previous_; }
  std::span<const double> x() const { return x_; }
  // The state inside the last step.
  void interpolate(double t, std::span<double> x);

  // Everything up to the accelerations at the present state, or at any (t, x) in the last step.
  const Workspace<double>& observe() { return observe(t(), x()); }
  const Workspace<double>& observe(double t, std::span<const double> x);
  // As it was last observed, by whatever looked last.
  const Workspace<double>& observed() const { return looking_; }

  const Channels& channels() const { return channels_; }
  // All channels at (t, x).
  void fill_row(double t, std::span<const double> x, std::span<double> row);

  const System<double>& system() const { return system_; }
  const Mode<double>& mode() const { return mode_; }
  Audit audit() const { return ledger_.audit(); }
  StepCounters counters() const { return stepper_.counters(); }
  // Of free trees, as variational steps carry them (moser_veselov.h), by body; else empty.
  std::span<const Wrench<double>> carried_momenta() const { return stepper_.carried_momenta(); }
  const std::vector<DockTrack>& dock_tracks() const { return dock_tracks_; }
  const std::vector<ContactTrack>& contact_tracks() const { return contact_tracks_; }
  const std::vector<Happening>& happenings() const { return happenings_; }
  // What a user should know of: a latch that was refused.
  const std::vector<std::string>& warnings() const { return warnings_; }
  const std::string& verdict() const { return verdict_; }
  // Events that have not acted so far.
  std::vector<std::string> waiting_events() const;
  // Set by an event that changes how often is recorded.
  std::optional<double> record_interval() const { return record_interval_; }

 private:
  struct Watch {  // what is known of one event
    bool armed = false;
    bool holds = false;       // its condition, when last looked at
    std::uint64_t tries = 0;  // times the condition has begun to hold
    std::uint64_t acted = 0;
  };

  // ẋ as the stepper sees it.
  struct Rate {
    Driver& driver;
    void operator()(double t, std::span<const double> x, std::span<double> x_dot) const {
      if (driver.looks_back_) driver.find_arriving(t, driver.work_);
      find_derivative(driver.system_, t, x, driver.mode_, driver.work_, x_dot);
    }
    Past<double>* past() const { return driver.looks_back_ ? &driver.past_ : nullptr; }
    double shortest_delay() const { return driver.shortest_delay_; }
    const System<double>& system() const { return driver.system_; }
    const Mode<double>& mode() const { return driver.mode_; }
    void jacobian(double t, std::span<const double> x, std::span<double> J) const;
  };

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  void look(double t, std::span<const double> x);
  void find_row();
  void fill_agenda();
  void act(double t);
  void do_entry(const Entry& entry);
  void sample(const Entry& entry);
  void open_valves(const Entry& entry);
  void wake(const std::string& name);
  bool tidy();
  void book();
  void latch(int dock, bool nominal);
  void release(int dock);

  bool is_awake(int contact) const;
  void stop_looking_back();
  void start_contacts();
  void keep_past();
  void remember_model();
  bool begins_touching(int contact);
  void find_arriving(double t, Workspace<double>& w);
  void find_contacts(double t, std::span<const double> x);
  void find_contact_margins(std::span<double> g);
  void correct_contacts();
  void turn_contacts();
  void turn_contact(int contact);
  void turn_stick(int contact);
  void echo(const Entry& entry);
  void sample_contact(const Entry& entry);
  void receive_word(const Entry& entry);
  void feed_back(int contact);
  void settle(const Entry& entry);
  void track_contacts();

  int rest_of(int contact) const;
  bool is_resting(int contact) const;
  bool any_resting() const;
  double find_press(int contact) const;
  enum class Pass { clear, at_ends, inside };  // where in a step surfaces may be met
  Pass find_pass(std::vector<double>& x);
  void find_bounces(std::vector<double>& x);
  void collide();
  double find_paper_scale(std::span<const double> reflected, bool with_work);
  void trigger_hit(int contact);
  void rest(std::vector<int> contacts);
  void lift_off(int contact);
  void lift_off_all();
  void tell_contact(const char* kind, int contact);

  void tell(std::string kind, const std::string& name, std::vector<NamedValue> values = {});

  void start_events();
  bool locate_event();
  void trigger(int event);
  void arm(int event);
  void notice(int event, bool holds);
  void notice_all();
  void fire_pending();
  void perform(const Action& action, const Event& event);
  void strike(const std::function<void(std::vector<double>&)>& change);

  System<double> system_;
  RunOptions options_;
  Workspace<double> work_;     // of the derivative
  Workspace<double> looking_;  // of observers, sampling and conditions
  Mode<double> mode_;
  Agenda agenda_;
  Stepper stepper_;
  std::unique_ptr<Linearised> linearised_;  // where the stepper asks for Jacobians
  Channels channels_;
  Ledger ledger_;
  std::vector<DockTrack> dock_tracks_;
  std::vector<ContactTrack> contact_tracks_;
  // What delayed contacts look back on.
  Past<double> past_;
  std::vector<double> past_x_;
  Motion<double> past_motion_;
  bool looks_back_ = false;  // a delayed contact is awake
  double shortest_delay_ = 0, longest_delay_ = 0;
  struct FormerModel {
    double until;  // [s]
    Model<double> model;
  };
  std::vector<FormerModel> former_models_;  // oldest first: what was welded when it is looked at
  // Of impacts: no earlier than this in the step [s], and deeper than this [m].
  std::vector<double> free_until_, skin_;
  std::set<std::string> asleep_;  // sampled controllers and thruster sets that are switched off
  // Gaps and their rates at the end of the last step, where they were looked at.
  struct Gap {
    double size, rate;  // [m], [m/s]
  };
  std::vector<Gap> gaps_;
  bool seen_ = false;                // the end of the step just made stands in looking_
  std::vector<std::size_t> turned_;  // margins of contacts that have just crossed zero
  std::vector<std::string> warnings_;
  double t_ = 0, t_previous_ = 0;
  std::vector<double> x_, row_;
  bool dense_ready_ = false;
  bool started_ = false;

  std::vector<Event> events_;
  std::vector<Watch> watches_;
  std::vector<int> watched_;  // armed events with a condition, as the finder numbers them
  std::vector<int> pending_;  // about to act
  std::optional<CrossingFinder> finder_;
  std::vector<Happening> happenings_;
  Observer* observer_ = nullptr;
  std::string verdict_;
  bool stopped_ = false;
  std::optional<double> record_interval_;
};

// Blocks of the error norm: one per position, attitude, velocity and rate; rotor angles and ledgers
// ride along.
std::vector<Block> find_error_blocks(const System<double>& system);

}  // namespace berth
