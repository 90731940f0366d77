// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pages for a browser on this machine, and nobody else.
//
// LoopbackServer — answers under http://127.0.0.1:PORT/TOKEN/. It listens on the loopback interface alone, on
// a port of its own, and answers nobody who does not know the token. Requests that name another host are
// refused: a page from elsewhere whose name resolves to this machine learns nothing.
//
// PageServer — shows a page and exchanges it when it changes.
//
//   GET /TOKEN/          a frame around the page, with what is wrong above it
//   GET /TOKEN/page      the page
//   GET /TOKEN/state?n   waits until there is something newer than n: its number, and problems

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace berth {

class LoopbackServer {
 public:
  struct Reply {
    std::string type;  // "text/html; charset=utf-8"
    std::string body;
  };
  // What stands behind the "?" of a request.
  using Answer = std::function<Reply(const std::string& query)>;
  // The next piece of a stream; waits for it, for a second at most, or gives an empty one. Nothing ends it.
  using Source = std::function<std::optional<std::string>()>;

  LoopbackServer();  // throws std::runtime_error when no port can be had
  ~LoopbackServer();
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  // http://127.0.0.1:PORT/TOKEN/
  std::string address() const;

  // Before start(): `path` is what follows the token, "" for the first page.
  void answer(const std::string& path, Answer answer);
  // Events for a page (EventSource). Each connection has a source of its own; beyond kMostStreams at a time
  // further ones are refused (503), since each keeps a thread.
  void stream(const std::string& path, std::function<Source()> open);
  static constexpr int kMostStreams = 6;

  void start();
  // Waits for requests that are being answered: who answers must not wait any longer.
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A thread inherits the priority of who starts it, which may be that of a real-time loop: the calling one
// becomes a usual thread.
void leave_real_time();

class PageServer {
 public:
  PageServer();  // throws std::runtime_error when no port can be had
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  std::string address() const;

  void show(std::string page);
  // Above the page that was there, until the next is shown.
  void show_problems(std::string text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace berth
