// SPDX-License-Identifier: Apache-2.0

// A result with damage: every value that is read is one that was written, or the reader says what is damaged.

#include <functional>
#include <map>
#include <random>

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/stat.h>

#include "berth/record/hdf5_quiet.h"
#include "berth/record/hdf5_reader.h"
#include "berth/record/record_error.h"
#include "tests/record/read_back.h"
#include "tests/record/support.h"

namespace berth::record_test::damaged_result_test {
namespace {

// All that a reader gives of a file, path by path, as text.
using Content = std::map<std::string, std::string>;

std::string read_path(const Hdf5Reader& file, const std::string& path) {
  const ManifestEntry& e = *file.manifest().find(path);
  std::string out = e.attributes.dump();
  if (e.kind == StoredKind::group) return out;
  if (e.kind == StoredKind::texts) {
    for (const std::string& text : file.texts(path)) out += text + '\n';
  } else if (e.kind == StoredKind::bytes) {
    out += file.bytes(path, 1 << 20);
  } else {
    const std::vector<double> values = file.numbers(path);
    out.append(reinterpret_cast<const char*>(values.data()), 8 * values.size());
  }
  return out;
}

struct Read {
  Content content;
  int refused = 0;
  bool is_verified = false;
};

Read read_all(const fs::path& name) {
  Read out;
  try {
    const Hdf5Reader file(name);
    out.is_verified = file.is_verified();
    for (const std::string& path : file.manifest().paths()) {
      try {
        out.content[path] = read_path(file, path);
      } catch (const RecordError&) {
        ++out.refused;
      }
    }
  } catch (const RecordError&) {
    ++out.refused;
  }
  return out;
}

// Bits, bytes, stretches, ends.
std::string damage(std::string bytes, std::mt19937& random) {
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  const std::size_t at = below(bytes.size());
  const std::size_t length = std::min<std::size_t>(1 + below(1 << below(12)), bytes.size() - at);
  switch (below(6)) {
    case 0: bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8))); break;
    case 1: bytes[at] = static_cast<char>(below(256)); break;
    case 2: std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), length, '\0'); break;
    case 3: bytes.resize(at); break;
    case 4: bytes.erase(at, length); break;
    default: {  // two stretches change places
      const std::size_t other = below(bytes.size() - length + 1);
      for (std::size_t k = 0; k < length; ++k) std::swap(bytes[at + k], bytes[other + k]);
    }
  }
  return bytes;
}

void expect_nothing_false(int cases, unsigned seed) {
  const Folder folder;
  std::mt19937 random(seed);
  int refused = 0, harmless = 0;
  for (const std::size_t rows : {40, 1500}) {
    write_craft(folder / "whole.h5", rows, 7);
    const std::string whole = read_bytes(folder / "whole.h5");
    const Read good = read_all(folder / "whole.h5");
    ASSERT_EQ(good.refused, 0);
    ASSERT_TRUE(good.is_verified);
    for (int k = 0; k < cases / 2; ++k) {
      const std::string bytes = damage(whole, random);
      write_bytes(folder / "damaged.h5", bytes);
      const Read got = read_all(folder / "damaged.h5");
      ++(got.refused > 0 ? refused : harmless);
      for (const auto& [path, text] : got.content) {
        const auto at = good.content.find(path);
        ASSERT_TRUE(at != good.content.end() && at->second == text) << path << " in case " << k;
      }
      ASSERT_TRUE(got.refused > 0 || got.content.size() == good.content.size());
    }
  }
  std::printf("%d damaged files: %d refused in part or as a whole, %d read as they were written\n",
              refused + harmless, refused, harmless);
  EXPECT_GT(refused, cases / 2);
}

TEST(DamagedResult, GivesNoValueThatWasNotWritten) { expect_nothing_false(150, 1); }
TEST(DamagedResultSoak, GivesNoValueThatWasNotWritten) { expect_nothing_false(100'000, 2); }

std::string find_error(const std::function<void()>& read) {
  try {
    read();
  } catch (const RecordError& e) {
    return e.what();
  }
  return "";
}

TEST(DamagedResult, IsNamed) {
  const Folder folder;
  write_craft(folder / "x.h5", 1500, 7);
  std::string bytes = read_bytes(folder / "x.h5");
  // A row of times that stands nowhere else.
  const double t = 0.1 * 1234;
  const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&t), 8));
  ASSERT_NE(at, std::string::npos);
  bytes[at + 2] = static_cast<char>(bytes[at + 2] ^ 4);
  write_bytes(folder / "x.h5", bytes);
  const Hdf5Reader file(folder / "x.h5");
  EXPECT_NE(find_error([&] { (void)file.rows("/time", 0, 1); }).find("damaged: /time"),
            std::string::npos);
  EXPECT_EQ(find_error([&] { (void)file.numbers("/channels/servicer.rate"); }), "");
}

