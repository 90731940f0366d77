// SPDX-License-Identifier: Apache-2.0

// The viewer's pages as bytes of the program. The assembler takes them in whole: as literals of C++
// they would keep the compiler busy for a minute.

#include "berth/report/live_page_data.h"
#include "berth/report/page.h"
#include "berth/report/sweep_page.h"

extern "C" {
extern const char berth_page_template_begin[];
extern const char berth_page_template_end[];
extern const char berth_sweep_template_begin[];
extern const char berth_sweep_template_end[];
extern const char berth_live_template_begin[];
extern const char berth_live_template_end[];
}

#if !defined(BERTH_PAGE_TEMPLATE) || !defined(BERTH_SWEEP_TEMPLATE) || !defined(BERTH_LIVE_TEMPLATE)
#error \
    "BERTH_PAGE_TEMPLATE, BERTH_SWEEP_TEMPLATE and BERTH_LIVE_TEMPLATE name the viewer's templates; cmake/viewer.cmake sets them"
#endif

asm(".section .rodata\n"
    ".global berth_page_template_begin\n"
    ".global berth_page_template_end\n"
    "berth_page_template_begin:\n"
    ".incbin \"" BERTH_PAGE_TEMPLATE
    "\"\n"
    "berth_page_template_end:\n"
    ".byte 0\n"
    ".global berth_sweep_template_begin\n"
    ".global berth_sweep_template_end\n"
    "berth_sweep_template_begin:\n"
    ".incbin \"" BERTH_SWEEP_TEMPLATE
    "\"\n"
    "berth_sweep_template_end:\n"
    ".byte 0\n"
    ".global berth_live_template_begin\n"
    ".global berth_live_template_end\n"
    "berth_live_template_begin:\n"
    ".incbin \"" BERTH_LIVE_TEMPLATE
    "\"\n"
    "berth_live_template_end:\n"
    ".byte 0\n"
    ".previous\n");

namespace berth {

std::string_view page_template() {
  return {berth_page_template_begin,
          static_cast<std::size_t>(berth_page_template_end - berth_page_template_begin)};
}

std::string_view sweep_template() {
  return {berth_sweep_template_begin,
          static_cast<std::size_t>(berth_sweep_template_end - berth_sweep_template_begin)};
}

std::string_view live_template() {
  return {berth_live_template_begin,
          static_cast<std::size_t>(berth_live_template_end - berth_live_template_begin)};
}

}  // namespace berth
