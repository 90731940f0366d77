// SPDX-License-Identifier: Apache-2.0

// A result file, read here and not in a process of its own: what Hdf5Reader asks, Hdf5Source answers. Where the HDF5
// library fails nothing of berth does, but that it is called there; tools/run_fuzz.py counts the two apart.

#include <stdexcept>

#include <sys/mman.h>
#include <unistd.h>

#include "berth/record/hdf5_quiet.h"
#include "berth/record/hdf5_source.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

struct MemoryFile {
  int descriptor = ::memfd_create("result", MFD_CLOEXEC);
  explicit MemoryFile(std::string_view bytes) {
    expect(descriptor >= 0 && ::write(descriptor, bytes.data(), bytes.size()) ==
                                  static_cast<::ssize_t>(bytes.size()),
           "there is memory for the file");
  }
  ~MemoryFile() { ::close(descriptor); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
};

// What is refused is a sentence.
std::string ask(Hdf5Source& source, const Hdf5Question& question, const std::string& path = {}) {
  try {
    return source.answer(question.write(path));
  } catch (const std::exception& e) {
    expect(!std::string_view(e.what()).empty(), "a refusal has words");
    return "";
  }
}

void read(Hdf5Source& source, const ManifestEntry& e) {
  using What = Hdf5Question::What;
  while (ask(source, {.what = What::check}, e.path) == "0") continue;
  const bool is_number = e.kind == StoredKind::numbers || e.kind == StoredKind::floats;
  const std::uint64_t columns = is_number ? e.width : 1;
  const std::uint64_t row_size = is_number ? 8 * e.width : e.row_size();
  const std::uint64_t rows =
      std::min(e.rows, kMostBytesAtOnce / std::max<std::uint64_t>(row_size, 1));
  const std::string all =
      ask(source, {.what = What::read, .rows = rows, .columns = columns}, e.path);
  expect(all.empty() || all.size() == rows * row_size, "an answer is as long as was asked for");
  ask(source, {.what = What::read, .first = e.rows / 2, .rows = 2, .stride = 3, .column = e.width},
      e.path);
}

}  // namespace

void fuzz_result(std::string_view input) {
  const MemoryFile file(input);
  const Hdf5Quiet quiet;
  try {
    Hdf5Source source(file.descriptor, input.size());
    const std::string list = ask(source, {});
    if (list.empty()) return;
    const Manifest manifest = Manifest::read(std::string_view(list).substr(1));
    for (const std::string& path : manifest.paths()) read(source, *manifest.find(path));
    ask(source, {.what = Hdf5Question::What::foreign});
  } catch (const Find&) {
    throw;
  } catch (const std::exception& e) {
    expect(!std::string_view(e.what()).empty(), "a refusal has words");
  }
}

}  // namespace berth::fuzz
