// SPDX-License-Identifier: Apache-2.0
#include "berth/live/live_source.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>

#include "berth/live/session.h"

namespace berth {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;
constexpr std::int64_t kArmPause = 50 * kMillisecond;
constexpr std::int64_t kGrace = 20 * kMillisecond;  // for an answer that may have been overtaken
constexpr int kMostAtOnce = 256;  // datagrams that are taken in where there is no time to wait

}  // namespace

struct LiveSource::Session {
  const LiveSetup& setup;
  UdpAddress peer;
  LiveOptions options;
  InputLog* inputs;
  UdpSocket socket;
  TickSchedule schedule;
  LiveStatistics numbers;

  std::uint64_t run = draw_session_number(), peer_id = 0;
  std::uint64_t sent = 0;  // of what is no tick
  bool armed = false, gone = false;
  std::string ended, end_reason;  // verdict and why, once something ends the run
  std::uint64_t allocations_before = 0;

  // Ticks that wait for their answers.
  enum class State : unsigned char { free, waiting, answered };
  struct Slot {
    std::uint64_t sequence = 0;
    State state = State::free;
    std::int64_t tick_ns = 0, sent_ns = 0;
  };
  std::vector<Slot> slots;
  std::vector<double> answers;    // of each slot
  std::vector<double> acted;      // commands that acted last
  std::uint64_t newest = 0;       // latest sequence that was answered
  std::uint64_t newest_used = 0;  // likewise, that acts: apply = "arrival"
  Datagram out, in;
  std::array<char, kMostDatagramBytes> out_bytes{}, in_bytes{};
  UdpSocket::Received received;

  Session(const LiveSetup& live, const UdpAddress& to, LiveOptions with, InputLog* log)
      : setup(live),
        peer(to),
        options(std::move(with)),
        inputs(log),
        socket(to.find_any()),
        schedule(
            {live.served().sample_time, options.factor, live.live.late_after, live.live.overrun}) {
    // As many as may be on their way, and some for answers that come too late to be known as such.
    const double ahead = live.served().latency / live.served().sample_time;
    slots.resize(static_cast<std::size_t>(std::min(ahead, 1e6)) + 1024);
    answers.resize(slots.size() * width());
    acted.assign(width(), 0.0);
  }

  std::size_t width() const { return setup.layout.command_count(); }
  const LiveKey* key() const { return options.key ? &*options.key : nullptr; }
  void refuse(Refused why) { ++numbers.refused[static_cast<std::size_t>(why)]; }
  Slot& slot_of(std::uint64_t sequence) { return slots[sequence % slots.size()]; }
  std::span<double> answer_of(std::uint64_t sequence) {
    return std::span(answers).subspan(sequence % slots.size() * width(), width());
  }
  void end(const char* verdict, std::string reason) {
    if (ended.empty()) ended = verdict, end_reason = std::move(reason);
  }
  // Where something has ended it, the run does.
  void throw_end() {
    if (options.interrupted && options.interrupted()) end("interrupted", "interrupted");
    if (!ended.empty()) throw ExternalStop(ended, end_reason);
  }

  void send(DatagramKind kind, std::uint64_t sequence, std::int64_t tick_ns, std::uint32_t flags) {
    DatagramHeader& h = out.header;
    h.kind = static_cast<std::uint16_t>(kind);
    h.digest = setup.layout.digest;
    h.run = run;
    h.peer = peer_id;
    h.sequence = sequence;
    h.tick_ns = tick_ns;
    h.sent_ns = find_clock_ns();
    h.flags = flags | (options.lockstep ? kFlagLockstep : 0u);
    socket.send(peer, std::span(out_bytes).first(write_datagram(out, key(), out_bytes)));
  }

  // --- what comes in ---------------------------------------------------------------------------------

  // Takes in all that is there, and waits for more until the clock reads `until_ns` or `enough` holds.
  template <class Enough>
  void receive(std::int64_t until_ns, const Enough& enough) {
    for (int taken = 0; !enough(); ++taken) {
      const std::int64_t now = find_clock_ns();
      if (now >= until_ns && taken >= kMostAtOnce) return;
      const std::int64_t wait = std::min(until_ns, now + kLongestWait);
      if (socket.receive(in_bytes, wait, received)) {
        take_in();
      } else if (find_clock_ns() >= until_ns) {
        return;
      }
      if (options.interrupted && options.interrupted()) return;
    }
  }

  void take_in() {
    if (received.size > in_bytes.size()) return refuse(Refused::unreadable);
    if (!(received.from == peer)) return refuse(Refused::stranger);
    const DatagramFault fault = read_datagram(std::span(in_bytes).first(received.size), key(), in);
    if (fault == DatagramFault::crc) return refuse(Refused::damaged);
    if (fault == DatagramFault::tag) return refuse(Refused::forged);
    if (fault != DatagramFault::none) return refuse(Refused::unreadable);
    const DatagramHeader& h = in.header;
    const auto kind = static_cast<DatagramKind>(h.kind);
    if (h.run != run) return refuse(Refused::session);
    if (!armed && kind == DatagramKind::stop)
      return end("refused", "the other side has refused: another scenario, or another layout");
    if (h.digest != setup.layout.digest) return refuse(Refused::session);
    if (!armed) {
      if (kind != DatagramKind::ready || h.peer == 0) return refuse(Refused::session);
      peer_id = h.peer;
      armed = true;
      return;
    }
    if (h.peer != peer_id) return refuse(Refused::session);
    if (kind == DatagramKind::ready) return;  // once more, of an arm that was repeated
    if (kind == DatagramKind::stop || (h.flags & kFlagStop) != 0)
      return end("stopped_by_peer", "the other side has stopped the run");
    if (kind != DatagramKind::answer) return refuse(Refused::unasked);
    take_answer(h);
  }

