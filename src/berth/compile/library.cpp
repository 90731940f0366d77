// SPDX-License-Identifier: Apache-2.0
#include "berth/compile/library.h"

#include <fstream>
#include <stdexcept>

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include "berth/compile/temporary_folder.h"

namespace berth {

Library::Library(std::string_view bytes, From first) {
  if (first == From::folder || !load_from_memory(bytes)) load_from_folder(bytes);
}

Library::~Library() {
  ::dlclose(handle_);
  if (file_ >= 0) ::close(file_);
}

bool Library::load_from_memory([[maybe_unused]] std::string_view bytes) {
#if defined(MFD_CLOEXEC)
  file_ = ::memfd_create("berth", MFD_CLOEXEC);
  if (file_ < 0) return false;
  bool is_written = true;
  while (is_written && !bytes.empty()) {
    const ssize_t n = ::write(file_, bytes.data(), bytes.size());
    is_written = n > 0;
    if (is_written) bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  // The loader knows libraries by their path: the file stays open as long as the library is loaded, so
  // that no other one gets its number.
  const std::string path = "/proc/self/fd/" + std::to_string(file_);
  if (is_written) handle_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle_) {
    ::close(file_);
    file_ = -1;
  }
#endif
  return handle_ != nullptr;
}

void Library::load_from_folder(std::string_view bytes) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "library.so").string();
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  out.close();
  if (out) handle_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle_) {
    const char* why = out ? ::dlerror() : "it cannot be written";
    throw std::runtime_error(std::string("a compiled library cannot be loaded: ") +
                             (why ? why : ""));
  }
}

void* Library::symbol(const std::string& name) const {
  void* found = ::dlsym(handle_, name.c_str());
  if (!found) throw std::out_of_range("a compiled library has no " + name);
  return found;
}

}  // namespace berth
