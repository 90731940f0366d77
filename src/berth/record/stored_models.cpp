// SPDX-License-Identifier: Apache-2.0
#include "berth/record/stored_models.h"

#include <fmt/format.h>

#include "berth/record/hdf5_file.h"
#include "berth/record/hdf5_reader.h"
#include "berth/record/json_text.h"
#include "berth/record/record_error.h"

namespace berth {
namespace {

constexpr std::size_t kLargestStored =
    8'000'000;  // [bytes]; a model is checked further where it is read

}  // namespace

void write_models(const std::vector<StoredModel>& models, Hdf5File& file) {
  if (models.empty()) return;
  file.add_group("/models");
  for (std::size_t k = 0; k < models.size(); ++k) {
    const std::string path = fmt::format("/models/{}", k);
    file.add_bytes(path, models[k].bytes);
    file.add_attribute(path, "description", "binary glTF 2.0");
    file.add_attribute(path, "files", to_text(nlohmann::ordered_json(models[k].names)));
  }
}

std::vector<StoredModel> read_models(const Hdf5Reader& file) {
  std::vector<StoredModel> out;
  for (std::string path = "/models/0"; file.has(path);
       path = fmt::format("/models/{}", out.size())) {
    if (out.size() == kMostModels) throw RecordError(file.name(), "has too many /models");
    const auto names = nlohmann::json::parse(file.attribute(path, "files"), nullptr, false);
    StoredModel& model = out.emplace_back(StoredModel{file.bytes(path, kLargestStored), {}});
    if (!names.is_array()) throw RecordError(file.name(), fmt::format("its {} is damaged", path));
    for (const auto& name : names)
      if (name.is_string()) model.names.push_back(name.get<std::string>());
  }
  return out;
}

}  // namespace berth
