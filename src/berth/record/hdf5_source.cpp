// SPDX-License-Identifier: Apache-2.0
#include "berth/record/hdf5_source.h"

#include <algorithm>
#include <array>
#include <new>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>
#include <hdf5.h>

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDeepest = 8;                    // groups in groups
constexpr std::size_t kMostObjects = 100'000;  // in a file
constexpr std::uint64_t kMostCompressed = 64;
constexpr std::uint64_t kLongestAttribute = 1 << 20;
constexpr std::uint64_t kCheckedAtOnce = 128 << 20;  // bytes

template <class... Parts>
[[noreturn]] void refuse(fmt::format_string<Parts...> text, Parts&&... parts) {
  throw std::runtime_error(fmt::format(text, std::forward<Parts>(parts)...));
}

bool lacks_memory() {
  bool found = false;
  const auto check_reason = [](unsigned, const H5E_error2_t* error, void* into) -> herr_t {
    if (error->maj_num == H5E_RESOURCE || error->min_num == H5E_NOSPACE)
      *static_cast<bool*>(into) = true;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, check_reason, &found);
  return found;
}

std::int64_t check(std::int64_t answer, std::string_view path) {
  if (answer < 0 && lacks_memory()) throw std::bad_alloc();
  if (answer < 0) refuse("is damaged: {} cannot be read", path);
  return answer;
}

std::string cut_zeros(std::string text) {
  text.erase(text.find_last_not_of('\0') + 1);
  return text;
}

}  // namespace

// To HDF5 what cannot be read is full of zeros. That the disk failed is no damage of the file, and says so.
template <class Work>
auto Hdf5Source::explain(const Work& work) {
  const auto check_storage = [&] {
    if (storage_.error())
      refuse("cannot be read: {}", std::generic_category().message(storage_.error()));
  };
  try {
    auto found = work();
    check_storage();
    return found;
  } catch (const std::runtime_error&) {
    check_storage();
    throw;
  }
}

Hdf5Source::Hdf5Source(int descriptor, std::uint64_t size)
    : size_(size), storage_(descriptor, size) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  explain([&] {
    open_file();
    return 0;
  });
}

void Hdf5Source::open_file() {
  std::array<char, kUserBlock + 8> start{};
  storage_.read(0, start.data(), start.size());
  const std::optional<std::uint64_t> begin = find_hdf5({start.data(), start.size()});
  if (!begin) refuse("is not an HDF5 file, or not a whole one");
  const Hdf5Id access(check(make_hdf5_access(storage_), "the file"));
  file_ = Hdf5Id(H5Fopen("/file", H5F_ACC_RDONLY, access.get()));
  if (file_.get() < 0) refuse("is not an HDF5 file, or not a whole one");
  has_manifest_ = *begin == kUserBlock || H5Lexists(file_.get(), Manifest::kPath, H5P_DEFAULT) > 0;
  manifest_ = has_manifest_ ? find_manifest() : walk();
}

// Of what berth has written since it writes manifests there is one, or it was lost.
Manifest Hdf5Source::find_manifest() {
  if (H5Lexists(file_.get(), Manifest::kPath, H5P_DEFAULT) <= 0)
    refuse("is damaged: it has lost its /manifest");
  const Dataset d = open(Manifest::kPath);
  if (d.entry.kind != StoredKind::texts || d.entry.rows != 1)
    refuse("is damaged: its /manifest is no text");
  return Manifest::read(cut_zeros(read(d, {.rows = 1}, false)));
}

Manifest Hdf5Source::walk() {
  Manifest found;
  walk_group(found, "/", 0);
  return found;
}

void Hdf5Source::walk_group(Manifest& found, const std::string& path, int depth) {
  if (depth > kDeepest) refuse("is damaged, or made to be: groups lie too deep in one another");
  const Hdf5Id group(check(H5Gopen2(file_.get(), path.c_str(), H5P_DEFAULT), path));
  found.add({.path = path, .attributes = read_attributes(group, path)});
  std::vector<std::string> names;
  const auto take = [](hid_t, const char* name, const H5L_info_t* info, void* into) -> herr_t {
    auto& list = *static_cast<std::vector<std::string>*>(into);
    if (info->type == H5L_TYPE_HARD) list.emplace_back(name);
    return list.size() > kMostObjects ? -1 : 0;
  };
  // Files of others may not know the order.
  if (H5Literate(group.get(), H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, take, &names) < 0) {
    names.clear();
    check(H5Literate(group.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, take, &names), path);
  }
  for (const std::string& name : names) {
    if (found.paths().size() > kMostObjects) refuse("is damaged, or made to be: too many datasets");
    const std::string below = (path == "/" ? path : path + "/") + name;
    const Hdf5Id object(H5Oopen(file_.get(), below.c_str(), H5P_DEFAULT));
    const H5I_type_t type = object.get() < 0 ? H5I_BADID : H5Iget_type(object.get());
    if (type == H5I_GROUP) {
      walk_group(found, below, depth + 1);
    } else if (type == H5I_DATASET && !found.find(below)) {
      try {
        found.add(open(below).entry);
      } catch (const std::runtime_error& e) {
        found.add({.path = below, .problem = e.what()});  // for whoever asks for it
      }
    }
  }
}

