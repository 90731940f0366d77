// SPDX-License-Identifier: Apache-2.0
#include "berth/record/part_file.h"

#include <memory>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "berth/record/record_error.h"
#include "tests/record/support.h"

namespace berth::record_test::part_file_test {
namespace {

using Names = std::vector<std::string>;

std::string write_to(const fs::path& file, const std::string& bytes = "new") {
  PartFile part(file);
  part.write(bytes);
  part.keep();
  return "written";
}

TEST(PartFile, HasItsNameOnlyWhenKept) {
  const Folder folder;
  PartFile part(folder / "x.h5");
  part.write("whole");
  EXPECT_FALSE(fs::exists(folder / "x.h5"));
  part.keep();
  EXPECT_EQ(folder.files(), Names{"x.h5"});
  EXPECT_EQ(read_bytes(folder / "x.h5"), "whole");
}

TEST(PartFile, LeavesAnOlderFileAsItWasUnlessKept) {
  const Folder folder;
  write_bytes(folder / "x.h5", "old");
  { PartFile(folder / "x.h5").write("new"); }
  EXPECT_EQ(folder.files(), Names{"x.h5"});
  EXPECT_EQ(read_bytes(folder / "x.h5"), "old");
  write_to(folder / "x.h5");
  EXPECT_EQ(read_bytes(folder / "x.h5"), "new");
}

TEST(PartFile, RemovesPartsOfTheSameNameWhoseProcessIsGone) {
  const Folder folder;
  Waiting run([&] { return std::make_unique<PartFile>(folder / "x.h5"); });
  ASSERT_TRUE(run.is_ready());
  ASSERT_EQ(folder.files().size(), 1u);
  run.kill();
  ASSERT_EQ(folder.files().size(), 1u);
  write_to(folder / "x.h5");
  EXPECT_EQ(folder.files(), Names{"x.h5"});
}

TEST(PartFile, RemovesAPartLeftByAnEarlierProcessOfTheSameNumber) {
  const Folder folder;
  write_bytes(folder / (".x.h5.part-" + std::to_string(::getpid())), "left by a container");
  write_to(folder / "x.h5");
  EXPECT_EQ(folder.files(), Names{"x.h5"});
}

TEST(PartFile, LeavesPartsAloneThatAreBeingWritten) {
  const Folder folder;
  const Waiting run([&] { return std::make_unique<PartFile>(folder / "x.h5"); });
  ASSERT_TRUE(run.is_ready());
  const Names before = folder.files();
  PartFile one(folder / "x.h5"), two(folder / "x.h5");
  EXPECT_EQ(folder.files().size(), 3u);
  one.keep();
  two.keep();
  EXPECT_EQ(folder.files(), (Names{before[0], "x.h5"}));
}

TEST(PartFile, LeavesOtherFilesAlone) {
  const Folder folder;
  const Names others = {".x.h5.part-", ".x.h5.part-12a", ".y.h5.part-12", "w.h5.part-12"};
  for (const std::string& name : others) write_bytes(folder / name, "");
  write_to(folder / "x.h5");
  Names expected = others;
  expected.emplace_back("x.h5");
  EXPECT_EQ(folder.files(), expected);
}

// What is thrown names the file as it was asked for, and says why.
void expect_refusal(const fs::path& file, const std::string& cause) {
  try {
    PartFile part(file);
    FAIL() << "nothing thrown";
  } catch (const RecordError& e) {
    EXPECT_EQ(std::string(e.what()).find(file.string() + ": "), 0u) << e.what();
    EXPECT_NE(std::string(e.what()).find(cause), std::string::npos) << e.what();
  }
}

TEST(PartFile, RefusesTheNameOfAFolder) {
  const Folder folder;
  expect_refusal(folder.path(), "folder");
  expect_refusal(folder / "", "folder");
}

TEST(PartFile, RefusesAFolderThatIsNotThere) {
  const Folder folder;
  expect_refusal(folder / "none/x.h5", "No such file or directory");
}

TEST(PartFile, RefusesAFileAsAFolder) {
  const Folder folder;
  write_bytes(folder / "f", "");
  expect_refusal(folder / "f/x.h5", "Not a directory");
}

TEST(PartFile, RefusesAFolderThatMayNotBeWritten) {
  const Folder folder;
  ::chmod(folder.path().c_str(), 0555);
  const Ending ending = run_child([&] {
    become_nobody();
    return write_to(folder / "x.h5");
  });
  ::chmod(folder.path().c_str(), 0755);
  EXPECT_EQ(ending.output, (folder / "x.h5").string() + ": cannot create: Permission denied");
  EXPECT_EQ(folder.files(), Names{});
}

TEST(PartFile, DoesNotReplaceAWriteProtectedFile) {
  const Folder folder;
  ::chmod(folder.path().c_str(), 0777);
  write_bytes(folder / "x.h5", "old");
  ::chmod((folder / "x.h5").c_str(), 0444);
  const Ending ending = run_child([&] {
    become_nobody();
    return write_to(folder / "x.h5");
  });
  EXPECT_EQ(ending.output, (folder / "x.h5").string() + ": cannot replace: Permission denied");
  EXPECT_EQ(read_bytes(folder / "x.h5"), "old");
}

TEST(PartFile, FollowsLinks) {
  const Folder folder;
  fs::create_directory(folder / "far");
  write_bytes(folder / "far/old", "old");
  fs::create_symlink("far/old", folder / "to_old");
  fs::create_symlink("far/none", folder / "to_none");
  write_to(folder / "to_old");
  write_to(folder / "to_none");
  EXPECT_TRUE(fs::is_symlink(folder / "to_old"));
  EXPECT_TRUE(fs::is_symlink(folder / "to_none"));
  EXPECT_EQ(read_bytes(folder / "far/old"), "new");
  EXPECT_EQ(read_bytes(folder / "far/none"), "new");
}

TEST(PartFile, WritesADeviceDirectlyAndLeavesItADevice) {
  const Folder folder;
  const std::string pipe = (folder / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::FILE* const reader = ::popen(("cat '" + pipe + "'").c_str(), "r");
  ASSERT_NE(reader, nullptr);
  write_to(pipe, "through");
  std::array<char, 32> read{};
  EXPECT_STREQ(std::fgets(read.data(), static_cast<int>(read.size()), reader), "through");
  ::pclose(reader);
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_EQ(folder.files(), Names{"pipe"});
}

TEST(PartFile, CannotBeKeptOnceAWriteHasFailed) {
  const Folder folder;
  const Ending ending = run_child([&] {
    limit_file_size(1000);
    PartFile part(folder / "x.csv");
    EXPECT_THROW(part.write(std::string(2000, 'x')), RecordError);
    part.keep();
    return std::string("kept");
  });
  EXPECT_EQ(ending.status, 0);
  EXPECT_EQ(ending.output, (folder / "x.csv").string() + ": cannot write: File too large");
  EXPECT_EQ(folder.files(), Names{});
}

}  // namespace
}  // namespace berth::record_test::part_file_test
