// SPDX-License-Identifier: Apache-2.0

// The page of a live run as a browser sees it: over a socket, while another thread ticks.

#include "berth/app/live_page.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "berth/app/page_server.h"
#include "berth/live/live_history.h"
#include "tests/support/allocations.h"

namespace berth::test::live_page_test {
namespace {

using Json = nlohmann::json;
using namespace std::chrono_literals;

// One request, as a browser sends it, and what comes back as it comes.
class Request {
 public:
  Request(const std::string& address, const std::string& path, const std::string& host = "") {
    const std::size_t colon = address.rfind(':'), slash = address.find('/', colon);
    const std::string port = address.substr(colon + 1, slash - colon - 1);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
    const timeval patience{10, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const int small = 4096;  // who reads slowly is soon noticed
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) return;
    const std::string request =
        "GET " + path + " HTTP/1.1\r\nHost: " + (host.empty() ? "127.0.0.1:" + port : host) +
        "\r\nConnection: close\r\n\r\n";
    [[maybe_unused]] const auto sent =
        ::send(socket_, request.data(), request.size(), MSG_NOSIGNAL);
  }
  ~Request() { ::close(socket_); }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  int status() {
    while (text_.size() < 12 && receive()) continue;
    return text_.size() < 12 ? 0 : std::stoi(text_.substr(9, 3));
  }
  // Bytes that wait to be read.
  std::size_t available() const {
    int n = 0;
    ::ioctl(socket_, FIONREAD, &n);
    return static_cast<std::size_t>(n) + text_.size();
  }
  std::string rest() {
    while (receive()) continue;
    return text_;
  }
  // The next message of a stream; nothing when it has ended.
  std::optional<Json> next() {
    for (;;) {
      const std::size_t at = text_.find("data: ");
      const std::size_t end = at == std::string::npos ? at : text_.find("\n\n", at);
      if (end != std::string::npos) {
        const std::string line = text_.substr(at + 6, end - at - 6);
        text_.erase(0, end + 2);
        return Json::parse(without_chunks(line));
      }
      if (!receive()) return std::nullopt;
    }
  }

 private:
  // A message is one chunk, whose size stands ahead of "data: "; a long one may still be cut in two.
  static std::string without_chunks(const std::string& line) {
    std::string out;
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t cut = line.find("\r\n", at);
      out += line.substr(at, cut == std::string::npos ? cut : cut - at);
      if (cut == std::string::npos) break;
      at = line.find("\r\n", cut + 2) + 2;
    }
    return out;
  }
  bool receive() {
    char bytes[65536];
    const ssize_t n = ::recv(socket_, bytes, sizeof bytes, 0);
    if (n > 0) text_.append(bytes, static_cast<std::size_t>(n));
    return n > 0;
  }

