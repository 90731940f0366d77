// SPDX-License-Identifier: Apache-2.0
#include "tests/support/reference.h"

#include <map>
#include <stdexcept>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace berth::test {
namespace {

using Numbers = std::map<std::string, std::vector<double>>;

Numbers read_numbers(const std::string& paper) {
  const toml::table root =
      toml::parse_file(fmt::format("{}/papers/{}/numbers.toml", BERTH_SOURCE_DIR, paper));
  Numbers out;
  root["group"].as_array()->for_each([&](const toml::table& group) {
    group["number"].as_array()->for_each([&](const toml::table& number) {
      const std::string name = number["name"].value<std::string>().value();
      std::vector<double>& values = out[name];
      if (!values.empty()) throw std::runtime_error(fmt::format("{}: {} twice", paper, name));
      if (const toml::array* list = number["value"].as_array())
        for (const toml::node& one : *list) values.push_back(one.value<double>().value());
      else
        values.push_back(number["value"].value<double>().value());
    });
  });
  return out;
}

}  // namespace

const std::vector<double>& Reference::find(const std::string& name, std::size_t count) const {
  static std::map<std::string, Numbers> papers;
  if (!papers.contains(paper_)) papers[paper_] = read_numbers(paper_);
  const Numbers& numbers = papers.at(paper_);
  const auto found = numbers.find(name);
  if (found == numbers.end())
    throw std::runtime_error(fmt::format("papers/{}: no number {}", paper_, name));
  if (found->second.size() != count)
    throw std::runtime_error(fmt::format("papers/{}: {} has {} numbers, not {}", paper_, name,
                                         found->second.size(), count));
  return found->second;
}

}  // namespace berth::test
