// SPDX-License-Identifier: Apache-2.0
#include "berth/live/udp_socket.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <memory>
#include <stdexcept>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/timerfd.h>
#include <unistd.h>

namespace berth {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

timespec to_timespec(std::int64_t ns) {
  timespec out{};
  out.tv_sec = static_cast<time_t>(ns / kSecond);
  out.tv_nsec = static_cast<long>(ns % kSecond);
  return out;
}

const sockaddr* address_of(const UdpAddress& a) {
  return reinterpret_cast<const sockaddr*>(&a.storage);
}

}  // namespace

std::int64_t find_clock_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * kSecond + now.tv_nsec;
}

UdpAddress UdpAddress::find(const std::string& text) {
  const auto fail = [&](const std::string& why) {
    throw std::invalid_argument(fmt::format("{}: {}", text, why));
  };
  const std::size_t colon = text.rfind(':');
  std::string host = colon == std::string::npos ? "" : text.substr(0, colon);
  const std::string port = colon == std::string::npos ? text : text.substr(colon + 1);
  if (host.empty()) host = "127.0.0.1";  // nobody else is addressed by accident
  if (host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  const bool is_number = !port.empty() && port.size() <= 5 &&
                         port.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number || std::stoi(port) > 65535) fail("an address is HOST:PORT, the port 0 … 65535");
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_DGRAM;
  hints.ai_flags = AI_NUMERICSERV;
  if (const int code = getaddrinfo(host.c_str(), port.c_str(), &hints, &found); code != 0)
    fail(gai_strerror(code));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> list(found, &freeaddrinfo);
  UdpAddress out;
  std::memcpy(&out.storage, list->ai_addr, list->ai_addrlen);
  out.size = list->ai_addrlen;
  return out;
}

std::string UdpAddress::text() const {
  char host[INET6_ADDRSTRLEN] = "";
  if (storage.ss_family == AF_INET6) {
    const auto& a = reinterpret_cast<const sockaddr_in6&>(storage);
    inet_ntop(AF_INET6, &a.sin6_addr, host, sizeof host);
    return fmt::format("[{}]:{}", host, ntohs(a.sin6_port));
  }
  const auto& a = reinterpret_cast<const sockaddr_in&>(storage);
  inet_ntop(AF_INET, &a.sin_addr, host, sizeof host);
  return fmt::format("{}:{}", host, ntohs(a.sin_port));
}

bool UdpAddress::is_loopback() const {
  if (storage.ss_family == AF_INET6)
    return IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6&>(storage).sin6_addr) != 0;
  return (ntohl(reinterpret_cast<const sockaddr_in&>(storage).sin_addr.s_addr) >> 24) == 127;
}

UdpAddress UdpAddress::find_any() const {
  UdpAddress out = *this;
  if (storage.ss_family == AF_INET6) {
    auto& a = reinterpret_cast<sockaddr_in6&>(out.storage);
    a.sin6_addr = is_loopback() ? in6addr_loopback : in6addr_any;
    a.sin6_port = 0;
  } else {
    auto& a = reinterpret_cast<sockaddr_in&>(out.storage);
    a.sin_addr.s_addr = htonl(is_loopback() ? INADDR_LOOPBACK : INADDR_ANY);
    a.sin_port = 0;
  }
  return out;
}

bool UdpAddress::operator==(const UdpAddress& other) const {
  if (storage.ss_family != other.storage.ss_family) return false;
  if (storage.ss_family == AF_INET6) {
    const auto& a = reinterpret_cast<const sockaddr_in6&>(storage);
    const auto& b = reinterpret_cast<const sockaddr_in6&>(other.storage);
    return a.sin6_port == b.sin6_port &&
           std::memcmp(&a.sin6_addr, &b.sin6_addr, sizeof a.sin6_addr) == 0;
  }
  const auto& a = reinterpret_cast<const sockaddr_in&>(storage);
  const auto& b = reinterpret_cast<const sockaddr_in&>(other.storage);
  return a.sin_port == b.sin_port && a.sin_addr.s_addr == b.sin_addr.s_addr;
}

UdpSocket::UdpSocket(const UdpAddress& local) {
  const auto fail = [&](const char* what) {
    const int code = errno;
    if (socket_ >= 0) ::close(socket_);
    throw std::runtime_error(fmt::format("{}: {}: {}", local.text(), what, std::strerror(code)));
  };
  socket_ = ::socket(local.storage.ss_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket_ < 0) fail("no socket");
  if (::bind(socket_, address_of(local), local.size) != 0) fail("cannot listen there");
  // Room for what comes while a step is computed, and for a flood; beyond the system's limit where permitted.
  const int room = 1 << 22;
  if (::setsockopt(socket_, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room) != 0)
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  timer_ = ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  if (timer_ < 0) fail("no timer");
}

UdpSocket::~UdpSocket() {
  ::close(timer_);
  ::close(socket_);
}

UdpAddress UdpSocket::local() const {
  UdpAddress out;
  out.size = sizeof out.storage;
  ::getsockname(socket_, reinterpret_cast<sockaddr*>(&out.storage), &out.size);
  return out;
}

bool UdpSocket::send(const UdpAddress& to, std::span<const char> bytes) {
  return ::sendto(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL, address_of(to), to.size) ==
         static_cast<ssize_t>(bytes.size());
}

bool UdpSocket::receive(std::span<char> buffer, std::int64_t until_ns, Received& out) {
  for (;;) {
    out.from.size = sizeof out.from.storage;
    const ssize_t size = ::recvfrom(socket_, buffer.data(), buffer.size(), MSG_TRUNC,
                                    reinterpret_cast<sockaddr*>(&out.from.storage), &out.from.size);
    out.t_ns = find_clock_ns();
    if (size >= 0) {
      const auto got = static_cast<std::size_t>(size);
      out.size = got > buffer.size() ? buffer.size() + 1 : got;
      return true;
    }
    // An error of what was sent before, as when nobody listens there, is no datagram.
    if (errno != EAGAIN && errno != EWOULDBLOCK && errno != ECONNREFUSED) return false;
    if (errno == ECONNREFUSED) continue;
    if (out.t_ns >= until_ns) return false;
    itimerspec when{};
    when.it_value = to_timespec(until_ns);
    ::timerfd_settime(timer_, TFD_TIMER_ABSTIME, &when, nullptr);
    pollfd waits[] = {{socket_, POLLIN, 0}, {timer_, POLLIN, 0}};
    if (::poll(waits, 2, -1) < 0) return false;  // a signal
  }
}

void UdpSocket::sleep_until(std::int64_t until_ns) {
  const timespec when = to_timespec(until_ns);
  ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, nullptr);
}

}  // namespace berth
