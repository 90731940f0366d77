// SPDX-License-Identifier: Apache-2.0
#include "berth/record/hdf5_file.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <hdf5.h>

#include "berth/record/hdf5_quiet.h"
#include "berth/record/hdf5_storage.h"
#include "berth/record/record_error.h"

namespace berth {

static_assert(std::is_same_v<hid_t, std::int64_t>);

namespace {

using Quiet = Hdf5Quiet;

// The innermost reason HDF5 gives for its last failure.
std::string last_reason() {
  std::string reason = "HDF5 gives no reason";
  const auto take_first = [](unsigned depth, const H5E_error2_t* error, void* into) -> herr_t {
    if (depth == 0 && error->desc) *static_cast<std::string*>(into) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &reason);
  return reason;
}

Hdf5Id make_text_type(std::size_t length, bool ascii) {
  Hdf5Id type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.get(), length);
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  H5Tset_cset(type.get(), ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8);
  return type;
}

StoredKind kind_of(Precision precision) {
  return precision == Precision::full ? StoredKind::numbers : StoredKind::floats;
}

// What files and memory both have.
Hdf5Id make_type(StoredKind kind) {
  return Hdf5Id(H5Tcopy(kind == StoredKind::numbers  ? H5T_IEEE_F64LE
                        : kind == StoredKind::floats ? H5T_IEEE_F32LE
                                                     : H5T_STD_U8LE));
}

// Attributes are texts of fixed length as well; the smallest is one zero.
std::string_view or_zero(std::string_view text) {
  return text.empty() ? std::string_view("\0", 1) : text;
}

constexpr std::string_view kSignature("\x89HDF\r\n\x1a\n", 8);

// Links are found one after the other; tables of a sweep may have some thousand columns.
constexpr unsigned kMostLinksInGroup = 65535;

constexpr std::string_view kUserBlockText =
    "berth: a result file. HDF5 begins at byte 512; h5py, Octave and MATLAB read it as it is.\n"
    "berth verify FILE checks it.\n";
static_assert(kUserBlockText.size() < kUserBlock);

}  // namespace

std::optional<std::uint64_t> find_hdf5(std::string_view start) {
  for (const std::uint64_t at : {std::uint64_t{0}, kUserBlock})
    if (start.size() > at && start.substr(at).starts_with(kSignature)) return at;
  return std::nullopt;
}

bool is_in_hdf5() { return Hdf5Quiet::is_serving(); }

// And what the library keeps for this thread: its list of errors.
bool prepare_hdf5() { return H5dont_atexit() >= 0 && H5open() >= 0 && H5Eclear2(H5E_DEFAULT) >= 0; }

Hdf5Id::~Hdf5Id() {
  if (id_ < 0) return;
  const Quiet quiet;
  H5Idec_ref(id_);
}

Hdf5Id& Hdf5Id::operator=(Hdf5Id&& other) noexcept {
  std::swap(id_, other.id_);
  return *this;
}

Hdf5File::Hdf5File(int descriptor, std::string name)
    : name_(std::move(name)), storage_(std::make_unique<Hdf5Storage>(descriptor)) {
  const Quiet quiet;
  const Hdf5Id access(check(make_hdf5_access(*storage_), "a new HDF5 file"));
  check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_V18), "a new HDF5 file");

  // HDF5's cache of indices grows with the length of a file: to 32 MiB as they are stored, which is
  // nine times as much in memory. The ends of the indices of some thousand datasets fit into 4.
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  check(H5Pget_mdc_config(access.get(), &cache), "a new HDF5 file");
  cache.set_initial_size = true;
  cache.initial_size = cache.min_size = cache.max_size = 4 << 20;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  check(H5Pset_mdc_config(access.get(), &cache), "a new HDF5 file");

  const Hdf5Id creation = make_group_properties(H5P_FILE_CREATE);
  check(H5Pset_userblock(creation.get(), kUserBlock), "a new HDF5 file");

  link_names_ = Hdf5Id(check(H5Pcreate(H5P_LINK_CREATE), "a new HDF5 file"));
  H5Pset_char_encoding(link_names_.get(), H5T_CSET_UTF8);

  file_ = Hdf5Id(check(H5Fcreate(name_.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()),
                       "a new HDF5 file"));
  manifest_.add({.path = "/"});
}

Hdf5File::~Hdf5File() = default;

