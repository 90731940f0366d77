// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/read/part_writer.h"

namespace berth {
namespace {

toml::array to_array(std::initializer_list<double> numbers) {
  toml::array a;
  for (double x : numbers) a.push_back(x);
  return a;
}

}  // namespace

template <class V>
void ValueWriter::put_value(V&& value) const {
  if (list_) {
    list_->push_back(std::forward<V>(value));
  } else {
    table_->insert(key_, std::forward<V>(value));
  }
}

void ValueWriter::put(toml::array&& list) const { put_value(std::move(list)); }
void ValueWriter::put(toml::table&& table, std::string_view type) const {
  if (!type.empty()) table.insert("type", type);
  put_value(std::move(table));
}

void ValueWriter::write(double x) const { put_value(x); }
void ValueWriter::write(int x) const { put_value(std::int64_t{x}); }
void ValueWriter::write(bool x) const { put_value(x); }
void ValueWriter::write(const std::string& x) const { put_value(x); }
void ValueWriter::write(const Vec3<double>& v) const { put(to_array({v.x, v.y, v.z})); }
void ValueWriter::write(const Quaternion<double>& q) const { put(to_array({q.w, q.x, q.y, q.z})); }
void ValueWriter::write(const Sym3<double>& m) const {
  put(toml::array(to_array({m.xx, m.xy, m.xz}), to_array({m.xy, m.yy, m.yz}),
                  to_array({m.xz, m.yz, m.zz})));
}
void ValueWriter::write(const std::array<double, 2>& x) const { put(to_array({x[0], x[1]})); }

void add_chosen(toml::table& out, toml::table&& chosen, std::string_view key,
                std::string_view type) {
  for (auto&& [input, node] : chosen) out.insert(input, std::move(node));
  if (key != kByOwnKey) out.insert(key, type);
}

}  // namespace berth
