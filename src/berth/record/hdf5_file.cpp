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
  H5Tset_strpad(type.get(), length == H5T_VARIABLE ? H5T_STR_NULLTERM : H5T_STR_NULLPAD);
  H5Tset_cset(type.get(), ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8);
  return type;
}

Hdf5Id make_number_type(Precision precision) {
  return Hdf5Id(H5Tcopy(precision == Precision::full ? H5T_IEEE_F64LE : H5T_IEEE_F32LE));
}

}  // namespace

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

  const Hdf5Id creation(check(H5Pcreate(H5P_FILE_CREATE), "a new HDF5 file"));
  H5Pset_obj_track_times(creation.get(), false);
  H5Pset_link_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);

  link_names_ = Hdf5Id(check(H5Pcreate(H5P_LINK_CREATE), "a new HDF5 file"));
  H5Pset_char_encoding(link_names_.get(), H5T_CSET_UTF8);

  file_ = Hdf5Id(check(H5Fcreate(name_.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()),
                       "a new HDF5 file"));
}

Hdf5File::~Hdf5File() = default;

void Hdf5File::add_group(const std::string& path) {
  const Quiet quiet;
  const Hdf5Id creation(H5Pcreate(H5P_GROUP_CREATE));
  H5Pset_obj_track_times(creation.get(), false);
  H5Pset_link_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  const Hdf5Id group(check(
      H5Gcreate2(file_.get(), path.c_str(), link_names_.get(), creation.get(), H5P_DEFAULT), path));
}

Hdf5Column Hdf5File::add_growing_numbers(const std::string& path, int width, int chunk_rows,
                                         Precision precision) {
  const Quiet quiet;
  return add_column(path, make_number_type(precision), Hdf5Id(H5Tcopy(H5T_IEEE_F64LE)), width, 0,
                    chunk_rows);
}

Hdf5Column Hdf5File::add_numbers(const std::string& path, int width, std::uint64_t rows,
                                 Precision precision) {
  const Quiet quiet;
  return add_column(path, make_number_type(precision), Hdf5Id(H5Tcopy(H5T_IEEE_F64LE)), width, rows,
                    0);
}

Hdf5Column Hdf5File::add_texts(const std::string& path, std::size_t length, bool ascii,
                               std::uint64_t rows) {
  const Quiet quiet;
  Hdf5Id type = make_text_type(std::max<std::size_t>(length, 1), ascii);
  const Hdf5Id stored(H5Tcopy(type.get()));
  return add_column(path, stored, std::move(type), 1, rows, 0);
}

Hdf5Column Hdf5File::add_column(const std::string& path, const Hdf5Id& stored, Hdf5Id type,
                                int width, std::uint64_t rows, int chunk_rows) {
  const bool grows = chunk_rows > 0;
  const auto columns = static_cast<hsize_t>(width);
  const hsize_t size[2] = {rows, columns};
  const hsize_t limit[2] = {grows ? H5S_UNLIMITED : rows, columns};
  const Hdf5Id space(check(H5Screate_simple(width > 1 ? 2 : 1, size, limit), path));

  const Hdf5Id creation(H5Pcreate(H5P_DATASET_CREATE));
  const Hdf5Id access(H5Pcreate(H5P_DATASET_ACCESS));
  H5Pset_obj_track_times(creation.get(), false);
  if (grows) {
    // Whole chunks are written; HDF5's cache of chunks, 1 MiB for each dataset, would only copy them.
    const hsize_t chunk[2] = {static_cast<hsize_t>(chunk_rows), columns};
    H5Pset_chunk(creation.get(), width > 1 ? 2 : 1, chunk);
    H5Pset_chunk_cache(access.get(), 0, 0, 0);
  }
  Hdf5Id dataset(check(H5Dcreate2(file_.get(), path.c_str(), stored.get(), space.get(),
                                  link_names_.get(), creation.get(), access.get()),
                       path));
  return {path, std::move(type), std::move(dataset), columns, 0, grows};
}

void Hdf5File::append(Hdf5Column& column, std::span<const double> values) {
  append_bytes(column, values.data(), values.size() / column.width);
}

void Hdf5File::append(Hdf5Column& column, std::span<const std::string> texts) {
  const std::size_t length = H5Tget_size(column.type.get());
  std::vector<char> bytes(texts.size() * length);
  for (std::size_t i = 0; i < texts.size(); ++i)
    std::copy_n(texts[i].data(), std::min(length, texts[i].size()), &bytes[i * length]);
  append_bytes(column, bytes.data(), texts.size());
}

void Hdf5File::append_bytes(Hdf5Column& column, const void* bytes, std::uint64_t rows) {
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
  check(H5Dwrite(dataset, column.type.get(), in_memory.get(), in_file.get(), H5P_DEFAULT, bytes),
        column.path);
  column.rows += rows;
}

void Hdf5File::add_text(const std::string& path, std::string_view text) {
  const Quiet quiet;
  // A text has at least one byte; the zero is padding.
  const std::string bytes(text.empty() ? std::string_view("\0", 1) : text);
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
  Hdf5Column column = add_column(path, Hdf5Id(H5Tcopy(H5T_STD_U8LE)),
                                 Hdf5Id(H5Tcopy(H5T_NATIVE_UINT8)), 1, bytes.size(), 0);
  append_bytes(column, bytes.data(), bytes.size());
}

// Of variable length, since h5py gives a str for these and bytes for others.
void Hdf5File::add_attribute(const std::string& path, const char* name, const std::string& text) {
  const Quiet quiet;
  const char* const value = text.c_str();
  write_attribute(path, name, make_text_type(H5T_VARIABLE, false), &value);
}

void Hdf5File::add_attribute(const std::string& path, const char* name, std::int64_t number) {
  const Quiet quiet;
  write_attribute(path, name, Hdf5Id(H5Tcopy(H5T_STD_I64LE)), &number);
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
  check(H5Fflush(file_.get(), H5F_SCOPE_LOCAL), "what was left to write");
  check(H5Fclose(file_.release()), "what was left to write");
}

// A file that cannot be written explains all the rest.
std::int64_t Hdf5File::check(std::int64_t answer, std::string_view what) const {
  if (storage_->error()) throw RecordError(name_, "cannot write", storage_->error());
  if (answer < 0) throw RecordError(name_, fmt::format("cannot write {}: {}", what, last_reason()));
  return answer;
}

}  // namespace berth
