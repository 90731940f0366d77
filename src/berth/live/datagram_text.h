// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pieces of which the files of datagram_files.h are put together.

#include <string>
#include <string_view>
#include <vector>

#include "berth/live/datagram.h"

namespace berth {

// A signal with the identifier it has in C and Python, and where its numbers stand.
struct NamedSignal {
  Simulation::Signal signal;
  std::string identifier;
  std::size_t first = 0;  // of its numbers

  std::size_t width() const { return static_cast<std::size_t>(signal.width); }
  std::size_t offset() const { return kDatagramHeaderBytes + 8 * first; }  // [bytes]
  // "[m], lvlh axes": what is known of them.
  std::string unit_and_axes() const;
};
// Letters, digits and _ of the names, each once; none is a keyword of C, C++ or Python or a usual macro.
std::vector<NamedSignal> name_signals(const std::vector<Simulation::Signal>& signals);

// A line that is safe in a comment of C and Python: Latin and Greek letters and signs of mathematics,
// all else as _; no */, /* or ??.
std::string safe_comment(std::string_view text);
// A literal of Python, ASCII throughout.
std::string python_literal(std::string_view text);
// A cell of a table of Markdown, or text between others: as code where that is possible.
std::string markdown_name(std::string_view text);
std::string markdown_text(std::string_view text);
// 0x0123456789abcdef
std::string hex_text(std::uint64_t x);

// datagram_c_text.cpp, datagram_python_text.cpp, datagram_page_text.cpp
std::string write_datagram_header(const DatagramLayout& layout, const std::string& title);
std::string write_datagram_module(const DatagramLayout& layout, const std::string& title);
std::string write_datagram_page(const DatagramLayout& layout, const std::string& title);

}  // namespace berth
