// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/read/load_models.h"

#include <fmt/format.h>

namespace berth {
void load_models(Scenario& scenario, const std::filesystem::path& folder, const ModelFiles* stored,
                 Problems& problems) {
  const auto find = [&](const std::string& name) {
    if (!stored) return std::make_shared<const GlbModel>(read_model_file(folder / name));
    const auto at = stored->find(name);
    if (at == stored->end()) throw GlbError("is not among the models stored with it");
    return at->second;
  };
  const auto load = [&](const std::string& owner, const std::vector<ShapeSpec>& shapes) {
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const std::optional<std::string>& name = shapes[k].gltf;
      if (!name || name->empty() || scenario.models.contains(*name)) continue;
      try {
        if (scenario.models.size() >= kMostModels)
          throw GlbError(fmt::format("is one too many: a scenario has at most {}", kMostModels));
        scenario.models[*name] = find(*name);
      } catch (const GlbError& e) {
        // The one table that stands for a list has no number.
        std::string path = fmt::format("{}.shape.{}.gltf", owner, k + 1);
        if (!problems.places.contains(path)) path = owner + ".shape.gltf";
        problems.add(path, fmt::format("\"{}\" {}", *name, e.what()));
      }
    }
  };
  for (const SpacecraftSpec& c : scenario.spacecraft) {
    load("spacecraft." + c.name, c.shape);
    for (const ComponentSpec& part : c.component)
      load(fmt::format("spacecraft.{}.component.{}", c.name, part.name), part.shape);
  }
  for (const FreeBodySpec& b : scenario.body) load("body." + b.name, b.shape);
}

}  // namespace berth
