// SPDX-License-Identifier: Apache-2.0
#include "berth/compile/library_cache.h"

#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "berth/compile/background_compiler.h"
#include "berth/compile/digest.h"
#include "tests/compile/scripts.h"

namespace berth::library_cache_test {
namespace {

namespace fs = std::filesystem;
using test::EnvironmentVariable;

constexpr std::uint64_t kLarge = 100'000'000;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string text_of(int number) {
  return "int f(void);\nint f(void) { return " + std::to_string(number) + "; }\n";
}
int call(const std::shared_ptr<const Library>& library) {
  return reinterpret_cast<int (*)()>(library->symbol("f"))();
}

std::vector<fs::path> list_entries(const fs::path& folder) {
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(folder)) all.push_back(entry.path());
  return all;
}

// --- the folder ------------------------------------------------------------------------------------------

TEST(CacheFolder, IsMadeForTheUserAlone) {
  const TemporaryFolder outer;
  const fs::path folder = outer.path() / "cache" / "berth";
  const mode_t mask = ::umask(0);
  {
    const CacheFolder cache(folder, kLarge);
    EXPECT_EQ(cache.refusal(), "");
    EXPECT_EQ(cache.path(), folder);
  }
  ::umask(mask);
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all);
}

TEST(CacheFolder, IsRefusedWhenOthersHaveAccess) {
  const TemporaryFolder outer;
  const fs::path folder = outer.path() / "berth";
  fs::create_directory(folder);
  for (const unsigned mode : {0755u, 0750u, 0701u}) {
    fs::permissions(folder, static_cast<fs::perms>(mode));
    fs::path used;
    {
      const CacheFolder cache(folder, kLarge);
      EXPECT_TRUE(contains(cache.refusal(), "others have access to it")) << cache.refusal();
      EXPECT_NE(cache.path(), folder);
      used = cache.path();
      const std::string key = find_sha256("");
      cache.write(key, "bytes");
      EXPECT_EQ(cache.read(key), "bytes");
      EXPECT_TRUE(list_entries(folder).empty());
    }
    EXPECT_FALSE(fs::exists(used));
  }
}

TEST(CacheFolder, IsRefusedWhenItIsALinkAFileOrNowhere) {
  const TemporaryFolder outer;
  const fs::path folder = outer.path() / "own", link = outer.path() / "link",
                 file = outer.path() / "file";
  fs::create_directory(folder);
  fs::permissions(folder, fs::perms::owner_all);
  fs::create_directory_symlink(folder, link);
  test::write_file(file, "");
  EXPECT_EQ(CacheFolder(folder, kLarge).refusal(), "");
  EXPECT_TRUE(contains(CacheFolder(link, kLarge).refusal(), "symbolic link"));
  EXPECT_NE(CacheFolder(file, kLarge).refusal(), "");
  EXPECT_NE(CacheFolder("", kLarge).refusal(), "");
  if (::geteuid() == 0 && ::chown(folder.c_str(), 65534, 65534) == 0) {
    EXPECT_TRUE(contains(CacheFolder(folder, kLarge).refusal(), "belongs to someone else"));
  }
  EXPECT_NE(CacheFolder("/proc/berth", kLarge).refusal(), "");
}

TEST(CacheFolder, DoesNotReadWhatIsDamaged) {
  const TemporaryFolder outer;
  const fs::path folder = outer.path() / "berth";
  const CacheFolder cache(folder, kLarge);
  const std::string key = find_sha256("key");
  EXPECT_FALSE(cache.read(key));
  cache.write(key, "some bytes");
  ASSERT_EQ(cache.read(key), "some bytes");
  const fs::path entry = list_entries(folder).at(0);
  const std::string good = test::read_file(entry);
  // Every byte changed, every length.
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    test::write_file(entry, bad);
    EXPECT_FALSE(cache.read(key)) << i;
    test::write_file(entry, good.substr(0, i));
    EXPECT_FALSE(cache.read(key)) << i;
  }
  test::write_file(entry, good + "x");
  EXPECT_FALSE(cache.read(key));
  fs::rename(entry, outer.path() / "elsewhere");
  fs::create_symlink(outer.path() / "elsewhere", entry);
  EXPECT_FALSE(cache.read(key));
}

