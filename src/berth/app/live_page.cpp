// SPDX-License-Identifier: Apache-2.0
#include "berth/app/live_page.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "berth/app/page_server.h"
#include "berth/live/live_history.h"
#include "berth/live/live_ring.h"
#include "berth/report/live_page_data.h"
#include "berth/report/page.h"

namespace berth {
namespace {

using namespace std::chrono_literals;
constexpr auto kPeriod = 34ms;     // of messages, at least
constexpr auto kHeartbeat = 1s;    // and at most
constexpr auto kFarewell = 500ms;  // for the last message to be sent

}  // namespace

struct LivePage::State {
  explicit State(const LiveDescription& description)
      : page(fill_template(live_template(), build_live_page_data(description))),
        ring(description.scene.empty() ? 0 : description.scene_width),
        history(description) {}

  const std::string page;
  LiveRing ring;

  std::mutex mutex;
  std::condition_variable changed;
  LiveHistory history;
  LiveStatus status;
  std::uint64_t dropped = 0;
  std::uint64_t version = 0;         // counts what pages should be sent
  int readers = 0, served = 0;       // pages, and those that have been sent the last version
  bool ends = false, ended = false;  // no more frames; nobody need wait any longer

  LoopbackServer server;
  std::thread taker;  // ends first: it uses what is above

  // All frames that are there; whether there were any.
  bool take_frames() {
    LiveFrame frame;
    LivePeaks peaks;
    bool any = false;
    const std::scoped_lock lock(mutex);
    while (ring.take(frame, peaks)) history.add(frame, peaks), any = true;
    if (any) history.close_stretch();
    dropped = ring.dropped();
    return any;
  }

  void publish(auto&& change) {
    {
      const std::scoped_lock lock(mutex);
      change();
      ++version;
      served = 0;
    }
    changed.notify_all();
  }

  void follow() {
    leave_real_time();
    for (;;) {
      {
        std::unique_lock lock(mutex);
        changed.wait_for(lock, kPeriod, [&] { return ends; });
        if (ends) break;
      }
      if (take_frames()) publish([] {});
    }
    take_frames();
    publish([] {});
  }

  // One page's messages.
  LoopbackServer::Source open() {
    struct Follower {
      explicit Follower(State& s) : state(s) {
        const std::scoped_lock lock(state.mutex);
        ++state.readers;
      }
      ~Follower() {
        {
          const std::scoped_lock lock(state.mutex);
          --state.readers;
        }
        state.changed.notify_all();
      }
      State& state;
      LiveHistory::Reader reader;
      std::uint64_t seen = 0;
      bool last = false;
    };
    return [f = std::make_shared<Follower>(*this)]() -> std::optional<std::string> {
      State& s = f->state;
      std::unique_lock lock(s.mutex);
      // Whoever comes back for more has been sent what it was given before.
      if (f->seen == s.version && f->last) ++s.served, f->last = false, s.changed.notify_all();
      s.changed.wait_for(lock, kHeartbeat,
                         [&] { return s.ended || !f->reader.begun || f->seen != s.version; });
      if (s.ended) return std::nullopt;
      f->seen = s.version;
      f->last = true;
      return s.history.build_message(f->reader, s.status, s.dropped);
    };
  }
};

LivePage::LivePage(const LiveDescription& description)
    : state_(std::make_unique<State>(description)) {
  State* const s = state_.get();
  s->server.answer("", [s](const std::string&) {
    return LoopbackServer::Reply{"text/html; charset=utf-8", s->page};
  });
  s->server.stream("stream", [s] { return s->open(); });
  s->server.start();
  s->taker = std::thread([s] { s->follow(); });
}

LivePage::~LivePage() {
  State& s = *state_;
  {
    const std::scoped_lock lock(s.mutex);
    s.ends = true;
  }
  s.changed.notify_all();
  s.taker.join();
  {
    std::unique_lock lock(s.mutex);
    s.changed.wait_for(lock, kFarewell, [&] { return s.served >= s.readers; });
    s.ended = true;
  }
  s.changed.notify_all();
  s.server.stop();
}

std::string LivePage::address() const { return state_->server.address(); }

void LivePage::push(const LiveFrame& frame) noexcept { state_->ring.push(frame); }

void LivePage::set_state(LiveState state, std::string verdict, LiveLevel level) {
  state_->publish([&] { state_->status = {state, std::move(verdict), level}; });
}

}  // namespace berth
