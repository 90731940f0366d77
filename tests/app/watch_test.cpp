// SPDX-License-Identifier: Apache-2.0

// `berth watch` as a user runs it: a scenario saved in an editor, a page in a browser.

#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/process.h"

namespace berth::test::watch_test {
namespace {

struct Reply {
  int status = 0;
  std::string body;
};

// One request, as a browser sends it; `host` instead of the right one.
Reply get(int port, const std::string& path, const std::string& host = "") {
  const int s = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  Reply reply;
  if (::connect(s, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) {
    const std::string request = "GET " + path + " HTTP/1.1\r\nHost: " +
                                (host.empty() ? "127.0.0.1:" + std::to_string(port) : host) +
                                "\r\nConnection: close\r\n\r\n";
    [[maybe_unused]] const auto sent = ::send(s, request.data(), request.size(), MSG_NOSIGNAL);
    std::string all;
    char bytes[65536];
    for (ssize_t n; (n = ::recv(s, bytes, sizeof bytes, 0)) > 0;)
      all.append(bytes, static_cast<std::size_t>(n));
    if (all.size() > 12) reply.status = std::stoi(all.substr(9, 3));
    if (const std::size_t end = all.find("\r\n\r\n"); end != std::string::npos)
      reply.body = all.substr(end + 4);
  }
  ::close(s);
  return reply;
}

class Watch : public testing::Test {
 protected:
  static std::string scenario(const std::string& title, double stop = 0.5) {
    return "title = \"" + title + "\"\n[time]\nstop = " + std::to_string(stop) +
           "\n[[spacecraft]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n[spacecraft.state]\n";
  }
  // Whole at once, as editors do: a file that is still empty has problems of its own.
  void save(const std::string& text) {
    write_bytes(folder_ / "x.new", text);
    std::filesystem::rename(folder_ / "x.new", folder_ / "x.toml");
  }

  void start() {
    process_.emplace(std::vector<std::string>{"watch", "x.toml", "--no-browser"},
                     ProcessOptions{.folder = folder_.path(),
                                    .standard_output = (folder_ / "out").string(),
                                    .standard_error = (folder_ / "err").string(),
                                    .patience = 60});
    for (int i = 0; i < 400 && port_ == 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
      const std::string out =
          std::filesystem::exists(folder_ / "out") ? read_bytes(folder_ / "out") : "";
      const std::size_t at = out.find("http://127.0.0.1:"), end = out.find('\n');
      if (at == std::string::npos || end == std::string::npos) continue;
      port_ = std::stoi(out.substr(at + 17));
      path_ = out.substr(out.find('/', at + 17), end - out.find('/', at + 17));
    }
    ASSERT_GT(port_, 0) << read_bytes(folder_ / "err");
  }
  // What the frame asks for: waits until there is something newer.
  nlohmann::json next_state() {
    const Reply r = get(port_, path_ + "state?" + std::to_string(seen_));
    EXPECT_EQ(r.status, 200);
    const nlohmann::json state = nlohmann::json::parse(r.body);
    seen_ = state["number"].get<int>();
    return state;
  }

  TemporaryFolder folder_;
  std::optional<Process> process_;
  int port_ = 0, seen_ = 0;
  std::string path_;
};

TEST_F(Watch, ExchangesThePageWhenTheScenarioIsSaved) {
  save(scenario("first title"));
  start();
  ASSERT_EQ(next_state()["page"], 1);
  EXPECT_NE(get(port_, path_ + "page").body.find("first title"), std::string::npos);
  EXPECT_EQ(get(port_, path_).status, 200);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "x.html"));

  const auto saved = std::chrono::steady_clock::now();
  save(scenario("second title"));
  ASSERT_EQ(next_state()["page"], 2);
  EXPECT_LT(std::chrono::steady_clock::now() - saved, std::chrono::seconds(20));
  EXPECT_NE(get(port_, path_ + "page").body.find("second title"), std::string::npos);

  process_->send(SIGINT);
  const Ended end = process_->wait();
  EXPECT_EQ(end.code, 0);
}

TEST_F(Watch, ShowsWhatIsWrongAboveThePageThatWas) {
  save(scenario("right"));
  start();
  ASSERT_EQ(next_state()["page"], 1);
  save(scenario("<b>wrong</b>") + "mas = 2\n");
  const nlohmann::json state = next_state();
  EXPECT_EQ(state["page"], 1);
  EXPECT_NE(state["problems"].get<std::string>().find("mas"), std::string::npos) << state;
  save(scenario("right again"));
  EXPECT_EQ(next_state()["problems"], "");
}

// Saved again while it runs: nobody waits for the end of a run that is no longer wanted.
TEST_F(Watch, LeavesARunThatIsSavedAgain) {
  save(scenario("endless", 1e6) + "omega_BN_B = [1, 2, 3]\n[integrator]\nmax_step = 0.01\n");
  start();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  save(scenario("short"));
  ASSERT_EQ(next_state()["page"], 1);
  EXPECT_NE(get(port_, path_ + "page").body.find("short"), std::string::npos);
}

TEST_F(Watch, AnswersNobodyWithoutTheToken) {
  save(scenario("secret"));
  start();
  ASSERT_EQ(next_state()["page"], 1);
  for (const char* path : {"/", "/page", "/state", "/0123456789abcdef/page"})
    EXPECT_EQ(get(port_, path).status, 404) << path;
  EXPECT_EQ(get(port_, path_ + "page", "evil.example").status, 403);
  EXPECT_EQ(get(port_, path_ + "page", "localhost:" + std::to_string(port_)).status, 200);
}

TEST(WatchInput, OfAMissingFileEndsAtOnce) {
  const Ended end = run_berth({"watch", "nobody.toml", "--no-browser"});
  EXPECT_EQ(end.code, 2);
  EXPECT_NE(end.err.find("there is no such file"), std::string::npos) << end.err;
}

TEST(WatchInput, OpenNeedsAPage) {
  const Ended end = run_berth({"run", shipped_scenario("free_body"), "--no-out", "--open"});
  EXPECT_EQ(end.code, 2);
}

}  // namespace
}  // namespace berth::test::watch_test
