// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/faults.h"

#include <algorithm>
#include <cerrno>
#include <new>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/support/allocations.h"
#include "tests/support/text.h"

namespace berth::test {
namespace {

constexpr double kPatience = 10;  // [s]
constexpr const char* kCache = "cache";
constexpr const char* kOlder = "what an earlier command has written";

constexpr std::array<const char*, kCalls> kNames{
    "nothing",   "open to write", "open to read", "write",       "read",
    "rename",    "synchronise",   "close",        "truncate",    "mkdir",
    "unlink",    "mmap",          "memfd_create", "fork",        "thread",
    "getrandom", "allocation",    "wall clock",   "steady clock"};

// The ledger in a file that both have in memory.
class SharedLedger {
 public:
  SharedLedger() {
    const std::string name = (folder_ / "ledger").string();
    const int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ::ftruncate(file, sizeof(Ledger)) != 0) throw std::runtime_error("no ledger");
    memory_ = ::mmap(nullptr, sizeof(Ledger), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    if (memory_ == MAP_FAILED) throw std::runtime_error("no ledger");
    ledger_ = new (memory_) Ledger;
  }
  ~SharedLedger() { ::munmap(memory_, sizeof(Ledger)); }
  SharedLedger(const SharedLedger&) = delete;
  SharedLedger& operator=(const SharedLedger&) = delete;

  std::string path() const { return (folder_ / "ledger").string(); }
  Ledger& operator*() { return *ledger_; }

