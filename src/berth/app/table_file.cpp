// SPDX-License-Identifier: Apache-2.0
#include "berth/app/table_file.h"

#include <fmt/format.h>

namespace berth {

void check_table_file(const std::filesystem::path& h5, const std::filesystem::path& csv,
                      const std::vector<std::string>& inputs, Problems& problems) {
  namespace fs = std::filesystem;
  const auto refuse = [&](const std::string& why) {
    problems.add(Place{0, 0, "--out"}, "", fmt::format("{} {}", h5.string(), why));
  };
  std::error_code not_there;
  for (const std::string& input : inputs)
    if (fs::equivalent(h5, input, not_there))
      refuse(inputs.size() == 1 ? "is the scenario itself" : "is one of the parts");
  if (csv == h5) refuse("is the name of the table too");
  const fs::file_status there = fs::status(h5, not_there);
  if (fs::exists(there) && !fs::is_regular_file(there)) refuse("is not an ordinary file");
}

}  // namespace berth
