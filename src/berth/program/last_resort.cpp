// SPDX-License-Identifier: Apache-2.0
#include "berth/program/last_resort.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include <unistd.h>

#include "berth/record/hdf5_file.h"

namespace berth {
namespace {

[[maybe_unused]] const bool g_hdf5_is_ready = prepare_hdf5();

constexpr std::size_t kLarge = 64 << 10;  // [bytes]

std::atomic<bool> g_ends_orderly = false;
std::atomic<int> g_process = 0;
std::terminate_handler g_usual_end = nullptr;
struct sigaction g_usual_fault {};

void write_sentence() {
  constexpr std::string_view sentence = "berth: there is not enough memory\n";
  [[maybe_unused]] const ::ssize_t written =
      ::write(STDERR_FILENO, sentence.data(), sentence.size());
}

[[noreturn]] void end_at_once() {
  std::fflush(stdout);  // what was reported stays so
  write_sentence();
  std::_Exit(1);
}

// Anything else is a defect, and ends as those do.
void end_by_exception() {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    end_at_once();
  } catch (...) {
  }
  g_usual_end();
}

// HDF5 copies names without a check that there was memory for the copy. Any other fault ends as it would.
void end_by_fault(int signal) {
  if (is_in_hdf5()) {
    constexpr std::string_view sentence =
        "berth: the HDF5 library failed; there may not be enough memory\n";
    [[maybe_unused]] const ::ssize_t written =
        ::write(STDERR_FILENO, sentence.data(), sentence.size());
    ::_exit(1);
  }
  ::sigaction(signal, &g_usual_fault, nullptr);
}

void end_by_exit() {
  if (!g_ends_orderly) end_at_once();
}

}  // namespace

void prepare_last_resort() {
  g_process = ::getpid();
  g_usual_end = std::set_terminate(end_by_exception);
  std::atexit(end_by_exit);
  struct sigaction action {};
  action.sa_handler = end_by_fault;
  ::sigaction(SIGSEGV, &action, &g_usual_fault);
}

void note_orderly_end() { g_ends_orderly = true; }

void note_lack_of_memory(std::size_t bytes) {
  if (bytes < kLarge && g_process == ::getpid()) end_at_once();
}

int end_without_memory() {
  write_sentence();
  note_orderly_end();
  return 1;
}

}  // namespace berth
