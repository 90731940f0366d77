// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/case_store.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include <fcntl.h>
#include <unistd.h>

#include "berth/record/record_error.h"

namespace berth {
namespace {

constexpr std::size_t kFixedTexts = 3;          // outcome, verdict, message
constexpr std::size_t kMostKnown = 1 << 16;     // texts in memory
constexpr std::size_t kBlockBytes = 4 << 20;    // of rows that are read at a time
constexpr std::size_t kFlags = sizeof(double);  // before the numbers, so that these are aligned

int open_nameless(const std::filesystem::path& folder) {
  const std::string where = folder.string();
  int descriptor = ::open(where.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor < 0) {  // a file system without such files
    std::string name = where + "/.cases-XXXXXX";
    descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor >= 0) ::unlink(name.c_str());
  }
  if (descriptor < 0)
    throw RecordError(where, "cannot make a temporary file for finished cases", errno);
  return descriptor;
}

void write_at(int descriptor, std::uint64_t at, const char* bytes, std::size_t size,
              const std::filesystem::path& folder) {
  while (size > 0) {
    const ::ssize_t n = ::pwrite(descriptor, bytes, size, static_cast<::off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      throw RecordError(folder.string(), "cannot write finished cases to a temporary file", errno);
    bytes += n, at += static_cast<std::uint64_t>(n), size -= static_cast<std::size_t>(n);
  }
}

// Behind the end of the file there are zeros.
void read_at(int descriptor, std::uint64_t at, char* bytes, std::size_t size,
             const std::filesystem::path& folder) {
  while (size > 0) {
    const ::ssize_t n = ::pread(descriptor, bytes, size, static_cast<::off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      throw RecordError(folder.string(), "cannot read finished cases back from a temporary file",
                        errno);
    if (n == 0) return void(std::memset(bytes, 0, size));
    bytes += n, at += static_cast<std::uint64_t>(n), size -= static_cast<std::size_t>(n);
  }
}

template <class T>
T take(const char*& from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  from += sizeof value;
  return value;
}

}  // namespace

CaseStore::CaseStore(const std::filesystem::path& folder, std::vector<Collected> columns)
    : folder_(folder.empty() ? "." : folder),
      columns_(std::move(columns)),
      shape_(columns_),
      row_size_(kFlags + sizeof(double) * shape_.numbers +
                sizeof(Offset) * (kFixedTexts + shape_.texts)) {
  rows_ = open_nameless(folder_);
  try {
    texts_ = open_nameless(folder_);
  } catch (...) {
    ::close(rows_);
    throw;
  }
}

CaseStore::~CaseStore() {
  ::close(rows_);
  ::close(texts_);
}

//   texts   length (8 bytes), bytes; next …
CaseStore::Offset CaseStore::keep(const std::string& text) {
  if (const auto found = known_.find(text); found != known_.end()) return found->second;
  const Offset at = texts_end_;
  const std::uint64_t length = text.size();
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  bytes += text;
  write_at(texts_, at, bytes.data(), bytes.size(), folder_);
  texts_end_ += bytes.size();
  if (known_.size() < kMostKnown) known_.emplace(text, at);
  return at;
}

std::string CaseStore::find_text(Offset at) const {
  if (const auto found = read_.find(at); found != read_.end()) return found->second;
  std::uint64_t length = 0;
  read_at(texts_, at, reinterpret_cast<char*>(&length), sizeof length, folder_);
  std::string text(length, '\0');
  read_at(texts_, at + sizeof length, text.data(), length, folder_);
  if (read_.size() < kMostKnown) read_.emplace(at, text);
  return text;
}

void CaseStore::set(std::uint64_t number, const CaseResult& result) {
  std::string row(kFlags, '\0');
  row[0] = result.as_expected ? 1 : 0;
  const auto add = [&](const auto& value) {
    row.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  for (const double x : result.numbers) add(x);
  for (const std::string* text : {&result.outcome, &result.verdict, &result.message})
    add(keep(*text));
  for (const std::string& text : result.texts) add(keep(text));
  row.resize(row_size_, '\0');
  write_at(rows_, number * row_size_, row.data(), row.size(), folder_);
  if (number >= is_there_.size()) is_there_.resize(number + 1);
  if (!is_there_[number]) ++finished_;
  is_there_[number] = true;
}

CaseResult CaseStore::read_row(const char* row) const {
  CaseResult out;
  out.as_expected = row[0] != 0;
  row += kFlags;
  for (std::size_t i = 0; i < shape_.numbers; ++i) out.numbers.push_back(take<double>(row));
  for (std::string* text : {&out.outcome, &out.verdict, &out.message})
    *text = find_text(take<Offset>(row));
  for (std::size_t i = 0; i < shape_.texts; ++i) out.texts.push_back(find_text(take<Offset>(row)));
  return out;
}

CaseResult CaseStore::get(std::uint64_t number) const {
  std::string row(row_size_, '\0');
  read_at(rows_, number * row_size_, row.data(), row.size(), folder_);
  return read_row(row.data());
}

void CaseStore::for_each_row(std::uint64_t first, std::uint64_t last,
                             const std::function<void(std::uint64_t, const char*)>& visit) const {
  last = std::min<std::uint64_t>(last, is_there_.size());
  const std::uint64_t most = std::max<std::uint64_t>(1, kBlockBytes / row_size_);
  std::string block;
  for (std::uint64_t at = first; at < last; at += most) {
    const std::uint64_t count = std::min(most, last - at);
    block.resize(count * row_size_);
    read_at(rows_, at * row_size_, block.data(), block.size(), folder_);
    for (std::uint64_t i = 0; i < count; ++i)
      if (is_there_[at + i]) visit(at + i, block.data() + i * row_size_);
  }
}

void CaseStore::for_each(std::uint64_t first, std::uint64_t last, const Visitor& visit) const {
  for_each_row(first, last,
               [&](std::uint64_t number, const char* row) { visit(number, read_row(row)); });
}

std::vector<double> CaseStore::numbers(std::size_t place, std::uint64_t first,
                                       std::uint64_t last) const {
  std::vector<double> out(last - first, std::numeric_limits<double>::quiet_NaN());
  for_each_row(first, last, [&](std::uint64_t number, const char* row) {
    std::memcpy(&out[number - first], row + kFlags + place * sizeof(double), sizeof(double));
  });
  return out;
}

std::vector<bool> CaseStore::find_expected(std::uint64_t first, std::uint64_t last) const {
  std::vector<bool> out(last - first);
  for_each_row(first, last,
               [&](std::uint64_t number, const char* row) { out[number - first] = row[0] != 0; });
  return out;
}

std::size_t find_place(std::span<const Collected> columns, std::size_t column) {
  std::size_t place = 0;
  for (std::size_t c = 0; c < column; ++c) place += columns[c].is_text ? 0 : columns[c].width;
  return place;
}

}  // namespace berth
