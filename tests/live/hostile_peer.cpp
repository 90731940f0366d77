// SPDX-License-Identifier: Apache-2.0
#include "tests/live/hostile_peer.h"

#include <cmath>
#include <limits>

#include "berth/math/philox.h"

namespace berth::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kKinds = 20;

DatagramKind kind_of(const Datagram& d) { return static_cast<DatagramKind>(d.header.kind); }

}  // namespace

double HostilePeer::Draws::operator()() { return find_uniform(key, counter++, 0); }

HostilePeer::HostilePeer(const LiveSetup& setup, HostilePeerOptions options, Answer answer)
    : setup_(setup), options_(std::move(options)), answer_(std::move(answer)) {
  threads_.emplace_back([this] { serve(); });
  if (options_.flood > 0) threads_.emplace_back([this] { flood(); });
}

HostilePeer::~HostilePeer() {
  over_ = true;
  for (std::thread& t : threads_) t.join();
}

std::vector<std::string> HostilePeer::answers() const {
  const std::lock_guard lock(guard_);
  return answers_;
}

void HostilePeer::send(const Datagram& d) {
  const std::size_t n = write_datagram(d, options_.key ? &*options_.key : nullptr, bytes_);
  if (kind_of(d) == DatagramKind::answer) {
    const std::lock_guard lock(guard_);
    if (answers_.size() < 1000) answers_.emplace_back(bytes_.data(), n);
  }
  socket_.send(client_, std::span(bytes_).first(n));
}

// One datagram that must change nothing, made of the answer to the tick in hand.
void HostilePeer::send_hostile(Datagram d, int kind) {
  static const LiveKey wrong_key = "not the key that both sides share";
  const LiveKey* key = options_.key ? &*options_.key : nullptr;
  DatagramHeader& h = d.header;
  UdpSocket* from = &socket_;
  switch (kind) {
    case 0: h.answered += 1 + draws_.below(1'000'000); break;
    case 1: h.answered -= std::min<std::uint64_t>(h.answered, 1 + draws_.below(5)); break;
    case 2: d.numbers[0] = NAN; break;
    case 3: d.numbers[1] = draw() < 0.5 ? kInfinity : -kInfinity; break;
    case 4: h.run ^= 1ull << draws_.below(64); break;
    case 5: h.peer ^= 1ull << draws_.below(64); break;
    case 6: h.digest ^= 1ull << draws_.below(64); break;
    case 7: h.tick_ns += 1 - static_cast<std::int64_t>(2 * draws_.below(2)); break;
    case 8: h.tick_ns = std::numeric_limits<std::int64_t>::min(); break;
    case 9: h.answered = std::numeric_limits<std::uint64_t>::max(); break;
    case 10: h.count = h.count > 0 ? h.count - 1 : 1; break;
    case 11: h.kind = static_cast<std::uint16_t>(DatagramKind::tick); break;
    case 12: h.kind = static_cast<std::uint16_t>(DatagramKind::arm); break;
    case 13:  // as it would be sent in truth, with a wild force, by somebody else
      from = &stranger_;
      d.numbers[0] = 1e300;
      break;
    case 14:  // forged: with another key, or with none
      if (options_.key) key = draw() < 0.5 ? &wrong_key : nullptr;
      d.numbers[0] = 1e300;
      if (!options_.key) h.run = 0;
      break;
    default: break;
  }
  std::size_t n = write_datagram(d, key, bytes_);
  if (kind == 15) n = draws_.below(n);                                                 // truncated
  if (kind == 16) bytes_[draws_.below(n)] ^= static_cast<char>(1 << draws_.below(8));  // damaged
  if (kind == 17) {                                                                    // random
    n = draws_.below(bytes_.size() + 1);
    for (std::size_t i = 0; i < n; ++i) bytes_[i] = static_cast<char>(draws_.below(256));
  }
  if (kind == 18 && !options_.replayed.empty()) {  // of another session
    const std::string& old = options_.replayed[draws_.below(options_.replayed.size())];
    n = old.size();
    std::copy(old.begin(), old.end(), bytes_.begin());
  } else if (kind == 18 || kind == 19) {  // of this one, before: repeated, out of order
    const std::lock_guard lock(guard_);
    if (answers_.empty()) return;
    const std::string& old = answers_[draws_.below(answers_.size())];
    n = old.size();
    std::copy(old.begin(), old.end(), bytes_.begin());
  }
  from->send(client_, std::span(bytes_).first(n));
  ++sent_;
}

void HostilePeer::attack(const Datagram& answer) {
  for (int i = 0; i < options_.hostility; ++i)
    send_hostile(answer, static_cast<int>(draws_.below(kKinds)));
}

void HostilePeer::serve() {
  std::array<char, kMostDatagramBytes> buffer{};
  UdpSocket::Received got;
  Datagram in;
  while (!over_) {
    if (!socket_.receive(buffer, find_clock_ns() + 50'000'000, got)) continue;
    if (got.size > buffer.size() ||
        read_datagram(std::span(buffer).first(got.size), options_.key ? &*options_.key : nullptr,
                      in) != DatagramFault::none)
      continue;
    Datagram out;
    out.header = in.header;
    out.header.peer = 77;
    out.header.count = 0;
    if (kind_of(in) == DatagramKind::arm) {
      client_ = got.from;
      armed_ = true;
      answer_(in, {});
      out.header.kind = static_cast<std::uint16_t>(DatagramKind::ready);
      send(out);
    }
    if (kind_of(in) != DatagramKind::tick) continue;
    if (options_.silent_from && in.header.sequence >= *options_.silent_from) continue;
    out.header.kind = static_cast<std::uint16_t>(DatagramKind::answer);
    out.header.answered = in.header.sequence;
    out.header.count = static_cast<std::uint32_t>(setup_.layout.command_count());
    answer_(in, std::span(out.numbers).first(out.header.count));
    if (options_.wild > 0 && in.header.sequence == 100) out.numbers[0] = options_.wild;
    attack(out);
    send(out);
    attack(out);
  }
}

// Random bytes, from its own address and from the stranger's.
void HostilePeer::flood() {
  std::array<char, 256> bytes{};
  constexpr std::int64_t pause = 1'000'000;
  std::int64_t due = find_clock_ns();
  double owed = 0;
  while (!over_) {
    UdpSocket::sleep_until(due += pause);
    if (!armed_) {
      due = find_clock_ns();
      continue;
    }
    for (owed += options_.flood * 1e-9 * pause; owed >= 1; --owed, ++sent_) {
      const std::size_t n = flood_draws_.below(bytes.size() + 1);
      for (std::size_t i = 0; i < std::min<std::size_t>(n, 8); ++i)
        bytes[i] = static_cast<char>(flood_draws_.below(256));
      (sent_ % 2 == 0 ? socket_ : stranger_).send(client_, std::span(bytes).first(n));
    }
  }
}

}  // namespace berth::test