TEST(CacheFolder, RemovesWhatWasNotUsedForLongest) {
  const TemporaryFolder outer;
  const std::string bytes(1000, 'x');
  // Header and digest take less than a hundred bytes.
  const CacheFolder cache(outer.path() / "berth", 3300);
  std::vector<std::string> keys;
  for (int i = 0; i < 4; ++i) keys.push_back(find_sha256(std::to_string(i)));
  const auto age = [&](int i, int hours) {
    const fs::path file = cache.path() / (keys[static_cast<std::size_t>(i)] + ".berth");
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  for (int i = 0; i < 3; ++i) {
    cache.write(keys[static_cast<std::size_t>(i)], bytes);
    age(i, 10 - i);
  }
  // The oldest was used just now; a file of a writer that has died goes too.
  EXPECT_TRUE(cache.read(keys[0]));
  const fs::path abandoned = cache.path() / "abandoned.new";
  test::write_file(abandoned, "x");
  fs::last_write_time(abandoned, fs::file_time_type::clock::now() - std::chrono::hours(2));
  cache.write(keys[3], bytes);
  EXPECT_TRUE(cache.read(keys[0]));
  EXPECT_FALSE(cache.read(keys[1]));
  EXPECT_TRUE(cache.read(keys[2]));
  EXPECT_TRUE(cache.read(keys[3]));
  EXPECT_EQ(list_entries(cache.path()).size(), 3u);
  // What would not fit alone takes no place from others.
  cache.write(keys[1], std::string(4000, 'x'));
  EXPECT_FALSE(cache.read(keys[1]));
  EXPECT_EQ(list_entries(cache.path()).size(), 3u);
}

TEST(CacheFolder, NobodySeesAPartOfAnEntry) {
  const TemporaryFolder outer;
  const std::string bytes(200'000, 'x'), key = find_sha256("key");
  CacheFolder(outer.path() / "berth", kLarge).write(key, bytes);
  std::atomic<bool> is_done = false;
  std::vector<std::jthread> writers;
  for (int i = 0; i < 2; ++i)
    writers.emplace_back([&] {
      const CacheFolder cache(outer.path() / "berth", kLarge);
      while (!is_done) cache.write(key, bytes);
    });
  const CacheFolder cache(outer.path() / "berth", kLarge);
  int seen = 0;
  for (int i = 0; i < 100; ++i) seen += cache.read(key) == bytes;
  is_done = true;
  writers.clear();
  EXPECT_EQ(seen, 100);
  EXPECT_EQ(list_entries(cache.path()).size(), 1u);
}

TEST(CacheFolder, IsWhereTheEnvironmentSays) {
  const EnvironmentVariable home("HOME", "/home/someone"), none("BERTH_CACHE", {}),
      cache("XDG_CACHE_HOME", {});
  EXPECT_EQ(find_cache_folder(), "/home/someone/.cache/berth");
  const EnvironmentVariable relative("XDG_CACHE_HOME", "cache");
  EXPECT_EQ(find_cache_folder(), "/home/someone/.cache/berth");
  const EnvironmentVariable other("XDG_CACHE_HOME", "/var/cache/someone");
  EXPECT_EQ(find_cache_folder(), "/var/cache/someone/berth");
  const EnvironmentVariable own("BERTH_CACHE", "/var/berth");
  EXPECT_EQ(find_cache_folder(), "/var/berth");
}

TEST(CacheFolder, HoldsWhatTheEnvironmentSays) {
  {
    const EnvironmentVariable none("BERTH_CACHE_SIZE", {});
    EXPECT_EQ(find_cache_capacity(), 512'000'000u);
  }
  const EnvironmentVariable small("BERTH_CACHE_SIZE", "7");
  EXPECT_EQ(find_cache_capacity(), 7'000'000u);
  for (const char* wrong : {"much", "7x", "-1", "1.5", "99999999999999999"}) {
    const EnvironmentVariable setting("BERTH_CACHE_SIZE", wrong);
    EXPECT_THROW(find_cache_capacity(), std::invalid_argument) << wrong;
  }
}

// --- the cache -------------------------------------------------------------------------------------------

class LibraryCacheTest : public testing::Test {
 protected:
  LibraryCache make_cache() { return LibraryCache(compiler_, cache_folder(), kLarge); }
  fs::path cache_folder() const { return folder_.path() / "berth"; }
  int compilations() const { return test::count_compilations(folder_.path()); }

  TemporaryFolder folder_;
  CCompiler compiler_ = test::write_counting_compiler(folder_.path());
};

TEST_F(LibraryCacheTest, CompilesATextOnce) {
  {
    LibraryCache cache = make_cache();
    EXPECT_FALSE(cache.find(text_of(1), {}));
    EXPECT_EQ(call(cache.compile(text_of(1), {})), 1);
    EXPECT_EQ(call(cache.compile(text_of(1), {})), 1);
    EXPECT_EQ(compilations(), 1);
  }
  // In the next process.
  LibraryCache cache = make_cache();
  ASSERT_TRUE(cache.find(text_of(1), {}));
  const std::shared_ptr<const Library> library = cache.compile(text_of(1), {});
  EXPECT_EQ(call(library), 1);
  EXPECT_EQ(cache.find(text_of(1), {}), library);
  EXPECT_EQ(compilations(), 1);
  // Another text, other flags.
  EXPECT_EQ(call(cache.compile(text_of(2), {})), 2);
  EXPECT_EQ(call(cache.compile(text_of(1), {"-O1"})), 1);
  EXPECT_EQ(compilations(), 3);
}

TEST_F(LibraryCacheTest, KnowsTextFlagsAndCompilerApart) {
  LibraryCache cache = make_cache();
  LibraryCache other({compiler_.program, "another version"}, folder_.path() / "other", kLarge);
  const std::string key = cache.find_key("text", {"-O1", "-g"});
  EXPECT_EQ(key.size(), 64u);
  EXPECT_EQ(key, cache.find_key("text", {"-O1", "-g"}));
  EXPECT_NE(key, cache.find_key("text ", {"-O1", "-g"}));
  EXPECT_NE(key, cache.find_key("text", {"-O1-g"}));
  EXPECT_NE(key, cache.find_key("text", {"-g", "-O1"}));
  EXPECT_NE(key, other.find_key("text", {"-O1", "-g"}));
}

TEST_F(LibraryCacheTest, CompilesAgainWhatIsDamaged) {
  make_cache().compile(text_of(1), {});
  const fs::path entry = list_entries(cache_folder()).at(0);
  const std::string good = test::read_file(entry);
  std::string changed = good;
  changed[good.size() / 2] = static_cast<char>(changed[good.size() / 2] ^ 1);
  // The last one has a digest that is right, but it is no library.
  const std::string other = "berth library 1\n" + find_sha256("other") + "\nother";
  int wanted = 1;
  for (const std::string& bad : {changed, good.substr(0, good.size() / 2), std::string(), other}) {
    test::write_file(entry, bad);
    LibraryCache cache = make_cache();
    EXPECT_FALSE(cache.find(text_of(1), {}));
    EXPECT_EQ(call(cache.compile(text_of(1), {})), 1);
    EXPECT_EQ(compilations(), ++wanted);
    EXPECT_EQ(test::read_file(entry), good);
  }
}

TEST_F(LibraryCacheTest, ServesThreadsAtOnce) {
  LibraryCache one = make_cache(), two = make_cache();
  std::atomic<int> sum = 0;
  {
    std::vector<std::jthread> threads;
    for (LibraryCache* cache : {&one, &two, &one, &two})
      threads.emplace_back([&sum, cache] {
        for (const int number : {1, 2}) sum += call(cache->compile(text_of(number), {}));
      });
  }
  EXPECT_EQ(sum, 12);
  EXPECT_EQ(list_entries(cache_folder()).size(), 2u);
}

TEST_F(LibraryCacheTest, KeepsNothingThatFails) {
  LibraryCache cache = make_cache();
  EXPECT_THROW(cache.compile("no C", {}), CompileError);
  EXPECT_TRUE(list_entries(cache_folder()).empty());
}

// --- in the background -------------------------------------------------------------------------------------

TEST_F(LibraryCacheTest, CompilesInTheBackground) {
  LibraryCache cache = make_cache();
  BackgroundCompiler compiler(cache);
  const PendingLibrary one = compiler.request(text_of(1), {}), wrong = compiler.request("no C", {}),
                       again = compiler.request(text_of(1), {}),
                       two = compiler.request(text_of(2), {});
  EXPECT_EQ(call(one.get()), 1);
  EXPECT_TRUE(is_ready(one));
  EXPECT_EQ(again.get(), one.get());
  EXPECT_THROW(wrong.get(), CompileError);
  EXPECT_EQ(call(two.get()), 2);
  EXPECT_EQ(compilations(), 3);
}

TEST_F(LibraryCacheTest, EndsWithoutWaitingForACompiler) {
  const fs::path alive = folder_.path() / "alive";
  // What it starts itself must end too.
  const CCompiler slow =
      test::write_script(folder_.path() / "slow", "(while :; do printf x >> '" + alive.string() +
                                                      "'; sleep 0.02; done) &\nsleep 100\n");
  LibraryCache cache(slow, cache_folder(), kLarge);
  PendingLibrary first, second;
  const auto begin = std::chrono::steady_clock::now();
  {
    BackgroundCompiler compiler(cache);
    first = compiler.request(text_of(1), {});
    second = compiler.request(text_of(2), {});
    while (!fs::exists(alive)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_FALSE(is_ready(first));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  EXPECT_THROW(first.get(), CompileStopped);
  EXPECT_THROW(second.get(), CompileStopped);
  const std::uintmax_t size = fs::file_size(alive);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(fs::file_size(alive), size);
}

}  // namespace
}  // namespace berth::library_cache_test