// Without times, members in the order of their creation, links in the group itself.
Hdf5Id Hdf5File::make_group_properties(std::int64_t kind) const {
  Hdf5Id creation(check(H5Pcreate(kind), "a new group"));
  H5Pset_obj_track_times(creation.get(), false);
  H5Pset_link_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_link_phase_change(creation.get(), kMostLinksInGroup, kMostLinksInGroup - 1);
  return creation;
}

void Hdf5File::add_group(const std::string& path) {
  const Quiet quiet;
  const Hdf5Id creation = make_group_properties(H5P_GROUP_CREATE);
  const Hdf5Id group(check(
      H5Gcreate2(file_.get(), path.c_str(), link_names_.get(), creation.get(), H5P_DEFAULT), path));
  manifest_.add({.path = path});
}

Hdf5Column Hdf5File::add_growing_numbers(const std::string& path, int width, int chunk_rows,
                                         Precision precision) {
  const Quiet quiet;
  return add_column(
      {.path = path, .kind = kind_of(precision), .width = static_cast<std::uint64_t>(width)},
      make_type(kind_of(precision)), chunk_rows);
}

Hdf5Column Hdf5File::add_numbers(const std::string& path, int width, std::uint64_t rows,
                                 Precision precision) {
  const Quiet quiet;
  return add_column({.path = path,
                     .kind = kind_of(precision),
                     .rows = rows,
                     .width = static_cast<std::uint64_t>(width)},
                    make_type(kind_of(precision)), 0);
}

Hdf5Column Hdf5File::add_texts(const std::string& path, std::size_t length, bool ascii,
                               std::uint64_t rows) {
  const Quiet quiet;
  length = std::max<std::size_t>(length, 1);
  return add_column({.path = path, .kind = StoredKind::texts, .rows = rows, .length = length},
                    make_text_type(length, ascii), 0);
}

Hdf5Column Hdf5File::add_column(const ManifestEntry& entry, Hdf5Id type, int chunk_rows) {
  const std::string& path = entry.path;
  const bool grows = chunk_rows > 0;
  const hsize_t size[2] = {entry.rows, entry.width};
  const hsize_t limit[2] = {grows ? H5S_UNLIMITED : entry.rows, entry.width};
  const int rank = entry.width > 1 ? 2 : 1;
  const Hdf5Id space(check(H5Screate_simple(rank, size, limit), path));

  const Hdf5Id creation(H5Pcreate(H5P_DATASET_CREATE));
  const Hdf5Id access(H5Pcreate(H5P_DATASET_ACCESS));
  H5Pset_obj_track_times(creation.get(), false);
  if (grows) {
    // Whole chunks are written; HDF5's cache of chunks, 1 MiB for each dataset, would only copy them.
    const hsize_t chunk[2] = {static_cast<hsize_t>(chunk_rows), entry.width};
    H5Pset_chunk(creation.get(), rank, chunk);
    H5Pset_fletcher32(creation.get());
    H5Pset_chunk_cache(access.get(), 0, 0, 0);
  }
  Hdf5Id dataset(check(H5Dcreate2(file_.get(), path.c_str(), type.get(), space.get(),
                                  link_names_.get(), creation.get(), access.get()),
                       path));
  manifest_.add(entry);
  digests_.emplace(path, Sha256());
  return {path,
          std::move(type),
          std::move(dataset),
          entry.width,
          0,
          grows,
          entry.kind == StoredKind::floats ? Precision::single : Precision::full};
}

void Hdf5File::append(Hdf5Column& column, std::span<const double> values) {
  const std::uint64_t rows = values.size() / column.width;
  const auto append_all = [&](const auto& list) {
    append_bytes(column, {reinterpret_cast<const char*>(list.data()), list.size() * sizeof list[0]},
                 rows);
  };
  if (column.precision == Precision::full) return append_all(values);
  floats_.assign(values.begin(), values.end());
  append_all(floats_);
}

void Hdf5File::append(Hdf5Column& column, std::span<const std::string> texts) {
  const std::size_t length = H5Tget_size(column.type.get());
  texts_.assign(texts.size() * length, '\0');
  for (std::size_t i = 0; i < texts.size(); ++i)
    std::copy_n(texts[i].data(), std::min(length, texts[i].size()), &texts_[i * length]);
  append_bytes(column, texts_, texts.size());
}

