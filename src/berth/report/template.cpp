// SPDX-License-Identifier: Apache-2.0

// The viewer's page as bytes of the program. The assembler takes it in whole: as a literal of C++ it
// would keep the compiler busy for a minute.

#include "berth/report/page.h"

extern "C" {
extern const char berth_page_template_begin[];
extern const char berth_page_template_end[];
}

#ifndef BERTH_PAGE_TEMPLATE
#error "BERTH_PAGE_TEMPLATE names the viewer's template; cmake/viewer.cmake sets it"
#endif

asm(".section .rodata\n"
    ".global berth_page_template_begin\n"
    ".global berth_page_template_end\n"
    "berth_page_template_begin:\n"
    ".incbin \"" BERTH_PAGE_TEMPLATE
    "\"\n"
    "berth_page_template_end:\n"
    ".byte 0\n"
    ".previous\n");

namespace berth {

std::string_view page_template() {
  return {berth_page_template_begin,
          static_cast<std::size_t>(berth_page_template_end - berth_page_template_begin)};
}

}  // namespace berth
