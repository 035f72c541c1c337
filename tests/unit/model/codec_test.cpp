#include "libcore/model/codec.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/hash.hpp"
#include "tests/support/scheme_check.hpp"
#include "tests/support/toy_codings.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace logpx::codec_test {
namespace {

const toy::Vae& vae() {
  static const toy::Vae model = toy::Vae::random(30, 3, 8);
  return model;
}

const CodedItem item{.height = 5, .width = 6, .channels = 1, .levels = 2, .alphabet = {}};

}  // namespace

TEST_CASE("codec: a plan reads its knobs and its schemes return the items") {
  Workers workers(2);
  for (const char* particles : {"1", "3"}) {
    BitsBackPlan plan(vae());
    Fields fields;
    plan.describe(fields);
    fields.set("latent_bits=9", Origin::option);
    fields.set(std::string("particles=") + particles, Origin::option);
    check_inverse(*plan.scheme(workers), random_symbols(5 * 30, 2));
    CHECK_THROWS_AS(fields.set("timesteps=3", Origin::option), Error);
  }
}

TEST_CASE("codec: a plan codes in the bins of the coding's own priors") {
  Workers workers(2);
  const toy::OtherPriors other(vae());
  const auto items = random_symbols(400 * 30, 2);
  std::vector<double> scores;
  for (const char* particles : {"1", "3"}) {
    BitsBackPlan plan(other), standard(vae());
    Fields fields;
    plan.describe(fields);
    fields.set(std::string("particles=") + particles, Origin::option);
    const auto scheme = plan.scheme(workers);
    check_inverse(*scheme, std::span(items).first(9 * 30));
    check_length(*scheme, items, 0.002);
    scores = coder_scores(*scheme, items, 0, Rng(5), workers);
    CHECK(scores != coder_scores(*standard.scheme(workers), items, 0, Rng(5), workers));
  }
  BitsBackPlan plan(other);
  Fields fields;
  plan.describe(fields);
  fields.set("latent_bits=auto", Origin::option);
  plan.settle(std::span(items).first(16 * 30), workers);
  check_inverse(*plan.scheme(workers), std::span(items).first(9 * 30));
}

TEST_CASE("codec: automatic latent bits are settled before a scheme is made") {
  Workers workers(2);
  BitsBackPlan plan(vae());
  Fields fields;
  plan.describe(fields);
  fields.set("latent_bits=auto", Origin::option);
  CHECK_THROWS_AS((void)plan.scheme(workers), Error);
  const auto sample = random_symbols(16 * 30, 2);
  plan.settle(sample, workers);
  const std::string chosen = fields.find_key("latent_bits")->text();
  // No choice codes the sample with a thousandth fewer bits.
  codec::Message message(1);
  codec::Costs costs;
  plan.scheme(workers)->encode(message, sample, 0, costs);
  for (const char* other : {"8", "10", "12", "14", "16"}) {
    fields.set(std::string("latent_bits=") + other, Origin::option);
    codec::Message other_message(1);
    codec::Costs other_costs;
    plan.scheme(workers)->encode(other_message, sample, 0, other_costs);
    CHECK(costs.total() <= 1.001 * other_costs.total());
    if (std::stoi(other) < std::stoi(chosen)) CHECK(other_costs.total() > 1.0 * costs.total());
  }
}

TEST_CASE("codec: automatic latent bits are settled without a sample too") {
  Workers workers(1);
  BitsBackPlan plan(vae());
  Fields fields;
  plan.describe(fields);
  fields.set("latent_bits=auto", Origin::option);
  plan.settle({}, workers);
  CHECK(fields.find_key("latent_bits")->text() == "12");
  check_inverse(*plan.scheme(workers), random_symbols(5 * 30, 2));
}

TEST_CASE("codec: knobs out of range are refused") {
  Workers workers(1);
  for (const char* bits : {"0", "17", "x", "-3", "1e9"}) {
    BitsBackPlan plan(vae());
    Fields fields;
    plan.describe(fields);
    fields.set(std::string("latent_bits=") + bits, Origin::option);
    CHECK_THROWS_AS((void)plan.scheme(workers), Error);
  }
}

TEST_CASE("codec: the probe is the hash of the fixed item coded alone") {
  Workers workers(1);
  const BitsBackPlan plan(vae());
  const auto scheme = plan.scheme(workers);
  std::vector<std::uint8_t> fixed;
  for (int j = 0; j < 30; ++j) fixed.push_back(static_cast<std::uint8_t>((5 * j + 3) % 2));
  codec::Message message(2);
  codec::Costs costs;
  scheme->encode(message, fixed, 0, costs);
  CHECK(probe_of(*scheme, item, 2) == sha256_hex(message.serialise()));
  CHECK(probe_of(*scheme, item, 1) != probe_of(*scheme, item, 2));
}

TEST_CASE("codec: scores do not depend on threads or on which items come together") {
  const auto items = random_symbols(150 * 30, 2);
  Workers one(1), three(3);
  const BitsBackPlan plan(vae());
  const auto scheme = plan.scheme(one);
  const std::vector<double> scores = coder_scores(*scheme, items, 10, Rng(5), one);
  REQUIRE(scores.size() == 150);
  CHECK(coder_scores(*scheme, items, 10, Rng(5), three) == scores);
  const auto last = coder_scores(*scheme, std::span(items).subspan(149 * 30), 159, Rng(5), one);
  CHECK(last[0] == scores[149]);
}

}  // namespace logpx::codec_test
