// SPDX-License-Identifier: Apache-2.0
#pragma once

// PageServer — shows a page in a browser and exchanges it when it changes.
//
//   GET /TOKEN/          a frame around the page, with what is wrong above it
//   GET /TOKEN/page      the page
//   GET /TOKEN/state?n   waits until there is something newer than n: its number, and problems
//
// It listens on the loopback interface alone, on a port of its own, and answers nobody who does not
// know the token. Requests that name another host are refused: a page from elsewhere whose name
// resolves to this machine learns nothing.

#include <memory>
#include <string>

namespace berth {

class PageServer {
 public:
  PageServer();  // throws std::runtime_error when no port can be had
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  // http://127.0.0.1:PORT/TOKEN/
  std::string address() const;

  void show(std::string page);
  // Above the page that was there, until the next is shown.
  void show_problems(std::string text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace berth
