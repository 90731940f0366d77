// SPDX-License-Identifier: Apache-2.0
#include "berth/record/hdf5_storage.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <new>

#include <hdf5.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 14, 0)
#include <H5FDdevelop.h>
#endif

namespace berth {

Hdf5Storage::Hdf5Storage(int descriptor, std::uint64_t size)
    : descriptor_(descriptor), owner_(::getpid()), size_(size) {}

void Hdf5Storage::write(std::uint64_t at, const void* bytes, std::size_t count) {
  size_ = std::max(size_, at + count);
  const auto* from = static_cast<const std::byte*>(bytes);
  if (!error_ && owner_ != ::getpid()) error_ = EPERM;
  if (!error_) {
    while (count > 0) {
      const ::ssize_t done = ::pwrite(descriptor_, from, count, static_cast<::off_t>(at));
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) {
        error_ = errno;
        break;
      }
      from += done;
      at += static_cast<std::uint64_t>(done);
      count -= static_cast<std::size_t>(done);
    }
  }
  if (error_) kept_.push_back({at, {from, from + count}});
}

void Hdf5Storage::read(std::uint64_t at, void* bytes, std::size_t count) {
  auto* into = static_cast<std::byte*>(bytes);
  std::memset(into, 0, count);
  for (std::size_t have = 0; have < count;) {
    const ::ssize_t done =
        ::pread(descriptor_, into + have, count - have, static_cast<::off_t>(at + have));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && !error_) error_ = errno;
    if (done <= 0) break;
    have += static_cast<std::size_t>(done);
  }
  // Later pieces cover earlier ones.
  for (const Piece& piece : kept_) {
    const std::uint64_t first = std::max(at, piece.at);
    const std::uint64_t end = std::min(at + count, piece.at + piece.bytes.size());
    if (first < end) std::memcpy(into + (first - at), &piece.bytes[first - piece.at], end - first);
  }
}

void Hdf5Storage::resize(std::uint64_t size) {
  size_ = size;
  if (!error_ && owner_ != ::getpid()) error_ = EPERM;
  if (!error_ && ::ftruncate(descriptor_, static_cast<::off_t>(size)) != 0) error_ = errno;
}

// What follows is the run as HDF5 wants it: C structures and functions. Nothing is thrown
// through HDF5, which is C.
namespace {

struct Access {
  Hdf5Storage* storage;
};

struct OpenFile {
  H5FD_t base;  // first, since HDF5 knows only this part
  Hdf5Storage* storage;
  haddr_t allocated;
};

OpenFile& own(H5FD_t* file) { return *reinterpret_cast<OpenFile*>(file); }
const OpenFile& own(const H5FD_t* file) { return *reinterpret_cast<const OpenFile*>(file); }

H5FD_t* open_file(const char*, unsigned, hid_t access, haddr_t) {
  const auto* given = static_cast<const Access*>(H5Pget_driver_info(access));
  auto* file = given ? new (std::nothrow) OpenFile{} : nullptr;
  if (!file) return nullptr;
  file->storage = given->storage;
  return &file->base;
}

herr_t close_file(H5FD_t* file) {
  delete &own(file);
  return 0;
}

int compare_files(const H5FD_t* a, const H5FD_t* b) {
  const auto* const of_a = own(a).storage;
  const auto* const of_b = own(b).storage;
  return of_a == of_b ? 0 : std::less<>{}(of_a, of_b) ? -1 : 1;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t allocated(const H5FD_t* file, H5FD_mem_t) { return own(file).allocated; }

herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  own(file).allocated = end;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) { return own(file).storage->size(); }

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, size_t count, void* bytes) {
  own(file).storage->read(at, bytes, count);
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, size_t count, const void* bytes) {
  try {
    own(file).storage->write(at, bytes, count);
    return 0;
  } catch (...) {  // no memory left to keep it in
    return -1;
  }
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  if (own(file).storage->size() != own(file).allocated)
    own(file).storage->resize(own(file).allocated);
  return 0;
}

hid_t run() {
  static const hid_t id = [] {
    H5FD_class_t run{};
#if H5_VERSION_GE(1, 14, 0)
    run.version = H5FD_CLASS_VERSION;
    run.value = static_cast<H5FD_class_value_t>(H5_VFD_RESERVED + 0x62);
#endif
    run.name = "berth";
    run.maxaddr = static_cast<haddr_t>(std::numeric_limits<::off_t>::max());
    run.fc_degree = H5F_CLOSE_STRONG;
    run.fapl_size = sizeof(Access);
    run.open = open_file;
    run.close = close_file;
    run.cmp = compare_files;
    run.query = query;
    run.get_eoa = allocated;
    run.set_eoa = set_allocated;
    run.get_eof = end_of_file;
    run.read = read;
    run.write = write;
    run.truncate = truncate;
    constexpr H5FD_mem_t where[] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(where), std::end(where), run.fl_map);
    return H5FDregister(&run);
  }();
  return id;
}

}  // namespace

std::int64_t make_hdf5_access(Hdf5Storage& storage) {
  const Access given{&storage};
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (access >= 0 && H5Pset_driver(access, run(), &given) < 0) {
    H5Pclose(access);
    return -1;
  }
  return access;
}

}  // namespace berth