  void take_answer(const DatagramHeader& h) {
    Slot& slot = slot_of(h.answered);
    if (slot.sequence != h.answered || h.tick_ns != slot.tick_ns || slot.sent_ns == 0)
      return refuse(h.answered < numbers.ticks ? Refused::late : Refused::unasked);
    if (slot.state == State::answered) return refuse(Refused::repeated);
    if (slot.state == State::free) return refuse(Refused::late);
    if (h.count != width()) return refuse(Refused::unreadable);
    std::span<const double> given(in.numbers.data(), width());
    if (!judge(given)) return;
    slot.state = State::answered;
    std::copy(given.begin(), given.end(), answer_of(h.answered).begin());
    newest = std::max(newest, h.answered + 1);
    ++numbers.answered;
    numbers.round_trip.add(received.t_ns - slot.sent_ns);
    numbers.last_round_trip = 1e-9 * static_cast<double>(received.t_ns - slot.sent_ns);
    gone = false;
  }

  // Whether all numbers are such, each command either given or left out, and within its limit.
  bool judge(std::span<const double> given) {
    bool has_any = false;
    std::size_t first = 0;
    for (std::size_t c = 0; c < setup.layout.commands.size(); ++c) {
      const auto n = static_cast<std::size_t>(setup.layout.commands[c].width);
      const std::span<const double> u = given.subspan(first, n);
      first += n;
      const auto nans = std::count_if(u.begin(), u.end(), [](double x) { return std::isnan(x); });
      if (nans == static_cast<std::ptrdiff_t>(n)) continue;  // left as it is
      double square = 0, largest = 0;
      for (const double x : u) square += x * x, largest = std::max(largest, std::fabs(x));
      if (nans > 0 || !std::isfinite(largest)) return refuse(Refused::not_finite), false;
      has_any = true;
      const double size = n == 3 ? std::sqrt(square) : largest;
      if (!(setup.limits[c] > 0) || size <= setup.limits[c]) continue;
      if (setup.live.excess == Excess::clamp && std::isfinite(size)) continue;
      refuse(Refused::excess);
      if (setup.live.excess == Excess::stop)
        end("excess", fmt::format("{} of {:.6g} {} exceeds its limit of {:.6g}",
                                  setup.layout.commands[c].name, size,
                                  setup.layout.commands[c].unit, setup.limits[c]));
      return false;
    }
    if (!has_any) refuse(Refused::not_finite);
    return has_any;
  }

  // --- the run asks ----------------------------------------------------------------------------------

  void count_allocations() {
    if (options.count_allocations == nullptr) return;
    const std::uint64_t now = options.count_allocations();
    if (numbers.ticks > 0 && now > allocations_before) {
      numbers.allocations += now - allocations_before;
      ++numbers.ticks_with_allocations;
    }
  }

  // Leaves when it is due.
  std::uint32_t pace(double t) {
    if (options.lockstep) return 0;
    const std::int64_t due = schedule.find_due(t);
    receive(due, [] { return false; });
    throw_end();
    const TickSchedule::Leaving leaving = schedule.leave(t, find_clock_ns());
    numbers.jitter.add(std::max<std::int64_t>(leaving.late_ns, 0));
    numbers.last_jitter = std::max(1e-9 * static_cast<double>(leaving.late_ns), 0.0);
    numbers.late_ticks += leaving.late ? 1 : 0;
    numbers.overruns += leaving.overran ? 1 : 0;
    numbers.caught_up += leaving.catching_up ? 1 : 0;
    numbers.slip = 1e-9 * static_cast<double>(schedule.offset_ns());
    numbers.drift = leaving.slipped ? 0 : 1e-9 * static_cast<double>(leaving.late_ns);
    if (leaving.overran && setup.live.overrun == Overrun::stop) {
      end("overrun",
          fmt::format("the tick of {:.6g} s left {:.3g} ms late, a period is {:.3g} ms", t,
                      1e-6 * static_cast<double>(leaving.late_ns), 1e-6 * schedule.period_ns()));
      throw_end();
    }
    return (leaving.late ? kFlagLate : 0u) | (leaving.catching_up ? kFlagCatchUp : 0u) |
           (leaving.slipped ? kFlagSlipped : 0u);
  }

