// SPDX-License-Identifier: Apache-2.0
#include "berth/live/datagram_files.h"

#include <bit>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "berth/live/udp_socket.h"
#include "berth/record/crc32.h"
#include "tests/live/datagram_files_support.h"
#include "tests/support/process.h"
#include "tests/support/text.h"

namespace berth::datagram_files_test {
namespace {

using test::compile_example;
using test::contains;
using test::Ended;
using test::find_python;
using test::kExampleLanguages;
using test::make_datagram_layout;
using test::run_beside;
using test::TemporaryFolder;
using test::write_files;

const LiveKey kKey = "a key of both\nsides";

std::string write(const Datagram& datagram, const LiveKey* key) {
  std::array<char, kMostDatagramBytes> bytes{};
  return {bytes.data(), write_datagram(datagram, key, bytes)};
}

Datagram make_tick(const DatagramLayout& layout) {
  Datagram d;
  d.header.kind = static_cast<std::uint16_t>(DatagramKind::tick);
  d.header.digest = layout.digest;
  d.header.run = 0xFEDCBA9876543210;
  d.header.peer = 77;
  d.header.sequence = 12345;
  d.header.answered = 12343;
  d.header.tick_ns = -2'000'000'001;
  d.header.sent_ns = std::numeric_limits<std::int64_t>::max();
  d.header.flags = kFlagSlipped | kFlagLockstep;
  d.header.count = 4;
  d.numbers[0] = 0.1, d.numbers[1] = -1e300, d.numbers[2] = 3, d.numbers[3] = -0.0;
  return d;
}

// What both programs below make of that tick: the position as the force, the depth as abort.
Datagram make_answer(const Datagram& tick) {
  Datagram d = tick;
  d.header.kind = static_cast<std::uint16_t>(DatagramKind::answer);
  d.header.peer = 78, d.header.sequence = 9, d.header.answered = tick.header.sequence;
  d.header.sent_ns = -5, d.header.flags = kFlagStop;
  d.numbers[0] = tick.numbers[3];
  for (std::size_t i = 0; i < 3; ++i) d.numbers[1 + i] = tick.numbers[i];
  return d;
}

// exchange IN OUT AGAIN [KEY]: reads a tick; writes an answer and the tick itself. AGAIN also goes through
// the functions for any kind. The exit code is the fault.
constexpr const char* kExchangeC = R"c(#include <stdio.h>
#include <stdlib.h>
#include "berth_datagram.h"

static size_t load(const char *name, uint8_t *bytes, size_t most) {
  FILE *f = fopen(name, "rb");
  size_t n;
  if (!f) exit(100);
  n = fread(bytes, 1, most, f);
  fclose(f);
  return n;
}
static void store(const char *name, const uint8_t *bytes, size_t n) {
  FILE *f = fopen(name, "wb");
  if (!f || fwrite(bytes, 1, n, f) != n || fclose(f) != 0) exit(101);
}

int main(int count, char **arguments) {
  uint8_t bytes[2000], out[BERTH_MOST_BYTES], key[5000];
  const size_t size = load(arguments[1], bytes, sizeof bytes);
  const size_t key_size = count > 4 ? load(arguments[4], key, sizeof key) : 0;
  const void *shared = count > 4 ? key : NULL;
  struct berth_tick tick;
  struct berth_answer answer;
  struct berth_header header;
  double numbers[BERTH_MOST_NUMBERS];
  enum berth_fault fault;
  memset(&tick, 0x5a, sizeof tick);
  fault = berth_unpack_tick(bytes, size, shared, key_size, &tick);
  if (fault != BERTH_OK) return tick.header.count == 0x5a5a5a5au ? (int)fault : 102;
  if (berth_unpack_answer(bytes, size, shared, key_size, &answer) != BERTH_FAULT_KIND) return 103;
  berth_begin_reply(&answer.header, &tick.header, BERTH_KIND_ANSWER, 78, 9, -5);
  answer.header.flags = BERTH_FLAG_STOP;
  memcpy(answer.commands.touch, tick.measures.nav_position, sizeof answer.commands.touch);
  answer.commands.abort = tick.measures.tip_depth;
  store(arguments[2], out, berth_pack_answer(&answer, shared, key_size, out));
  if (berth_unpack(bytes, size, shared, key_size, &header, numbers) != BERTH_OK) return 104;
  if (berth_pack(&header, numbers, shared, key_size, out) != size || memcmp(out, bytes, size) != 0)
    return 105;
  store(arguments[3], out, berth_pack_tick(&tick, shared, key_size, out));
  return 0;
}
)c";

constexpr const char* kExchangePython = R"py(import sys
from pathlib import Path
import berth_datagram as d
data = Path(sys.argv[1]).read_bytes()
key = Path(sys.argv[4]).read_bytes() if len(sys.argv) > 4 else None
try:
    tick = d.parse(data, key)
except d.BadDatagram as why:
    sys.exit(str(why))
assert isinstance(tick, d.Tick)
assert d.pack(*d.unpack(data, key), key) == data
head = d.reply(tick.header, d.Kind.ANSWER, 78, 9)
head.sent_ns, head.flags = -5, d.Flag.STOP
answer = d.Answer(head, d.Commands(touch=tick.measures.nav_position, abort=tick.measures.tip_depth))
Path(sys.argv[2]).write_bytes(d.build(answer, key))
Path(sys.argv[3]).write_bytes(d.build(tick, key))
assert d.parse(d.build(answer, key), key) == answer
)py";

