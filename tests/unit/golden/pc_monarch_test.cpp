// Monarch matrices as the paper defines them, against tests/golden/pc.json.
#include "tests/support/golden.hpp"
#include "tests/support/monarch_values.hpp"

#include <doctest/doctest.h>

namespace logpx::pc_monarch_test {
namespace {

using Numbers = std::vector<double>;

Numbers numbers(const Json& json) { return golden_layer::tensor(json).data; }

void check_matrix(const Json& item) {
  const MonarchValues<double> values = golden_monarch(item);
  CHECK(largest_gap(values.matrix(), numbers(item.at("dense"))) < 1e-10);
  CHECK(largest_gap(values.applied(numbers(item.at("x"))), numbers(item.at("Mx"))) < 1e-10);
  CHECK(largest_gap(values.transposed(numbers(item.at("y"))), numbers(item.at("MTy"))) < 1e-10);
  CHECK(values.form.edges() == item.at("edges").integer());
  CHECK(values.form.rows() * values.form.columns() == item.at("dense_edges").integer());
  for (std::size_t t = 0; t < values.tensors.size(); ++t)
    CHECK(unpack_tensor<double>(values.form.layers()[t], values.tensors[t]) ==
          numbers(item.at("tensors").at(t)));
}

}  // namespace

TEST_CASE("golden/pc/monarch_rect") {
  const Json* const items = golden::field("pc", "monarch_rect");
  if (!items) return;
  for (const Json& item : items->items()) check_matrix(item);
}

TEST_CASE("golden/pc/butterfly") {
  if (const Json* const item = golden::field("pc", "butterfly")) check_matrix(*item);
}

TEST_CASE("golden/pc/monarch_hmm: the matrices") {
  const Json* const items = golden::field("pc", "monarch_hmm");
  if (!items) return;
  for (const Json& item : items->items()) check_matrix(item);
}

TEST_CASE("golden/pc/hclt_monarch: the matrices") {
  const Json* const item = golden::field("pc", "hclt_monarch");
  if (!item) return;
  const std::int64_t p = item->at("p").integer(), q = item->at("q").integer();
  for (const auto& [variable, layers] : item->at("layers").members()) {
    MonarchValues<double> values({.m = {p, q}, .n = {p, q}, .program = {1, 2, 1}});
    for (std::size_t t = 0; t < 3; ++t)
      values.tensors.push_back(pack_tensor<double>(values.form.layers()[t],
                                                   numbers(layers.at(std::string(1, "ABC"[t])))));
    CHECK(largest_gap(values.matrix(), numbers(item->at("dense").at(variable))) < 1e-10);
    CHECK(values.form.edges() == 2 * p * p * q + p * q * q);
  }
}

TEST_CASE("golden/pc/flops_table") {
  const Json* const rows = golden::field("pc", "flops_table");
  if (!rows) return;
  for (const Json& row : rows->items()) {
    const std::int64_t h = row.at("h").integer();
    CHECK(Monarch::dense(h, h).edges() == row.at("dense").integer());
    for (int d = 2; d <= 4; ++d) {
      const Json& expected = row.at("monarch" + std::to_string(d));
      const MonarchFactors factors = read_factors("auto:" + std::to_string(d), h);
      CHECK(Json::array_of(factors.m) == expected.at("factors"));
      CHECK(Monarch(factors).edges() == expected.at("flops").integer());
    }
  }
}

}  // namespace logpx::pc_monarch_test
