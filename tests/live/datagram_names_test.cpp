// SPDX-License-Identifier: Apache-2.0

// Names of a scenario in the files of its datagrams.

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "berth/live/datagram_files.h"
#include "berth/live/datagram_text.h"
#include "tests/live/datagram_files_support.h"
#include "tests/support/text.h"

namespace berth::datagram_names_test {
namespace {

using test::compile_example;
using test::contains;
using test::Ended;
using test::find_python;
using test::kExampleLanguages;
using test::run_beside;
using test::TemporaryFolder;
using test::write_files;

// Names that are keywords or macros, that end a comment or a literal, or begin a line of code.
DatagramLayout make_odd_layout() {
  // clang-format off
  const std::vector<std::string> names{
      "int", "class", "lambda", "None", "NULL", "errno", "linux", "float", "field", "header",
      "self", "", "1st", "_x", "__init__", "a.b", "a_b", "a-b", "a_b_2", "berth_measures",
      "berth_commands", "*/ int x; /*", "/*/", "a*", "/b", "\"", "\"\"\"", "'''", "\\", "x\\",
      "?\?/", "a\n#error no", "\r\nraise SystemExit", "\t\v\f", std::string("\0a", 2), "\x7F",
      "\xFF\xFE", "\xC3", "\xED\xA0\x80", "\u202Ereversed\u202C", "\u2028line", "名前",
      "größe θ̇ N·m²", "{}", "{0}", "@KIND", "@X", "`|`", "<b>", "[a](b)", "%s", "x_", "X"};
  // clang-format on
  DatagramLayout layout;
  layout.external = "*/ \"lab\"\\\n'''\"\"\" \u202E";
  int width = 1;
  for (const std::string& name : names) {
    layout.measures.push_back({name, name, name, 1 + width++ % 3});
    layout.commands.push_back({name, "", name, 1});
  }
  layout.digest = ~std::uint64_t{0};
  return layout;
}

TEST(DatagramNames, BecomeIdentifiers) {
  const DatagramLayout layout = make_odd_layout();
  std::set<std::string> seen;
  std::size_t first = 0;
  for (const NamedSignal& s : name_signals(layout.measures)) {
    EXPECT_TRUE(seen.insert(s.identifier).second) << s.identifier;
    EXPECT_EQ(s.identifier.find_first_not_of(
                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"),
              std::string::npos);
    EXPECT_FALSE(s.identifier.empty());
    EXPECT_EQ(s.first, first);
    first += s.width();
  }
  EXPECT_EQ(first, layout.measure_count());
  for (const char* name : {"int_", "None_", "NULL_", "n_1st", "a_b", "a_b_2", "a_b_3", "a_b_2_2"})
    EXPECT_TRUE(seen.contains(name)) << name;
}

// The C compiler takes every member; the number of numbers is right.
TEST(DatagramNames, DoNotBreakTheC) {
  const TemporaryFolder folder;
  const DatagramLayout layout = make_odd_layout();
  write_files(layout, "title */ \\\n#error in C\n \u202E ?\?/", folder);
  std::string program = "#include \"berth_datagram.h\"\nint main(void) {\n";
  program += "  struct berth_tick t;\n  uint8_t b[BERTH_MOST_BYTES];\n  memset(&t, 0, sizeof t);\n";
  for (const NamedSignal& s : name_signals(layout.measures))
    program += fmt::format("  t.measures.{}{} = {};\n", s.identifier, s.width() == 1 ? "" : "[0]",
                           s.first + 1);
  program += fmt::format(
      "  if (sizeof(struct berth_measures) != {} * sizeof(double)) return 1;\n"
      "  if (sizeof(struct berth_commands) != {} * sizeof(double)) return 2;\n"
      "  return berth_pack_tick(&t, NULL, 0, b) == {} ? 0 : 3;\n}}\n",
      layout.measure_count(), layout.command_count(), 76 + 8 * layout.measure_count());
  for (const auto& language : kExampleLanguages) {
    ASSERT_EQ(compile_example(folder, program, language), "");
    EXPECT_EQ(run_beside((folder / "exchange").string(), {}, folder.path()).code, 0);
  }
}

// Python reads the module without a warning and has the names as they are.
TEST(DatagramNames, DoNotBreakThePython) {
  const TemporaryFolder folder;
  const DatagramLayout layout = make_odd_layout();
  write_files(layout, "title \"\"\" \\\nraise SystemExit(3)\n\r \u202E", folder);
  std::string names;
  for (const auto& s : layout.commands) names += s.name + '\x1E';
  test::write_bytes(folder / "names", names);
  test::write_bytes(folder / "check.py", R"py(from pathlib import Path
import berth_datagram as d
names = Path("names").read_bytes().split(b"\x1e")[:-1]
assert len(names) == len(d.COMMANDS) == len(d.MEASURES) == len(d.fields(d.Commands)), len(names)
for wanted, (name, unit, axes, width) in zip(names, d.COMMANDS):
    try:
        assert name == axes == wanted.decode(), wanted
    except UnicodeDecodeError:
        assert "\ufffd" in name, wanted
    assert unit == "" and width == 1
answer = d.Answer(d.Header(), d.Commands(*range(len(names))))
got = d.parse(d.build(answer))
assert d._values(got.commands) == list(range(len(names)))
assert d.parse(d.build(d.Tick(d.Header(), d.Measures()))).measures == d.Measures()
try:
    got.commands.no_such_command = 1
except AttributeError:
    print("all names")
)py");
  const Ended ended = run_beside(find_python(), {"-W", "error", "check.py"}, folder.path());
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out + ended.err, "all names\n");
}

// Tables keep their rows and columns; no link, no markup.
TEST(DatagramNames, DoNotBreakThePage) {
  const DatagramLayout layout = make_odd_layout();
  const std::string page = write_datagram_page(layout, "title\n# heading <b>");
  std::size_t rows = 0;
  for (std::size_t at = 0; at < page.size();) {
    const std::size_t end = page.find('\n', at);
    const std::string line = page.substr(at, end - at);
    at = end + 1;
    EXPECT_NE(line, "# heading <b>");
    if (!line.ends_with("` |") || !contains(line, " | `")) continue;
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i)
      bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
    EXPECT_EQ(bars, 7u) << line;
    ++rows;
  }
  EXPECT_EQ(rows, layout.measure_count() + layout.command_count());
  EXPECT_FALSE(contains(page, "<b>"));
  EXPECT_FALSE(contains(page, "[a](b)"));
}

}  // namespace
}  // namespace berth::datagram_names_test