 private:
  TemporaryFolder folder_;
  void* memory_ = nullptr;
  Ledger* ledger_ = nullptr;
};

// What is printed about a failure: lines that a reader understands, none that the language runtime has written.
bool is_sentence(const std::string& text) {
  return text.size() > 10 && text.ends_with('\n') && contains(text, " ") &&
         !contains(text, "std::") && !contains(text, "terminate") && !contains(text, "bad_alloc");
}

bool is_unfinished(const std::string& name) {
  return name.starts_with(".") && contains(name, ".part-");
}

// What may keep a result from being read: another process does, and answers through a memory file.
bool is_about_reading(Call call) {
  using enum Call;
  return call == open_to_read || call == read || call == fork || call == memory_file ||
         call == allocate || call == map || call == write;
}

}  // namespace

std::string describe(const Fault& fault) {
  return fmt::format("{} {} of {}, cause {}", kNames.at(static_cast<std::size_t>(fault.call)),
                     fault.first, fault.count, fault.cause);
}

const std::vector<Refusal>& list_refusals() {
  using enum Call;
  static const std::vector<Refusal> list{
      {open_to_write, {ENOSPC, EMFILE, EACCES}},
      {open_to_read, {EMFILE, EIO}},
      {write, {ENOSPC, EIO, EINTR, kShortWrite}},
      {read, {EIO, EINTR}},
      {rename, {EIO, ENOSPC, EACCES}},
      {synchronise, {EIO, ENOSPC}},
      {close, {EIO, EINTR}},
      {truncate, {EIO, ENOSPC}},
      {make_folder, {EACCES, ENOSPC}},
      {remove, {EACCES, EIO}},
      {map, {ENOMEM}},
      {memory_file, {EMFILE, ENOMEM}},
      {fork, {EAGAIN, ENOMEM}},
      {thread, {EAGAIN}},
      {random, {ENOSYS}},
  };
  return list;
}

Disturbed::Disturbed(Command command) : command_(std::move(command)) {
  const TemporaryFolder folder;
  if (command_.prepare) command_.prepare(folder.path());
  for (const std::string& name : folder.files()) given_[name] = read_bytes(folder / name);
  // Of two, the second finds what the first has compiled.
  if (!command_.has_own_cache) run(folder, {});
  if (command_.prepare) command_.prepare(folder.path());
  const Attempt clean = run(folder, {});
  seconds_ = clean.end.seconds;
  EXPECT_EQ(clean.end.code, 0) << command_.name << ": " << clean.end.err;
  for (const std::string& name : command_.outputs) whole_[name] = read_bytes(folder / name);
  calls_ = clean.calls;
}

std::vector<std::string> Disturbed::outputs() const {
  std::vector<std::string> names;
  for (const auto& [name, bytes] : whole_) names.push_back(name);
  return names;
}

void Disturbed::prepare(const TemporaryFolder& folder) const {
  if (command_.prepare) command_.prepare(folder.path());
  for (const std::string& name : command_.outputs) write_bytes(folder / name, kOlder);
}

Disturbed::Attempt Disturbed::run(const TemporaryFolder& folder, const Fault& fault) const {
  SharedLedger ledger;
  Ledger& asked = *ledger;
  asked.call = fault.call;
  asked.cause = fault.cause;
  asked.first = fault.first;
  asked.count = fault.count;
  asked.seconds = fault.seconds;
  Attempt out{};
  std::vector<std::string> environment{
      "BERTH_CACHE=" + ((command_.has_own_cache ? folder : cache_) / kCache).string()};
  if (!kSanitized) {  // whose runtime must be loaded first
    environment.push_back("LD_PRELOAD=" BERTH_FAULTS);
    environment.push_back("BERTH_FAULT_LEDGER=" + ledger.path());
    environment.push_back("BERTH_FAULT_FOLDER=" + folder.path().string());
  }
  out.end = run_berth(
      command_.words,
      {.folder = folder.path(), .patience = kPatience, .environment = std::move(environment)});
  std::copy(asked.calls.begin(), asked.calls.end(), out.calls.begin());
  out.injected = asked.injected;
  return out;
}

void Disturbed::expect_whole(const TemporaryFolder& folder) const {
  for (const auto& [name, bytes] : whole_)
    EXPECT_TRUE(read_bytes(folder / name) == bytes) << name << " is not what it should be";
}

bool Disturbed::is_whole(const TemporaryFolder& folder, const std::string& name) const {
  const auto output = whole_.find(name);
  return output != whole_.end() && read_bytes(folder / name) == output->second;
}

void Disturbed::expect_files(const TemporaryFolder& folder, bool is_done,
                             const Fault& fault) const {
  if (is_done) expect_whole(folder);
  for (const std::string& name : folder.files()) {
    if (const auto output = whole_.find(name); output != whole_.end()) {
      const std::string bytes = read_bytes(folder / name);
      EXPECT_TRUE(bytes == kOlder || bytes == output->second) << name << " is a part of a file";
      continue;
    }
    const bool is_journal = name.ends_with(".journal") && (!is_done || fault.call == Call::remove);
    const bool is_given = given_.contains(name) && !name.ends_with(".journal");
    const bool is_part =
        is_unfinished(name) && (fault.call == Call::remove || fault.call == Call::allocate);
    EXPECT_TRUE(is_given || is_journal || is_part || name == kCache) << name << " is left";
  }
  // Nothing that a journal had is lost before the result is there.
  for (const auto& [name, bytes] : given_)
    EXPECT_TRUE((name.ends_with(".journal") && is_whole(folder, "x.h5")) ||
                read_bytes(folder / name).starts_with(bytes))
        << name << " has lost something";
}

std::optional<double> Disturbed::expect_orderly_when_killed(const TemporaryFolder& folder,
                                                            double after) const {
  Process process(command_.words, {.folder = folder.path(), .patience = kPatience});
  std::this_thread::sleep_for(std::chrono::duration<double>(after));
  process.send(SIGKILL);
  const Ended end = process.wait();
  SCOPED_TRACE(fmt::format("{}, killed after {} s\n{}", command_.name, after, end.err));
  EXPECT_TRUE(end.signal == SIGKILL || end.code == 0);
  // A part that was left, or a journal, is for the next.
  for (const auto& [name, bytes] : whole_) {
    const std::string found = read_bytes(folder / name);
    EXPECT_TRUE(found == bytes || (end.signal == SIGKILL && found == kOlder)) << name;
  }
  return end.signal == SIGKILL ? std::nullopt : std::optional(end.seconds);
}

bool Disturbed::expect(const Fault& fault, bool is_done) const {
  const TemporaryFolder folder;
  prepare(folder);
  const Attempt attempt = run(folder, fault);
  const Ended& end = attempt.end;
  if (attempt.injected == 0) return false;
  SCOPED_TRACE(command_.name + ", " + describe(fault) + "\n" + end.out + end.err);
  EXPECT_FALSE(end.killed) << "it hangs";
  EXPECT_EQ(end.signal, 0);
  const bool is_refused = end.code == 2 && command_.reads_result && is_about_reading(fault.call);
  EXPECT_TRUE(end.code == 0 || (!is_done && (end.code == 1 || is_refused))) << end.code;
  EXPECT_TRUE(end.code == 0 || is_sentence(end.err)) << "\"" << end.err << "\"";
  expect_files(folder, end.code == 0, fault);
  // The same command once more, undisturbed.
  if (end.code != 0) {
    const Attempt again = run(folder, {});
    EXPECT_EQ(again.end.code, 0) << again.end.err;
    expect_files(folder, true, {});
  }
  return true;
}

Command make_run() {
  return {.name = "run",
          .words = {"run", shipped_scenario("bouncing_ball"), "--set", "time.stop=1", "--out",
                    "x.h5", "--csv", "--interpret"},
          .outputs = {"x.h5", "x.html", "x.csv"}};
}
Command make_sweep(int threads, const std::vector<std::string>& more) {
  return {.name = fmt::format("sweep on {} threads", threads),
          .words = with({"sweep", shipped_scenario("free_body"), "--set", "time.stop=0.1", "--vary",
                         "spacecraft.body.mass=[1,2,3,4]", "--csv", "--out", "x.h5", "--threads",
                         std::to_string(threads)},
                        more),
          .outputs = {"x.h5", "x.html", "x.csv"}};
}

namespace {

// Made once; what a command reads.
const std::string& result_of(const Command& command) {
  static std::map<std::string, std::string> made;
  std::string& bytes = made[command.name];
  if (bytes.empty()) {
    const TemporaryFolder folder;
    EXPECT_EQ(run_berth(command.words, {.folder = folder.path()}).code, 0);
    bytes = read_bytes(folder / "x.h5");
  }
  return bytes;
}

Command make_reader(const std::string& name, const Command& of, const std::string& output,
                    const std::vector<std::string>& words) {
  return {.name = name,
          .words = words,
          .outputs = {output},
          .prepare =
              [bytes = result_of(of)](const auto& folder) { write_bytes(folder / "x.h5", bytes); },
          .reads_result = true};
}

}  // namespace

Command make_resumed_sweep() {
  // On a disk that has room for the journal alone, of which two cases are kept.
  const TemporaryFolder full;
  Command command = make_sweep();
  command.name = "sweep that goes on";
  EXPECT_EQ(run_berth(command.words, {.folder = full.path(), .file_size_limit = 4000}).code, 1);
  std::string journal = read_bytes(full / "x.h5.journal");
  std::size_t end = 0;
  for (int line = 0; line < 3; ++line) end = journal.find('\n', end) + 1;
  EXPECT_GT(end, 0u);
  journal.resize(end);
  command.prepare = [journal](const auto& folder) {
    write_bytes(folder / "x.h5.journal", journal);
  };
  return command;
}

Command make_report() {
  return make_reader("report", make_run(), "y.html", {"report", "x.h5", "--out", "y.html"});
}
Command make_sweep_report() {
  return make_reader("report of a sweep", make_sweep(), "y.html",
                     {"report", "x.h5", "--out", "y.html"});
}
Command make_plot() {
  return make_reader("plot", make_run(), "y.svg",
                     {"plot", "x.h5", "ball.travel", "--out", "y.svg"});
}

}  // namespace berth::test
