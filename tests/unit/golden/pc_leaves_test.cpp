// Leaves of circuits as in tests/golden/pc.json.
#include "libcore/families/pc/leaves/leaf.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_message.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

namespace logpx::pc_leaves_test {

using namespace logpx::pc;
using golden::reals_of;

namespace {

void check_values(const Leaf& leaf, const std::vector<double>& q, const Json& expected) {
  for (const Json& pair : expected.items()) {
    const double value = pair.at(0).number();
    double nats = 0;
    leaf.log_p(q, std::span(&value, 1), std::span(&nats, 1));
    CAPTURE(value);
    CHECK(std::abs(nats - pair.at(1).number()) < 1e-10 * std::max(1.0, std::abs(nats)));
  }
}

std::vector<double> sums_of(const Leaf& leaf, const Json& item) {
  const std::vector<double> weights = reals_of(item.at("weights")), x = reals_of(item.at("x"));
  std::vector<double> sums(static_cast<std::size_t>(leaf.statistics()));
  for (std::size_t i = 0; i < x.size(); ++i) leaf.add_statistics({}, x[i], weights[i], sums);
  return sums;
}

}  // namespace

TEST_CASE("golden/pc/leaves") {
  const Json* leaves = golden::field("pc", "leaves");
  if (!leaves) return;
  for (const Json& item : leaves->at("discretised_logistic").items())
    check_values(*make_leaf(LeafKind::dlogistic, item.at("K").integer()),
                 {item.at("mu").number(), item.at("s").number()}, item.at("log_pmf"));
  for (const Json& item : leaves->at("binomial").items())
    check_values(*make_leaf(LeafKind::binomial, item.at("n").integer() + 1),
                 {item.at("p").number()}, item.at("log_pmf"));
  for (const Json& item : leaves->at("bernoulli").items())
    check_values(*make_leaf(LeafKind::bernoulli, 2), {item.at("p").number()}, item.at("log_pmf"));
  for (const Json& item : leaves->at("gaussian").items())
    check_values(*make_leaf(LeafKind::gaussian, 0),
                 {item.at("mu").number(), item.at("sigma").number()}, item.at("log_pdf"));
}

TEST_CASE("golden/pc/leaves m_step") {
  const Json* leaves = golden::field("pc", "leaves");
  if (!leaves) return;
  const Json &normal = leaves->at("gaussian_m_step"), &many = leaves->at("binomial_m_step"),
             &coin = leaves->at("bernoulli_m_step");
  const std::unique_ptr<Leaf> gaussian = make_leaf(LeafKind::gaussian, 0);
  std::array q = {0.0, 1.0};
  gaussian->maximise(sums_of(*gaussian, normal), {}, q);
  CHECK(std::abs(q[0] - normal.at("mu").number()) < 1e-12);
  CHECK(std::abs(q[1] - normal.at("sigma").number()) < 1e-12);
  const std::unique_ptr<Leaf> binomial = make_leaf(LeafKind::binomial, many.at("n").integer() + 1);
  binomial->maximise(sums_of(*binomial, many), {}, std::span(q).first(1));
  CHECK(std::abs(q[0] - many.at("p").number()) < 1e-12);
  const std::unique_ptr<Leaf> bernoulli = make_leaf(LeafKind::bernoulli, 2);
  bernoulli->maximise(sums_of(*bernoulli, coin), {}, std::span(q).first(1));
  CHECK(std::abs(q[0] - coin.at("p").number()) < 1e-12);
}

}  // namespace logpx::pc_leaves_test