// Texts and whole numbers; others are not ours.
Json Hdf5Source::read_attributes(const Hdf5Id& object, const std::string& path) const {
  Json out = Json::object();
  std::vector<std::string> names;
  const auto take = [](hid_t, const char* name, const H5A_info_t*, void* into) -> herr_t {
    auto& list = *static_cast<std::vector<std::string>*>(into);
    list.emplace_back(name);
    return list.size() > 1000 ? -1 : 0;
  };
  check(H5Aiterate2(object.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, take, &names), path);
  for (const std::string& name : names) {
    const Hdf5Id attribute(check(H5Aopen(object.get(), name.c_str(), H5P_DEFAULT), path));
    const Hdf5Id type(check(H5Aget_type(attribute.get()), path));
    const Hdf5Id space(check(H5Aget_space(attribute.get()), path));
    if (H5Sget_simple_extent_npoints(space.get()) != 1) continue;
    const std::size_t size = H5Tget_size(type.get());
    if (H5Tget_class(type.get()) == H5T_INTEGER) {
      std::int64_t number = 0;
      check(H5Aread(attribute.get(), H5T_NATIVE_INT64, &number), path);
      out[name] = number;
    } else if (H5Tget_class(type.get()) == H5T_STRING && H5Tis_variable_str(type.get()) > 0) {
      char* text = nullptr;
      check(H5Aread(attribute.get(), type.get(), &text), path);
      out[name] = std::string(text ? text : "");
      H5free_memory(text);
    } else if (H5Tget_class(type.get()) == H5T_STRING && size <= kLongestAttribute) {
      std::string text(size, '\0');
      check(H5Aread(attribute.get(), type.get(), text.data()), path);
      out[name] = cut_zeros(text);
    }
  }
  return out;
}

// As it is in the file, checked to be there as a whole.
Hdf5Source::Dataset Hdf5Source::open(const std::string& path) const {
  Dataset d;
  d.id = Hdf5Id(check(H5Dopen2(file_.get(), path.c_str(), H5P_DEFAULT), path));
  const Hdf5Id type(check(H5Dget_type(d.id.get()), path));
  const Hdf5Id space(check(H5Dget_space(d.id.get()), path));
  const Hdf5Id creation(check(H5Dget_create_plist(d.id.get()), path));
  const int rank = H5Sget_simple_extent_ndims(space.get());
  hsize_t size[2] = {1, 1};
  if (rank < 0 || rank > 2 || H5Sget_simple_extent_type(space.get()) == H5S_NULL)
    refuse("{} is no table", path);
  check(H5Sget_simple_extent_dims(space.get(), size, nullptr), path);

  ManifestEntry& e = d.entry;
  e.path = path;
  e.rows = size[0];
  e.width = size[1];
  const H5T_class_t kind = H5Tget_class(type.get());
  const std::size_t item = H5Tget_size(type.get());
  if (kind == H5T_STRING && H5Tis_variable_str(type.get()) == 0 && rank < 2 && item > 0) {
    e.kind = StoredKind::texts;
    e.length = item;
    d.type = Hdf5Id(check(H5Tcopy(type.get()), path));
  } else if (kind == H5T_INTEGER && item == 1 && rank == 1) {
    e.kind = StoredKind::bytes;
    d.type = Hdf5Id(check(H5Tcopy(H5T_STD_U8LE), path));
  } else if (kind == H5T_FLOAT || kind == H5T_INTEGER) {
    e.kind = kind == H5T_FLOAT && item == 4 ? StoredKind::floats : StoredKind::numbers;
    d.type = Hdf5Id(
        check(H5Tcopy(e.kind == StoredKind::floats ? H5T_IEEE_F32LE : H5T_IEEE_F64LE), path));
  } else {
    refuse("{} holds neither numbers nor texts of berth", path);
  }

  const H5D_layout_t layout = H5Pget_layout(creation.get());
  if (layout < 0 || layout == H5D_VIRTUAL || H5Pget_external_count(creation.get()) != 0)
    refuse("{} lies in other files", path);
  const bool is_packed = [&] {
    for (int k = 0; k < H5Pget_nfilters(creation.get()); ++k) {
      unsigned flags = 0, filter_config = 0;
      std::size_t values = 0;
      if (H5Pget_filter2(creation.get(), static_cast<unsigned>(k), &flags, &values, nullptr, 0,
                         nullptr, &filter_config) != H5Z_FILTER_FLETCHER32)
        return true;
    }
    return false;
  }();
  const std::uint64_t stored = H5Dget_storage_size(d.id.get());
  const std::uint64_t allowed = std::min(stored, size_) * (is_packed ? kMostCompressed : 1);
  const std::uint64_t row = std::max<std::uint64_t>(e.width, 1) * item;
  if (e.rows > 0 && e.width > 0 &&
      (stored > size_ || e.width > allowed / item || row > allowed || e.rows > allowed / row))
    refuse("is damaged, or made to be: {} is larger than the file", path);
  e.attributes = read_attributes(d.id, path);
  return d;
}

