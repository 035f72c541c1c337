// The tree of tests/golden/pc.json, for counts as they are and for smoothed ones.
#include "libcore/base/index.hpp"
#include "libcore/math/chow_liu.hpp"
#include "libcore/math/mutual_information.hpp"
#include "tests/support/golden.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::pc_chow_liu_test {
namespace {

std::vector<std::uint16_t> columns_of(const Json& data, int bins, std::int64_t K) {
  std::vector<std::uint16_t> values;
  for (std::size_t v = 0; v < data.at(0).size(); ++v)
    for (const Json& row : data.items()) values.push_back(hard_bin(row.at(v).integer(), bins, K));
  return values;
}

}  // namespace

TEST_CASE("golden/pc/chow_liu") {
  const Json* const item = golden::field("pc", "chow_liu");
  if (!item) return;
  const std::int64_t variables = item->at("D").integer(), K = item->at("K").integer();
  const int bins = static_cast<int>(K);
  const std::vector<std::uint16_t> values = columns_of(item->at("data"), bins, K);
  Workers workers(2);
  for (const double alpha : {0.0, 0.01}) {
    const Json& expected = item->at(alpha > 0 ? "alpha_0.01" : "alpha_0");
    const std::vector<double> nats =
        mutual_information({values, variables, item->at("N").integer(), bins}, alpha, workers);
    for (std::int64_t i = 0; i < variables; ++i)
      for (std::int64_t j = 0; j < variables; ++j) {
        const double by_file =
            golden::real(expected.at("mutual_information_nats").at(at(i)).at(at(j)));
        CHECK(std::abs(nats[at(i * variables + j)] - by_file) < 1e-10);
      }
    const SpanningTree tree = chow_liu_tree(nats, variables);
    Json edges = Json::array();
    for (const auto& edge : tree.edges) edges.push(Json::array({edge.first, edge.second}));
    CHECK(edges == expected.at("edges"));
    CHECK(Json::array_of(tree.eccentricity) == expected.at("eccentricity"));
    CHECK(Json(tree.root) == expected.at("root"));
    CHECK(Json::array_of(tree.parent) == expected.at("parent"));
    CHECK(Json::array_of(tree.order) == expected.at("bfs_order"));
    CHECK(std::abs(tree.weight - golden::real(expected.at("total_mi"))) < 1e-10);
  }
}

}  // namespace logpx::pc_chow_liu_test
