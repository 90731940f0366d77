// SPDX-License-Identifier: Apache-2.0

// berth_datagram.py of datagram_files.h.

#include <fmt/format.h>

#include "berth/export/c_text.h"
#include "berth/live/datagram_text.h"
#include "berth/live/hmac.h"

namespace berth {
namespace {

constexpr std::string_view kModuleHead = R"py(# SPDX-License-Identifier: Apache-2.0
# Datagrams between berth and the external "@EXTERNAL"
# @TITLE
"""Written by `berth export datagram`. Python 3.10 or later, standard library only.

    got = parse(data, key)                      # Arm, Tick, Answer or Message; BadDatagram if it is none
    build(Answer(reply(got.header, Kind.ANSWER, peer, sequence), Commands(...)), key)

Command numbers that are all NaN leave that command as it is.
key: the bytes both sides share (read_key), None where there is no key. Run as a program it answers every
tick with commands that are zero: berth_datagram.py [HOST [PORT [KEY_FILE]]]
"""

from __future__ import annotations

import enum
import hmac
import secrets
import socket
import struct
import sys
import time
import zlib
from dataclasses import dataclass, fields
from typing import Callable, Optional, Sequence, Union

MAGIC = @MAGIC
VERSION = @VERSION
DIGEST = @DIGEST  # of layout and scenario
MOST_BYTES = @MOST_BYTES
MOST_NUMBERS = @MOST_NUMBERS
TAG_BYTES = @TAG_BYTES
CRC_BYTES = @CRC_BYTES
HEADER = struct.Struct("<@FORMAT")

# name, unit, axes, numbers
MEASURES = (@MEASURES)
COMMANDS = (@COMMANDS)
EXTERNAL = @LITERAL


class BadDatagram(ValueError):
    """Why bytes are refused."""


@LISTS
@dataclass
class Message:
    """Ready, start and stop: a header without numbers."""

    header: Header


@dataclass
class Arm:
    header: Header
@ARM

@dataclass
class Tick:
    header: Header
    measures: Measures


@dataclass
class Answer:
    header: Header
    commands: Commands


Datagram = Union[Message, Arm, Tick, Answer]
)py";

constexpr std::string_view kModuleFunctions = R"py(

def _values(of) -> list:
    return [getattr(of, field.name) for field in fields(of)]


def pack(header: Header, numbers: Sequence[float] = (), key: Optional[bytes] = None) -> bytes:
    """Any kind, with its numbers. The header has its count afterwards."""
    header.count = len(numbers)
    if header.count > MOST_NUMBERS:
        raise ValueError(f"a datagram has {MOST_NUMBERS} numbers at most, not {header.count}")
    data = HEADER.pack(*_values(header)) + struct.pack(f"<{header.count}d", *numbers)
    if key is not None:
        data += hmac.digest(key, data, "sha256")
    return data + struct.pack("<I", zlib.crc32(data))


def unpack(data: bytes, key: Optional[bytes] = None) -> tuple[Header, tuple[float, ...]]:
    """Header and numbers of any kind; numbers may be infinite or NaN."""
    around = HEADER.size + (0 if key is None else TAG_BYTES) + CRC_BYTES
    if not around <= len(data) <= MOST_BYTES:
        raise BadDatagram(@SIZE)
    header = Header(*HEADER.unpack_from(data))
    if header.magic != MAGIC:
        raise BadDatagram(@FAULT_MAGIC)
    if header.version != VERSION:
        raise BadDatagram(@FAULT_VERSION)
    if header.kind not in KINDS:
        raise BadDatagram(@KIND)
    if header.count > MOST_NUMBERS or len(data) != around + 8 * header.count:
        raise BadDatagram(@COUNT)
    at = len(data) - CRC_BYTES
    if struct.unpack_from("<I", data, at)[0] != zlib.crc32(data[:at]):
        raise BadDatagram(@CRC)
    if key is not None:
        at -= TAG_BYTES
        if not hmac.compare_digest(hmac.digest(key, data[:at], "sha256"), data[at : at + TAG_BYTES]):
            raise BadDatagram(@TAG)
    return header, struct.unpack_from(f"<{header.count}d", data, HEADER.size)


def _group(kind: type, widths: Sequence[int], numbers: Sequence[float]):
    values, at = [], 0
    for width in widths:
        values.append(numbers[at] if width == 1 else tuple(numbers[at : at + width]))
        at += width
    return kind(*values)


def _flat(signals: tuple, values: list) -> list[float]:
    numbers: list[float] = []
    for (name, _, _, width), value in zip(signals, values):
        of_it = [value] if width == 1 else list(value)
        if len(of_it) != width:
            raise ValueError(f"{name} has {width} numbers, not {len(of_it)}")
        numbers += of_it
    return numbers


def parse(data: bytes, key: Optional[bytes] = None) -> Datagram:
    """What a datagram is. BadDatagram where it is none, or of another layout or scenario."""
    header, numbers = unpack(data, key)
    if header.digest != DIGEST:
        raise BadDatagram("of another layout or scenario: another digest")
    widths = WIDTHS.get(header.kind, ())
    if header.count != sum(widths):
        raise BadDatagram("of another layout or scenario: another count")
    if header.kind == Kind.TICK:
        return Tick(header, _group(Measures, widths, numbers))
    if header.kind == Kind.ANSWER:
        return Answer(header, _group(Commands, widths, numbers))
    if header.kind == Kind.ARM:
        return Arm(header, *numbers)
    return Message(header)


def build(datagram: Datagram, key: Optional[bytes] = None) -> bytes:
    """The bytes of it. Kind, digest and count of its header are set here, of a message the kind is kept."""
    header, numbers = datagram.header, []
    header.digest = DIGEST
    if isinstance(datagram, Tick):
        header.kind = Kind.TICK
        numbers = _flat(MEASURES, _values(datagram.measures))
    elif isinstance(datagram, Answer):
        header.kind = Kind.ANSWER
        numbers = _flat(COMMANDS, _values(datagram.commands))
    elif isinstance(datagram, Arm):
        header.kind = Kind.ARM
        numbers = [@ARM_VALUES]
    return pack(header, numbers, key)


def reply(to: Header, kind: Kind, peer: int, sequence: int) -> Header:
    """A header that answers `to`, in the session of `to`."""
    return Header(kind=kind, digest=DIGEST, run=to.run, peer=peer, sequence=sequence,
                  answered=to.sequence, tick_ns=to.tick_ns, sent_ns=time.monotonic_ns())


def read_key(file: str) -> bytes:
    """The bytes of a file without one newline (or return and newline) at its end."""
    with open(file, "rb") as stream:
        key = stream.read(@MOST_KEY + 3)
    if key.endswith(b"\n"):
        key = key[:-2] if key.endswith(b"\r\n") else key[:-1]
    if not @LEAST_KEY <= len(key) <= @MOST_KEY:
        raise ValueError(f"{file}: a key has @LEAST_KEY to @MOST_KEY bytes")
    return key


class Session:
    """The side that answers, one run at a time: arm, ready, start, ticks, stop."""

