// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/sweep_journal.h"

#include <algorithm>
#include <cerrno>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "berth/record/json_text.h"
#include "berth/record/record_error.h"
#include "berth/version.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kJournalFormat = 2;

// FNV-1a: a number that is another for another text. Against accidents, not against malice.
std::string find_fingerprint(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

// NaN is null in JSON; all other numbers keep their bits.
Json to_json(std::uint64_t number, const CaseResult& r) {
  Json line = {{"case", number},
               {"outcome", r.outcome},
               {"verdict", r.verdict},
               {"message", r.message},
               {"as_expected", r.as_expected}};
  line["numbers"] = r.numbers;
  line["texts"] = r.texts;
  return line;
}

SweepJournal::Entry read_entry(const Json& line) {
  SweepJournal::Entry entry{line.at("case").get<std::uint64_t>(), {}};
  CaseResult& r = entry.result;
  r.outcome = line.at("outcome").get<std::string>();
  r.verdict = line.at("verdict").get<std::string>();
  r.message = line.at("message").get<std::string>();
  r.as_expected = line.at("as_expected").get<bool>();
  for (const Json& x : line.at("numbers"))
    r.numbers.push_back(x.is_null() ? std::numeric_limits<double>::quiet_NaN() : x.get<double>());
  r.texts = line.at("texts").get<std::vector<std::string>>();
  return entry;
}

}  // namespace

Json find_identity(const Sweep& sweep) {
  const Json facts = to_json(sweep);
  Json out;
  out["journal"] = kJournalFormat;
  out["version"] = facts["version"];
  out["scenario"] = find_fingerprint(sweep.source);
  for (const char* key : {"vary", "samples", "seed", "collect"}) out[key] = facts[key];
  return out;
}

std::vector<std::string> find_differences(const Json& journal, const Json& sweep) {
  std::vector<std::string> list;
  for (const auto& [key, wanted] : sweep.items()) {
    const Json found = journal.is_object() && journal.contains(key) ? journal[key] : Json();
    if (found == wanted) continue;
    if (key == "scenario") {
      list.emplace_back("the scenario or its settings (--set) are others");
    } else {
      list.push_back(fmt::format("{} was {}, is {}", key, found.dump(), wanted.dump()));
    }
  }
  return list;
}

SweepJournal::SweepJournal(std::filesystem::path path) : path_(std::move(path)) {
  for (;;) {
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor_ < 0) throw RecordError(path_.string(), "cannot write", errno);
    // A file system without locks answers with some other error: then there is nobody to fear.
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(descriptor_);
      throw RecordError(path_.string(), "another sweep is writing it");
    }
    // Another sweep may have ended, and removed it, between the two calls.
    struct stat file {};
    if (::fstat(descriptor_, &file) == 0 && file.st_nlink > 0) break;
    ::close(descriptor_);
  }
  read();
}

SweepJournal::~SweepJournal() {
  if (descriptor_ < 0) return;
  if (was_empty_ && !keep_) ::unlink(path_.c_str());
  ::close(descriptor_);
}

// Whole lines up to the first that is not what it should be; the rest is cut off.
void SweepJournal::read() {
  std::ifstream in(path_, std::ios::binary);
  std::string line;
  std::uint64_t good = 0;
  while (std::getline(in, line)) {
    // A line without an end is that of a kill; of a first line, nothing is left then.
    const bool is_cut = in.eof();
    if (good == 0) was_empty_ = is_cut && line.starts_with(R"({"journal")");
    if (is_cut) break;
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object()) break;
    try {
      if (good == 0) {
        for (const Json& c : json.at("columns"))
          columns_.push_back({c.at("path").get<std::string>(), c.at("text").get<bool>(),
                              c.at("unit").get<std::string>(), c.at("meaning").get<std::string>()});
        identity_ = json;
        identity_.erase("columns");
      } else {
        const auto texts = static_cast<std::size_t>(std::count_if(
            columns_.begin(), columns_.end(), [](const Collected& c) { return c.is_text; }));
        Entry entry = read_entry(json);
        if (entry.result.texts.size() != texts ||
            entry.result.numbers.size() != columns_.size() - texts)
          break;
        entries_.push_back(std::move(entry));
      }
    } catch (const Json::exception&) {
      break;
    }
    good += line.size() + 1;
  }
  // What never was a journal is not touched.
  if (good > 0 && ::ftruncate(descriptor_, static_cast<::off_t>(good)) != 0)
    throw RecordError(path_.string(), "cannot write", errno);
}

void SweepJournal::start(const Json& identity, const std::vector<Collected>& columns) {
  if (::ftruncate(descriptor_, 0) != 0) throw RecordError(path_.string(), "cannot write", errno);
  identity_ = identity;
  columns_ = columns;
  entries_.clear();
  Json header = identity;
  header["columns"] = Json::array();
  for (const Collected& c : columns)
    header["columns"].push_back(
        {{"path", c.path}, {"text", c.is_text}, {"unit", c.unit}, {"meaning", c.meaning}});
  write(to_text(header));
}

void SweepJournal::add(std::uint64_t number, const CaseResult& result) {
  write(to_text(to_json(number, result)));
}

// In one call, to the operating system: it survives the end of this process.
void SweepJournal::write(std::string line) {
  keep_ = true;
  line += '\n';
  std::string_view rest = line;
  while (!rest.empty()) {
    const ::ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw RecordError(path_.string(), "cannot write", errno);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

void SweepJournal::remove() {
  ::unlink(path_.c_str());
  ::close(descriptor_);
  descriptor_ = -1;
}

}  // namespace berth
