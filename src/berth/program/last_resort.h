// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where memory lacks and nobody can be asked to clean up, a program still ends with a sentence and exit code 1:
//
//   a destructor that asks for memory      nlohmann's, of lists: C++ knows only std::terminate()
//   HDF5                                   calls exit() where it cannot go on
//
// What is left of a file has the name of a part (record/part_file.h), which the next command removes.
//
// HDF5 is made ready before main(), as shared libraries are, and does nothing at the end of the process: neither of
// the two survives a lack of memory, and berth closes what it opens.

namespace berth {

// From here on. Anything but an orderly end is one that nobody asked for.
void prepare_last_resort();
void note_orderly_end();

// Says so, without asking for any; the exit code. The process ends orderly.
int end_without_memory();

}  // namespace berth