    def __init__(self, key: Optional[bytes] = None) -> None:
        self.key = key
        self.run: Optional[int] = None
        self.peer = 1 + secrets.randbelow(2**64 - 1)
        self.sent = 0  # datagrams
        self.last = -1  # tick
        self.patience = 0.0  # [s] of the clock, from datagram to datagram of a run; 0 before it
        self.over = False

    def handle(self, data: bytes, command: Callable[[Tick], Commands]) -> Optional[bytes]:
        """What is sent back, if anything. BadDatagram where the datagram is refused."""
        head = unpack(data, self.key)[0]
        if head.kind == Kind.ARM and head.digest != DIGEST:  # of another scenario: no
            return self._send(Message(reply(head, Kind.STOP, self.peer, self.sent)))
        got = parse(data, self.key)
        if isinstance(got, Arm):
            if self.run not in (None, head.run):
                raise BadDatagram("arm of another run than the present one")
            period = got.sample_time / got.factor if got.factor > 0 else 0.0
            if not 0 < got.timeout + period < 1e6:
                raise BadDatagram("arm with a time that is none")
            self.run, self.patience = head.run, 10 + 2 * (got.timeout + period)
            return self._send(Message(reply(head, Kind.READY, self.peer, self.sent)))
        if (head.run, head.peer) != (self.run, self.peer):
            raise BadDatagram("of another session")
        if isinstance(got, Tick):
            if head.sequence <= self.last:
                raise BadDatagram("a tick that came before")
            self.last = head.sequence
        self.over = head.kind == Kind.STOP or bool(head.flags & Flag.STOP)
        if not isinstance(got, Tick):
            return None
        return self._send(Answer(reply(head, Kind.ANSWER, self.peer, self.sent), command(got)))

    def _send(self, datagram: Datagram) -> bytes:
        self.sent += 1
        return build(datagram, self.key)


def main(host: str = "127.0.0.1", port: str = "5001", key_file: str = "") -> None:
    session = Session(read_key(key_file) if key_file else None)
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.bind((host, int(port)))
        while not session.over:
            link.settimeout(session.patience or None)
            try:
                data, sender = link.recvfrom(MOST_BYTES + 1)
                answer = session.handle(data, lambda tick: Commands())
                if answer:
                    link.sendto(answer, sender)
            except BadDatagram as why:
                print("refused:", why)
            except TimeoutError:
                sys.exit("nothing came any more")


if __name__ == "__main__":
    main(*sys.argv[1:])
)py";

char struct_letter(WireType type) {
  switch (type) {
    case WireType::u16: return 'H';
    case WireType::u32: return 'I';
    case WireType::u64: return 'Q';
    case WireType::i64: return 'q';
  }
  return ' ';
}

std::string list_python_signals(const std::vector<NamedSignal>& signals) {
  std::string text;
  for (const NamedSignal& s : signals)
    text += fmt::format("\n    ({}, {}, {}, {}),", python_literal(s.signal.name),
                        python_literal(s.signal.unit), python_literal(s.signal.frame), s.width());
  return signals.empty() ? "" : text + "\n";
}