// A program that does what the two above do, in this folder.
struct Exchange {
  const TemporaryFolder& folder;
  std::vector<std::string> words;  // that start it

  Ended run(const std::string& bytes, const LiveKey* key) const {
    test::write_bytes(folder / "in", bytes);
    std::filesystem::remove(folder / "out");
    std::vector<std::string> arguments(words.begin() + 1, words.end());
    arguments.insert(arguments.end(), {"in", "out", "again"});
    if (key) {
      test::write_bytes(folder / "key", *key);
      arguments.push_back("key");
    }
    return run_beside(words[0], arguments, folder.path());
  }

  // Datagrams in both directions, with and without a key.
  void expect_to_work(const DatagramLayout& layout) const {
    const LiveKey long_key(100, 'k');
    for (const LiveKey* key : {static_cast<const LiveKey*>(nullptr), &kKey, &long_key}) {
      const Datagram tick = make_tick(layout);
      const Ended ended = run(write(tick, key), key);
      ASSERT_EQ(ended.code, 0) << ended.err;
      EXPECT_EQ(test::read_bytes(folder / "again"), write(tick, key));
      EXPECT_EQ(test::read_bytes(folder / "out"), write(make_answer(tick), key));
      Datagram answer;
      EXPECT_EQ(read_datagram(test::read_bytes(folder / "out"), key, answer), DatagramFault::none);
    }
  }
};

struct Damaged {
  std::string bytes;
  const LiveKey* key;
  std::string fault;
};
// One datagram for each reason to refuse one.
std::vector<Damaged> list_damaged(const DatagramLayout& layout) {
  const auto with = [&](auto change) {
    Datagram d = make_tick(layout);
    change(d.header);
    return write(d, nullptr);
  };
  std::string flipped = write(make_tick(layout), nullptr);
  flipped[90] = static_cast<char>(flipped[90] ^ 4);
  const std::string keyed = write(make_tick(layout), &kKey);
  // More numbers than there is room for, all else as it must be.
  Datagram full = make_tick(layout);
  full.header.count = kMostNumbers;
  std::string wide = write(full, nullptr);
  wide.resize(wide.size() - kCrcBytes);
  wide[find_field_offset(kDatagramFields.size() - 1)] = static_cast<char>(kMostNumbers + 4);
  wide.append(4 * 8, '\0');
  const std::uint32_t crc = find_crc32(wide);
  for (int i = 0; i < 4; ++i) wide += static_cast<char>(crc >> (8 * i) & 0xFF);
  static const LiveKey other = "another key of 16";
  return {{"", nullptr, "size"},
          {std::string(1401, 'B'), nullptr, "size"},
          {with([](DatagramHeader& h) { h.magic = 1; }), nullptr, "magic"},
          {with([](DatagramHeader& h) { h.version = 2; }), nullptr, "version"},
          {with([](DatagramHeader& h) { h.kind = 7; }), nullptr, "kind"},
          {with([](DatagramHeader&) {}) + "12345678", nullptr, "count"},
          {keyed, nullptr, "count"},
          {wide, nullptr, "count"},
          {flipped, nullptr, "crc"},
          {keyed, &other, "tag"},
          {with([](DatagramHeader& h) { h.digest ^= 1; }), nullptr, "layout"},
          {with([](DatagramHeader& h) { h.count = 5; }), nullptr, "layout"}};
}

