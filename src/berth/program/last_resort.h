// SPDX-License-Identifier: Apache-2.0
#pragma once

// When not even a small piece of memory is to be had, a program ends with a sentence and exit code 1, as it would by
// a kill: nobody after it works with half of something. Files have their names once they are whole, journals have
// what is done, and what is left of a part (record/part_file.h) the next command removes.
//
//   small pieces         end the program where they are asked for: libraries would take the lack for something
//                        else (toml++ for a number that is none)
//   large ones           are std::bad_alloc: who asked says what does not fit. In a destructor that is
//                        std::terminate(), which ends it too
//   the memory of HDF5   calls exit() where it cannot go on, or reads what it has no memory for. It is made ready
//                        before main(), as shared libraries are, and does nothing at the end of the process:
//                        neither survives a lack of memory, and berth closes what it opens

#include <cstddef>

namespace berth {

// From here on. Anything but an orderly end is one that nobody asked for.
void prepare_last_resort();
void note_orderly_end();

// So many bytes were not to be had. Returns when they were many, or in a process that was forked off.
void note_lack_of_memory(std::size_t bytes);

// Says so, without asking for any; the exit code. The process ends orderly.
int end_without_memory();

}  // namespace berth