// --- made with HDF5 itself ------------------------------------------------------------------------

struct Id {
  hid_t id;
  ~Id() { H5Idec_ref(id); }
  operator hid_t() const { return id; }
};

TEST(ResultOfAnybody, IsReadButNotVerified) {
  const Folder folder;
  {
    const Hdf5Quiet quiet;
    const Id file{H5Fcreate((folder / "x.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)};
    const hsize_t size[1] = {3};
    const Id space{H5Screate_simple(1, size, nullptr)};
    const Id d{
        H5Dcreate2(file, "numbers", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
    const double numbers[3] = {1, 2, 3};
    H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
  }
  const Hdf5Reader file(folder / "x.h5");
  EXPECT_FALSE(file.is_verified());
  EXPECT_NE(file.warning().find("not verified"), std::string::npos);
  EXPECT_EQ(file.numbers("/numbers"), (std::vector<double>{1, 2, 3}));
}

TEST(ResultOfAnybody, MayHoldNothingElsewhere) {
  const Folder folder;
  write_bytes(folder / "secret", std::string(800, 's'));
  {
    const Hdf5Quiet quiet;
    const Id file{H5Fcreate((folder / "x.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)};
    const hsize_t size[1] = {100}, huge[1] = {1ULL << 40}, chunk[1] = {1024};
    const Id space{H5Screate_simple(1, size, nullptr)}, endless{H5Screate_simple(1, huge, nullptr)};
    const Id outside{H5Pcreate(H5P_DATASET_CREATE)}, chunked{H5Pcreate(H5P_DATASET_CREATE)};
    H5Pset_external(outside, (folder / "secret").c_str(), 0, 800);
    H5Pset_chunk(chunked, 1, chunk);
    const Id a{
        H5Dcreate2(file, "outside", H5T_IEEE_F64LE, space, H5P_DEFAULT, outside, H5P_DEFAULT)};
    const Id b{
        H5Dcreate2(file, "huge", H5T_IEEE_F64LE, endless, H5P_DEFAULT, chunked, H5P_DEFAULT)};
    H5Lcreate_external("secret", "/", file, "linked", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/huge", file, "soft", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_hard(file, "/", file, "again", H5P_DEFAULT, H5P_DEFAULT);
  }
  std::vector<std::string> paths;
  EXPECT_NE(
      find_error([&] { paths = Hdf5Reader(folder / "x.h5").manifest().paths(); }).find("deep"),
      std::string::npos)
      << "a group that holds itself";
  {
    const Hdf5Quiet quiet;
    const Id file{H5Fopen((folder / "x.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT)};
    H5Ldelete(file, "again", H5P_DEFAULT);
  }
  const Hdf5Reader file(folder / "x.h5");
  EXPECT_EQ(file.manifest().paths(), (std::vector<std::string>{"/", "/huge", "/outside"}));
  EXPECT_NE(find_error([&] { (void)file.extent("/outside"); }).find("lies in other files"),
            std::string::npos);
  EXPECT_NE(find_error([&] { (void)file.extent("/huge"); }).find("larger than the file"),
            std::string::npos);
}

TEST(ResultOfAnybody, MayAddToOurs) {
  const Folder folder;
  write_craft(folder / "x.h5", 40, 7);
  const Content before = read_all(folder / "x.h5").content;
  {
    const Hdf5Quiet quiet;
    const Id file{H5Fopen((folder / "x.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT)};
    const hsize_t size[1] = {3};
    const Id space{H5Screate_simple(1, size, nullptr)};
    for (const char* name : {"mine", "channels/mine"})
      const Id d{
          H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
  }
  const Hdf5Reader file(folder / "x.h5");
  EXPECT_TRUE(file.is_verified());
  EXPECT_EQ(read_all(folder / "x.h5").content, before);
  EXPECT_EQ(file.foreign(), (std::vector<std::string>{"/channels/mine", "/mine"}));
}

TEST(ResultOfAnybody, MayBeNoFileAtAll) {
  const Folder folder;
  EXPECT_NE(find_error([&] { Hdf5Reader(folder / "none"); }).find("there is no such file"),
            std::string::npos);
  EXPECT_NE(find_error([&] { Hdf5Reader r(folder.path()); }).find("not a file"), std::string::npos);
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  EXPECT_NE(find_error([&] { Hdf5Reader(folder / "fifo"); }).find("not a file"), std::string::npos);
  write_bytes(folder / "text", "title = 'x'\n");
  EXPECT_NE(find_error([&] { Hdf5Reader(folder / "text"); }).find("not an HDF5 file"),
            std::string::npos);
  write_bytes(folder / "empty", "");
  EXPECT_NE(find_error([&] { Hdf5Reader(folder / "empty"); }).find("not an HDF5 file"),
            std::string::npos);
}

}  // namespace
}  // namespace berth::record_test::damaged_result_test
