// SPDX-License-Identifier: Apache-2.0
#include "berth/app/page_server.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>
#include <nlohmann/json.hpp>
#include <pthread.h>
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

void leave_real_time() {
  const sched_param usual{};
  pthread_setschedparam(pthread_self(), SCHED_OTHER, &usual);
}

struct LoopbackServer::State {
  httplib::Server server;
  std::string token = make_token();
  int port = 0;
  std::thread thread;
  std::atomic<int> streams = 0;
};

LoopbackServer::LoopbackServer() : state_(std::make_unique<State>()) {
  httplib::Server& server = state_->server;
  state_->port = server.bind_to_any_port("127.0.0.1");
  if (state_->port <= 0) throw std::runtime_error("no port on 127.0.0.1 can be had");
  server.new_task_queue = [] { return new httplib::ThreadPool(8); };
  server.set_pre_routing_handler(
      [port = state_->port](const httplib::Request& q, httplib::Response& r) {
        const std::string host = q.get_header_value("Host");
        if (host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port))
          return httplib::Server::HandlerResponse::Unhandled;
        r.status = 403;
        return httplib::Server::HandlerResponse::Handled;
      });
  server.set_write_timeout(2);  // [s] a page that does not read does not keep a thread for long
  server.set_default_headers(
      {{"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"}});
}

LoopbackServer::~LoopbackServer() { stop(); }

std::string LoopbackServer::address() const {
  return fmt::format("http://127.0.0.1:{}/{}/", state_->port, state_->token);
}

void LoopbackServer::answer(const std::string& path, Answer answer) {
  state_->server.Get("/" + state_->token + "/" + path,
                     [answer = std::move(answer)](const httplib::Request& q, httplib::Response& r) {
                       const Reply reply = answer(q.params.empty() ? "" : q.params.begin()->first);
                       r.set_content(reply.body, reply.type);
                     });
}

void LoopbackServer::stream(const std::string& path, std::function<Source()> open) {
  state_->server.Get(
      "/" + state_->token + "/" + path,
      [s = state_.get(), open = std::move(open)](const httplib::Request&, httplib::Response& r) {
        if (++s->streams > kMostStreams) {
          --s->streams;
          r.status = 503;
          return;
        }
        r.set_chunked_content_provider(
            "text/event-stream",
            [source = open()](std::size_t, httplib::DataSink& sink) {
              const std::optional<std::string> piece = source();
              if (!piece) {
                sink.done();
                return true;
              }
              // An empty piece is sent as a comment: only so is a page found that has gone.
              const std::string text = piece->empty() ? ":\n\n" : "data: " + *piece + "\n\n";
              return sink.write(text.data(), text.size());
            },
            [s](bool) { --s->streams; });
      });
}

void LoopbackServer::start() {
  state_->thread = std::thread([s = state_.get()] {
    leave_real_time();
    s->server.listen_after_bind();
  });
}

void LoopbackServer::stop() {
  if (!state_->thread.joinable()) return;
  // Only a server that runs can be stopped.
  while (!state_->server.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  state_->server.stop();
  state_->thread.join();
}

struct PageServer::State {
  std::mutex mutex;
  std::condition_variable changed;
  bool ends = false;
  std::uint64_t number = 0, page_number = 0;
  std::string page, problems;
  LoopbackServer server;  // ends first: it uses what is above

  void set_up() {
    server.answer("", [](const std::string&) {
      return LoopbackServer::Reply{"text/html; charset=utf-8", kFrame};
    });
    server.answer("page", [this](const std::string&) {
      const std::scoped_lock lock(mutex);
      return LoopbackServer::Reply{"text/html; charset=utf-8", page};
    });
    server.answer("state", [this](const std::string& seen) {
      std::unique_lock lock(mutex);
      changed.wait_for(lock, std::chrono::seconds(20),
                       [&] { return ends || std::to_string(number) != seen; });
      const nlohmann::json state = {
          {"number", number}, {"page", page_number}, {"problems", problems}};
      return LoopbackServer::Reply{
          "application/json", state.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace)};
    });
    server.start();
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

PageServer::PageServer() : state_(std::make_unique<State>()) { state_->set_up(); }

PageServer::~PageServer() {
  state_->publish([&] { state_->ends = true; });
  state_->server.stop();
}

std::string PageServer::address() const { return state_->server.address(); }

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
