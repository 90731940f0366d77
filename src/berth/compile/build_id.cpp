// SPDX-License-Identifier: Apache-2.0
#include "berth/compile/build_id.h"

#include <cstdint>
#include <cstring>
#include <string_view>

#include <elf.h>
#include <link.h>

namespace berth {
namespace {

struct BuildIdSearch {
  std::uintptr_t inside;  // an address of the object that is searched for
  std::string found = {};
};

// The build id among the notes of a segment: name, size and kind in front of each, all in fours.
std::string find_in_notes(std::string_view notes) {
  ElfW(Nhdr) head;
  const auto padded = [](std::size_t n) { return (n + 3) / 4 * 4; };
  while (notes.size() >= sizeof head) {
    std::memcpy(&head, notes.data(), sizeof head);
    const std::size_t name = padded(head.n_namesz), size = padded(head.n_descsz);
    if (notes.size() - sizeof head < name + size) return {};
    if (head.n_type == NT_GNU_BUILD_ID && notes.substr(sizeof head, 3) == "GNU")
      return std::string(notes.substr(sizeof head + name, head.n_descsz));
    notes.remove_prefix(sizeof head + name + size);
  }
  return {};
}

int visit_object(dl_phdr_info* object, std::size_t, void* data) {
  BuildIdSearch& search = *static_cast<BuildIdSearch*>(data);
  const auto begin_of = [&](const ElfW(Phdr) & segment) {
    return object->dlpi_addr + segment.p_vaddr;
  };
  bool is_ours = false;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    is_ours = is_ours ||
              (segment.p_type == PT_LOAD &&
               search.inside - begin_of(segment) < static_cast<std::uintptr_t>(segment.p_memsz));
  }
  if (!is_ours) return 0;
  for (int i = 0; i < object->dlpi_phnum && search.found.empty(); ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type == PT_NOTE)
      search.found = find_in_notes({reinterpret_cast<const char*>(begin_of(segment)),
                                    static_cast<std::size_t>(segment.p_memsz)});
  }
  return 1;
}

}  // namespace

std::string find_build_id() {
  BuildIdSearch search{reinterpret_cast<std::uintptr_t>(&find_in_notes)};
  ::dl_iterate_phdr(visit_object, &search);
  return search.found;
}

}  // namespace berth
