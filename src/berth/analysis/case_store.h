// SPDX-License-Identifier: Apache-2.0
#pragma once

// CaseStore — the results of a study's cases, by number, in any order of arrival.
//
//   CaseStore store(folder, columns);
//   store.set(4711, result);
//   store.for_each(0, store.size(), [](std::uint64_t number, const CaseResult& result) { … });
//
// They lie in two files without a name, which go with the process: rows of equal size, and the texts they
// point to. Memory holds a bit per case and the most frequent texts, however many cases there are. One thread
// at a time.

#include <filesystem>
#include <functional>
#include <span>
#include <unordered_map>

#include "berth/analysis/case_result.h"

namespace berth {

struct CaseRange {
  std::uint64_t first, last;  // before `last`
  std::uint64_t size() const { return last - first; }
};

class CaseStore {
 public:
  // Files are made in `folder`. Throws a RecordError when they cannot be written, as all below do.
  CaseStore(const std::filesystem::path& folder, std::vector<Collected> columns);
  ~CaseStore();
  CaseStore(const CaseStore&) = delete;
  CaseStore& operator=(const CaseStore&) = delete;

  const std::vector<Collected>& columns() const { return columns_; }
  std::uint64_t finished() const { return finished_; }
  bool has(std::uint64_t number) const { return number < is_there_.size() && is_there_[number]; }

  void set(std::uint64_t number, const CaseResult& result);
  // Of one that is there.
  CaseResult get(std::uint64_t number) const;

  // Cases from `first` to before `last`, those that are there.
  using Visitor = std::function<void(std::uint64_t number, const CaseResult& result)>;
  void for_each(std::uint64_t first, std::uint64_t last, const Visitor& visit) const;
  // The `place`-th number of those cases; NaN where there is none.
  std::vector<double> numbers(std::size_t place, std::uint64_t first, std::uint64_t last) const;
  std::vector<bool> find_expected(std::uint64_t first, std::uint64_t last) const;

 private:
  using Offset = std::uint64_t;

  Offset keep(const std::string& text);
  std::string find_text(Offset at) const;
  CaseResult read_row(const char* row) const;
  // Whole rows, block by block.
  void for_each_row(std::uint64_t first, std::uint64_t last,
                    const std::function<void(std::uint64_t, const char*)>& visit) const;

  std::filesystem::path folder_;
  std::vector<Collected> columns_;
  CaseShape shape_;
  std::size_t row_size_;
  int rows_ = -1, texts_ = -1;  // descriptors
  Offset texts_end_ = 0;
  std::vector<bool> is_there_;
  std::uint64_t finished_ = 0;
  std::unordered_map<std::string, Offset> known_;
  mutable std::unordered_map<Offset, std::string> read_;
};

// The place among the numbers of a case at which a column begins.
std::size_t find_place(std::span<const Collected> columns, std::size_t column);

}  // namespace berth