// Fields and nothing else: no name of a scenario can hide one that a class needs.
std::string write_class(std::string_view name, const std::vector<NamedSignal>& signals) {
  std::string text = fmt::format("\n@dataclass(slots=True)\nclass {}:\n", name);
  for (const NamedSignal& s : signals) {
    std::string zeros = "0.0", type = "float";
    if (s.width() != 1) {
      zeros = "(", type = "tuple[float, ...]";
      for (std::size_t i = 0; i < s.width(); ++i) zeros += i == 0 ? "0.0" : ", 0.0";
      zeros += ")";
    }
    text += fmt::format("    {}: {} = {}  # {} {}; from byte {}\n", s.identifier, type, zeros,
                        safe_comment(s.signal.name), safe_comment(s.unit_and_axes()), s.offset());
  }
  return text + (signals.empty() ? "    pass\n\n" : "\n");
}

std::string write_python_lists(const std::vector<NamedSignal>& measures,
                               const std::vector<NamedSignal>& commands) {
  std::string text = "class Kind(enum.IntEnum):\n";
  for (const DatagramKindName& k : kDatagramKinds)
    text += fmt::format("    {} = {}  # {}\n", upper_case(std::string(k.name)),
                        static_cast<int>(k.kind), k.meaning);
  text += "\n\nKINDS = frozenset(Kind)\n\n\nclass Flag(enum.IntFlag):\n";
  for (const DatagramFlagName& f : kDatagramFlags)
    text += fmt::format("    {} = {}  # {}\n", upper_case(std::string(f.name)),
                        static_cast<std::uint32_t>(f.flag), f.meaning);
  text += "\n\n@dataclass(slots=True)\nclass Header:\n";
  for (const DatagramField& f : kDatagramFields)
    text += fmt::format("    {}: int = {}  # {}\n", f.name,
                        f.name == "magic"     ? "MAGIC"
                        : f.name == "version" ? "VERSION"
                        : f.name == "digest"  ? "DIGEST"
                                              : "0",
                        f.meaning);
  text += "\n" + write_class("Measures", measures) + write_class("Commands", commands);
  text += fmt::format(
      "\nWIDTHS = {{\n    Kind.ARM: (1,) * {},\n    Kind.TICK: tuple(s[3] for s in MEASURES),\n"
      "    Kind.ANSWER: tuple(s[3] for s in COMMANDS),\n}}\n\n",
      kArmNumbers.size());
  return text;
}

}  // namespace

std::string write_datagram_module(const DatagramLayout& layout, const std::string& title) {
  const std::vector<NamedSignal> measures = name_signals(layout.measures),
                                 commands = name_signals(layout.commands);
  std::string format, arm, arm_values;
  for (const DatagramField& f : kDatagramFields) format += struct_letter(f.type);
  for (const ArmNumberName& n : kArmNumbers) {
    arm += fmt::format("    {}: float = 0.0  # [{}] {}\n", n.name, n.unit, n.meaning);
    arm_values += fmt::format("{}datagram.{}", arm_values.empty() ? "" : ", ", n.name);
  }
  const auto meaning = [](DatagramFault fault) { return python_literal(describe(fault)); };
  return fill_text(kModuleHead, {{"@EXTERNAL", safe_comment(layout.external)},
                                 {"@TITLE", safe_comment(title)},
                                 {"@MAGIC", fmt::format("0x{:08x}", kDatagramMagic)},
                                 {"@VERSION", std::to_string(kDatagramVersion)},
                                 {"@DIGEST", hex_text(layout.digest)},
                                 {"@MOST_BYTES", std::to_string(kMostDatagramBytes)},
                                 {"@MOST_NUMBERS", std::to_string(kMostNumbers)},
                                 {"@TAG_BYTES", std::to_string(kTagBytes)},
                                 {"@CRC_BYTES", std::to_string(kCrcBytes)},
                                 {"@FORMAT", format},
                                 {"@MEASURES", list_python_signals(measures)},
                                 {"@COMMANDS", list_python_signals(commands)},
                                 {"@LITERAL", python_literal(layout.external)},
                                 {"@LISTS", write_python_lists(measures, commands)},
                                 {"@ARM", arm},
                                 {"@dataclass", "@dataclass"}}) +
         fill_text(kModuleFunctions, {{"@SIZE", meaning(DatagramFault::size)},
                                      {"@FAULT_MAGIC", meaning(DatagramFault::magic)},
                                      {"@FAULT_VERSION", meaning(DatagramFault::version)},
                                      {"@KIND", meaning(DatagramFault::kind)},
                                      {"@COUNT", meaning(DatagramFault::count)},
                                      {"@CRC", meaning(DatagramFault::crc)},
                                      {"@TAG", meaning(DatagramFault::tag)},
                                      {"@ARM_VALUES", arm_values},
                                      {"@LEAST_KEY", std::to_string(kLeastKeyBytes)},
                                      {"@MOST_KEY", std::to_string(kMostKeyBytes)}});
}

}  // namespace berth
