// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/sweep_journal.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <limits>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "berth/analysis/vary.h"
#include "berth/record/crc32.h"
#include "berth/record/input_file.h"
#include "berth/record/json_text.h"
#include "berth/record/record_error.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kTail = 10;  // " #1c291ca3"

std::string with_checksum(std::string text, std::uint32_t before) {
  return text + fmt::format(" #{:08x}", find_crc32(text, before));
}

// The text before the checksum, or nothing when that does not fit it.
std::optional<std::string_view> check_line(std::string_view line, std::uint32_t before) {
  if (line.size() < kTail || !line.substr(line.size() - kTail).starts_with(" #")) return {};
  const std::string_view text = line.substr(0, line.size() - kTail);
  std::uint32_t stated = 0;
  const auto [end, error] =
      std::from_chars(line.data() + line.size() - 8, line.data() + line.size(), stated, 16);
  if (error != std::errc{} || end != line.data() + line.size()) return {};
  return stated == find_crc32(text, before) ? std::optional(text) : std::nullopt;
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

struct Header {
  Json identity;
  std::vector<Collected> columns;
};
std::optional<Header> read_first_line(std::string_view line) {
  const std::optional<std::string_view> text = check_line(line, 0);
  Header out;
  out.identity = text ? Json::parse(*text, nullptr, false) : Json();
  if (!out.identity.is_object()) return std::nullopt;
  try {
    for (const Json& c : out.identity.at("columns"))
      out.columns.push_back({c.at("path").get<std::string>(), c.at("text").get<bool>(),
                             c.at("unit").get<std::string>(), c.at("meaning").get<std::string>(),
                             read_whole(c.at("width"))});
  } catch (const Json::exception&) {
    return std::nullopt;
  }
  out.identity.erase("columns");
  return out;
}

CaseLines::Entry read_entry(const Json& line) {
  CaseLines::Entry entry{read_whole(line.at("case")), {}};
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

std::vector<std::string> find_differences(const Json& journal, const Json& sweep) {
  std::vector<std::string> list;
  std::vector<std::string> keys;
  for (const auto& [key, value] : sweep.items()) keys.push_back(key);
  if (journal.is_object())
    for (const auto& [key, value] : journal.items())
      if (!sweep.contains(key)) keys.push_back(key);
  const auto value_of = [](const Json& of, const std::string& key) {
    return of.is_object() && of.contains(key) ? of[key] : Json();
  };
  for (const std::string& key : keys) {
    const Json found = value_of(journal, key), wanted = value_of(sweep, key);
    if (found == wanted) continue;
    if (key == "scenario") {
      list.emplace_back("the scenario or its settings (--set) are others");
    } else {
      list.push_back(fmt::format("{} was {}, is {}", key, found.dump(), wanted.dump()));
    }
  }
  return list;
}

CaseLines::CaseLines(const Json& identity, const std::vector<Collected>& columns)
    : shape_(columns) {
  Json header = identity;
  header["columns"] = Json::array();
  for (const Collected& c : columns)
    header["columns"].push_back({{"path", c.path},
                                 {"text", c.is_text},
                                 {"unit", c.unit},
                                 {"meaning", c.meaning},
                                 {"width", c.width}});
  header_ = with_checksum(to_text(header), 0);
  before_ = find_crc32(header_);
}

std::string CaseLines::write(std::uint64_t number, const CaseResult& result) const {
  return with_checksum(to_text(to_json(number, result)), before_);
}

std::optional<CaseLines::Entry> CaseLines::read(std::string_view line) const {
  const std::optional<std::string_view> text = check_line(line, before_);
  if (!text) return std::nullopt;
  const Json json = Json::parse(*text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  try {
    Entry entry = read_entry(json);
    if (entry.number >= kMostCases || entry.result.texts.size() != shape_.texts ||
        entry.result.numbers.size() != shape_.numbers)
      return std::nullopt;
    return entry;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::filesystem::path find_journal_of(const std::filesystem::path& result) {
  return result.string() + ".journal";
}

SweepJournal::SweepJournal(std::filesystem::path path) : path_(std::move(path)) {
  try {
    open();
    read_header();
  } catch (...) {
    if (descriptor_ >= 0) ::close(descriptor_);
    throw;
  }
}

void SweepJournal::open() {
  for (;;) {
    // What is no regular file is not waited for.
    descriptor_ = ::open(path_.c_str(),
                         O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    struct stat file {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &file) != 0)
      throw RecordError(path_.string(), "cannot write", errno);
    if (const std::string why = find_kind_problem(file.st_mode); !why.empty())
      throw RecordError(path_.string(), why);
    lock_.emplace(descriptor_, path_);
    if (!lock_->is_held())
      throw RecordError(
          path_.string(),
          "another sweep is writing it" + (lock_->holder().empty() ? "" : ": " + lock_->holder()));
    // Another sweep may have ended, and removed it, between the two calls.
    if (::fstat(descriptor_, &file) == 0 && file.st_nlink > 0) return;
    lock_.reset();
    ::close(std::exchange(descriptor_, -1));
  }
}

SweepJournal::~SweepJournal() {
  if (descriptor_ < 0) return;
  if (was_empty_ && !keep_) ::unlink(path_.c_str());
  ::close(descriptor_);
}

void SweepJournal::check_read(const LineReader& lines) const {
  if (lines.error()) throw RecordError(path_.string(), "cannot read", lines.error());
}

void SweepJournal::read_header() {
  LineReader lines(descriptor_);
  std::string line;
  const bool has_end = lines.next(line);
  check_read(lines);
  if (!has_end && line.empty()) return;
  // A first line without an end is that of a kill, or of a full disk: nothing is left then.
  constexpr std::string_view begin = R"({"journal")";
  was_empty_ = !has_end && (line.starts_with(begin) || begin.starts_with(line));
  if (!has_end) return;
  if (auto header = read_first_line(line)) {
    identity_ = std::move(header->identity);
    columns_ = std::move(header->columns);
    lines_.emplace(identity_, columns_);
  }
}

JournalFacts read_journal_facts(const std::filesystem::path& path) {
  const InputFile in(path, "");
  LineReader lines(in.descriptor());
  std::string line;
  if (!in.problem().empty() || !lines.next(line)) return {};
  auto header = read_first_line(line);
  if (!header) return {};
  JournalFacts facts{std::move(header->identity), 0};
  while (lines.next(line)) ++facts.cases;
  if (lines.error()) return {};
  return facts;
}

std::vector<std::uint64_t> SweepJournal::read(const std::function<void(CaseLines::Entry)>& take) {
  std::vector<std::uint64_t> damaged;
  LineReader lines(descriptor_);
  std::string line;
  std::uint64_t whole = 0;
  for (std::uint64_t number = 1; lines.next(line); ++number) {
    whole += line.size() + 1;
    if (number == 1) continue;
    if (std::optional<CaseLines::Entry> entry = lines_->read(line)) {
      take(std::move(*entry));
    } else {
      damaged.push_back(number);
    }
  }
  // Behind what cannot be read now there may be more: nothing is cut off, no case is run again.
  check_read(lines);
  if (::ftruncate(descriptor_, static_cast<::off_t>(whole)) != 0)
    throw RecordError(path_.string(), "cannot write", errno);
  keep_ = true;
  return damaged;
}

void SweepJournal::start(const Json& identity, const std::vector<Collected>& columns) {
  if (::ftruncate(descriptor_, 0) != 0) throw RecordError(path_.string(), "cannot write", errno);
  identity_ = identity;
  columns_ = columns;
  lines_.emplace(identity, columns);
  write(lines_->header());
}

void SweepJournal::add(std::uint64_t number, const CaseResult& result) {
  write(lines_->write(number, result));
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

int SweepJournal::remove() {
  const int failure = ::unlink(path_.c_str()) == 0 ? 0 : errno;
  ::close(std::exchange(descriptor_, -1));
  lock_.reset();
  return failure;
}

}  // namespace berth
