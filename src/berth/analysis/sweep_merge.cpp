// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/sweep_merge.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include <fmt/format.h>

#include "berth/analysis/sweep_journal.h"
#include "berth/interruption.h"
#include "berth/record/record_error.h"
#include "berth/version.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMergedRows = 4096;  // rows at a time

// A sweep without the part it is of.
Json find_whole_identity(Sweep sweep) {
  sweep.part = {};
  return find_identity(sweep);
}

// Which part a journal is of; 0: of none. It may be anybody's.
std::uint64_t find_part_number(const Json& identity) {
  const auto part = identity.find("part");
  const bool is_one = part != identity.end() && part->is_array() && part->size() == 2 &&
                      part->front().is_number_unsigned();
  return is_one ? part->front().get<std::uint64_t>() : 0;
}

class Merger {
 public:
  Merger(const MergeOptions& options, Problems& problems)
      : options_(options), problems_(problems) {}

  MergeResult merge() {
    const auto begin = std::chrono::steady_clock::now();
    for (const std::filesystem::path& path : options_.parts) open(path);
    MergeResult out;
    if (!problems_.empty() || !sweep_) return out;
    store_ = std::make_shared<CaseStore>(options_.h5.parent_path(), columns_);
    for (const auto& [k, path] : parts_) copy(path);
    out.missing = list_missing();
    SweepResult& r = out.result;
    r.store = store_;
    r.finished = store_->finished();
    r.range = {0, sweep_->plan.cases()};
    r.is_complete = out.missing.empty();
    sweep_->part = {};
    r.sweep = *sweep_;
    if (r.is_complete) {
      write_sweep(
          *sweep_,
          {*store_, 0, r.range.last, [&](std::uint64_t i) { return sweep_->plan.inputs(i); }},
          options_.h5, options_.csv);
      r.h5 = options_.h5.string();
      r.csv = options_.csv.string();
    }
    r.wall_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return out;
  }

 private:
  void refuse(const std::filesystem::path& path, std::string why) {
    problems_.add(Place{0, 0, path.string()}, "", std::move(why));
  }

  void open(const std::filesystem::path& path) {
    try {
      const SweepTable table(path);
      if (table.version != version)
        return refuse(path, fmt::format("is of berth {}, this is {}: parts are of one version",
                                        table.version, version));
      Sweep sweep = read_sweep(table);
      if (!sweep.study.is_null())
        return refuse(path, "is a whole sweep that decided itself what to run");
      const Json identity = find_whole_identity(sweep);
      if (!sweep_) {
        identity_ = identity;
        columns_ = read_collected(table);
        first_ = path;
        sweep_ = std::move(sweep);
        return take(table, path);
      }
      if (sweep.part.n != sweep_->part.n)
        return refuse(path, fmt::format("is one of {} parts, {} one of {}", sweep.part.n,
                                        first_.string(), sweep_->part.n));
      if (const auto differences = find_differences(identity_, identity); !differences.empty())
        return refuse(path, fmt::format("is of another sweep than {}: {}", first_.string(),
                                        fmt::join(differences, "; ")));
      if (read_collected(table) != columns_)
        return refuse(path, fmt::format("has other columns than {}", first_.string()));
      take(table, path);
    } catch (const RecordError& e) {
      problems_.add(Place{}, "", e.what());
    }
  }

  void take(const SweepTable& table, const std::filesystem::path& path) {
    const std::uint64_t cases = table.plan.cases();
    const std::uint64_t wanted = table.part.last(cases) - table.part.first(cases);
    if (table.cases() != wanted)
      return refuse(path, fmt::format("is damaged: {} cases, part {} of {} has {}", table.cases(),
                                      table.part.k, table.part.n, wanted));
    const auto [at, is_new] = parts_.emplace(table.part.k, path);
    if (!is_new)
      refuse(path, fmt::format("is part {} of {}, as {} is", table.part.k, table.part.n,
                               at->second.string()));
  }

