// SPDX-License-Identifier: Apache-2.0
#pragma once

// confine() — from here on this process can do little: see Apart. Only for a process that was just forked off.

#include <span>

namespace berth {

// Closes all descriptors but these. Input, output and errors are /dev/null.
void close_others(std::span<const int> kept);

// Signals of the terminal are the parent's. Faults end the process, without a core file; so does the use of more
// memory than there is now and `megabytes` more (an allocation then fails), or of a system call that neither
// reads, computes nor answers. Under the address sanitizer, which needs more of both, memory and calls stay free.
void confine(int megabytes);

// Whether this build limits memory and calls.
bool is_confining();

// So many seconds of a processor from now on, then the process ends by SIGPROF.
void limit_time(int seconds);

}  // namespace berth
