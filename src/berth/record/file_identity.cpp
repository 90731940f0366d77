// SPDX-License-Identifier: Apache-2.0
#include "berth/record/file_identity.h"

#include <system_error>

#include <sys/stat.h>

namespace berth {

namespace fs = std::filesystem;

fs::path follow_links(fs::path path) {
  std::error_code error;
  for (int n = 0; n < 40 && fs::is_symlink(fs::symlink_status(path, error)); ++n)
    path = path.parent_path() / fs::read_symlink(path, error);  // an absolute one replaces all
  return path;
}

FileIdentity FileIdentity::find(const fs::path& path) {
  FileIdentity out;
  struct stat facts {};
  if (::stat(path.c_str(), &facts) == 0) {
    out.exists = true;
    out.device = facts.st_dev;
    out.inode = facts.st_ino;
  }
  std::error_code error;
  out.path = fs::weakly_canonical(fs::absolute(follow_links(path), error), error);
  if (error) out.path = fs::absolute(path, error).lexically_normal();
  return out;
}

bool are_same(const FileIdentity& a, const FileIdentity& b) {
  if (a.exists && b.exists && a.device == b.device && a.inode == b.inode) return true;
  return !a.path.empty() && a.path == b.path;
}

}  // namespace berth