Hdf5Source::Dataset& Hdf5Source::find_dataset(const std::string& path) {
  if (const auto at = datasets_.find(path); at != datasets_.end()) return at->second;
  const ManifestEntry* const listed = manifest_.find(path);
  if (!listed || listed->kind == StoredKind::group) refuse("cannot read {}: there is none", path);
  Dataset d = open(path);
  if (has_manifest_) {
    const ManifestEntry &is = d.entry, &was = *listed;
    if (is.kind != was.kind || is.rows != was.rows || is.width != was.width ||
        is.length != was.length)
      refuse("is damaged: {} is not of the shape it was written in", path);
    for (const auto& [name, value] : was.attributes.items())
      if (!is.attributes.contains(name) || is.attributes[name] != value)
        refuse("is damaged: the attribute {} of {} is not what was written", name, path);
    d.entry.sha256 = was.sha256;
  }
  d.is_checked = !has_manifest_;
  return datasets_.emplace(path, std::move(d)).first->second;
}

bool Hdf5Source::check_more(Dataset& d) {
  if (d.is_checked) return true;
  const ManifestEntry& e = d.entry;
  const std::uint64_t together = std::max<std::uint64_t>(kMostBytesAtOnce / e.row_size(), 1);
  const std::uint64_t turn = std::max<std::uint64_t>(kCheckedAtOnce / e.row_size(), 1);
  for (std::uint64_t end = std::min(e.rows, d.checked + turn); d.checked < end;) {
    const std::uint64_t count = std::min(together, end - d.checked);
    d.digest.add(read(d, {.first = d.checked, .rows = count, .columns = e.width}, false));
    d.checked += count;
  }
  if (d.checked < e.rows) return false;
  if (to_hexadecimal(d.digest.find()) != e.sha256)
    refuse("is damaged: {} is not what was written (its digest differs)", e.path);
  return d.is_checked = true;
}

std::string Hdf5Source::read(const Dataset& d, const Hdf5Question& q, bool as_doubles) const {
  const ManifestEntry& e = d.entry;
  const bool is_number = e.kind == StoredKind::numbers || e.kind == StoredKind::floats;
  if (q.rows == 0 || q.columns == 0) return {};
  if (q.stride == 0 || q.first >= e.rows || (q.rows - 1) > (e.rows - 1 - q.first) / q.stride ||
      q.columns > e.width || q.column > e.width - q.columns)
    refuse("has only {} rows of {} in {}", e.rows, e.width, e.path);
  const Hdf5Id in_file(check(H5Dget_space(d.id.get()), e.path));
  const int rank = H5Sget_simple_extent_ndims(in_file.get());
  const hsize_t first[2] = {q.first, q.column}, step[2] = {q.stride, 1},
                count[2] = {q.rows, q.columns};
  if (rank > 0)
    check(H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, first, step, count, nullptr), e.path);
  const Hdf5Id in_memory(
      check(rank > 0 ? H5Screate_simple(rank, count, nullptr) : H5Screate(H5S_SCALAR), e.path));
  const std::uint64_t item = is_number ? (as_doubles ? 8 : e.row_size() / e.width) : e.row_size();
  const hid_t type = is_number && as_doubles ? H5T_IEEE_F64LE : d.type.get();
  std::string bytes(q.rows * q.columns * item, '\0');
  check(H5Dread(d.id.get(), type, in_memory.get(), in_file.get(), H5P_DEFAULT, bytes.data()),
        e.path);
  return bytes;
}

std::string Hdf5Source::list_foreign() {
  std::string out;
  if (!has_manifest_) return out;
  const Manifest found = walk();
  for (const std::string& path : found.paths())
    if (path != Manifest::kPath && !manifest_.find(path)) out += path + '\0';
  return out;
}

std::string Hdf5Source::answer(std::string_view question) {
  return explain([&] { return find_answer(question); });
}

std::string Hdf5Source::find_answer(std::string_view question) {
  Hdf5Question q;
  if (question.size() < sizeof q) refuse("cannot be read: no question");
  std::memcpy(&q, question.data(), sizeof q);
  const std::string path(question.substr(sizeof q));
  switch (q.what) {
    case Hdf5Question::What::list: return (has_manifest_ ? "1" : "0") + manifest_.write();
    case Hdf5Question::What::check: return check_more(find_dataset(path)) ? "1" : "0";
    case Hdf5Question::What::read: {
      Dataset& d = find_dataset(path);
      if (!d.is_checked) refuse("cannot be read: {} was not checked", path);
      return read(d, q, true);
    }
    case Hdf5Question::What::foreign: return list_foreign();
  }
  refuse("cannot be read: no question");
}

}  // namespace berth