TEST(DatagramFiles, InCExchangeDatagramsWithBerth) {
  const TemporaryFolder folder;
  const DatagramLayout layout = make_datagram_layout();
  write_files(layout, "Two craft", folder);
  for (const auto& language : kExampleLanguages) {
    ASSERT_EQ(compile_example(folder, kExchangeC, language), "");
    const Exchange exchange{folder, {(folder / "exchange").string()}};
    exchange.expect_to_work(layout);
  }
}

TEST(DatagramFiles, InCRefuseWithTheReason) {
  const TemporaryFolder folder;
  const DatagramLayout layout = make_datagram_layout();
  write_files(layout, "Two craft", folder);
  ASSERT_EQ(compile_example(folder, kExchangeC, {"-std=c99", "-fsanitize=address,undefined"}), "");
  const Exchange exchange{folder, {(folder / "exchange").string()}};
  for (const Damaged& d : list_damaged(layout)) {
    int code = static_cast<int>(kDatagramFaults.size()) + 1;  // layout
    for (const DatagramFaultName& f : kDatagramFaults)
      if (f.name == d.fault) code = static_cast<int>(f.fault);
    const Ended ended = exchange.run(d.bytes, d.key);
    EXPECT_EQ(ended.code, code) << d.fault << ended.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  }
}

TEST(DatagramFiles, InPythonExchangeDatagramsWithBerth) {
  const TemporaryFolder folder;
  write_files(make_datagram_layout(), "Two craft", folder);
  test::write_bytes(folder / "exchange.py", kExchangePython);
  const Exchange exchange{folder, {find_python(), "-W", "error", "exchange.py"}};
  exchange.expect_to_work(make_datagram_layout());
  for (const Damaged& d : list_damaged(make_datagram_layout())) {
    const Ended ended = exchange.run(d.bytes, d.key);
    std::string reason = "of another layout or scenario: another ";
    for (const DatagramFaultName& f : kDatagramFaults)
      if (f.name == d.fault) reason = f.meaning;
    EXPECT_EQ(ended.code, 1) << d.fault;
    EXPECT_TRUE(ended.err.starts_with(reason)) << d.fault << ended.err;
  }
}

// --- the example of the Python module, over a socket ---------------------------------------------

// A port that was free a moment ago.
UdpAddress find_free_address() { return UdpSocket(UdpAddress::find("127.0.0.1:0")).local(); }
std::string port_of(const UdpAddress& address) {
  const std::string text = address.text();
  return text.substr(text.rfind(':') + 1);
}

// A program that answers at an address.
class Peer {
 public:
  Peer(const std::vector<std::string>& words, const TemporaryFolder& folder,
       const UdpAddress& address, const LiveKey* key)
      : socket_(UdpAddress::find("127.0.0.1:0")), address_(address), key_(key), program_(words[0]) {
    test::ProcessOptions options;
    options.program = program_.c_str();
    options.folder = folder.path();
    process_.emplace(std::vector<std::string>(words.begin() + 1, words.end()), options);
  }

  void send(const std::string& bytes) { socket_.send(address_, bytes); }
  void send(const Datagram& d) { send(write(d, key_)); }
  // The next one within so many seconds.
  std::optional<Datagram> receive(double seconds) {
    std::array<char, kMostDatagramBytes> bytes{};
    UdpSocket::Received got;
    const auto until = find_clock_ns() + static_cast<std::int64_t>(seconds * 1e9);
    while (!socket_.receive(bytes, until, got))
      if (find_clock_ns() >= until) return std::nullopt;
    Datagram d;
    const DatagramFault fault = read_datagram({bytes.data(), got.size}, key_, d);
    EXPECT_EQ(fault, DatagramFault::none) << describe(fault);
    return d;
  }
  Ended wait() { return process_->wait(); }

