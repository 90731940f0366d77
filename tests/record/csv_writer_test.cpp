// SPDX-License-Identifier: Apache-2.0
#include "berth/record/csv_writer.h"

#include <bit>
#include <cstring>
#include <limits>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "berth/record/record_error.h"
#include "tests/record/support.h"

namespace berth::record_test::csv_writer_test {
namespace {

using Names = std::vector<std::string>;

std::vector<std::string> lines_of(const fs::path& file) {
  std::istringstream in(read_bytes(file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<double> numbers_in(const std::string& line) {
  std::vector<double> numbers;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');)
    numbers.push_back(std::strtod(field.c_str(), nullptr));
  return numbers;
}

TEST(CsvWriter, NamesEveryNumberWithItsUnit) {
  const Folder folder;
  CsvWriter csv(folder / "x.csv");
  std::vector<Channel> channels = craft_channels();
  channels.push_back({"a \"b\", c", "", "", "", 1, 9});
  csv.add_group("", channels);
  csv.finish();
  EXPECT_EQ(read_bytes(folder / "x.csv"),
            "time [s],servicer.rate [rad/s],servicer.omega_BN_B.x [rad/s],"
            "servicer.omega_BN_B.y [rad/s],servicer.omega_BN_B.z [rad/s],"
            "servicer.quaternion_BN.w,servicer.quaternion_BN.x,servicer.quaternion_BN.y,"
            "servicer.quaternion_BN.z,servicer.wheel1.effort [N·m],\"a \"\"b\"\", c\"\n");
}

TEST(CsvWriter, GivesBackEveryDoubleExactly) {
  const Folder folder;
  std::vector<double> values = {0.0,
                                -0.0,
                                0.1,
                                1.0 / 3,
                                1e300,
                                -1e-300,
                                5e-324,
                                std::numeric_limits<double>::max(),
                                std::numeric_limits<double>::min(),
                                std::numeric_limits<double>::infinity()};
  std::mt19937_64 random(7);
  while (values.size() < 30'000) {
    const auto value = std::bit_cast<double>(random());
    if (std::isfinite(value)) values.push_back(value);
  }
  CsvWriter csv(folder / "x.csv");
  const int group = csv.add_group("", std::vector<Channel>{{"a", "m", "", "", 1, 0}});
  for (const double v : values) csv.append(group, -v, std::array{v});
  csv.finish();

  const std::vector<std::string> lines = lines_of(folder / "x.csv");
  ASSERT_EQ(lines.size(), values.size() + 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::vector<double> row = numbers_in(lines[i + 1]);
    ASSERT_EQ(row.size(), 2u);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(row[0]), std::bit_cast<std::uint64_t>(-values[i]));
    ASSERT_EQ(std::bit_cast<std::uint64_t>(row[1]), std::bit_cast<std::uint64_t>(values[i]));
  }
}

TEST(CsvWriter, PrintsAsPrintfDoes) {
  const Folder folder;
  CsvWriter csv(folder / "x.csv");
  const int group = csv.add_group("", std::vector<Channel>{{"a", "", "", "", 3, 0}});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  csv.append(group, 1, std::array{0.1, 1e-7, 123456789.0});
  csv.append(group, 2, std::array{-nan, nan, -1e17});
  csv.finish();
  EXPECT_EQ(lines_of(folder / "x.csv"),
            (Names{"time [s],a.x,a.y,a.z", "1,0.10000000000000001,9.9999999999999995e-08,123456789",
                   "2,nan,nan,-1e+17"}));
}

TEST(CsvWriter, WritesAFileForEachGroup) {
  const Folder folder;
  for (const std::string name : {"x.csv", "run.v2"}) {
    CsvWriter csv(folder / name);
    const int main = csv.add_group("", craft_channels());
    const int fast = csv.add_group("fast", std::vector<Channel>{{"a", "m", "", "", 1, 2}});
    csv.append(main, 0, craft_row(0));
    csv.append(fast, 0.5, std::array{1.0, 2.0, 3.0});
    EXPECT_FALSE(fs::exists(folder / name));
    csv.finish();
  }
  EXPECT_EQ(folder.files(), (Names{"run.v2", "run.v2.fast", "x.csv", "x.fast.csv"}));
  EXPECT_EQ(lines_of(folder / "x.fast.csv"), (Names{"time [s],a [m]", "0.5,3"}));
}

TEST(CsvWriter, HasNoFileUnlessFinished) {
  const Folder folder;
  {
    CsvWriter csv(folder / "x.csv");
    csv.append(csv.add_group("", craft_channels()), 0, craft_row(0));
  }
  EXPECT_EQ(folder.files(), Names{});
}

TEST(CsvWriter, SaysThatTheDiskIsFull) {
  CsvWriter csv("/dev/full");
  const int group = csv.add_group("", craft_channels());
  try {
    for (std::size_t i = 0; i < 10'000; ++i) csv.append(group, craft_time(i), craft_row(i));
    FAIL() << "nothing thrown";
  } catch (const RecordError& e) {
    EXPECT_STREQ(e.what(), "/dev/full: cannot write: No space left on device");
  }
  EXPECT_THROW(csv.finish(), RecordError);
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(CsvWriter, LeavesNoFileOnAFullDisk) {
  const Folder folder;
  const Ending ending = run_child([&] {
    limit_file_size(300'000);
    CsvWriter csv(folder / "x.csv");
    const int group = csv.add_group("", craft_channels());
    for (std::size_t i = 0; i < 10'000; ++i) csv.append(group, craft_time(i), craft_row(i));
    csv.finish();
    return std::string("finished");
  });
  EXPECT_EQ(ending.status, 0);
  EXPECT_EQ(ending.output, (folder / "x.csv").string() + ": cannot write: File too large");
  EXPECT_EQ(folder.files(), Names{});
}

TEST(CsvWriter, RefusesWhatItCannotWrite) {
  const Folder folder;
  const std::vector<Channel> channels = craft_channels();
  EXPECT_THROW(CsvWriter(folder.path()).add_group("", channels), RecordError);
  EXPECT_THROW(CsvWriter(folder / "none/x.csv").add_group("", channels), RecordError);
  EXPECT_THROW(CsvWriter("/dev/null").add_group("fast", channels), RecordError);
  CsvWriter csv(folder / "x.csv");
  EXPECT_THROW(csv.add_group("a/b", channels), RecordError);
  const int group = csv.add_group("", channels);
  EXPECT_THROW(csv.add_group("", channels), RecordError);
  EXPECT_THROW(csv.append(group, 0, std::vector<double>(8)), RecordError);
}

}  // namespace
}  // namespace berth::record_test::csv_writer_test