  void copy(const std::filesystem::path& path) {
    const SweepTable table(path);
    const Hdf5Reader& file = table.reader();
    const std::uint64_t number = table.find_first();
    for (std::uint64_t first = 0; first < table.cases(); first += kMergedRows) {
      stop_if_interrupted();
      const std::uint64_t count = std::min(kMergedRows, table.cases() - first);
      std::vector<CaseResult> rows(count);
      const auto texts = [&](const SweepColumn& c) {
        return file.text_rows("/cases/" + c.name, first, count);
      };
      const auto outcomes = texts(table.outcome()), verdicts = texts(table.verdict()),
                 messages = texts(table.message());
      const auto good = file.rows("/cases/" + table.as_expected().name, first, count);
      for (std::uint64_t i = 0; i < count; ++i) {
        rows[i].outcome = outcomes[i], rows[i].verdict = verdicts[i];
        rows[i].message = messages[i], rows[i].as_expected = good[i] == 1;
      }
      for (const Collected& c : columns_) {
        const std::string name = (c.width > 1 ? "/bands/" : "/cases/") + c.path;
        if (c.is_text) {
          const auto values = file.text_rows(name, first, count);
          for (std::uint64_t i = 0; i < count; ++i) rows[i].texts.push_back(values[i]);
        } else {
          const auto values = file.rows(name, first, count);
          for (std::uint64_t i = 0; i < count; ++i)
            rows[i].numbers.insert(rows[i].numbers.end(),
                                   values.begin() + static_cast<std::ptrdiff_t>(i * c.width),
                                   values.begin() + static_cast<std::ptrdiff_t>((i + 1) * c.width));
        }
      }
      for (std::uint64_t i = 0; i < count; ++i) store_->set(number + first + i, rows[i]);
    }
  }

  // Parts that are not there, with how far they are where a journal of theirs lies beside the others.
  std::vector<std::string> list_missing() const {
    const std::map<std::uint64_t, std::string> at_work = find_journals();
    std::vector<std::string> list;
    for (std::uint64_t k = 1; k <= sweep_->part.n; ++k) {
      if (parts_.contains(k)) continue;
      const auto found = at_work.find(k);
      list.push_back(fmt::format("part {} of {}{}", k, sweep_->part.n,
                                 found == at_work.end() ? "" : ": " + found->second));
    }
    return list;
  }

  std::map<std::uint64_t, std::string> find_journals() const {
    std::map<std::uint64_t, std::string> out;
    std::set<std::filesystem::path> folders;
    for (const auto& [k, path] : parts_) folders.insert(path.parent_path());
    for (const std::filesystem::path& folder : folders) {
      std::error_code unreadable;
      for (const auto& entry : std::filesystem::directory_iterator(
               folder.empty() ? std::filesystem::path(".") : folder, unreadable)) {
        if (entry.path().extension() != ".journal") continue;
        const JournalFacts facts = read_journal_facts(entry.path());
        if (!facts.identity.is_object()) continue;
        Json whole = facts.identity;
        whole.erase("part");
        if (!find_differences(whole, identity_).empty()) continue;
        const SweepPart part{find_part_number(facts.identity), sweep_->part.n};
        if (part.k < 1 || part.k > part.n) continue;
        const std::uint64_t cases = sweep_->plan.cases();
        out[part.k] = fmt::format("{} of {} cases are done ({})", facts.cases,
                                  part.last(cases) - part.first(cases),
                                  (folder / entry.path().filename()).string());
      }
    }
    return out;
  }

  const MergeOptions& options_;
  Problems& problems_;
  std::optional<Sweep> sweep_;
  Json identity_;
  std::vector<Collected> columns_;
  std::filesystem::path first_;
  std::map<std::uint64_t, std::filesystem::path> parts_;
  std::shared_ptr<CaseStore> store_;
};

}  // namespace

MergeResult merge_sweeps(const MergeOptions& options, Problems& problems) {
  return Merger(options, problems).merge();
}

}  // namespace berth
