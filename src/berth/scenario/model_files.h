// SPDX-License-Identifier: Apache-2.0
#pragma once

// ModelFiles — the models a scenario draws, by the names it gives them. A result has each of them once,
// whatever it is called and however many craft show it:
//
//   /models/<n>   bytes of a .glb, n from 0; attribute files: JSON list of its names

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "berth/record/stored_models.h"
#include "berth/scenario/glb/glb.h"

namespace berth {

using ModelFiles = std::map<std::string, std::shared_ptr<const GlbModel>, std::less<>>;

// Reads a model, in a process of its own (record/apart.h). Throws a GlbError: there is none, it is a folder or a
// device, too large, damaged.
GlbModel read_model_file(const std::filesystem::path& path);

// As they are stored, and the number under which one of them is.
std::vector<StoredModel> list_stored(const ModelFiles& models);
std::size_t find_stored(const ModelFiles& models, std::string_view bytes);

// Out of a result, which may come from anybody: checked as if from a file. Each becomes what was checked.
// Throws a RecordError.
ModelFiles restore_models(std::vector<StoredModel>& stored, const std::string& file);

}  // namespace berth