  int socket_ = -1;
  std::string text_;
};

std::string path_of(const LivePage& page) {
  const std::string address = page.address();
  return address.substr(address.find('/', 8));
}

LiveDescription describe_run() {
  LiveDescription d;
  d.title = "Probe <b>late</b>";
  d.contact = "tip";
  d.sample_time = 1e-3;
  d.h_star = 0.17;
  d.delays = {{"latency", 0.016}, {"half a hold period", 5e-4}};
  d.refusals = {"crc", "tag"};
  d.scene = R"({"bodies":[{"name":"a"}],"ports":[],"arrows":[]})";
  d.scene_width = 10;
  return d;
}

TEST(LivePage, HoldsWhatStaysTheSame) {
  LiveDescription d = describe_run();
  const LivePage page(d);
  const std::string text = Request(page.address(), path_of(page)).rest();
  EXPECT_NE(text.find("<title>Probe &lt;b&gt;late&lt;/b&gt;</title>"), std::string::npos);
  EXPECT_NE(text.find(R"("kind":"live")"), std::string::npos);
  EXPECT_NE(text.find(R"({"name":"latency","seconds":0.016})"), std::string::npos);
  EXPECT_NE(text.find(R"("h_E":null)"), std::string::npos);
  EXPECT_NE(text.find(R"("width":10)"), std::string::npos);
}

TEST(LivePage, DrawsNoSceneThatDoesNotFitAFrame) {
  LiveDescription d = describe_run();
  d.scene_width = kMostLivePose + 1;
  LivePage page(d);
  const std::string text = Request(page.address(), path_of(page)).rest();
  EXPECT_NE(text.find(R"("scene":null)"), std::string::npos);
  EXPECT_NE(text.find("a pose of it has 513 numbers"), std::string::npos);
  page.push({});
  Request stream(page.address(), path_of(page) + "stream");
  Json message;
  while (!message.contains("now")) message = *stream.next();
  EXPECT_FALSE(message["now"].contains("pose"));
}

TEST(LivePage, AnswersNobodyWithoutTheToken) {
  const LivePage page(describe_run());
  const std::string path = path_of(page);
  for (const std::string wrong : {"/", "/stream", "/0123456789abcdef0123456789abcdef/stream"})
    EXPECT_EQ(Request(page.address(), wrong).status(), 404) << wrong;
  for (const char* what : {"", "stream"}) {
    EXPECT_EQ(Request(page.address(), path + what, "evil.example").status(), 403) << what;
    EXPECT_EQ(Request(page.address(), path + what, "127.0.0.1").status(), 403) << what;
    EXPECT_EQ(Request(page.address(), path + what).status(), 200) << what;
  }
  EXPECT_EQ(page.address().rfind("http://127.0.0.1:", 0), 0U);
  EXPECT_EQ(path.size(), 34U);
}

// At 4 kHz, with one peak of a tick among 2000: it arrives, at its time; all is in order; nothing is dropped.
TEST(LivePage, SendsFramesInOrderAndNoPeakIsLost) {
  LivePage page(describe_run());
  page.set_state(LiveState::running);
  Request stream(page.address(), path_of(page) + "stream");
  EXPECT_EQ(stream.next()->at("first"), true);
  constexpr int kTicks = 2000, kPeak = 1234, kLate = 777;
  std::thread ticker([&] {
    auto due = std::chrono::steady_clock::now();
    LiveFrame f;
    for (int n = 0; n < kTicks; ++n) {
      std::this_thread::sleep_until(due += 250us);
      f.t = 0.00025 * n;
      f.force = n == kPeak ? 99.5 : 1.0;
      f.jitter = n == kLate ? 0.003 : 1e-5;
      f.ticks = static_cast<std::uint64_t>(n) + 1;
      f.pose[0] = static_cast<float>(n);
      page.push(f);
    }
  });
  std::vector<std::pair<double, double>> force, jitter;
  double last = -1;
  std::uint64_t ticks = 0;
  while (ticks < kTicks) {
    const std::optional<Json> message = stream.next();
    ASSERT_TRUE(message);
    EXPECT_EQ(message->at("state"), "running");
    EXPECT_EQ(message->at("dropped"), 0);
    for (auto [trace, into] : {std::pair{0, &force}, std::pair{4, &jitter}}) {
      const Json& points = message->at("traces")[static_cast<std::size_t>(trace)];
      for (std::size_t k = 0; k < points[0].size(); ++k)
        into->emplace_back(points[0][k].get<double>(), points[1][k].get<double>());
    }
    if (!message->contains("now")) continue;
    const Json& now = message->at("now");
    EXPECT_GT(now["t"].get<double>(), last);
    last = now["t"];
    ticks = now["ticks"];
    EXPECT_EQ(now["pose"][0].get<double>(), static_cast<double>(ticks) - 1);
  }
  ticker.join();
  const auto has = [](const auto& points, double t, double value) {
    return std::count(points.begin(), points.end(), std::pair{t, value}) == 1;
  };
  EXPECT_TRUE(has(force, 0.00025 * kPeak, 99.5));
  EXPECT_TRUE(has(jitter, 0.00025 * kLate, 0.003));
  EXPECT_TRUE(std::is_sorted(force.begin(), force.end()));
  EXPECT_LT(force.size(), 400U);
}

TEST(LivePage, PushesWithoutAllocation) {
  if (!kCountsAllocations) GTEST_SKIP() << "the sanitizers have their own operator new";
  LiveDescription d = describe_run();
  d.scene_width = kMostLivePose;
  LivePage page(d);
  LiveFrame f;
  // The thread that takes frames allocates, at its own pace: it is asleep most of the time.
  long fewest = 1000;
  for (int n = 0; n < 50 && fewest > 0; ++n) {
    std::this_thread::sleep_for(3ms);
    const long before = count_allocations();
    for (int k = 0; k < 100; ++k) f.t += 1e-3, page.push(f);
    fewest = std::min(fewest, count_allocations() - before);
  }
  EXPECT_EQ(fewest, 0);
}

// More frames than the ring holds between two turns of the thread that takes them: the oldest are dropped and
// counted, and the peak among them is still known.
TEST(LivePage, CountsFramesItCouldNotShow) {
  LivePage page(describe_run());
  LiveFrame f;
  constexpr std::uint64_t kTicks = 100000;
  for (std::uint64_t n = 0; n < kTicks; ++n) {
    f.t = 1e-6 * static_cast<double>(n);
    f.force = n == 10 ? 77 : 1;
    f.ticks = n + 1;
    page.push(f);
  }
  Request stream(page.address(), path_of(page) + "stream");
  Json message;
  while (!message.contains("now") || message["now"]["ticks"] != kTicks) {
    const std::optional<Json> next = stream.next();
    ASSERT_TRUE(next);
    message = *next;
  }
  EXPECT_GT(message["dropped"], 0);
  EXPECT_LT(message["dropped"], kTicks);
  EXPECT_EQ(message["now"]["peaks"]["force"], Json({77.0, 1e-5}));
}

// A page that does not read, though half a minute of points is waiting for it, must hold up neither the run nor
// the other pages.
TEST(LivePage, IsNotHeldUpByAPageThatDoesNotRead) {
  LivePage page(describe_run());
  Request awake(page.address(), path_of(page) + "stream");
  LiveFrame f;
  const auto tick_and_follow = [&](int ticks) {
    for (int k = 0; k < ticks; ++k) {
      f.t += 1e-3, ++f.ticks;
      f.force = f.gap = f.energy = std::sin(static_cast<double>(f.ticks));
      page.push(f);
    }
    for (std::uint64_t seen = 0; seen < f.ticks;) {
      const std::optional<Json> message = awake.next();
      if (!message) return false;
      if (message->contains("now")) seen = message->at("now")["ticks"];
    }
    return true;
  };
  for (int n = 0; n < 15; ++n) ASSERT_TRUE(tick_and_follow(2000));
  Request asleep(page.address(), path_of(page) + "stream");
  EXPECT_EQ(asleep.status(), 200);
  const auto begin = std::chrono::steady_clock::now();
  for (int n = 0; n < 10; ++n) ASSERT_TRUE(tick_and_follow(200));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
  // It had been sent a part of its first message alone.
  const std::size_t waiting = asleep.available();
  const std::optional<Json> first = asleep.next();
  ASSERT_TRUE(first);
  EXPECT_GT(first->dump().size(), 2 * waiting);
}

TEST(LivePage, RefusesMorePagesThanItHasThreadsFor) {
  const LivePage page(describe_run());
  std::vector<std::unique_ptr<Request>> pages;
  for (int n = 0; n < LoopbackServer::kMostStreams; ++n) {
    pages.push_back(std::make_unique<Request>(page.address(), path_of(page) + "stream"));
    EXPECT_EQ(pages.back()->status(), 200);
  }
  EXPECT_EQ(Request(page.address(), path_of(page) + "stream").status(), 503);
  EXPECT_EQ(Request(page.address(), path_of(page)).status(), 200);
  // One that is closed makes room, when the server next writes to it.
  pages.pop_back();
  int status = 0;
  for (int n = 0; n < 50 && status != 200; ++n) {
    std::this_thread::sleep_for(100ms);
    status = Request(page.address(), path_of(page) + "stream").status();
  }
  EXPECT_EQ(status, 200);
}

TEST(LivePage, SendsTheVerdictBeforeItEnds) {
  std::optional<LivePage> page(std::in_place, describe_run());
  Request stream(page->address(), path_of(*page) + "stream");
  EXPECT_EQ(stream.next()->at("state"), "armed");
  LiveFrame f;
  f.ticks = 41;
  page->push(f);
  page->set_state(LiveState::stopped, "captured", LiveLevel::good);
  const auto begin = std::chrono::steady_clock::now();
  page.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
  Json last;
  std::uint64_t ticks = 0;
  while (const std::optional<Json> message = stream.next()) {
    last = *message;
    if (last.contains("now")) ticks = last["now"]["ticks"];
  }
  EXPECT_EQ(last["state"], "stopped");
  EXPECT_EQ(last["verdict"], "captured");
  EXPECT_EQ(last["level"], "good");
  EXPECT_EQ(ticks, 41U);
}

// Alive, though nothing happens: at least one message a second.
TEST(LivePage, IsHeardEverySecond) {
  const LivePage page(describe_run());
  Request stream(page.address(), path_of(page) + "stream");
  ASSERT_TRUE(stream.next());
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(stream.next());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2500ms);
}

}  // namespace
}  // namespace berth::test::live_page_test
