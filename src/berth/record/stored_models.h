// SPDX-License-Identifier: Apache-2.0
#pragma once

// Models that are stored with a result: /models/<n>, bytes, and the names they have in the scenario.

#include <string>
#include <vector>

namespace berth {

class Hdf5File;
class Hdf5Reader;

inline constexpr std::size_t kMostModels = 20;  // of a scenario

struct StoredModel {
  std::string bytes;
  std::vector<std::string> names;
};

// Nothing where there are none.
void write_models(const std::vector<StoredModel>& models, Hdf5File& file);
// Throws a RecordError where one is no list of bytes, or too large to be a model.
std::vector<StoredModel> read_models(const Hdf5Reader& file);

}  // namespace berth
