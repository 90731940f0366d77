// SPDX-License-Identifier: Apache-2.0
#include "berth/record/hdf5_reader.h"

#include <fmt/format.h>
#include <hdf5.h>

#include "berth/record/hdf5_quiet.h"
#include "berth/record/record_error.h"

namespace berth {
namespace {

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
  const Hdf5Quiet quiet;
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) throw RecordError(name_, "there is no such file");
  if (!std::filesystem::is_regular_file(status)) throw RecordError(name_, "is not a file");
  file_ = Hdf5Id(H5Fopen(name_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (file_.get() < 0) throw RecordError(name_, "is not an HDF5 file, or not a whole one");
}

// HDF5 asks for every group on the way.
bool Hdf5Reader::has(const std::string& path) const {
  const Hdf5Quiet quiet;
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    if (H5Lexists(file_.get(), path.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

bool Hdf5Reader::is_text(const std::string& path) const {
  const Hdf5Quiet quiet;
  const Hdf5Id dataset = open(path);
  const Hdf5Id type(check(H5Dget_type(dataset.get()), path));
  return H5Tget_class(type.get()) == H5T_STRING;
}

std::vector<std::string> Hdf5Reader::members(const std::string& path) const {
  const Hdf5Quiet quiet;
  const Hdf5Id group(check(H5Gopen2(file_.get(), path.c_str(), H5P_DEFAULT), path));
  std::vector<std::string> names;
  const auto take = [](hid_t, const char* name, const H5L_info_t*, void* into) -> herr_t {
    static_cast<std::vector<std::string>*>(into)->emplace_back(name);
    return 0;
  };
  // Files of others may not know the order.
  if (H5Literate(group.get(), H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, take, &names) < 0) {
    names.clear();
    check(H5Literate(group.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, take, &names), path);
  }
  return names;
}

std::string Hdf5Reader::attribute(const std::string& path, const char* name) const {
  const Hdf5Quiet quiet;
  const Hdf5Id attribute(
      H5Aopen_by_name(file_.get(), path.c_str(), name, H5P_DEFAULT, H5P_DEFAULT));
  if (attribute.get() < 0) return "";
  const Hdf5Id type(check(H5Aget_type(attribute.get()), path));
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) <= 0) return "";
  char* text = nullptr;
  check(H5Aread(attribute.get(), type.get(), &text), path);
  std::string out = text ? text : "";
  H5free_memory(text);
  return out;
}

Hdf5Reader::Extent Hdf5Reader::extent(const std::string& path) const {
  const Hdf5Quiet quiet;
  const Hdf5Id dataset = open(path);
  const Hdf5Id space(check(H5Dget_space(dataset.get()), path));
  hsize_t size[2] = {1, 1};
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 1 || rank > 2) throw RecordError(name_, fmt::format("{} is no table", path));
  check(H5Sget_simple_extent_dims(space.get(), size, nullptr), path);
  return {size[0], size[1]};
}

std::vector<double> Hdf5Reader::rows(const std::string& path, std::uint64_t first,
                                     std::uint64_t count, std::uint64_t stride) const {
  const auto [all, width] = extent(path);
  if (count == 0) return {};
  if (first >= all || (count - 1) > (all - 1 - first) / stride)
    throw RecordError(name_, fmt::format("{} has only {} rows", path, all));
  const Hdf5Quiet quiet;
  const Hdf5Id dataset = open(path);
  const Hdf5Id in_file(check(H5Dget_space(dataset.get()), path));
  const int rank = H5Sget_simple_extent_ndims(in_file.get());
  const hsize_t from[2] = {first, 0}, step[2] = {stride, 1}, size[2] = {count, width};
  check(H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, from, step, size, nullptr), path);
  const Hdf5Id in_memory(check(H5Screate_simple(rank, size, nullptr), path));
  std::vector<double> values(count * width);
  check(H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, in_memory.get(), in_file.get(), H5P_DEFAULT,
                values.data()),
        path);
  return values;
}

