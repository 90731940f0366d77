// SPDX-License-Identifier: Apache-2.0

// Every part on a list has a page in the folder of its kind, and every page there is that of a part.
// The page names each input in its table and has an example with the part in it. Nobody edits this file
// when a part is added.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "berth/integrate/methods.h"
#include "berth/run/actions/list.h"
#include "berth/scenario/scenario.h"
#include "tests/conformance/world.h"

namespace berth::test::pages_test {
namespace {

namespace fs = std::filesystem;

std::string read_page(std::string_view folder, std::string_view type) {
  std::ifstream in(page_of(folder, type));
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

bool contains(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

std::string first_example(const std::string& page) {
  const std::size_t from = page.find("```toml\n");
  if (from == std::string::npos) return "";
  return page.substr(from, page.find("\n```\n", from) - from);
}

// Calls f.operator()<Part>(folder) for every part of every list.
template <class F>
void for_each_listed(F&& f) {
  const auto walk = [&](auto list, std::string_view folder) {
    for_each_type(list, [&]<class P>() {
      if (P::type != "none") f.template operator()<P>(folder);
    });
  };
  walk(Components<double>{}, "components");
  walk(Constraints<double>{}, "constraints");
  walk(Surfaces<double>{}, "contact");
  walk(Probes<double>{}, "contact");
  walk(ContactLaws<double>{}, "contact");
  walk(Frictions<double>{}, "contact");
  walk(Compensations<double>{}, "contact");
  walk(Forces<double>{}, "forces");
  walk(Sensors<double>{}, "sensors");
  walk(Controls<double>{}, "control");
  walk(Actions{}, "actions");
}

TEST(Pages, EveryPartHasOneThatNamesItsInputs) {
  for_each_listed([]<class Part>(std::string_view folder) {
    SCOPED_TRACE(page_of(folder, Part::type));
    const std::string page = read_page(folder, Part::type);
    ASSERT_TRUE(page.starts_with("# " + std::string(Part::type) + "\n"));
    const Part part{};
    for_each_field(part, [&](const auto& field, const auto&) {
      EXPECT_TRUE(contains(page, "`" + std::string(field.name) + "`")) << field.name;
    });
  });
}

TEST(Pages, EveryPartIsInItsExample) {
  for_each_listed([]<class Part>(std::string_view folder) {
    SCOPED_TRACE(page_of(folder, Part::type));
    const std::string example = first_example(read_page(folder, Part::type));
    if (folder == "actions") {
      EXPECT_TRUE(contains(example, "{ " + std::string(Part::type) + " = "));
    } else if (Part::type == "uniform_gravity") {
      EXPECT_TRUE(contains(example, "[gravity]"));
    } else if (Part::type == "orbital_gravity") {
      EXPECT_TRUE(contains(example, "[orbit]"));
    } else {
      EXPECT_TRUE(contains(example, "\"" + std::string(Part::type) + "\""));
    }
  });
}

TEST(Pages, EveryMethodHasOne) {
  for (const Tableau* m : kExplicitMethods) {
    const std::string page = read_page("integrators", m->name);
    EXPECT_TRUE(page.starts_with("# " + std::string(m->name) + "\n")) << m->name;
    EXPECT_TRUE(contains(first_example(page), "method = \"" + std::string(m->name) + "\""));
  }
}

TEST(Pages, EveryOneIsThatOfAPart) {
  // Inputs of controllers.
  std::set<std::string> known{page_of("control", "profile"), page_of("control", "task")};
  std::set<std::string> folders{"integrators"};
  for_each_listed([&]<class Part>(std::string_view folder) {
    folders.emplace(folder);
    known.insert(page_of(folder, Part::type));
  });
  for (const Tableau* m : kExplicitMethods) known.insert(page_of("integrators", m->name));
  for (const std::string& folder : folders)
    for (const fs::directory_entry& page :
         fs::directory_iterator(fs::path(BERTH_SOURCE_DIR) / "docs" / folder))
      EXPECT_TRUE(known.contains(page.path().string())) << page.path();
}

}  // namespace
}  // namespace berth::test::pages_test