 private:
  UdpSocket socket_;
  UdpAddress address_;
  const LiveKey* key_;
  std::string program_;
  std::optional<test::Process> process_;
};

Datagram make_message(DatagramKind kind, const DatagramLayout& layout) {
  Datagram d;
  d.header.kind = static_cast<std::uint16_t>(kind);
  d.header.digest = layout.digest;
  d.header.run = 4711;
  return d;
}

// Arm to stop, with garbage and what belongs to others in between. What it has printed.
std::string go_through_session(Peer& peer, const DatagramLayout& layout, double force) {
  Datagram arm = make_message(DatagramKind::arm, layout);
  arm.header.count = kArmCount;
  arm.numbers[kArmSampleTime] = 0.004, arm.numbers[kArmFactor] = 1, arm.numbers[kArmTimeout] = 2;
  std::optional<Datagram> ready;
  for (int i = 0; i < 100 && !ready; ++i) {  // until the program has begun
    arm.header.sequence = static_cast<std::uint64_t>(i);
    peer.send(arm);
    ready = peer.receive(0.3);
  }
  if (!ready) return ADD_FAILURE() << "no ready", "";
  EXPECT_EQ(ready->header.kind, static_cast<std::uint16_t>(DatagramKind::ready));
  EXPECT_EQ(ready->header.run, 4711u);
  EXPECT_EQ(ready->header.digest, layout.digest);
  EXPECT_NE(ready->header.peer, 0u);
  while (const auto again = peer.receive(0.2))  // of an arm that was sent again
    EXPECT_EQ(again->header.peer, ready->header.peer);

  // Another scenario is refused.
  Datagram other = arm;
  other.header.run = 4711, other.header.digest ^= 1;
  peer.send(other);
  const std::optional<Datagram> refusal = peer.receive(10);
  EXPECT_TRUE(refusal);
  if (refusal) {
    EXPECT_EQ(refusal->header.kind, static_cast<std::uint16_t>(DatagramKind::stop));
  }

  Datagram start = make_message(DatagramKind::start, layout);
  start.header.peer = ready->header.peer;
  peer.send(start);
  Datagram tick = make_tick(layout);
  tick.header.run = 4711, tick.header.peer = ready->header.peer, tick.header.flags = 0;
  tick.numbers[3] = 0.25;  // [m] depth
  const auto send_tick = [&](std::uint64_t sequence, std::uint64_t run) {
    tick.header.sequence = sequence, tick.header.run = run;
    peer.send(tick);
  };
  for (std::uint64_t k = 0; k < 3; ++k) {
    peer.send("garbage");
    send_tick(k, 4712);  // of another run
    send_tick(k, 4711);
    const std::optional<Datagram> answer = peer.receive(10);
    if (!answer) return ADD_FAILURE() << "no answer to tick " << k, "";
    EXPECT_EQ(answer->header.kind, static_cast<std::uint16_t>(DatagramKind::answer));
    EXPECT_EQ(answer->header.answered, k);
    EXPECT_EQ(answer->header.tick_ns, tick.header.tick_ns);
    EXPECT_EQ(answer->header.peer, ready->header.peer);
    EXPECT_EQ(answer->header.count, 4u);
    const std::array<double, 4> wanted{0, force, 0, 0};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(answer->numbers[i], wanted[i]);
  }
  send_tick(2, 4711);  // once more: no answer
  EXPECT_FALSE(peer.receive(0.2));
  Datagram stop = make_message(DatagramKind::stop, layout);
  stop.header.peer = ready->header.peer;
  peer.send(stop);
  const Ended ended = peer.wait();
  EXPECT_EQ(ended.code, 0) << ended.err;
  return ended.out;
}

