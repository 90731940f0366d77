// SPDX-License-Identifier: Apache-2.0
#pragma once

// What reads the input of strangers, one function a reader: any bytes may be handed to it. It throws a Find where the
// reader breaks a promise; every other exception that leaves it, and whatever a sanitizer stops at, is a find too.
//
//   make fuzz        libFuzzer calls one of them at a time (entry.cpp)
//   make test        corpus_test.cpp calls each with the inputs of corpus/<name>

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

namespace berth::fuzz {

struct Find : std::logic_error {
  using std::logic_error::logic_error;
};

inline void expect(bool holds, const std::string& promise) {
  if (!holds) throw Find(promise);
}

void fuzz_scenario(std::string_view input);   // text of a scenario
void fuzz_setting(std::string_view input);    // --set, several with zeros between them
void fuzz_condition(std::string_view input);  // when, final, stop criteria
void fuzz_study(std::string_view input);      // --vary, --until, goals and their limits
void fuzz_journal(
    std::string_view input);  // lines of a journal; one that ends in " #" gets its checksum
void fuzz_manifest(std::string_view input);   // of a result, without its last line
void fuzz_result(std::string_view input);     // a result file
void fuzz_model(std::string_view input);      // a .glb, or its JSON and, behind a zero, its buffer
void fuzz_datagram(std::string_view input);   // a datagram, without what seals it
void fuzz_saved_run(std::string_view input);  // changes to the bytes of one
void fuzz_facility(std::string_view input);   // those of a session, one after the other

struct Target {
  std::string_view name;
  void (*run)(std::string_view input);
};
inline constexpr std::array kTargets{
    Target{"scenario", fuzz_scenario},   Target{"setting", fuzz_setting},
    Target{"condition", fuzz_condition}, Target{"study", fuzz_study},
    Target{"journal", fuzz_journal},     Target{"manifest", fuzz_manifest},
    Target{"result", fuzz_result},       Target{"model", fuzz_model},
    Target{"datagram", fuzz_datagram},   Target{"facility", fuzz_facility},
    Target{"saved_run", fuzz_saved_run},
};

}  // namespace berth::fuzz
