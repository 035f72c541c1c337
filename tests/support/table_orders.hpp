// A model of orders whose networks are tables in double precision: for every state the logits of
// all values and of the next dim, for every row those of q(z|x).
#pragma once

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/arm/order_model.hpp"
#include "libcore/families/arm/scoring/scored_rows.hpp"
#include "tests/support/vae_models.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace logpx::table_orders {

struct Tables {
  std::int64_t dims = 1, levels = 2;
  std::vector<double> f, h, g;  // [(m+1)^L, L, m], [(m+1)^L, L], [m^L, L]; dim 0 the fastest
};

class TablePredictor final : public arm::StatePredictor {
 public:
  explicit TablePredictor(Tables tables)
      : form_(tables.dims, tables.levels), tables_(std::move(tables)) {}
  [[nodiscard]] const arm::RowForm& form() const override { return form_; }
  void look(const arm::States& states, arm::Looks& looks) const override {
    const std::size_t dims = at(tables_.dims), each = dims * at(tables_.levels);
    looks.values.clear();
    looks.policy.clear();
    for (std::size_t first = 0; first < states.x.size(); first += dims) {
      std::size_t state = 0;
      for (std::size_t k = dims; k-- > 0;)
        state = state * at(tables_.levels + 1) +
                at(states.seen[first + k] != 0 ? states.x[first + k] : tables_.levels);
      const auto add = [&](std::vector<double>& to, const std::vector<double>& from,
                           std::size_t size) {
        const auto row = std::span(from).subspan(state * size, size);
        to.insert(to.end(), row.begin(), row.end());
      };
      add(looks.values, tables_.f, each);
      add(looks.policy, tables_.h, dims);
    }
  }
  void choose(std::span<const std::int32_t> x, std::span<double> g) const override {
    const std::size_t dims = at(tables_.dims);
    for (std::size_t first = 0; first < x.size(); first += dims) {
      std::size_t row = 0;
      for (std::size_t k = dims; k-- > 0;) row = row * at(tables_.levels) + at(x[first + k]);
      for (std::size_t k = 0; k < dims; ++k) g[first + k] = tables_.g[row * dims + k];
    }
  }
  [[nodiscard]] Tables& tables() { return tables_; }

 private:
  arm::RowForm form_;
  Tables tables_;
};

class TableOrders final : public arm::OrderModel {
 public:
  explicit TableOrders(Tables tables)
      : data_(vectors_of(tables.dims, tables.levels)),
        reader_(arm::Config{}, data_),
        info_(reader_.model_info(data_)),
        predictor_(std::move(tables)) {
    info_.block = 16;
  }
  [[nodiscard]] const ModelInfo& model_info() const override { return info_; }
  [[nodiscard]] const arm::LevelReader& reader() const override { return reader_; }
  [[nodiscard]] arm::OrderRule rule() const override { return rule_; }
  [[nodiscard]] const arm::StatePredictor& predictor() const override { return predictor_; }
  [[nodiscard]] std::unique_ptr<const arm::StatePredictor> repeatable_predictor(
      const arm::RowForm&) const override {
    return std::make_unique<TablePredictor>(predictor_);
  }
  [[nodiscard]] arm::ScoredRows rows(std::vector<std::int32_t> x) const {
    return {*this, std::move(x), 0};
  }
  [[nodiscard]] Tables& tables() { return predictor_.tables(); }
  void follow(arm::OrderRule rule) { rule_ = rule; }

 private:
  DatasetInfo data_;
  arm::LevelReader reader_;
  ModelInfo info_;
  TablePredictor predictor_;
  arm::OrderRule rule_;
};

[[nodiscard]] inline std::int64_t power(std::int64_t base, std::int64_t exponent) {
  std::int64_t product = 1;
  for (std::int64_t i = 0; i < exponent; ++i) product *= base;
  return product;
}

// Standard normals in every place.
[[nodiscard]] inline Tables random_tables(std::int64_t dims, std::int64_t levels,
                                          std::uint64_t seed) {
  Tables tables{.dims = dims, .levels = levels, .f = {}, .h = {}, .g = {}};
  DrawCursor draws(Rng(seed).stream(Stream::test));
  const auto fill = [&](std::vector<double>& to, std::int64_t size) {
    for (std::int64_t i = 0; i < size; ++i) to.push_back(draws.normal());
  };
  fill(tables.f, power(levels + 1, dims) * dims * levels);
  fill(tables.h, power(levels + 1, dims) * dims);
  fill(tables.g, power(levels, dims) * dims);
  return tables;
}

// Row number `row` in the list of all rows.
[[nodiscard]] inline std::vector<std::int32_t> row_of(const Tables& tables, std::int64_t row) {
  std::vector<std::int32_t> x;
  for (std::int64_t k = 0; k < tables.dims; ++k, row /= tables.levels)
    x.push_back(static_cast<std::int32_t>(row % tables.levels));
  return x;
}

// All orders of so many dims.
[[nodiscard]] inline std::vector<std::vector<std::int32_t>> all_orders(std::int64_t dims) {
  std::vector<std::int32_t> order;
  for (std::int32_t k = 0; k < dims; ++k) order.push_back(k);
  std::vector<std::vector<std::int32_t>> all;
  do all.push_back(order);
  while (std::ranges::next_permutation(order).found);
  return all;
}

}  // namespace logpx::table_orders
