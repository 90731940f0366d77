// SPDX-License-Identifier: Apache-2.0
#include "berth/record/recording.h"

#include <algorithm>
#include <memory>

#include <gtest/gtest.h>
#include <malloc.h>
#include <sched.h>
#include <sys/mount.h>

#include "berth/record/record_error.h"
#include "berth/version.h"
#include "tests/record/read_back.h"
#include "tests/record/support.h"
#include "tests/support/allocations.h"

namespace berth::record_test::recording_test {
namespace {

using Names = std::vector<std::string>;

TEST(Recording, HasTheDocumentedLayout) {
  const Folder folder;
  write_craft(folder / "x.h5", 30, 5);
  const ReadBack file(folder / "x.h5");
  EXPECT_EQ(file.members("/"),
            (Names{"time", "channels", "groups", "events", "scenario", "summary", "manifest"}));
  EXPECT_EQ(file.members("/channels"), (Names{"servicer.rate", "servicer.omega_BN_B",
                                              "servicer.quaternion_BN", "servicer.wheel1.effort"}));
  EXPECT_EQ(file.members("/groups"), Names{"contact"});
  EXPECT_EQ(file.members("/groups/contact"), (Names{"time", "channels"}));
  EXPECT_EQ(file.members("/events"), (Names{"time", "kind", "name", "details"}));
  EXPECT_EQ(file.text_attribute("/", "berth_version"), version);
  EXPECT_EQ(file.number_attribute("/", "format"), 2);
  EXPECT_EQ(file.texts("/scenario"), Names{"title = \"Docking\"\n"});
  EXPECT_EQ(file.text_attribute("/time", "unit"), "s");
}

TEST(Recording, SaysUnitFrameAndMeaningOfEveryChannel) {
  const Folder folder;
  write_craft(folder / "x.h5", 3, 2000);
  const ReadBack file(folder / "x.h5");
  for (const Channel& c : craft_channels()) {
    EXPECT_EQ(file.text_attribute("/channels/" + c.name, "unit"), c.unit);
    EXPECT_EQ(file.text_attribute("/channels/" + c.name, "frame"), c.frame);
    EXPECT_EQ(file.text_attribute("/channels/" + c.name, "description"), c.description);
  }
  const std::string in_group = "/groups/contact/channels/servicer.omega_BN_B";
  EXPECT_EQ(file.text_attribute(in_group, "frame"), "B");
}

TEST(Recording, KeepsEveryNumberWhateverTheLength) {
  const std::vector<Channel> channels = craft_channels();
  for (const std::size_t rows : {0u, 1u, 1023u, 1024u, 1025u, 2048u, 5000u}) {
    SCOPED_TRACE(rows);
    const Folder folder;
    write_craft(folder / "x.h5", rows, 10);
    const ReadBack file(folder / "x.h5");

    std::vector<double> times;
    for (std::size_t i = 0; i < rows; ++i) times.push_back(craft_time(i));
    EXPECT_EQ(file.shape("/time"), std::vector<hsize_t>{rows});
    EXPECT_EQ(file.numbers("/time"), times);

    for (const Channel& c : channels) {
      const auto first = static_cast<std::size_t>(c.first);
      const auto width = static_cast<std::size_t>(c.width);
      std::vector<double> expected;
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t k = 0; k < width; ++k) expected.push_back(craft_row(i)[first + k]);
      const std::vector<hsize_t> shape = file.shape("/channels/" + c.name);
      EXPECT_EQ(shape,
                width == 1 ? std::vector<hsize_t>{rows} : (std::vector<hsize_t>{rows, width}));
      EXPECT_EQ(file.numbers("/channels/" + c.name), expected);
    }
    EXPECT_EQ(file.shape("/groups/contact/time"), std::vector<hsize_t>{10});
  }
}

TEST(Recording, KeepsRowsTooLongForAFullBlock) {
  const Folder folder;
  std::vector<Channel> channels;
  for (int i = 0; i < 100; ++i)
    channels.push_back({"c" + std::to_string(i), "m", "", "", 100, 100 * i});
  std::vector<double> row(10'000);
  {
    Recording recording(folder / "x.h5");
    const int group = recording.add_group("", channels);
    for (std::size_t i = 0; i < 300; ++i) {
      for (std::size_t k = 0; k < row.size(); ++k) row[k] = static_cast<double>(i * 10'000 + k);
      recording.append(group, static_cast<double>(i), row);
    }
    recording.finish("", "{}");
  }
  const ReadBack file(folder / "x.h5");
  for (const std::size_t c : {0u, 49u, 99u}) {
    const std::string path = "/channels/c" + std::to_string(c);
    ASSERT_EQ(file.shape(path), (std::vector<hsize_t>{300, 100}));
    const std::vector<double> values = file.numbers(path);
    for (std::size_t i = 0; i < 300; ++i)
      for (std::size_t k = 0; k < 100; ++k)
        ASSERT_EQ(values[i * 100 + k], static_cast<double>(i * 10'000 + c * 100 + k));
  }
}

TEST(Recording, KeepsEventsInTheirOrder) {
  const Folder folder;
  {
    Recording recording(folder / "x.h5");
    for (int i = 0; i < 3000; ++i)
      recording.add_event(i / 8.0, i % 2 ? "open" : "close", "probe" + std::to_string(i),
                          i == 1234 ? "{\"long\":\"" + std::string(5000, 'x') + "\"}" : "");
    recording.finish("", "{}");
  }
  const ReadBack file(folder / "x.h5");
  const std::vector<double> times = file.numbers("/events/time");
  const Names kinds = file.texts("/events/kind"), names = file.texts("/events/name");
  const Names details = file.texts("/events/details");
  ASSERT_EQ(times.size(), 3000u);
  for (std::size_t i = 0; i < 3000; ++i) {
    ASSERT_EQ(times[i], static_cast<double>(i) / 8);
    ASSERT_EQ(kinds[i], i % 2 ? "open" : "close");
    ASSERT_EQ(names[i], "probe" + std::to_string(i));
    ASSERT_EQ(details[i].size(), i == 1234 ? 5011u : 0u);
  }
}

TEST(Recording, NeedsNeitherChannelsNorEvents) {
  const Folder folder;
  Recording(folder / "x.h5").finish("", "");
  const ReadBack file(folder / "x.h5");
  EXPECT_EQ(file.members("/"), (Names{"events", "scenario", "summary", "manifest"}));
  EXPECT_EQ(file.shape("/events/time"), std::vector<hsize_t>{0});
  EXPECT_EQ(file.shape("/events/kind"), std::vector<hsize_t>{0});
  EXPECT_EQ(file.texts("/scenario"), Names{""});
}

TEST(Recording, MarksTextsAsAsciiUnlessTheyAreNot) {
  const Folder folder;
  {
    Recording recording(folder / "x.h5");
    recording.add_event(0, "latch", "Öse", R"({"by":"Öse"})");
    recording.finish("title = \"Δv\"", R"({"title":"Δv"})");
  }
  const ReadBack file(folder / "x.h5");
  EXPECT_FALSE(file.is_marked_ascii("/scenario"));
  EXPECT_TRUE(file.is_marked_ascii("/summary"));
  EXPECT_TRUE(file.is_marked_ascii("/events/kind"));
  EXPECT_FALSE(file.is_marked_ascii("/events/name"));
  EXPECT_TRUE(file.is_marked_ascii("/events/details"));
  EXPECT_EQ(file.texts("/scenario"), Names{"title = \"Δv\""});
  EXPECT_EQ(file.texts("/summary"), Names{R"({"title":"\u0394v"})"});
  EXPECT_EQ(file.texts("/events/name"), Names{"Öse"});
}

TEST(Recording, GivesTheSameBytesForTheSameRun) {
  const Folder one, two;
  // What was in memory before must not show either.
  ::mallopt(M_PERTURB, 0x55);
  write_craft(one / "a.h5", 5000, 100);
  ::mallopt(M_PERTURB, 0x3a);
  ::usleep(1'100'000);  // HDF5 counts times in seconds
  write_craft(two / "another_name.h5", 5000, 100);
  ::mallopt(M_PERTURB, 0);
  const std::string bytes = read_bytes(one / "a.h5");
  EXPECT_GT(bytes.size(), 5000u * 10 * sizeof(double));
  EXPECT_TRUE(bytes == read_bytes(two / "another_name.h5"));
}

TEST(Recording, TakesAtMostTwiceTheSpaceOfItsNumbers) {
  const Folder folder;
  constexpr std::size_t overhead = 40'000;  // names, attributes, indices
  for (const std::size_t rows : {0u, 10u, 1025u, 10'000u}) {
    write_craft(folder / "x.h5", rows, 0);
    EXPECT_LT(fs::file_size(folder / "x.h5"), overhead + 2 * rows * 10 * sizeof(double)) << rows;
  }
}

std::size_t resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::stoul(line.substr(6));
  return 0;
}

TEST(Recording, OfAMillionRowsTakesNoMoreMemoryThanOfTenThousand) {
  if (test::kSanitized) GTEST_SKIP() << "the sanitizer holds on to freed memory";
  const Folder folder;
  Recording recording(folder / "x.h5");
  const int group = recording.add_group("", craft_channels());
  const auto row = craft_row(1);
  std::size_t early = 0, most = 0;
  for (std::size_t i = 0; i < 1'000'000; ++i) {
    recording.append(group, craft_time(i), row);
    if (i % 100 == 0) recording.add_event(craft_time(i), "contact", "probe", R"({"gap":0})");
    if (i == 10'000) early = resident_kib();
    if (i % 50'000 == 0) most = std::max(most, resident_kib());
  }
  recording.finish("", "{}");
  most = std::max(most, resident_kib());
  ASSERT_GT(early, 0u);
  EXPECT_LT(most, early + 8 * 1024);
  EXPECT_GT(fs::file_size(folder / "x.h5"), 80'000'000u);
}

TEST(Recording, HasNoFileUnlessFinished) {
  const Folder folder;
  {
    Recording recording(folder / "x.h5");
    const int group = recording.add_group("", craft_channels());
    for (std::size_t i = 0; i < 2000; ++i) recording.append(group, craft_time(i), craft_row(i));
    EXPECT_FALSE(fs::exists(folder / "x.h5"));
  }
  EXPECT_EQ(folder.files(), Names{});
}

TEST(Recording, KilledLeavesNoFileAndTheNextOneCleansUp) {
  const Folder folder;
  Waiting run([&] {
    auto recording = std::make_unique<Recording>(folder / "x.h5");
    const int group = recording->add_group("", craft_channels());
    for (std::size_t i = 0; i < 5000; ++i) recording->append(group, craft_time(i), craft_row(i));
    return recording;
  });
  ASSERT_TRUE(run.is_ready());
  run.kill();
  ASSERT_EQ(folder.files().size(), 1u);
  EXPECT_FALSE(fs::exists(folder / "x.h5"));
  write_craft(folder / "x.h5", 5, 5);
  EXPECT_EQ(folder.files(), Names{"x.h5"});
  EXPECT_EQ(ReadBack(folder / "x.h5").numbers("/time").size(), 5u);
}

TEST(Recording, SaysThatAFileHasGrownTooLargeAndLeavesNothing) {
  const Folder folder;
  const fs::path file = folder / "x.h5";
  write_craft(file, 5000, 2000);
  const std::size_t whole = fs::file_size(file);
  fs::remove(file);
  // From the first bytes over the rows to the very end.
  for (const double part : {0.0, 1e-4, 2e-3, 0.02, 0.1, 0.4, 0.8, 0.95, 0.99, 0.999}) {
    const auto limit = static_cast<std::size_t>(part * static_cast<double>(whole));
    SCOPED_TRACE(limit);
    const Ending ending = run_child([&] {
      limit_file_size(limit);
      write_craft(file, 5000, 2000);
      return std::string("finished");
    });
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.output, file.string() + ": cannot write: File too large");
    EXPECT_EQ(folder.files(), Names{});
  }
}

// A file system of `size` on `folder`, for this process alone.
bool mount_small(const fs::path& folder, const std::string& size) {
  const ::uid_t user = ::getuid();
  const ::gid_t group = ::getgid();
  if (user != 0) {
    if (::unshare(CLONE_NEWUSER) != 0) return false;
    write_bytes("/proc/self/setgroups", "deny");
    write_bytes("/proc/self/uid_map", "0 " + std::to_string(user) + " 1");
    write_bytes("/proc/self/gid_map", "0 " + std::to_string(group) + " 1");
  }
  return ::unshare(CLONE_NEWNS) == 0 &&
         ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("none", folder.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
}

TEST(Recording, SaysThatTheDiskIsFullAndHdf5GoesOn) {
  const Folder folder, elsewhere;
  for (const std::string size : {"4k", "64k", "256k", "448k"}) {
    SCOPED_TRACE(size);
    const Ending ending = run_child([&] {
      if (!mount_small(folder.path(), size)) return std::string("no mount");
      std::string message;
      try {
        write_craft(folder / "x.h5", 5000, 2000);
      } catch (const RecordError& e) {
        message = e.what();
      }
      write_craft(elsewhere / "other.h5", 5, 5);
      return message + (folder.files().empty() ? "" : "; something was left");
    });
    if (ending.output == "no mount") GTEST_SKIP() << "may not mount a small file system here";
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.output,
              (folder / "x.h5").string() + ": cannot write: No space left on device");
    EXPECT_EQ(ReadBack(elsewhere / "other.h5").numbers("/time").size(), 5u);
  }
}

TEST(Recording, CannotGoOnAfterAFailure) {
  const Folder folder;
  const Ending ending = run_child([&] {
    limit_file_size(50'000);
    Recording recording(folder / "x.h5");
    const int group = recording.add_group("", craft_channels());
    const auto record = [&] {
      for (std::size_t i = 0; i < 1024; ++i) recording.append(group, craft_time(i), craft_row(i));
    };
    try {
      record();
      return std::string("nothing thrown");
    } catch (const RecordError&) {
    }
    recording.finish("", "{}");
    return std::string("finished");
  });
  EXPECT_EQ(ending.status, 0);
  EXPECT_NE(ending.output.find("failed before"), std::string::npos) << ending.output;
  EXPECT_EQ(folder.files(), Names{});
}

TEST(Recording, RefusesPlacesItCannotWrite) {
  const Folder folder;
  EXPECT_THROW(Recording(folder.path()), RecordError);
  EXPECT_THROW(Recording(folder / "none/x.h5"), RecordError);
  EXPECT_THROW(Recording("/dev/null"), RecordError);
  const Ending ending = run_child([&] {
    ::chmod(folder.path().c_str(), 0555);
    become_nobody();
    Recording recording(folder / "x.h5");
    return std::string("created");
  });
  ::chmod(folder.path().c_str(), 0755);
  EXPECT_EQ(ending.output, (folder / "x.h5").string() + ": cannot create: Permission denied");
}

TEST(Recording, RefusesNamesThatAreNoNames) {
  const Folder folder;
  Recording recording(folder / "x.h5");
  const auto refused = [&](const std::string& group, std::vector<Channel> channels) {
    EXPECT_THROW(recording.add_group(group, channels), RecordError);
  };
  refused("a/b", {});
  refused(".", {});
  refused("g", {{"", "m", "", "", 1, 0}});
  refused("g", {{"a/b", "m", "", "", 1, 0}});
  refused("g", {{"a", "m", "", "", 1, 0}, {"a", "m", "", "", 1, 1}});
  refused("g", {{"a", "m", "", "", 0, 0}});
  recording.add_group("g", {});
  refused("g", {});
}

TEST(Recording, RefusesARowThatIsTooShort) {
  const Folder folder;
  Recording recording(folder / "x.h5");
  const int group = recording.add_group("", craft_channels());
  EXPECT_THROW(recording.append(group, 0, std::vector<double>(8)), RecordError);
  recording.append(group, 0, std::vector<double>(9));
}

TEST(Recording, TakesNothingMoreOnceFinished) {
  const Folder folder;
  Recording recording(folder / "x.h5");
  const int group = recording.add_group("", craft_channels());
  recording.finish("", "{}");
  EXPECT_THROW(recording.append(group, 0, craft_row(0)), RecordError);
  EXPECT_THROW(recording.add_event(0, "", "", ""), RecordError);
  EXPECT_THROW(recording.finish("", "{}"), RecordError);
  EXPECT_EQ(folder.files(), Names{"x.h5"});
}

}  // namespace
}  // namespace berth::record_test::recording_test