TEST(DatagramFiles, PythonModuleAnswersWithZeros) {
  const DatagramLayout layout = make_datagram_layout();
  for (const LiveKey* key : {static_cast<const LiveKey*>(nullptr), &kKey}) {
    const TemporaryFolder folder;
    write_files(layout, "Two craft", folder);
    test::write_bytes(folder / "key_file", kKey + "\n");
    const UdpAddress address = find_free_address();
    std::vector<std::string> words{find_python(), "berth_datagram.py", "127.0.0.1",
                                   port_of(address)};
    if (key) words.push_back("key_file");
    Peer peer(words, folder, address, key);
    const std::string said = go_through_session(peer, layout, 0);
    EXPECT_TRUE(contains(said, "refused: a tick that came before")) << said;
    EXPECT_TRUE(contains(said, "refused: of another session")) << said;
    EXPECT_TRUE(contains(said, "refused: shorter or longer")) << said;
  }
}

std::string read_page() {
  return test::read_bytes(std::string(BERTH_SOURCE_DIR) + "/docs/datagrams.md");
}

// The block of this language on the page, at another port.
std::string find_example(const std::string& language, const UdpAddress& address) {
  const std::string page = read_page(), begin = "```" + language + "\n", port = "5001";
  const std::size_t from = page.find(begin) + begin.size();
  std::string text = page.substr(from, page.find("```", from) - from);
  return text.replace(text.find(port), port.size(), port_of(address));
}

TEST(DatagramFiles, ExamplesOfThePageGoThroughASession) {
  const TemporaryFolder folder;
  const DatagramLayout layout = make_datagram_layout();
  write_files(layout, "Two craft", folder);
  const UdpAddress of_c = find_free_address();
  ASSERT_EQ(compile_example(folder, find_example("c", of_c), {"-std=c99"}), "");
  Peer in_c({(folder / "exchange").string()}, folder, of_c, nullptr);
  go_through_session(in_c, layout, -1000);

  const UdpAddress of_python = find_free_address();
  test::write_bytes(folder / "example.py", find_example("python", of_python));
  Peer in_python({find_python(), "example.py"}, folder, of_python, nullptr);
  go_through_session(in_python, layout, -1000);
}

TEST(DatagramFiles, OfALayoutWithoutNumbersCompile) {
  const TemporaryFolder folder;
  DatagramLayout layout;
  write_files(layout, "", folder);
  for (const auto& language : kExampleLanguages)
    EXPECT_EQ(compile_example(folder, "#include \"berth_datagram.h\"\nint main(void) { return 0; }",
                              language),
              "");
  const Ended ended = run_beside(
      find_python(),
      {"-W", "error", "-c",
       "import berth_datagram as d; print(d.parse(d.build(d.Answer(d.Header(), d.Commands()))))"},
      folder.path());
  EXPECT_TRUE(contains(ended.out, "commands=Commands()")) << ended.err;
}

TEST(DatagramFiles, ForMoreNumbersThanFitAreRefused) {
  DatagramLayout layout = make_datagram_layout();
  layout.commands.push_back({"level", "", "", 157});
  EXPECT_EQ(layout.command_count(), kMostNumbers);
  EXPECT_EQ(write_datagram_files(layout, "").size(), 3u);
  layout.commands.push_back({"one_more", "", "", 1});
  EXPECT_THROW(write_datagram_files(layout, ""), std::invalid_argument);
}

// --- pages ---------------------------------------------------------------------------------------

TEST(DatagramFiles, PageListsHeaderNumbersAndSizes) {
  const std::string page = write_datagram_files(make_datagram_layout(), "Two craft")[2].text;
  for (const char* line :
       {"# Datagrams of `laboratory`\n\nTwo craft\n", "| `sent_ns` | 56 | i64 | the sender's",
        "| `tick` | 4 | 108 | 140 |\n", "| 3 | 96 | `tip.depth` | m |  | `tip_depth` |\n",
        "| 2 | 88 | `touch` | N | inertial | `touch[1]` |\n", "| 16 | `lockstep` |"})
    EXPECT_TRUE(contains(page, line)) << line;
}

TEST(DatagramFiles, DocumentationHasTheTablesOfTheList) {
  const std::string page = read_page();
  const std::string begin = "<!-- tables of kDatagramFields: begin -->\n",
                    end = "<!-- tables of kDatagramFields: end -->\n";
  const std::size_t from = page.find(begin), to = page.find(end);
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  EXPECT_EQ(page.substr(from + begin.size(), to - from - begin.size()), write_datagram_tables());
}

}  // namespace
}  // namespace berth::datagram_files_test
