// SPDX-License-Identifier: Apache-2.0
#pragma once

// UdpSocket — datagrams over IPv4 or IPv6, stamped with the monotonic clock as they are taken out.

#include <cstdint>
#include <span>
#include <string>

#include <sys/socket.h>

namespace berth {

// [ns] CLOCK_MONOTONIC.
std::int64_t find_clock_ns();

// An address of a host and port: "127.0.0.1:5001", "[::1]:5001", "localhost:5001", or the port alone, of
// 127.0.0.1. Throws std::invalid_argument with what is wrong.
struct UdpAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;

  static UdpAddress find(const std::string& host_and_port);
  std::string text() const;  // 127.0.0.1:5001
  bool is_loopback() const;
  // Where one listens to reach it: any port, of loopback where it is on it, else of any interface.
  UdpAddress find_any() const;
  bool operator==(const UdpAddress& other) const;
};

class UdpSocket {
 public:
  // Bound to this address. Throws std::runtime_error, with the reason, where it cannot be had.
  explicit UdpSocket(const UdpAddress& local);
  ~UdpSocket();
  UdpSocket(const UdpSocket&) = delete;
  UdpSocket& operator=(const UdpSocket&) = delete;

  // Where it is bound: port 0 has become one that is free.
  UdpAddress local() const;

  // False where the system would not take it.
  bool send(const UdpAddress& to, std::span<const char> bytes);

  // The next datagram; waits until the clock reads `until_ns` at most (a time that is past: does not wait).
  // False: there was none, or a signal came. A datagram longer than `buffer` has size buffer.size() + 1.
  struct Received {
    std::size_t size = 0;
    std::int64_t t_ns = 0;  // when it was taken out
    UdpAddress from;
  };
  bool receive(std::span<char> buffer, std::int64_t until_ns, Received& out);
  // Waits until the clock reads `until_ns`, receiving nothing; ends early at a signal.
  static void sleep_until(std::int64_t until_ns);

 private:
  int socket_ = -1;
  int timer_ = -1;  // wakes at an absolute time
};

}  // namespace berth
