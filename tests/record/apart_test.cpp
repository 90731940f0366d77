// SPDX-License-Identifier: Apache-2.0

// What strangers made is read in a process that can do nothing else, and may die of it.

#include "berth/record/apart.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "berth/record/confine.h"

namespace berth::apart_test {
namespace {

constexpr std::uint64_t kMost = 1 << 30;

std::string find_refusal(const Apart::Answer& answer, std::string_view question = "?",
                         const ApartLimits& limits = {}) {
  Apart apart([&] { return answer; }, {}, limits);
  try {
    apart.ask(question, kMost);
  } catch (const ApartError& e) {
    return e.what();
  }
  return "";
}

TEST(Apart, AnswersShortAndLong) {
  Apart apart(
      [] {
        return [n = 0](std::string_view q) mutable {
          return std::string(std::stoul(std::string(q)), static_cast<char>('a' + n++));
        };
      },
      {});
  for (int n = 0; n < 3; ++n)
    for (const std::size_t length : {0, 1, 65536, 65537, 20'000'000}) {
      const std::string got = apart.ask(std::to_string(length), kMost);
      EXPECT_EQ(got.size(), length);
      EXPECT_EQ(got.find_first_not_of(got.empty() ? 'a' : got.front()), std::string::npos);
    }
}

TEST(Apart, SaysWhyItRefusesAndGoesOn) {
  Apart apart(
      [] {
        return [](std::string_view q) -> std::string {
          if (q == "no") throw std::runtime_error("is no good");
          return "yes";
        };
      },
      {});
  EXPECT_THROW(apart.ask("no", kMost), ApartError);
  EXPECT_EQ(apart.ask("", kMost), "yes");
}

TEST(Apart, RefusesAllWhereItCannotBegin) {
  Apart apart([]() -> Apart::Answer { throw std::runtime_error("is no file of ours"); }, {});
  for (int k = 0; k < 2; ++k) {
    try {
      apart.ask("", kMost);
      FAIL();
    } catch (const ApartError& e) {
      EXPECT_STREQ(e.what(), "is no file of ours");
    }
  }
}

TEST(Apart, SurvivesItsDeath) {
  EXPECT_EQ(find_refusal([](std::string_view) -> std::string { std::abort(); }),
            "is damaged: the library that reads it failed (signal 6)");
  EXPECT_EQ(find_refusal([](std::string_view) -> std::string {
              ::raise(SIGKILL);
              return "";
            }),
            "is damaged: the library that reads it failed (signal 9)");
}

TEST(Apart, RefusesAnAnswerThatIsLongerThanWasAskedFor) {
  Apart apart([] { return [](std::string_view) { return std::string(1'000'000, 'x'); }; }, {});
  EXPECT_THROW(apart.ask("", 999'999), ApartError);
  EXPECT_THROW(apart.ask("", kMost), ApartError) << "nothing it says counts any more";
}

TEST(Apart, EndsWhatDoesNotEnd) {
  const std::string why = find_refusal(
      [](std::string_view) -> std::string {
        for (std::atomic<int> k = 0;;) ++k;
      },
      "?", {.seconds = 1});
  EXPECT_EQ(why, "is damaged, or made to be: reading it did not end in 1 s");
}

TEST(Apart, HasLittleMemory) {
  if (!is_confining()) GTEST_SKIP() << "the sanitizer needs all of it";
  const std::string why =
      find_refusal([](std::string_view) { return std::string(800'000'000, 'x').substr(0, 1); });
  EXPECT_NE(why.find("too much memory"), std::string::npos) << why;
}

TEST(Apart, CanOpenNothingAndTalkToNobody) {
  if (!is_confining()) GTEST_SKIP() << "calls are free under the sanitizer";
  EXPECT_EQ(find_refusal([](std::string_view) {
              return std::string(::open("/etc/hostname", O_RDONLY) < 0 ? "" : "opened");
            }),
            "");
  const std::string tried = "is damaged, or made to be: reading it tried what it may not do";
  EXPECT_EQ(find_refusal(
                [](std::string_view) { return std::to_string(::socket(AF_INET, SOCK_STREAM, 0)); }),
            tried);
  EXPECT_EQ(find_refusal([](std::string_view) { return std::to_string(::fork()); }), tried);
  EXPECT_EQ(find_refusal([](std::string_view) {
              ::unlink("/tmp/nothing");
              return std::string();
            }),
            tried);
}

TEST(Apart, KeepsTheFilesItIsGivenAndNoOthers) {
  int other[2], given[2];
  ASSERT_EQ(::pipe(other), 0);
  ASSERT_EQ(::pipe(given), 0);
  Apart apart(
      [=] {
        return [=](std::string_view) {
          return std::to_string(::fcntl(given[0], F_GETFD) >= 0) +
                 std::to_string(::fcntl(other[0], F_GETFD) >= 0);
        };
      },
      std::vector{given[0]});
  EXPECT_EQ(apart.ask("", kMost), "10");
  for (const int k : {other[0], other[1], given[0], given[1]}) ::close(k);
}

TEST(Apart, AnswersSeveralThreadsOneAfterTheOther) {
  Apart apart([] { return [](std::string_view q) { return std::string(q) + std::string(q); }; },
              {});
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&, k] {
      for (int n = 0; n < 200; ++n) {
        const std::string q = std::to_string(1000 * k + n);
        EXPECT_EQ(apart.ask(q, kMost), q + q);
      }
    });
  for (std::thread& t : threads) t.join();
}

}  // namespace
}  // namespace berth::apart_test
