// SPDX-License-Identifier: Apache-2.0
#include "berth/run/core.h"
#include "berth/run/run.h"

namespace berth {

void HybridRun::serve(StepServer* server) { core_->server.set(server); }

// False: nobody has done it.
bool HybridRun::serve_end() {
  if (!core_->server) return false;
  core_->end_numbers.resize(core_->samples.size());
  core_->end_rate.resize(core_->s.x.size());
  return core_->server->find_end(*core_, core_->s.mode, core_->s.t, core_->s.x, core_->end_numbers,
                                 core_->end_rate, core_->end);
}

}  // namespace berth
