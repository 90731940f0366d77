// SPDX-License-Identifier: Apache-2.0
#include "berth/record/event_log.h"

#include <algorithm>
#include <cerrno>

#include "berth/record/hdf5_file.h"
#include "berth/record/record_error.h"

namespace berth {
namespace {

// In the store: the time, then each text with its length in front.
bool put(std::FILE* store, const std::string& text) {
  const std::uint64_t length = text.size();
  return std::fwrite(&length, sizeof length, 1, store) == 1 &&
         std::fwrite(text.data(), 1, text.size(), store) == text.size();
}

bool get(std::FILE* store, std::string& text) {
  std::uint64_t length = 0;
  if (std::fread(&length, sizeof length, 1, store) != 1) return false;
  text.resize(length);
  return std::fread(text.data(), 1, text.size(), store) == text.size();
}

void extend(TextExtent& extent, const std::string& text) {
  extent.longest = std::max(extent.longest, text.size());
  extent.ascii = extent.ascii && is_ascii(text);
}

}  // namespace

void EventLog::add(const LoggedEvent& event) {
  if (!store_) store_.reset(std::tmpfile());
  if (!store_) throw RecordError(file_, "cannot make a temporary file for events", errno);
  std::FILE* store = store_.get();
  if (std::fwrite(&event.time, sizeof event.time, 1, store) != 1 || !put(store, event.kind) ||
      !put(store, event.name) || !put(store, event.details))
    throw RecordError(file_, "cannot write events to a temporary file", errno);
  // Nothing is left in a buffer that a forked process would write once more.
  if (std::fflush(store) != 0)
    throw RecordError(file_, "cannot write events to a temporary file", errno);
  extend(kind_, event.kind);
  extend(name_, event.name);
  extend(details_, event.details);
  ++count_;
}

void EventLog::read(const std::function<void(const LoggedEvent&)>& take) {
  if (!store_) return;
  std::FILE* store = store_.get();
  if (std::fflush(store) != 0 || std::fseek(store, 0, SEEK_SET) != 0)
    throw RecordError(file_, "cannot write events to a temporary file", errno);
  LoggedEvent event;
  for (std::uint64_t i = 0; i < count_; ++i) {
    if (std::fread(&event.time, sizeof event.time, 1, store) != 1 || !get(store, event.kind) ||
        !get(store, event.name) || !get(store, event.details))
      throw RecordError(file_, "cannot read events back from a temporary file", errno);
    take(event);
  }
}

}  // namespace berth
