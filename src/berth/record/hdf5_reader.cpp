// SPDX-License-Identifier: Apache-2.0
#include "berth/record/hdf5_reader.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "berth/interruption.h"
#include "berth/record/hdf5_quiet.h"
#include "berth/record/hdf5_source.h"
#include "berth/record/input_file.h"
#include "berth/record/record_error.h"

namespace berth {
namespace {

constexpr std::uint64_t kLongestList = 64 << 20;  // bytes

std::vector<std::string> cut_texts(const std::string& bytes, std::size_t length) {
  std::vector<std::string> list;
  for (std::size_t from = 0; from < bytes.size(); from += length) {
    std::string text = bytes.substr(from, length);
    text.erase(text.find_last_not_of('\0') + 1);
    list.push_back(std::move(text));
  }
  return list;
}

}  // namespace

Hdf5Reader::Hdf5Reader(const std::filesystem::path& file) : name_(file.string()) {
  const InputFile opened(file, "");  // commands say what it is to them
  if (!opened.problem().empty()) throw RecordError(name_, opened.problem());
  struct stat facts {};
  if (::fstat(opened.descriptor(), &facts) != 0) throw RecordError(name_, "cannot read", errno);
  try {
    // HDF5 must be in nobody's hands while the process splits.
    const Hdf5Quiet quiet;
    apart_ = std::make_unique<Apart>(
        [d = opened.descriptor(),
         size = static_cast<std::uint64_t>(facts.st_size)]() -> Apart::Answer {
          Hdf5Quiet::begin_process();
          return [source = std::make_shared<Hdf5Source>(d, size)](std::string_view question) {
            return source->answer(question);
          };
        },
        std::array{opened.descriptor()});
  } catch (const ApartError& e) {
    throw RecordError(name_, e.what());
  }
  const std::string list = ask({.what = Hdf5Question::What::list}, "", kLongestList);
  is_verified_ = list.starts_with('1');
  try {
    manifest_ =
        Manifest::read(std::string_view(list).substr(std::min<std::size_t>(list.size(), 1)));
  } catch (const std::invalid_argument& e) {
    throw RecordError(name_, e.what());
  }
}

std::string Hdf5Reader::warning() const {
  if (is_verified_) return "";
  const std::string version = attribute("/", "berth_version");
  return fmt::format("{}: not verified: {}, without digests that would show damage", name_,
                     version.empty() ? "not written by berth" : "written by berth " + version);
}

bool Hdf5Reader::is_text(const std::string& path) const {
  return find(path).kind == StoredKind::texts;
}

std::vector<std::string> Hdf5Reader::members(const std::string& path) const {
  if (find(path).kind != StoredKind::group)
    throw RecordError(name_, fmt::format("{} is no group", path));
  const std::string before = path == "/" ? path : path + "/";
  std::vector<std::string> names;
  for (const std::string& other : manifest_.paths())
    if (other.size() > before.size() && other.starts_with(before) &&
        other.find('/', before.size()) == std::string::npos)
      names.push_back(other.substr(before.size()));
  return names;
}

std::string Hdf5Reader::attribute(const std::string& path, const char* name) const {
  const ManifestEntry* const e = manifest_.find(path);
  if (!e) return "";
  const auto at = e->attributes.find(name);
  return at != e->attributes.end() && at->is_string() ? at->get<std::string>() : "";
}

Hdf5Reader::Extent Hdf5Reader::extent(const std::string& path) const {
  const ManifestEntry& e = find(path);
  if (e.kind == StoredKind::group) throw RecordError(name_, fmt::format("{} is no table", path));
  return {e.rows, e.width};
}

std::vector<double> Hdf5Reader::rows(const std::string& path, std::uint64_t first,
                                     std::uint64_t count, std::uint64_t stride) const {
  const ManifestEntry& e = find_numbers(path);
  if (count == 0) return {};
  if (first >= e.rows || (count - 1) > (e.rows - 1 - first) / stride)
    throw RecordError(name_, fmt::format("{} has only {} rows", path, e.rows));
  std::vector<double> values;
  values.reserve(count * e.width);
  read(e, {.first = first, .rows = count, .stride = stride, .columns = e.width}, 8 * e.width,
       [&](const std::string& bytes, std::uint64_t) {
         const std::size_t n = values.size();
         values.resize(n + bytes.size() / 8);
         std::memcpy(values.data() + n, bytes.data(), bytes.size());
       });
  return values;
}

std::vector<std::vector<double>> Hdf5Reader::columns(const std::string& path, std::uint64_t first,
                                                     std::uint64_t count) const {
  const ManifestEntry& e = find_numbers(path);
  if (first > e.width || count > e.width - first)
    throw RecordError(name_, fmt::format("{} has only {} columns", path, e.width));
  std::vector<std::vector<double>> out(count);
  if (count == 0) return out;
  for (auto& column : out) column.reserve(e.rows);
  read(e, {.rows = e.rows, .column = first, .columns = count}, 8 * count,
       [&](const std::string& bytes, std::uint64_t rows) {
         double value = 0;
         for (std::uint64_t i = 0; i < rows; ++i)
           for (std::uint64_t j = 0; j < count; ++j) {
             std::memcpy(&value, &bytes[8 * (i * count + j)], 8);
             out[j].push_back(value);
           }
       });
  return out;
}

std::vector<double> Hdf5Reader::numbers(const std::string& path) const {
  return rows(path, 0, find_numbers(path).rows);
}

std::vector<std::string> Hdf5Reader::texts(const std::string& path) const {
  return text_rows(path, 0, find(path).rows);
}

std::vector<std::string> Hdf5Reader::text_rows(const std::string& path, std::uint64_t first,
                                               std::uint64_t count) const {
  const ManifestEntry& e = find(path);
  if (e.kind != StoredKind::texts)
    throw RecordError(name_, fmt::format("{} is no text of berth", path));
  if (first > e.rows || count > e.rows - first)
    throw RecordError(name_, fmt::format("{} has only {} rows", path, e.rows));
  std::vector<std::string> out;
  read(e, {.first = first, .rows = count}, e.length, [&](const std::string& bytes, std::uint64_t) {
    for (std::string& text : cut_texts(bytes, e.length)) out.push_back(std::move(text));
  });
  return out;
}

std::string Hdf5Reader::bytes(const std::string& path, std::size_t most) const {
  const ManifestEntry& e = find(path);
  if (e.kind != StoredKind::bytes || e.rows > most)
    throw RecordError(name_, fmt::format("{} is no list of bytes, or too long", path));
  std::string out;
  read(e, {.rows = e.rows}, 1, [&](const std::string& some, std::uint64_t) { out += some; });
  return out;
}

void Hdf5Reader::verify(const std::string& path) const {
  if (find(path).kind == StoredKind::group) return;
  {
    const std::lock_guard alone(alone_);
    if (checked_.contains(path)) return;
  }
  while (ask({.what = Hdf5Question::What::check}, path, 1) != "1") stop_if_interrupted();
  const std::lock_guard alone(alone_);
  checked_.insert(path);
}

std::vector<std::string> Hdf5Reader::foreign() const {
  const std::string all = ask({.what = Hdf5Question::What::foreign}, "", kLongestList);
  std::vector<std::string> paths;
  for (std::size_t from = 0, end = 0; (end = all.find('\0', from)) != std::string::npos;
       from = end + 1)
    paths.push_back(all.substr(from, end - from));
  return paths;
}

const ManifestEntry& Hdf5Reader::find(const std::string& path) const {
  const ManifestEntry* const e = manifest_.find(path);
  if (!e) throw RecordError(name_, fmt::format("cannot read {}: there is none", path));
  if (!e->problem.empty()) throw RecordError(name_, e->problem);
  return *e;
}

const ManifestEntry& Hdf5Reader::find_numbers(const std::string& path) const {
  const ManifestEntry& e = find(path);
  if (e.kind != StoredKind::numbers && e.kind != StoredKind::floats)
    throw RecordError(name_, fmt::format("{} holds no numbers", path));
  return e;
}

std::string Hdf5Reader::ask(const Hdf5Question& question, const std::string& path,
                            std::uint64_t most) const {
  try {
    return apart_->ask(question.write(path), most);
  } catch (const ApartError& e) {
    throw RecordError(name_, e.what());
  } catch (const std::bad_alloc&) {
    throw RecordError(name_, fmt::format("{} does not fit into memory", path));
  }
}

template <class Take>
void Hdf5Reader::read(const ManifestEntry& e, Hdf5Question question, std::uint64_t row_size,
                      Take&& take) const {
  verify(e.path);
  question.what = Hdf5Question::What::read;
  const std::uint64_t together = std::max<std::uint64_t>(kMostBytesAtOnce / row_size, 1);
  for (std::uint64_t rest = question.rows; rest > 0;) {
    question.rows = std::min(together, rest);
    const std::uint64_t size = question.rows * row_size;
    const std::string bytes = ask(question, e.path, size);
    if (bytes.size() != size) throw RecordError(name_, fmt::format("{} is damaged", e.path));
    take(bytes, question.rows);
    question.first += question.rows * question.stride;
    rest -= question.rows;
  }
}

}  // namespace berth