std::vector<std::vector<double>> Hdf5Reader::columns(const std::string& path, std::uint64_t first,
                                                     std::uint64_t count) const {
  const auto [all, width] = extent(path);
  if (first > width || count > width - first)
    throw RecordError(name_, fmt::format("{} has only {} columns", path, width));
  const Hdf5Quiet quiet;
  const Hdf5Id dataset = open(path);
  const Hdf5Id in_file(check(H5Dget_space(dataset.get()), path));
  const int rank = H5Sget_simple_extent_ndims(in_file.get());
  const hsize_t from[2] = {0, first}, size[2] = {all, count};
  check(H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, from, nullptr, size, nullptr), path);
  const Hdf5Id in_memory(check(H5Screate_simple(rank, size, nullptr), path));
  std::vector<double> values(all * count);
  check(H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, in_memory.get(), in_file.get(), H5P_DEFAULT,
                values.data()),
        path);
  std::vector<std::vector<double>> out(count, std::vector<double>(all));
  for (std::uint64_t i = 0; i < all; ++i)
    for (std::uint64_t j = 0; j < count; ++j) out[j][i] = values[i * count + j];
  return out;
}

std::vector<double> Hdf5Reader::numbers(const std::string& path) const {
  const Hdf5Quiet quiet;
  const Hdf5Id dataset = open(path);
  std::vector<double> values(count(dataset, path));
  check(H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
        path);
  return values;
}

// Texts have a fixed length and are padded with zeros, as Hdf5File writes them.
Hdf5Id Hdf5Reader::find_text_type(const Hdf5Id& dataset, const std::string& path) const {
  Hdf5Id type(check(H5Dget_type(dataset.get()), path));
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0)
    throw RecordError(name_, fmt::format("{} is no text of berth", path));
  return type;
}

std::vector<std::string> Hdf5Reader::texts(const std::string& path) const {
  const Hdf5Quiet quiet;
  const Hdf5Id dataset = open(path);
  const Hdf5Id type = find_text_type(dataset, path);
  const std::size_t length = H5Tget_size(type.get());
  std::string bytes(count(dataset, path) * length, '\0');
  check(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), path);
  return cut_texts(bytes, length);
}

std::vector<std::string> Hdf5Reader::text_rows(const std::string& path, std::uint64_t first,
                                               std::uint64_t count) const {
  const auto [all, width] = extent(path);
  if (first > all || count > all - first || width != 1)
    throw RecordError(name_, fmt::format("{} has only {} rows", path, all));
  const Hdf5Quiet quiet;
  const Hdf5Id dataset = open(path);
  const Hdf5Id type = find_text_type(dataset, path);
  const Hdf5Id in_file(check(H5Dget_space(dataset.get()), path));
  const hsize_t from = first, size = count;
  check(H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, &from, nullptr, &size, nullptr), path);
  const Hdf5Id in_memory(check(H5Screate_simple(1, &size, nullptr), path));
  const std::size_t length = H5Tget_size(type.get());
  std::string bytes(count * length, '\0');
  check(
      H5Dread(dataset.get(), type.get(), in_memory.get(), in_file.get(), H5P_DEFAULT, bytes.data()),
      path);
  return cut_texts(bytes, length);
}

std::string Hdf5Reader::bytes(const std::string& path, std::size_t most) const {
  const Hdf5Quiet quiet;
  const Hdf5Id dataset = open(path);
  const Hdf5Id type(check(H5Dget_type(dataset.get()), path));
  const std::size_t size = count(dataset, path);
  if (H5Tget_class(type.get()) != H5T_INTEGER || H5Tget_size(type.get()) != 1 || size > most)
    throw RecordError(name_, fmt::format("{} is no list of bytes, or too long", path));
  std::string out(size, '\0');
  check(H5Dread(dataset.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()), path);
  return out;
}

Hdf5Id Hdf5Reader::open(const std::string& path) const {
  return Hdf5Id(check(H5Dopen2(file_.get(), path.c_str(), H5P_DEFAULT), path));
}

std::size_t Hdf5Reader::count(const Hdf5Id& dataset, const std::string& path) const {
  const Hdf5Id space(check(H5Dget_space(dataset.get()), path));
  return static_cast<std::size_t>(check(H5Sget_simple_extent_npoints(space.get()), path));
}

std::int64_t Hdf5Reader::check(std::int64_t answer, const std::string& what) const {
  if (answer < 0) throw RecordError(name_, fmt::format("cannot read {}", what));
  return answer;
}

}  // namespace berth
