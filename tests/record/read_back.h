// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads a result file with the HDF5 library itself, past the code under test.

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <hdf5.h>

namespace berth::record_test {

class ReadBack {
 public:
  explicit ReadBack(const std::filesystem::path& file)
      : file_(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {
    if (file_ < 0) throw std::runtime_error("cannot open " + file.string());
  }
  ~ReadBack() { H5Fclose(file_); }
  ReadBack(const ReadBack&) = delete;
  ReadBack& operator=(const ReadBack&) = delete;

  // Members in the order of their creation.
  std::vector<std::string> members(const std::string& group) const {
    std::vector<std::string> names;
    const auto take = [](hid_t, const char* name, const H5L_info_t*, void* into) -> herr_t {
      static_cast<std::vector<std::string>*>(into)->emplace_back(name);
      return 0;
    };
    H5Literate_by_name(file_, group.c_str(), H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, take, &names,
                       H5P_DEFAULT);
    return names;
  }

  std::vector<hsize_t> shape(const std::string& path) const {
    const hid_t dataset = H5Dopen2(file_, path.c_str(), H5P_DEFAULT);
    const hid_t space = H5Dget_space(dataset);
    std::vector<hsize_t> size(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, size.data(), nullptr);
    H5Sclose(space);
    H5Dclose(dataset);
    return size;
  }

  std::vector<double> numbers(const std::string& path) const {
    std::size_t count = 1;
    for (const hsize_t n : shape(path)) count *= n;
    std::vector<double> values(count);
    const hid_t dataset = H5Dopen2(file_, path.c_str(), H5P_DEFAULT);
    H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(dataset);
    return values;
  }

  // One text, or all texts of a list.
  std::vector<std::string> texts(const std::string& path) const {
    std::size_t count = 1;
    for (const hsize_t n : shape(path)) count *= n;
    const hid_t dataset = H5Dopen2(file_, path.c_str(), H5P_DEFAULT);
    const hid_t type = H5Dget_type(dataset);
    const std::size_t length = H5Tget_size(type);
    std::string bytes(count * length, '\0');
    H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
    H5Tclose(type);
    H5Dclose(dataset);
    std::vector<std::string> list;
    for (std::size_t i = 0; i < count; ++i) {
      std::string text = bytes.substr(i * length, length);
      text.erase(text.find_last_not_of('\0') + 1);
      list.push_back(text);
    }
    return list;
  }

  bool is_marked_ascii(const std::string& path) const {
    const hid_t dataset = H5Dopen2(file_, path.c_str(), H5P_DEFAULT);
    const hid_t type = H5Dget_type(dataset);
    const bool ascii = H5Tget_cset(type) == H5T_CSET_ASCII;
    H5Tclose(type);
    H5Dclose(dataset);
    return ascii;
  }

  std::string text_attribute(const std::string& path, const std::string& name) const {
    const hid_t attribute =
        H5Aopen_by_name(file_, path.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute);
    std::string text(H5Tget_size(type), '\0');
    H5Aread(attribute, type, text.data());
    text.erase(text.find_last_not_of('\0') + 1);
    H5Tclose(type);
    H5Aclose(attribute);
    return text;
  }

  std::int64_t number_attribute(const std::string& path, const std::string& name) const {
    const hid_t attribute =
        H5Aopen_by_name(file_, path.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    std::int64_t value = 0;
    H5Aread(attribute, H5T_NATIVE_INT64, &value);
    H5Aclose(attribute);
    return value;
  }

 private:
  hid_t file_;
};

}  // namespace berth::record_test
