// SPDX-License-Identifier: Apache-2.0
#pragma once

// The layout of datagrams as files for the other side, made of kDatagramFields and a DatagramLayout:
//
//   berth_datagram.h     C99 and C++11, nothing but the standard headers: constants, offsets, a struct with a
//                        member for every measure and command, packing and unpacking with CRC-32 and tag
//   berth_datagram.py    Python 3.10, nothing but the standard library: the same, and an example that answers
//   datagrams.md         the page: header, numbers, session, rules
//
// Names of a scenario become identifiers, texts in comments or literals; none can end a comment or a
// literal.

#include <string>
#include <string_view>
#include <vector>

#include "berth/export/c_files.h"
#include "berth/live/datagram.h"

namespace berth {

// `title` is one line on the scenario. Throws std::invalid_argument where measures or commands are more
// numbers than fit.
std::vector<ExportedFile> write_datagram_files(const DatagramLayout& layout,
                                               const std::string& title);

// Kinds, header fields, flags and numbers of arm as tables of Markdown: what is the same for every
// scenario. The page of the documentation holds it between two markers.
std::string write_datagram_tables();

}  // namespace berth
