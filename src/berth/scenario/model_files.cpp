// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/model_files.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "berth/record/apart.h"
#include "berth/record/input_file.h"
#include "berth/record/record_error.h"

namespace berth {
namespace {

using Box = std::array<double, 6>;

std::string answer_with_model(std::string_view file) {
  const GlbModel model = read_glb(file);
  Box box{};
  for (int k = 0; k < 3; ++k) {
    box[static_cast<std::size_t>(k)] = model.low[k];
    box[static_cast<std::size_t>(k + 3)] = model.high[k];
  }
  std::string out(sizeof box, '\0');
  std::memcpy(out.data(), box.data(), sizeof box);
  return out + model.bytes;
}

GlbModel read_apart(std::string_view file) {
  try {
    // What is written anew may be longer than what was read.
    const std::string answer = ask_apart(answer_with_model, file, 16 * kLargestModel);
    if (answer.size() < sizeof(Box)) throw GlbError("cannot be read");
    Box box{};
    std::memcpy(box.data(), answer.data(), sizeof box);
    return {answer.substr(sizeof box), {box[0], box[1], box[2]}, {box[3], box[4], box[5]}};
  } catch (const ApartError& e) {
    throw GlbError(e.what());
  }
}

}  // namespace

GlbModel read_model_file(const std::filesystem::path& path) {
  InputFile in(path, "model");
  const std::string bytes = in.read(kLargestModel + 1);
  if (!in.problem().empty()) throw GlbError(in.problem());
  return read_apart(bytes);
}

std::vector<StoredModel> list_stored(const ModelFiles& models) {
  std::vector<StoredModel> out;
  for (const auto& [name, model] : models) {
    const auto same = std::find_if(out.begin(), out.end(), [&](const StoredModel& other) {
      return other.bytes == model->bytes;
    });
    if (same == out.end()) {
      out.push_back({model->bytes, {name}});
    } else {
      same->names.push_back(name);
    }
  }
  return out;
}

std::size_t find_stored(const ModelFiles& models, std::string_view bytes) {
  std::size_t number = 0;
  for (const StoredModel& one : list_stored(models)) {
    if (one.bytes == bytes) break;
    ++number;
  }
  return number;
}

ModelFiles restore_models(std::vector<StoredModel>& stored, const std::string& file) {
  ModelFiles out;
  for (std::size_t k = 0; k < stored.size(); ++k) {
    try {
      const auto model = std::make_shared<const GlbModel>(read_apart(stored[k].bytes));
      stored[k].bytes = model->bytes;
      for (const std::string& name : stored[k].names) out[name] = model;
    } catch (const GlbError& e) {
      throw RecordError(file, fmt::format("its /models/{} {}", k, e.what()));
    }
  }
  return out;
}

}  // namespace berth
