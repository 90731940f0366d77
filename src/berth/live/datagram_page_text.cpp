// SPDX-License-Identifier: Apache-2.0

// datagrams.md of datagram_files.h, and the tables that the documentation shares with it.

#include <fmt/format.h>

#include "berth/export/c_text.h"
#include "berth/live/datagram_files.h"
#include "berth/live/datagram_text.h"

namespace berth {
namespace {

constexpr std::string_view kDatagramPage = R"md(# Datagrams of @EXTERNAL

@TITLE

Written by `berth export datagram`: what `berth live` and who takes part as @EXTERNAL send one another over UDP.
`berth_datagram.h` (C99, C++11) and `berth_datagram.py` (Python 3.10) read and write it.

Digest of layout and scenario: `@DIGEST`. Another scenario has another one, and the two sides refuse each other.

| kind | numbers | bytes | bytes with a key |
|---|---|---|---|
@SIZES
## Layout

Header, numbers, tag where a key is shared, CRC-32; without gaps, little-endian. At most @MOST_BYTES bytes.

| from byte | bytes | |
|---|---|---|
| 0 | @HEADER_BYTES | header |
| @HEADER_BYTES | 8 × count | numbers: IEEE 754 binary64 |
| @HEADER_BYTES + 8 × count | @TAG_BYTES | with a key: HMAC-SHA256 of all before it |
| behind it | @CRC_BYTES | CRC-32 (IEEE 802.3) of all before it |

@TABLES
## Numbers of a tick

@MEASURES
## Numbers of an answer

@COMMANDS
## Session

    simulates                                      answers
      arm       run drawn, peer 0         →
                                          ←        ready     peer drawn, answered = sequence of arm
      start     run, peer                 →
      tick k    sequence k, tick_ns       →
                                          ←        answer    answered = k, tick_ns of tick k
      …
      stop                                → or ←   stop

`arm` is sent again until `ready` comes; every `arm` of the same run gets a `ready` with the same peer, which is not 0. `stop`
in place of `ready` refuses the run: another digest. From `ready` on run and peer stand in every datagram. `stop`, or the flag
stop in an answer, ends the run; `stop` is sent several times, since one may be lost.

## Rules

A datagram is refused and changes nothing for one of these reasons:

@FAULTS- digest, run, peer: not those of the session;
- a tick whose sequence is not above that of the last: repeated, or out of order;
- an answer to a tick that was never sent, that has been answered, or whose time to act is over;
- an answer with a number that is infinite, or beyond the limit of its command.

A command whose numbers are all NaN is left as it is; NaN for some of its numbers is refused.
)md";

// One row for each number.
std::string write_number_table(const std::vector<NamedSignal>& signals) {
  if (signals.empty()) return "There are none.\n";
  std::string text =
      "| number | from byte | name | unit | axes | member |\n|---|---|---|---|---|---|\n";
  for (const NamedSignal& s : signals)
    for (std::size_t k = 0; k < s.width(); ++k) {
      const std::string place = s.width() == 1 ? "" : fmt::format("[{}]", k);
      text += fmt::format("| {} | {} | {} | {} | {} | `{}{}` |\n", s.first + k, s.offset() + 8 * k,
                          markdown_name(s.signal.name),
                          s.signal.unit.empty() ? "-" : markdown_text(s.signal.unit),
                          markdown_text(s.signal.frame), s.identifier, place);
    }
  return text;
}

std::size_t find_count(DatagramKind kind, const DatagramLayout& layout) {
  switch (kind) {
    case DatagramKind::arm: return kArmNumbers.size();
    case DatagramKind::tick: return layout.measure_count();
    case DatagramKind::answer: return layout.command_count();
    default: return 0;
  }
}

}  // namespace

std::string write_datagram_tables() {
  std::string text = "| header | from byte | type | meaning |\n|---|---|---|---|\n";
  for (std::size_t i = 0; i < kDatagramFields.size(); ++i) {
    const DatagramField& f = kDatagramFields[i];
    text += fmt::format("| `{}` | {} | {} | {} |\n", f.name, find_field_offset(i),
                        wire_name(f.type), f.meaning);
  }
  text += "\n| kind | | meaning |\n|---|---|---|\n";
  for (const DatagramKindName& k : kDatagramKinds)
    text += fmt::format("| {} | `{}` | {} |\n", static_cast<int>(k.kind), k.name, k.meaning);
  text += "\n| flag | | meaning |\n|---|---|---|\n";
  for (const DatagramFlagName& f : kDatagramFlags)
    text +=
        fmt::format("| {} | `{}` | {} |\n", static_cast<std::uint32_t>(f.flag), f.name, f.meaning);
  text += "\n| number of `arm` | | unit | meaning |\n|---|---|---|---|\n";
  for (std::size_t i = 0; i < kArmNumbers.size(); ++i)
    text += fmt::format("| {} | `{}` | {} | {} |\n", i, kArmNumbers[i].name, kArmNumbers[i].unit,
                        kArmNumbers[i].meaning);
  return text;
}

std::string write_datagram_page(const DatagramLayout& layout, const std::string& title) {
  std::string sizes, faults;
  for (const DatagramKindName& k : kDatagramKinds) {
    const std::size_t count = find_count(k.kind, layout),
                      bytes = kDatagramHeaderBytes + 8 * count + kCrcBytes;
    sizes += fmt::format("| `{}` | {} | {} | {} |\n", k.name, count, bytes, bytes + kTagBytes);
  }
  for (const DatagramFaultName& f : kDatagramFaults)
    faults += fmt::format("- {}: {};\n", f.name, f.meaning);
  return fill_text(kDatagramPage, {{"@EXTERNAL", markdown_name(layout.external)},
                                   {"@TITLE", markdown_text(title)},
                                   {"@DIGEST", hex_text(layout.digest)},
                                   {"@SIZES", sizes},
                                   {"@MOST_BYTES", std::to_string(kMostDatagramBytes)},
                                   {"@HEADER_BYTES", std::to_string(kDatagramHeaderBytes)},
                                   {"@TAG_BYTES", std::to_string(kTagBytes)},
                                   {"@CRC_BYTES", std::to_string(kCrcBytes)},
                                   {"@TABLES", write_datagram_tables()},
                                   {"@MEASURES", write_number_table(name_signals(layout.measures))},
                                   {"@COMMANDS", write_number_table(name_signals(layout.commands))},
                                   {"@FAULTS", faults}});
}

}  // namespace berth
