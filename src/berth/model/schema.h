// SPDX-License-Identifier: Apache-2.0
#pragma once

// Schema{a, b, …} — what a schema says, row by row, each of a type of its own: a tuple that does nothing but
// stand there to be walked. Hundreds of walks are compiled; std::tuple and std::apply cost each of them
// several functions.

#include <cstddef>
#include <utility>

namespace berth {

template <std::size_t, class Row>
struct RowAt {
  Row row;
};

template <class, class... Row>
struct SchemaAt;
template <std::size_t... I, class... Row>
struct SchemaAt<std::index_sequence<I...>, Row...> : RowAt<I, Row>... {};

template <class... Row>
struct Schema : SchemaAt<std::index_sequence_for<Row...>, Row...> {
  static constexpr std::size_t size = sizeof...(Row);
  static constexpr std::index_sequence_for<Row...> indices{};
  constexpr Schema(Row... rows) : SchemaAt<std::index_sequence_for<Row...>, Row...>{{rows}...} {}
};

template <std::size_t I, class Row>
constexpr const Row& row_at(const RowAt<I, Row>& at) {
  return at.row;
}

// Calls visit(row, args…) for every row.
template <std::size_t... I, class... Row, class Visit>
constexpr void for_each_row(const SchemaAt<std::index_sequence<I...>, Row...>& rows,
                            Visit&& visit) {
  (visit(static_cast<const RowAt<I, Row>&>(rows).row), ...);
}

}  // namespace berth
