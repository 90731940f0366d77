// SPDX-License-Identifier: Apache-2.0
#include "berth/app/page_server.h"

#include <array>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>
#include <nlohmann/json.hpp>
#include <sys/random.h>

namespace berth {
namespace {

// Names of the scenario reach this frame as text alone.
constexpr const char* kFrame = R"(<!doctype html>
<html lang="en"><meta charset="utf-8"><title>berth watch</title>
<style>
html, body { height: 100%; margin: 0; background: #111 }
body { display: flex; flex-direction: column }
iframe { flex: 1; border: 0; width: 100% }
pre { margin: 0; padding: 12px 16px; white-space: pre-wrap; font: 14px/1.5 monospace;
      background: #5c1a00; color: #fff; max-height: 40vh; overflow: auto }
pre:empty { display: none }
</style>
<pre role="status" aria-live="polite"></pre>
<iframe title="page of the run"></iframe>
<script>
const problems = document.querySelector('pre'), frame = document.querySelector('iframe');
let seen = 0, shown = 0;
async function follow() {
  for (;;) {
    try {
      const state = await (await fetch('state?' + seen)).json();
      seen = state.number;
      problems.textContent = state.problems;
      if (state.page !== shown) {
        const hash = shown ? frame.contentWindow.location.hash : location.hash;
        shown = state.page;
        frame.src = 'page?' + shown + hash;
      }
    } catch {
      problems.textContent = 'berth watch has ended; the page is the last one.';
      return;
    }
  }
}
follow();
</script>
)";

std::string make_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("no random numbers for the address of the page");
  std::string out;
  for (const unsigned char b : bytes) out += fmt::format("{:02x}", b);
  return out;
}

}  // namespace

struct PageServer::State {
  httplib::Server server;
  std::string token = make_token();
  int port = 0;
  std::thread thread;

  std::mutex mutex;
  std::condition_variable changed;
  bool ends = false;
  std::uint64_t number = 0, page_number = 0;
  std::string page, problems;

  void set_up() {
    server.new_task_queue = [] { return new httplib::ThreadPool(8); };
    server.set_pre_routing_handler([this](const httplib::Request& q, httplib::Response& r) {
      const std::string host = q.get_header_value("Host");
      if (host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port))
        return httplib::Server::HandlerResponse::Unhandled;
      r.status = 403;
      return httplib::Server::HandlerResponse::Handled;
    });
    server.set_default_headers(
        {{"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"}});
    server.Get("/" + token + "/", [](const httplib::Request&, httplib::Response& r) {
      r.set_content(kFrame, "text/html; charset=utf-8");
    });
    server.Get("/" + token + "/page", [this](const httplib::Request&, httplib::Response& r) {
      const std::scoped_lock lock(mutex);
      r.set_content(page, "text/html; charset=utf-8");
    });
    server.Get("/" + token + "/state", [this](const httplib::Request& q, httplib::Response& r) {
      const std::string seen = q.params.empty() ? "" : q.params.begin()->first;
      std::unique_lock lock(mutex);
      changed.wait_for(lock, std::chrono::seconds(20),
                       [&] { return ends || std::to_string(number) != seen; });
      const nlohmann::json state = {
          {"number", number}, {"page", page_number}, {"problems", problems}};
      r.set_content(state.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace),
                    "application/json");
    });
  }
  void publish(auto&& change) {
    {
      const std::scoped_lock lock(mutex);
      change();
      ++number;
    }
    changed.notify_all();
  }
};

PageServer::PageServer() : state_(std::make_unique<State>()) {
  state_->port = state_->server.bind_to_any_port("127.0.0.1");
  if (state_->port <= 0) throw std::runtime_error("no port on 127.0.0.1 can be had");
  state_->set_up();
  state_->thread = std::thread([s = state_.get()] { s->server.listen_after_bind(); });
}

PageServer::~PageServer() {
  state_->publish([&] { state_->ends = true; });
  // Only a server that runs can be stopped.
  while (!state_->server.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  state_->server.stop();
  state_->thread.join();
}

std::string PageServer::address() const {
  return fmt::format("http://127.0.0.1:{}/{}/", state_->port, state_->token);
}

void PageServer::show(std::string page) {
  state_->publish([&] {
    state_->page = std::move(page);
    state_->page_number = state_->number + 1;
    state_->problems.clear();
  });
}

void PageServer::show_problems(std::string text) {
  state_->publish([&] { state_->problems = std::move(text); });
}

}  // namespace berth