void Hdf5File::append_bytes(Hdf5Column& column, std::string_view bytes, std::uint64_t rows) {
  if (rows == 0) return;
  const Quiet quiet;
  const hid_t dataset = column.dataset.get();
  const hsize_t first[2] = {column.rows, 0};
  const hsize_t count[2] = {rows, column.width};
  const hsize_t end[2] = {column.rows + rows, column.width};
  if (column.grows) check(H5Dset_extent(dataset, end), column.path);

  const Hdf5Id in_file(check(H5Dget_space(dataset), column.path));
  const Hdf5Id in_memory(
      check(H5Screate_simple(column.width > 1 ? 2 : 1, count, nullptr), column.path));
  check(H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, first, nullptr, count, nullptr),
        column.path);
  check(H5Dwrite(dataset, column.type.get(), in_memory.get(), in_file.get(), H5P_DEFAULT,
                 bytes.data()),
        column.path);
  column.rows += rows;
  if (column.grows) manifest_.find(column.path)->rows = column.rows;
  digests_.at(column.path).add(bytes);
}

void Hdf5File::add_text(const std::string& path, std::string_view text) {
  const std::string_view bytes = or_zero(text);
  write_text(path, bytes);
  manifest_.add({.path = path, .kind = StoredKind::texts, .rows = 1, .length = bytes.size()});
  digests_.emplace(path, Sha256()).first->second.add(bytes);
}

void Hdf5File::write_text(const std::string& path, std::string_view bytes) {
  const Quiet quiet;
  const Hdf5Id type = make_text_type(bytes.size(), is_ascii(bytes));
  const Hdf5Id space(check(H5Screate(H5S_SCALAR), path));
  const Hdf5Id creation(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(creation.get(), false);
  const Hdf5Id dataset(check(H5Dcreate2(file_.get(), path.c_str(), type.get(), space.get(),
                                        link_names_.get(), creation.get(), H5P_DEFAULT),
                             path));
  check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), path);
}

void Hdf5File::add_bytes(const std::string& path, std::string_view bytes) {
  const Quiet quiet;
  Hdf5Column column = add_column({.path = path, .kind = StoredKind::bytes, .rows = bytes.size()},
                                 make_type(StoredKind::bytes), 0);
  append_bytes(column, bytes, bytes.size());
}

void Hdf5File::add_attribute(const std::string& path, const char* name, const std::string& text) {
  const Quiet quiet;
  const std::string_view value = or_zero(text);
  write_attribute(path, name, make_text_type(value.size(), is_ascii(value)), value.data());
  manifest_.find(path)->attributes[name] = text;
}

void Hdf5File::add_attribute(const std::string& path, const char* name, std::int64_t number) {
  const Quiet quiet;
  write_attribute(path, name, Hdf5Id(H5Tcopy(H5T_STD_I64LE)), &number);
  manifest_.find(path)->attributes[name] = number;
}

void Hdf5File::write_attribute(const std::string& path, const char* name, const Hdf5Id& type,
                               const void* value) {
  const Hdf5Id space(check(H5Screate(H5S_SCALAR), path));
  const Hdf5Id attribute(
      check(H5Acreate_by_name(file_.get(), path.c_str(), name, type.get(), space.get(), H5P_DEFAULT,
                              H5P_DEFAULT, H5P_DEFAULT),
            path));
  check(H5Awrite(attribute.get(), type.get(), value), path);
}

void Hdf5File::close() {
  const Quiet quiet;
  for (const auto& [path, digest] : digests_)
    manifest_.find(path)->sha256 = to_hexadecimal(digest.find());
  write_text(Manifest::kPath, manifest_.write());
  check(H5Fflush(file_.get(), H5F_SCOPE_LOCAL), "what was left to write");
  check(H5Fclose(file_.release()), "what was left to write");
  storage_->write(0, kUserBlockText.data(), kUserBlockText.size());
  check(0, "its first bytes");
}

// A file that cannot be written explains all the rest.
std::int64_t Hdf5File::check(std::int64_t answer, std::string_view what) const {
  if (storage_->error()) throw RecordError(name_, "cannot write", storage_->error());
  if (answer < 0) throw RecordError(name_, fmt::format("cannot write {}: {}", what, last_reason()));
  return answer;
}

}  // namespace berth
