// SPDX-License-Identifier: Apache-2.0
#pragma once

// The page of a live run before its first tick: the viewer's template (viewer/live.html) with what stays the
// same from tick to tick. What changes it is sent afterwards; see live/live_history.h.

#include <string_view>

#include "berth/live/live_frame.h"
#include "berth/report/page_data.h"

namespace berth {

// The template the program carries; see viewer/.
std::string_view live_template();

PageData build_live_page_data(const LiveDescription& description);

}  // namespace berth
