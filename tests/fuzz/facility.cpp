// SPDX-License-Identifier: Apache-2.0

// A facility and whoever armed it, in one thread: when the facility waits for a datagram, it is sent the next.
//
//   input     per datagram one byte: bits 0-2 its kind, 3 another run, 4 another peer, 5 another digest, 6 as one
//             number more or less, 7 in lockstep; then sequence (1 byte), tick_ns (8 bytes) and as many numbers of
//             8 bytes as the scenario has measures, cut off at the end of the input

#include <cmath>
#include <cstring>

#include "berth/live/facility_session.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

constexpr int kMostDatagrams = 40;

LiveSetup build_setup() {
  ReadScenario read = read_scenario(std::string(BERTH_SOURCE_DIR) + "/scenarios/facility.toml",
                                    {"facility.delay=0.008", "facility.robot_frequency=10"});
  auto setup = build_live(std::move(read.scenario), {}, read.problems);
  if (!setup) throw Find("facility.toml: " + describe(read.problems.list.at(0)));
  return std::move(*setup);
}

// Takes bytes off the front; zeros behind the end.
template <class T>
T take(std::string_view& input) {
  T out{};
  const std::size_t size = std::min(sizeof out, input.size());
  std::memcpy(&out, input.data(), size);
  input.remove_prefix(size);
  return out;
}

class Client {
 public:
  Client(const LiveSetup& setup, const UdpAddress& facility, std::string_view input)
      : setup_(setup), facility_(facility), input_(input) {
    out_.header.digest = setup.layout.digest;
    out_.header.run = 1;
  }

  // False: there is nothing more to send.
  bool send_next() {
    take_answers();
    if (input_.empty() || ++sent_ > kMostDatagrams) return false;
    const auto choice = take<std::uint8_t>(input_);
    DatagramHeader& h = out_.header;
    h.kind = static_cast<std::uint16_t>(1 + (choice & 7) % 6);
    h.run = 1 + (choice >> 3 & 1);
    h.peer = peer_ + (choice >> 4 & 1);
    h.digest = setup_.layout.digest + (choice >> 5 & 1);
    h.flags = (choice & 128) != 0 ? kFlagLockstep : 0u;
    h.sequence = take<std::uint8_t>(input_);
    h.tick_ns = take<std::int64_t>(input_);
    const bool is_arm = h.kind == static_cast<std::uint16_t>(DatagramKind::arm);
    h.count = static_cast<std::uint32_t>(is_arm ? kArmCount : setup_.layout.measure_count());
    if ((choice & 64) != 0) --h.count;
    for (std::uint32_t i = 0; i < h.count; ++i) out_.numbers[i] = take<double>(input_);
    const std::size_t size = write_datagram(out_, nullptr, bytes_);
    return socket_.send(facility_, std::span(bytes_).first(size));
  }

 private:
  void take_answers() {
    UdpSocket::Received received;
    while (socket_.receive(bytes_, 0, received)) {
      Datagram in;
      expect(
          read_datagram(std::span(bytes_).first(received.size), nullptr, in) == DatagramFault::none,
          "what a facility sends is a datagram");
      peer_ = in.header.peer;
      if (in.header.kind != static_cast<std::uint16_t>(DatagramKind::answer)) continue;
      expect(in.header.count == setup_.layout.command_count(), "an answer has all commands");
    }
  }

  const LiveSetup& setup_;
  UdpAddress facility_;
  std::string_view input_;
  UdpSocket socket_{UdpAddress::find("127.0.0.1:0")};
  Datagram out_;
  std::array<char, kMostDatagramBytes> bytes_{};
  std::uint64_t peer_ = 0;
  int sent_ = 0;
};

}  // namespace

void fuzz_facility(std::string_view input) {
  static const LiveSetup setup = build_setup();
  Problems problems{"facility.toml", {}};
  std::optional<Facility> facility = Facility::build(setup, problems);
  expect(facility.has_value(), "there is a facility for the scenario");
  UdpSocket socket(UdpAddress::find("127.0.0.1:0"));
  Client client(setup, socket.local(), input);
  FacilityOptions options;
  options.interrupted = [&] { return !client.send_next(); };
  FacilitySession session(setup, *facility, socket, options);
  const FacilitySession::End end = session.serve(nullptr, 0);
  expect(!end.verdict.empty() && std::isfinite(end.t), "a session has a verdict");
}

}  // namespace berth::fuzz
