// SPDX-License-Identifier: Apache-2.0
#include "berth/export/c_files.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "berth/compile/emit_c.h"
#include "berth/export/c_text.h"

namespace berth {

std::string fill_text(std::string_view text,
                      std::initializer_list<std::pair<std::string_view, std::string>> words) {
  std::string out;
  while (!text.empty()) {
    const std::size_t at = text.find('@');
    out += text.substr(0, at);
    if (at == std::string_view::npos) break;
    text.remove_prefix(at);
    bool is_known = false;
    for (const auto& [word, value] : words) {
      if (is_known || !text.starts_with(word)) continue;
      is_known = true;
      out += value;
      text.remove_prefix(word.size());
    }
    if (!is_known) throw std::logic_error("fill_text: a word without a value");
  }
  return out;
}

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string comment_text(std::string text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (static_cast<unsigned char>(text[i]) < ' ') text[i] = ' ';
    const bool ends = i > 0 && text[i - 1] == '*' && text[i] == '/';
    const bool begins = i > 0 && text[i - 1] == '/' && text[i] == '*';
    if (ends || begins) text.insert(i, " ");
  }
  return text;
}

std::string string_literal(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?') {
      out += '\\';
      out += c;
    } else if (byte < ' ') {
      out += fmt::format("\\{:03o}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string number_literal(double x) {
  if (std::isnan(x)) return "NAN";
  if (std::isinf(x)) return x < 0 ? "-INFINITY" : "INFINITY";
  return fmt::format("{:a}", x);
}

std::string number_list(std::span<const double> numbers) {
  std::string out = "{";
  for (std::size_t i = 0; i < numbers.size(); ++i)
    out += (i == 0 ? "" : i % 4 == 0 ? ",\n     " : ", ") + number_literal(numbers[i]);
  return out + "}";
}

std::string plant_prefix(const Plant& plant) { return "berth_" + plant.name; }
std::string phase_prefix(const Plant& plant, int phase) {
  return fmt::format("{}_phase{}", plant_prefix(plant), phase);
}
std::string phase_inputs(const Plant& plant, int phase) {
  return upper_case(phase_prefix(plant, phase)) + "_INPUTS";
}

std::string make_identifier(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const bool fits =
        std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 128;
    out += fits ? c : '_';
  }
  if (out.empty() || std::isalpha(static_cast<unsigned char>(out[0])) == 0) out = "plant_" + out;
  return out;
}

namespace {

constexpr std::string_view kElementaryHead = R"c(/* SPDX-License-Identifier: Apache-2.0
   Elementary functions: the same bits on every machine, as long as nothing is fused. */
#ifndef BERTH_ELEMENTARY_H
#define BERTH_ELEMENTARY_H

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

)c";

}  // namespace

ExportedPlant write_plant(const Plant& plant) {
  ExportedPlant out;
  const std::string prefix = plant_prefix(plant);
  out.files.push_back({prefix + ".h", write_header(plant)});
  out.files.push_back({prefix + "_names.c", write_names(plant)});
  out.files.push_back(
      {"berth_elementary.h", std::string(kElementaryHead) + emit_c_prologue(1) + "\n#endif\n"});
  for (int k = 1; k <= static_cast<int>(plant.run.phases.size()); ++k)
    if (plant.run.phases[static_cast<std::size_t>(k - 1)].obstacle.empty())
      out.files.push_back({phase_prefix(plant, k) + ".c", write_phase(plant, k, out.functions)});
  const bool changes = std::any_of(plant.run.transitions.begin(), plant.run.transitions.end(),
                                   [](const Transition& t) { return t.obstacle.empty(); });
  if (changes)
    out.files.push_back({prefix + "_transitions.c", write_transitions(plant, out.functions)});
  out.files.push_back({"main.c", write_main(plant)});
  out.files.push_back({"README.md", write_readme(plant, out)});
  return out;
}

std::string describe(const ExportedPlant& exported) {
  std::string text = fmt::format("{:<44} {:>10} {:>14}\n", "function", "operations", "numbers");
  for (const ExportedFunction& f : exported.functions)
    text += fmt::format("{:<44} {:>10} {:>14}\n", f.name, f.operations, f.stack);
  std::size_t bytes = 0;
  for (const ExportedFile& f : exported.files) bytes += f.text.size();
  return text + fmt::format("{} files, {} bytes of text\n", exported.files.size(), bytes);
}

}  // namespace berth