  Reply ask(std::uint64_t sample, double t, std::span<const double> measured,
            std::span<double> commands) {
    count_allocations();
    throw_end();
    const std::uint32_t flags = pace(t);
    Slot& slot = slot_of(sample);
    slot = {sample, State::waiting, to_ns(t), 0};
    out.header.count = static_cast<std::uint32_t>(measured.size());
    std::copy(measured.begin(), measured.end(), out.numbers.begin());
    ++numbers.ticks;
    slot.sent_ns = find_clock_ns();
    send(DatagramKind::tick, sample, slot.tick_ns, flags);
    const Reply reply =
        setup.live.apply == Apply::arrival ? take_arrived(sample, t, commands) : Reply::later;
    if (options.watch) options.watch(t, acted, numbers);
    if (options.count_allocations) allocations_before = options.count_allocations();
    return reply;
  }

  // What is newest of what has arrived since the last tick; in lockstep that of the tick before.
  Reply take_arrived(std::uint64_t sample, double t, std::span<double> commands) {
    if (options.lockstep && sample > 0) wait_for(sample - 1);
    receive(0, [] { return false; });
    if (newest <= newest_used) return ++numbers.unanswered, Reply::none;
    const std::span<const double> answer = answer_of(newest - 1);
    newest_used = newest;
    std::copy(answer.begin(), answer.end(), commands.begin());
    std::copy(answer.begin(), answer.end(), acted.begin());
    if (inputs) inputs->add(t, sample, commands);
    return Reply::ready;
  }

  // Lockstep. An answer whose successor is there already may have been overtaken, not more; and who has not
  // answered in time is hardly waited for any more, until something comes.
  void wait_for(std::uint64_t sequence) {
    const auto has_come = [&] {
      return slot_of(sequence).state == State::answered || !ended.empty();
    };
    const auto is_passed = [&] { return newest > sequence + 1; };
    receive(find_clock_ns() + (gone ? kGrace : to_ns(options.timeout)),
            [&] { return has_come() || is_passed(); });
    if (has_come()) return;
    if (is_passed())
      receive(find_clock_ns() + kGrace, has_come);
    else
      gone = true;
  }

  bool collect(std::uint64_t sample, double t, std::span<double> commands) {
    Slot& slot = slot_of(sample);
    if (options.lockstep) {
      wait_for(sample);
    } else {
      receive(schedule.find_time(t),
              [&] { return slot.state == State::answered || !ended.empty(); });
    }
    throw_end();
    const bool is_there = slot.sequence == sample && slot.state == State::answered;
    slot.state = State::free;
    if (!is_there) return ++numbers.unanswered, false;
    const std::span<const double> answer = answer_of(sample);
    std::copy(answer.begin(), answer.end(), commands.begin());
    std::copy(answer.begin(), answer.end(), acted.begin());
    if (inputs) inputs->add(t, sample, commands);
    return true;
  }
};

LiveSource::LiveSource(const LiveSetup& setup, const UdpAddress& peer, LiveOptions options,
                       InputLog* inputs)
    : session_(std::make_unique<Session>(setup, peer, std::move(options), inputs)) {}
LiveSource::~LiveSource() = default;

void LiveSource::arm() {
  Session& s = *session_;
  const External<double>& e = s.setup.served();
  const std::int64_t until = find_clock_ns() + to_ns(s.options.wait);
  while (!s.armed) {
    s.out.header.count = kArmCount;
    s.out.numbers[kArmSampleTime] = e.sample_time;
    s.out.numbers[kArmLatency] = e.latency;
    s.out.numbers[kArmFactor] = s.options.lockstep ? 0 : s.options.factor;
    s.out.numbers[kArmTimeout] = s.options.timeout;
    s.send(DatagramKind::arm, s.sent++, 0, 0);
    s.receive(find_clock_ns() + kArmPause, [&] { return s.armed || !s.ended.empty(); });
    if (s.options.interrupted && s.options.interrupted())
      throw std::runtime_error("interrupted before the other side was ready");
    if (!s.ended.empty()) throw std::runtime_error(s.end_reason);
    if (!s.armed && find_clock_ns() > until)
      throw std::runtime_error(fmt::format("nobody at {} is ready after {:g} s{}", s.peer.text(),
                                           s.options.wait,
                                           s.options.key ? "; has it the same key?" : ""));
  }
}

void LiveSource::start() {
  Session& s = *session_;
  s.out.header.count = 0;
  s.send(DatagramKind::start, s.sent++, 0, 0);
  s.schedule.start(find_clock_ns() + kMillisecond);
}

void LiveSource::stop() {
  Session& s = *session_;
  s.out.header.count = 0;
  for (int i = 0; i < 3; ++i)
    s.send(DatagramKind::stop, s.sent++, 0, kFlagStop);  // one may be lost
}

ExternalSource::Reply LiveSource::ask(std::uint64_t sample, double t,
                                      std::span<const double> measured,
                                      std::span<double> commands) const {
  return session_->ask(sample, t, measured, commands);
}
bool LiveSource::collect(std::uint64_t sample, double t, std::span<double> commands) const {
  return session_->collect(sample, t, commands);
}
const LiveStatistics& LiveSource::statistics() const { return session_->numbers; }
UdpAddress LiveSource::local() const { return session_->socket.local(); }

}  // namespace berth
