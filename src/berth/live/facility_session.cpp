// SPDX-License-Identifier: Apache-2.0
#include "berth/live/facility_session.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "berth/live/chance.h"
#include "berth/live/session.h"

namespace berth {
namespace {

constexpr std::size_t kMostWaiting = 1024;

struct RowChannel {
  const char *name, *unit, *frame, *description;
  int width;
};
constexpr RowChannel kChannels[] = {
    {"probe.commanded_r_BL_N", "m", "N", "mock-up of the probe as commanded, laboratory", 3},
    {"probe.r_BL_N", "m", "N", "mock-up of the probe as the robot has it", 3},
    {"probe.quaternion_BN", "-", "", "its attitude, scalar first", 4},
    {"surface.commanded_r_BL_N", "m", "N", "mock-up of the surface as commanded, laboratory", 3},
    {"surface.r_BL_N", "m", "N", "mock-up of the surface as the robot has it", 3},
    {"surface.quaternion_BN", "-", "", "its attitude, scalar first", 4},
    {"contact.gap", "m", "", "between the mock-ups", 1},
    {"contact.force_N", "N", "N", "on the mock-up of the probe", 3},
    {"contact.touching", "-", "", "1 while the mock-ups touch", 1},
    {"sensor.force", "N", "S", "as the sensor reads it, after its tare", 3},
    {"sensor.torque", "N·m", "S", "as the sensor reads it, after its tare", 3},
    {"answer.force_N", "N", "N", "on the mock-up of the probe, as it is answered", 3},
    {"robot.dead_time", "s", "", "with which the robots make this tick", 1},
};

}  // namespace

std::vector<Channel> FacilitySession::channels() {
  std::vector<Channel> out;
  int first = 0;
  for (const RowChannel& c : kChannels) {
    out.push_back({c.name, c.unit, c.frame, c.description, c.width, first});
    first += c.width;
  }
  return out;
}

FacilitySession::FacilitySession(const LiveSetup& setup, Facility& facility, UdpSocket& socket,
                                 FacilityOptions options)
    : setup_(setup), facility_(facility), socket_(socket), options_(std::move(options)) {
  last_answer_.resize(setup.layout.command_count());
  for (const RowChannel& c : kChannels)
    row_.resize(row_.size() + static_cast<std::size_t>(c.width));
  row_.clear();
  waiting_.resize(kMostWaiting);
}

void FacilitySession::send(DatagramKind kind, std::uint64_t answered, std::int64_t tick_ns,
                           std::size_t count) {
  DatagramHeader& h = out_.header;
  h.kind = static_cast<std::uint16_t>(kind);
  h.digest = setup_.layout.digest;
  h.run = run_;
  h.peer = peer_;
  h.sequence = sent_++;
  h.answered = answered;
  h.tick_ns = tick_ns;
  h.sent_ns = find_clock_ns();
  h.flags = (kind == DatagramKind::stop ? kFlagStop : 0u) | (lockstep_ ? kFlagLockstep : 0u);
  h.count = static_cast<std::uint32_t>(count);
  const std::size_t size =
      write_datagram(out_, options_.key ? &*options_.key : nullptr, out_bytes_);
  const FacilitySpec& spec = facility_.spec();
  const bool waits = kind == DatagramKind::answer && !lockstep_ &&
                     (spec.answer_delay > 0 || spec.answer_jitter > 0);
  if (!waits || waiting_count_ == waiting_.size()) {
    socket_.send(client_, std::span(out_bytes_).first(size));
    return;
  }
  Waiting& w = waiting_[waiting_count_++];
  const double more = spec.answer_jitter *
                      find_chance(Chance::answer, static_cast<std::uint64_t>(spec.seed), answered);
  w.due_ns = h.sent_ns + to_ns(spec.answer_delay + more);
  w.size = size;
  w.bytes = out_bytes_;
}

void FacilitySession::send_due(bool all) {
  const std::int64_t now = find_clock_ns();
  for (std::size_t i = 0; i < waiting_count_;) {
    if (!all && waiting_[i].due_ns > now) {
      ++i;
      continue;
    }
    socket_.send(client_, std::span(waiting_[i].bytes).first(waiting_[i].size));
    waiting_[i] = waiting_[--waiting_count_];
  }
}

// The next datagram that can be read; false: none until the clock reads `until`.
bool FacilitySession::receive(std::int64_t until) {
  while (find_clock_ns() < until) {
    if (options_.interrupted && options_.interrupted()) return false;
    std::int64_t wait = std::min(until, find_clock_ns() + kLongestWait);
    for (std::size_t i = 0; i < waiting_count_; ++i) wait = std::min(wait, waiting_[i].due_ns);
    const bool has_come = socket_.receive(in_bytes_, wait, received_);
    send_due(false);
    if (!has_come) continue;
    if (run_ != 0 && !(received_.from == client_)) {
      ++numbers_.strangers;
      continue;
    }
    if (received_.size > in_bytes_.size() ||
        read_datagram(std::span(in_bytes_).first(received_.size),
                      options_.key ? &*options_.key : nullptr, in_) != DatagramFault::none) {
      ++numbers_.refused;
      continue;
    }
    return true;
  }
  return false;
}

// Whether a session begins with what has come; one of another scenario is refused in words.
bool FacilitySession::take_arm() {
  const DatagramHeader& h = in_.header;
  if (h.kind != static_cast<std::uint16_t>(DatagramKind::arm) || h.run == 0) {
    ++numbers_.refused;
    return false;
  }
  client_ = received_.from;
  run_ = h.run;
  const double sample_time = h.count == kArmCount ? in_.numbers[kArmSampleTime] : 0;
  if (h.digest != setup_.layout.digest || !(sample_time > 0 && std::isfinite(sample_time))) {
    send(DatagramKind::stop, h.sequence, 0, 0);
    end_ = End{
        "refused",
        fmt::format("{} has another scenario, another layout or other settings", client_.text()),
        0};
    return false;
  }
  peer_ = draw_session_number();
  lockstep_ = (h.flags & kFlagLockstep) != 0;
  facility_.arm(sample_time);
  send(DatagramKind::ready, h.sequence, 0, 0);
  return true;
}

void FacilitySession::answer_tick() {
  std::copy(last_answer_.begin(), last_answer_.end(), out_.numbers.begin());
  send(DatagramKind::answer, in_.header.sequence, in_.header.tick_ns, last_answer_.size());
}

void FacilitySession::take_tick() {
  const DatagramHeader& h = in_.header;
  const std::span<const double> measures(in_.numbers.data(), h.count);
  if (h.count != setup_.layout.measure_count() ||
      !std::all_of(measures.begin(), measures.end(), [](double x) { return std::isfinite(x); }) ||
      (last_ && h.sequence < *last_)) {
    ++numbers_.refused;
    return;
  }
  if (last_ && h.sequence == *last_) {
    ++numbers_.repeated;
    return answer_tick();
  }
  const double t = 1e-9 * static_cast<double>(h.tick_ns);
  if (last_ && !(t > t_)) {
    ++numbers_.refused;
    return;
  }
  if (last_) numbers_.lost += h.sequence - *last_ - 1;
  last_ = h.sequence;
  t_ = t;
  ++numbers_.ticks;
  if (!facility_.answer(h.sequence, t, measures, last_answer_)) {
    send(DatagramKind::stop, h.sequence, h.tick_ns, 0);
    end_ = End{"workspace", facility_.fault(), t};
    return;
  }
  answer_tick();
  numbers_.force_peak = std::max(numbers_.force_peak, norm(facility_.force_N()));
  for (const Robot* r : {&facility_.probe_robot(), &facility_.surface_robot()})
    numbers_.tracking_error =
        std::max(numbers_.tracking_error, norm(r->motion().r_BL_N - r->commanded().r_BL_N));
  write_row(t);
}

void FacilitySession::write_row(double t) {
  if (sink_ == nullptr) return;
  row_.clear();
  const auto put = [&](const Vec3<double>& v) { row_.insert(row_.end(), {v.x, v.y, v.z}); };
  for (const Robot* r : {&facility_.probe_robot(), &facility_.surface_robot()}) {
    put(r->commanded().r_BL_N);
    put(r->motion().r_BL_N);
    const Quaternion<double>& q = r->motion().q_BN;
    row_.insert(row_.end(), {q.w, q.x, q.y, q.z});
  }
  row_.push_back(facility_.touch().gap);
  put(facility_.touch().force_N);
  row_.push_back(facility_.touch().touching ? 1 : 0);
  put(facility_.measured().reading.force);
  put(facility_.measured().reading.torque);
  put(facility_.force_N());
  row_.push_back(facility_.dead_time());
  sink_->append(group_, t, row_);
}

FacilitySession::End FacilitySession::serve(RowSink* sink, int group) {
  sink_ = sink;
  group_ = group;
  run_ = peer_ = sent_ = 0;
  last_.reset();
  end_.reset();
  t_ = 0;
  const std::int64_t until = find_clock_ns() + to_ns(options_.wait);
  while (peer_ == 0 && !end_) {
    if (!receive(until)) {
      if (options_.interrupted && options_.interrupted()) return {"interrupted", "interrupted", 0};
      return {"silent", fmt::format("nobody came in {:g} s", options_.wait), 0};
    }
    take_arm();
  }
  // What is not of the session does not keep it alive.
  std::int64_t last_heard = find_clock_ns();
  while (!end_) {
    if (!receive(last_heard + to_ns(options_.timeout))) {
      const bool interrupted = options_.interrupted && options_.interrupted();
      send(DatagramKind::stop, last_.value_or(0), 0, 0);
      end_ = interrupted
                 ? End{"interrupted", "interrupted", t_}
                 : End{"silent", fmt::format("nothing came for {:g} s", options_.timeout), t_};
      break;
    }
    const DatagramHeader& h = in_.header;
    const auto kind = static_cast<DatagramKind>(h.kind);
    if (h.run != run_ || h.digest != setup_.layout.digest ||
        (kind != DatagramKind::arm && h.peer != peer_)) {
      ++numbers_.refused;
      continue;
    }
    const std::uint64_t refused = numbers_.refused;
    if (kind == DatagramKind::arm && !last_) {
      send(DatagramKind::ready, h.sequence, 0, 0);  // the first was lost
    } else if (kind == DatagramKind::tick) {
      take_tick();
    } else if (kind == DatagramKind::stop) {
      end_ = End{"stopped_by_peer", "", t_};
    } else if (kind != DatagramKind::start) {
      ++numbers_.refused;
    }
    if (numbers_.refused == refused) last_heard = find_clock_ns();
  }
  send_due(true);
  return *end_;
}

}  // namespace berth
