// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pieces of which the files of a plant are put together.

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "berth/export/c_files.h"

namespace berth {

// text with every @WORD replaced.
std::string fill_text(std::string_view text,
                      std::initializer_list<std::pair<std::string_view, std::string>> words);
std::string upper_case(std::string text);
// What may stand in a comment, and a literal of C.
std::string comment_text(std::string text);
std::string string_literal(const std::string& text);
std::string number_literal(double x);
// { …, … } in lines of a few.
std::string number_list(std::span<const double> numbers);

// berth_NAME, berth_NAME_phaseK, and their sizes as macros.
std::string plant_prefix(const Plant& plant);
std::string phase_prefix(const Plant& plant, int phase);
std::string phase_inputs(const Plant& plant, int phase);  // the macro for the size of u

// phase_text.cpp: the file of a phase, counted from 1.
std::string write_phase(const Plant& plant, int phase, std::vector<ExportedFunction>& functions);
// main_text.cpp
std::string write_main(const Plant& plant);
// page_text.cpp: header, names, README.
std::string write_header(const Plant& plant);
std::string write_names(const Plant& plant);
std::string write_transitions(const Plant& plant, std::vector<ExportedFunction>& functions);
std::string write_readme(const Plant& plant, const ExportedPlant& exported);
std::string describe_phase(const Plant& plant, int phase);

}  // namespace berth
